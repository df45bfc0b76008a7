"""What can be read: views and rows never go back in time, and who watches hears of each step."""

from __future__ import annotations

import threading

import pytest

from events.store.protocol import EventStore, Row
from tests.store.conftest import House
from tests.store.given import eventually


def test_views_are_saved_with_their_checkpoint(store: EventStore) -> None:
    """All of a game's, in one write; bytes of any kind."""
    assert store.load_view("g", "table") is None
    assert store.save_views("g", 3, {"table": b"seen\n\x00", "hand": b""})
    assert store.load_view("g", "table") == (3, b"seen\n\x00")
    assert store.load_view("g", "hand") == (3, b"")
    assert store.load_view("g", "score") is None
    assert store.load_view("h", "table") is None


@pytest.mark.parametrize("version", [1, 2, 3])
def test_an_older_view_never_replaces_a_newer_one(house: House, version: int) -> None:
    """Nor one of the same version: the second projector comes too late."""
    house.store.save_views("g", 3, {"table": b"new"})
    before = house.contents()
    assert not house.store.save_views("g", version, {"table": b"old", "hand": b"old"})
    assert house.contents() == before


def test_a_newer_view_replaces_an_older_one(store: EventStore) -> None:
    """The checkpoint is the game's; a view that is not saved again keeps its own."""
    store.save_views("g", 3, {"table": b"3", "hand": b"3"})
    assert store.save_views("g", 10, {"table": b"10"})
    assert store.load_view("g", "table") == (10, b"10")
    assert store.load_view("g", "hand") == (3, b"3")
    assert not store.save_views("g", 9, {"hand": b"9"})


def test_dropped_views_can_be_built_again(house: House) -> None:
    """From an older version, too."""
    empty = house.contents()
    house.store.save_views("g", 3, {"table": b"3", "hand": b"3"})
    house.store.drop_views("g")
    house.store.drop_views("nobody")
    assert house.contents() == empty
    assert house.store.save_views("g", 1, {"table": b"1"})
    assert house.store.load_view("g", "table") == (1, b"1")
    assert house.store.load_view("g", "hand") is None


def test_rows_keep_a_checkpoint_for_each_game(house: House) -> None:
    """A removed row does not come back from an older version; the tables know nothing of each other."""
    store = house.store
    assert store.load_rows("lobby") == {}
    for number in range(20):
        assert store.save_rows("lobby", f"g{number}", 2, b"%d" % number)
    assert store.load_rows("lobby") == {f"g{number}": b"%d" % number for number in range(20)}
    assert store.load_rows("standings") == {}
    assert not store.save_rows("lobby", "g1", 2, b"late")
    assert store.save_rows("lobby", "g1", 3, None)
    before = house.contents()
    assert not store.save_rows("lobby", "g1", 3, b"late")
    assert not store.save_rows("lobby", "g1", 2, None)
    assert house.contents() == before
    assert "g1" not in store.load_rows("lobby")
    assert [store.row_version(*row) for row in (("lobby", "g1"), ("lobby", "g99"), ("standings", "g1"))] == [3, 0, 0]
    assert store.save_rows("lobby", "g1", 4, b"")
    assert store.load_rows("lobby")["g1"] == b""


def test_dropped_rows_can_be_built_again(store: EventStore) -> None:
    """All of one table, none of another."""
    store.save_rows("lobby", "g", 5, b"5")
    store.save_rows("standings", "g", 5, b"5")
    store.drop_rows("lobby")
    assert store.load_rows("lobby") == {}
    assert store.load_rows("standings") == {"g": b"5"}
    assert (store.row_version("lobby", "g"), store.row_version("standings", "g")) == (0, 5)
    assert store.save_rows("lobby", "g", 1, b"1")


def test_who_listens_hears_what_is_published(house: House) -> None:
    """From the first call on, in order; nothing is heard twice."""
    listener = house.another()
    house.store.publish("g", 1)
    assert listener.listen(0) == []
    house.store.publish("g", 2)
    house.store.publish("a game", 3)
    heard: list[tuple[str, int]] = []

    def both() -> bool:
        heard.extend(listener.listen(1000))
        return len(heard) == 2

    eventually(both)
    assert heard == [("g", 2), ("a game", 3)]
    assert listener.listen(0) == []


