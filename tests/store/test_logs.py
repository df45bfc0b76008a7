"""A game's log: gapless, all or nothing, and each command once."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from events.store.protocol import Archived, CommandReused, Conflict, EventStore, StoreError
from tests.store.conftest import House
from tests.store.given import HOUR, asked, command, entry, link, written


def test_a_log_reads_back_as_it_was_written(store: EventStore) -> None:
    """Versions 1, 2, 3 without gaps, each with its exact bytes; nothing sealed is not the same as sealed nothing."""
    entries = (entry(1), entry(2, b""), entry(3, bytes(range(256))))
    assert store.append(asked("g", 0, entries=entries, answer=b"yes")).version == 3
    store.append(asked("g", 3, 2, command=command("c")))
    assert store.read("g") == [(1, entries[0]), (2, entries[1]), (3, entries[2]), (4, entry(4)), (5, entry(5))]
    assert store.read("g", after=3) == [(4, entry(4)), (5, entry(5))]
    assert store.read("g", after=1, limit=2) == [(2, entries[1]), (3, entries[2])]
    assert store.read("g", after=5) == []
    assert store.head("g") == (5, link(5))


def test_an_unknown_game_is_empty(store: EventStore) -> None:
    """Nobody has sat down yet."""
    assert store.read("nobody") == []
    assert store.head("nobody") is None
    assert store.key("nobody") is None
    assert store.names("nobody") == {}
    assert store.accepted("nobody", "host", "c") is None
    assert not store.erase_name("nobody", "1/name")
    assert not store.settle("nobody", 0, 5)


REFUSED: dict[str, tuple[dict[str, Any], type[StoreError]]] = {
    "the game exists already": ({"expected": 0}, Conflict),
    "an older head": ({"expected": 2}, Conflict),
    "a head that is not there yet": ({"expected": 4}, Conflict),
    "another link at the same version": ({"expected_link": b"?" * 32}, Conflict),
    "the same command with another body": ({"command": command("done", "another body")}, CommandReused),
    "the same, at a stale head": ({"expected": 0, "command": command("done", "another body")}, CommandReused),
}


@pytest.mark.parametrize("change", REFUSED)
def test_a_refused_append_changes_nothing_at_all(house: House, change: str) -> None:
    """Byte for byte: no entry, no command id, no wake-up, no feed line, no key, no name."""
    written(house.store, "g", command=command("done"), wake=HOUR, key=b"k" * 32, names={"1/name": b"Ada"})
    before = house.contents()
    fields, error = REFUSED[change]
    given: dict[str, Any] = {"expected": 3, "command": command("fresh"), "wake": 5, "names": {"9/name": b"Bea"}} | fields
    with pytest.raises(error) as refusal:
        house.store.append(asked("g", given.pop("expected"), 2, **given))
    assert house.contents() == before
    if isinstance(refusal.value, Conflict):
        assert refusal.value.version == 3


def test_a_dropped_reply_is_harmless(house: House) -> None:
    """A command repeated with its id gets its first answer, even when the table has moved on; nothing is written."""
    first = house.store.append(asked("g", 0, 2, command=command("c"), answer=b"first"))
    house.store.append(asked("g", 2, 3))
    before = house.contents()
    again = house.store.append(asked("g", 0, 2, command=command("c"), answer=b"second"))
    assert (first.version, first.answer, first.repeated) == (2, b"first", False)
    assert (again.version, again.answer, again.repeated) == (2, b"first", True)
    assert house.contents() == before
    found = house.store.accepted("g", "host", "c")
    assert found is not None
    assert found[0] == command("c").digest
    assert (found[1].version, found[1].answer) == (2, b"first")


def test_a_command_id_is_its_maker_s(store: EventStore) -> None:
    """Two seats may use the same id; ids and makers never run together; another game knows nothing of it."""
    store.append(asked("g", 0, command=command("1:c", actor="seat")))
    assert not store.append(asked("g", 1, command=command("c", actor="seat:1"))).repeated
    assert not store.append(asked("g", 2, command=command("1:c", actor="host"))).repeated
    assert not store.append(asked("h", 0, command=command("1:c", actor="seat"))).repeated
    assert store.accepted("g", "seat", "c") is None


def test_a_refused_command_is_not_remembered(store: EventStore) -> None:
    """It may be asked again, with the right head."""
    written(store, "g")
    with pytest.raises(Conflict):
        store.append(asked("g", 1, command=command("c")))
    assert store.append(asked("g", 3, command=command("c"))).version == 4


def test_an_append_that_no_log_could_take_is_a_mistake_of_ours(house: House) -> None:
    """No entries at all, or a second key."""
    written(house.store, "g", key=b"k" * 32)
    before = house.contents()
    with pytest.raises(ValueError, match="at least one"):
        house.store.append(asked("g", 3, 0))
    with pytest.raises(ValueError, match="first entry"):
        house.store.append(asked("g", 3, key=b"x" * 32))
    assert house.contents() == before
    assert house.store.key("g") == b"k" * 32


def test_a_name_can_be_erased_for_good(store: EventStore) -> None:
    """The log stays whole, the name is gone, the others stay."""
    written(store, "g", names={"1/name": b"Ada", "2/name": "Bé".encode()})
    store.append(asked("g", 3, names={"4/name": b"Cy"}))
    before = store.read("g")
    assert store.erase_name("g", "1/name")
    assert not store.erase_name("g", "1/name")
    assert store.names("g") == {"2/name": "Bé".encode(), "4/name": b"Cy"}
    assert store.read("g") == before


def test_every_game_of_a_partition_is_listed_once(store: EventStore) -> None:
    """And in the partition that its id names."""
    names = {f"game-{number}" for number in range(60)}
    for name in names:
        written(store, name)
        store.append(asked(name, 3))
    listed = {place: list(store.games(place)) for place in range(store.partitions)}
    assert sorted(name for games in listed.values() for name in games) == sorted(names)
    assert all(store.partition(name) == place for place, games in listed.items() for name in games)


def test_an_archived_game_leaves_a_tombstone(house: House) -> None:
    """Its log is gone for good: it cannot be opened again by mistake, nor woken; its views stay."""
    store = house.store
    written(store, "g", command=command("c"), wake=1, key=b"k" * 32, names={"1/name": b"Ada"})
    store.save_views("g", 3, {"table": b"seen"})
    house.archive.archive("g")
    after = house.contents()
    for request in (asked("g", 0), asked("g", 3), asked("g", 0, 3, command=command("c"))):
        with pytest.raises(Archived):
            store.append(request)
    house.archive.archive("g")
    house.archive.archive("nobody")
    assert house.contents() == after
    assert (store.read("g"), store.head("g"), store.key("g"), store.names("g")) == ([], None, None, {})
    assert store.accepted("g", "host", "c") is None
    assert store.overdue(store.partition("g"), HOUR) == []
    assert not store.settle("g", 3, 5)
    assert list(store.games(store.partition("g"))) == []
    assert store.load_view("g", "table") == (3, b"seen")
    store.append(asked("nobody", 0))


def test_exactly_one_wins_each_version(house: House) -> None:
    """Racing appends: each version is one racer's, each racer's entries stand together, all others saw a Conflict."""
    rounds, racers = 12, 5
    won: dict[int, list[int]] = {}
    lost = [0] * racers

    def race(racer: int) -> None:
        store = house.another()
        for _ in range(rounds):
            head = store.head("g")
            version, top = head or (0, b"")
            entries = tuple(entry(version + step, b"%d" % racer) for step in (1, 2))
            try:
                store.append(asked("g", version, expected_link=top, entries=entries))
                won.setdefault(version, []).append(racer)
            except Conflict:
                lost[racer] += 1

    threads = [threading.Thread(target=race, args=(racer,)) for racer in range(racers)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    log = house.store.read("g")
    assert [version for version, _ in log] == list(range(1, 2 * len(won) + 1))
    assert sorted(won) == list(range(0, 2 * len(won), 2))
    assert all(len(racers) == 1 for racers in won.values())
    assert len(won) + sum(lost) == rounds * racers
    for version, (racer,) in won.items():
        assert [seen.s for _, seen in log[version : version + 2]] == [b"%d" % racer] * 2


def test_a_log_is_read_together_with_what_belongs_to_it(store: EventStore) -> None:
    """With the store's time, and with the names that were not erased; the same as one by one."""
    written(store, "g", 3, names={"2/name": b"Ada", "3/name": b"Ben"})
    assert store.erase_name("g", "3/name")
    before = store.now()
    now, entries = store.read_now("g", 1)
    assert before <= now <= store.now()
    assert entries == store.read("g", 1)
    assert store.read_named("g", 2) == (store.read("g", 2), {"2/name": b"Ada"})
    assert store.read_now("g", 3)[1] == store.read_now("nowhere", 0)[1] == []
    assert store.read_named("nowhere", 0) == ([], {})
