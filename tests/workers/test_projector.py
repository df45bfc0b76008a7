"""What has happened is shown: once it is written, then told; whoever dies in between, and however old their news."""

from __future__ import annotations

from typing import Any

import pytest
from structlog.typing import EventDict

from events.commands import StartGame
from events.store.memory import MemoryStore
from events.store.protocol import Append, Entry, EventStore, StoreUnavailable
from projections.rebuild import views_of
from projections.views import load
from tests.games import START, Clock
from tests.workers.given import Silent, begun, bots_seated, eventually, over
from workers.handlers import advance
from workers.projector import GROUP, Projector
from workers.queue import NoQueue
from workers.wiring import House


def right(store: EventStore, game: str) -> bool:
    """Whether every view of a game is, byte for byte, the one that its log gives."""
    documents = views_of(store, game).documents()
    saved = {name: load(store, game, name) for name in documents}
    return {name: one[1] if one else None for name, one in saved.items()} == documents


def heard(store: EventStore) -> dict[str, int]:
    latest: dict[str, int] = {}
    for game, version in store.listen(50):
        latest[game] = max(version, latest.get(game, 0))
    return latest


def test_views_are_written_and_then_told(house: House) -> None:
    """After one look every view stands at the log's version, and those who watch have heard of it."""
    house.store.listen(1)
    game = bots_seated(house, 1)
    projector = Projector(house)
    assert projector.look(200) == 1
    assert right(house.store, game)
    assert heard(house.store) == {game: house.table.load(game).game.version}
    assert projector.look(1) == 0, "a line was not acknowledged"


def test_many_lines_of_one_game_are_one_piece_of_work(monkeypatch: pytest.MonkeyPatch) -> None:
    """A whole game that waited in the feed is read once."""
    house = House.on(MemoryStore(), NoQueue())
    games = [begun(house, seed) for seed in (1, 2)]
    shown: list[str] = []
    projector = Projector(house)
    show = projector.show

    def note(game: str) -> None:
        shown.append(game)
        show(game)

    monkeypatch.setattr(projector, "show", note)
    assert projector.look(1) == 2
    assert sorted(shown) == sorted(games)
    assert all(over(house, game) and right(house.store, game) for game in games)


def test_a_moment_that_is_over_at_once_is_not_written(house: House) -> None:
    """A table of bots owes itself a move: its views wait for it, for a short time, and are written once."""
    house.store.listen(1)
    game = bots_seated(house, 1)
    projector = Projector(house)
    assert projector.look(200) == 1
    gathered = heard(house.store)[game]
    house.table.transact(game, StartGame())
    assert projector.look(10) == 0
    assert load(house.store, game, "table")[0] == gathered  # type: ignore[index]
    assert sum(house.store.behind(GROUP)) == 1, "a line that is held back is not done"
    while not advance(house, game).rests:
        pass
    assert projector.look(200) == 1
    assert over(house, game)
    assert right(house.store, game)
    assert heard(house.store) == {game: house.table.load(game).game.version}
    assert sum(house.store.behind(GROUP)) == 0


def test_a_game_that_is_held_back_is_not_looked_at_for_another_s_news(monkeypatch: pytest.MonkeyPatch) -> None:
    """A thousand tables of bots cost one look for each line, not a thousand."""
    monkeypatch.setattr("workers.projector.HOLD_SECONDS", 60.0)
    house = House.on(MemoryStore(), Silent())
    held = [begun(house, seed) for seed in range(1, 5)]
    projector = Projector(house)
    assert projector.look(1) == 0
    read: list[str] = []
    read_named = house.store.read_named

    def noted(game: str, after: int) -> Any:
        read.append(game)
        return read_named(game, after)

    monkeypatch.setattr(house.store, "read_named", noted)
    waiting = bots_seated(house, 9)
    assert projector.look(1) == 1
    assert read == [waiting]
    assert right(house.store, waiting)
    assert not any(game in read for game in held)


def test_a_moment_that_lasts_is_shown(house: House) -> None:
    """No worker comes: after a twentieth of a second everybody sees how the table stands."""
    game = bots_seated(house, 1)
    house.table.transact(game, StartGame())
    projector = Projector(house)
    eventually(lambda: projector.look(200))
    assert right(house.store, game)
    assert sum(house.store.behind(GROUP)) == 0
    assert projector.look(1) == 0