def test_a_listener_is_woken(house: House) -> None:
    """By the first line, long before its time is up."""
    listener = house.another()
    listener.listen(0)
    heard: list[tuple[str, int]] = []
    thread = threading.Thread(target=lambda: heard.extend(listener.listen(20_000)))
    thread.start()
    house.store.publish("g", 7)
    thread.join(timeout=5)
    assert not thread.is_alive()
    assert heard == [("g", 7)]


def test_several_views_are_read_as_they_stood_at_one_moment(store: EventStore) -> None:
    """Each with its own checkpoint; a view that was never written is not among them."""
    assert store.load_views("g", ("table", "you/0")) == {}
    assert store.save_views("g", 3, {"table": b"3", "you/0": b"three"})
    assert store.save_views("g", 4, {"table": b"4"})
    assert store.load_views("g", ("table", "you/0", "you/1")) == {"table": (4, b"4"), "you/0": (3, b"three")}


def told(listener: EventStore, count: int) -> list[tuple[str, int]]:
    """So many lines, as soon as they have come, and no more."""
    heard: list[tuple[str, int]] = []
    eventually(lambda: heard.extend(listener.listen(1000)) or len(heard) >= count)
    return heard + listener.listen(0)


def test_views_and_rows_are_written_together_and_then_told(house: House) -> None:
    """The one who is told finds everything there."""
    listener = house.another()
    listener.listen(0)
    rows = (Row("lobby", 5, b"row"), Row("standings", 4, None))
    assert house.store.show("g", 7, {"table": b"seen\n\x00", "hand": b""}, rows)
    assert told(listener, 1) == [("g", 7)]
    assert listener.load_views("g", ("table", "hand")) == {"table": (7, b"seen\n\x00"), "hand": (7, b"")}
    assert (listener.load_rows("lobby"), listener.load_rows("standings")) == ({"g": b"row"}, {})
    assert not house.store.save_rows("standings", "g", 4, b"late"), "a row that is gone has left no checkpoint"


def test_what_is_shown_again_is_told_again(house: House) -> None:
    """Whoever wrote it may have died before: the views stay as they are, and those who watch hear of them."""
    listener = house.another()
    listener.listen(0)
    house.store.show("g", 7, {"table": b"7"}, (Row("lobby", 5, b"5"),))
    before = house.contents()
    assert not house.store.show("g", 7, {"table": b"again"}, (Row("lobby", 5, b"again"),))
    assert not house.store.show("g", 6, {"table": b"late"}, ())
    assert house.contents() == before
    assert told(listener, 3) == [("g", 7), ("g", 7), ("g", 6)]


def test_telling_alone_claims_no_version(house: House) -> None:
    """Somebody drops the views to build them again while another says once more what it showed: they can still be built."""
    listener = house.another()
    listener.listen(0)
    house.store.show("g", 7, {"table": b"7", "hand": b"7"}, ())
    house.store.drop_views("g")
    empty = house.contents()
    assert not house.store.show("g", 7, {}, ())
    assert house.contents() == empty
    assert house.store.save_views("g", 7, {"table": b"7", "hand": b"7"})
    assert told(listener, 2) == [("g", 7), ("g", 7)]


def test_each_part_that_is_shown_has_its_own_checkpoint(store: EventStore) -> None:
    """Newer views with an old row, and the other way round."""
    store.show("g", 7, {"table": b"7"}, (Row("lobby", 5, b"5"),))
    assert store.show("g", 8, {"table": b"8"}, (Row("lobby", 5, b"old"),))
    assert not store.show("g", 8, {"table": b"old"}, (Row("lobby", 6, b"6"),))
    assert store.load_view("g", "table") == (8, b"8")
    assert store.load_rows("lobby") == {"g": b"6"}