def test_one_dies_while_it_holds_views_back() -> None:
    """Its lines were not acknowledged: another one shows the table."""
    house = House.on(MemoryStore(clock := Clock()), Silent())
    game = bots_seated(house, 1)
    house.table.transact(game, StartGame())
    assert Projector(house, "one").look(1) == 0
    clock.now += 31_000
    two = Projector(house, "two")
    eventually(lambda: two.look(10))
    assert right(house.store, game)


def test_one_dies_between_writing_and_telling(monkeypatch: pytest.MonkeyPatch) -> None:
    """The views are written, but nobody was told: whoever takes the line over tells."""
    store = MemoryStore(clock := Clock())
    house = House.on(store, NoQueue())
    game = bots_seated(house, 1)

    def dies(*more: object) -> Any:
        raise SystemExit

    with monkeypatch.context() as patched:
        patched.setattr(store, "publish", dies)
        with pytest.raises(SystemExit):
            Projector(house, "one").look(1)
    assert right(store, game)
    store.listen(1)
    two = Projector(house, "two")
    assert two.look(1) == 0, "the line is not left over yet"
    clock.now += 31_000
    assert two.look(1) == 1
    assert heard(store) == {game: house.table.load(game).game.version}


def test_old_news_does_not_undo_newer_views(monkeypatch: pytest.MonkeyPatch) -> None:
    """A projector is stopped after it has made its documents, while another shows the rest of the game; then it goes on."""
    store = MemoryStore(clock := Clock())
    house = House.on(store)
    game = bots_seated(house, 1)
    old, new = Projector(house, "old"), Projector(house, "new")
    save = store.save_views

    def stopped(name: str, version: int, views: dict[str, bytes]) -> bool:
        monkeypatch.setattr(store, "save_views", save)
        house.after(house.table.transact(game, StartGame()))
        assert new.look(1) == 1
        assert right(store, game)
        return save(name, version, views)

    monkeypatch.setattr(store, "save_views", stopped)
    assert old.look(1) == 1
    assert over(house, game)
    assert right(store, game)
    clock.now += 31_000
    assert (old.look(1), new.look(1)) == (0, 0)
    assert right(store, game)


def test_two_share_the_work(house: House) -> None:
    """What one has taken the other does not see; together they show every game."""
    one, two = Projector(house, "one"), Projector(house, "two")
    games = [bots_seated(house, seed) for seed in range(1, 9)]
    assert one.look(200) + two.look(200) == len(games)
    assert all(right(house.store, game) for game in games)


def test_lines_that_were_dropped_are_made_up_for(diary: list[EventDict]) -> None:
    """The feed holds ten lines; the games before them are shown all the same."""
    house = House.on(MemoryStore(partitions=4, feed_length=10))
    games = [begun(house, seed) for seed in range(1, 7)]
    assert Projector(house).look(1) > 0
    assert all(right(house.store, game) for game in games)
    assert [line["event"] for line in diary].count("made_up") > 0
    assert not any(house.store.fell_behind(place, GROUP) for place in range(4))


def test_a_game_that_cannot_be_shown_does_not_stop_the_others(diary: list[EventDict]) -> None:
    """It is noted, without what its bytes say; the others are shown."""
    house = House.on(MemoryStore())
    house.store.append(
        Append(game="a" * 20, expected=0, expected_link=b"", entries=(Entry(b"secret", None, b"link"),), wake=START, key=b"k")
    )
    game = bots_seated(house, 1)
    projector = Projector(house)
    projector.look(1)
    assert right(house.store, game)
    [noted] = [line for line in diary if line["event"] == "not_shown"]
    assert noted["game"] == "a" * 20
    assert "secret" not in repr(diary)
    assert projector.look(1) == 0


def test_a_store_that_goes_away_loses_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """The look fails; the next one shows what this one had taken."""
    house = House.on(MemoryStore(clock := Clock()))
    game = bots_seated(house, 1)
    projector = Projector(house, "one")

    def away(*more: object) -> Any:
        raise StoreUnavailable("no answer")

    with monkeypatch.context() as patched:
        patched.setattr(house.store, "save_views", away)
        with pytest.raises(StoreUnavailable):
            projector.look(1)
    clock.now += 31_000
    assert projector.look(1) == 1
    assert right(house.store, game)
