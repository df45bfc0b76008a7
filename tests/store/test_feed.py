"""Who reads what happened: everybody's line is read by somebody, also when a reader dies."""

from __future__ import annotations

import threading
import time

import pytest

from events.store.protocol import EventStore, FeedItem
from tests.store.conftest import SERVERS, House
from tests.store.given import HOUR, asked, eventually, written

CLAIM = 150
LENGTH = 20


@pytest.fixture
def options() -> dict[str, int]:
    """A short feed, and little patience with silent members."""
    return {"feed_length": LENGTH, "claim_after_ms": CLAIM}


def everywhere(store: EventStore) -> range:
    return range(store.partitions)


def taken(store: EventStore, consumer: str, group: str = "views", count: int = 100) -> list[tuple[int, FeedItem]]:
    return store.follow(everywhere(store), group, consumer, count, 0)


def moves(found: list[tuple[int, FeedItem]]) -> list[tuple[str, int]]:
    return sorted((item.game, item.version) for _, item in found)


def done(store: EventStore, found: list[tuple[int, FeedItem]], group: str = "views") -> None:
    for place, item in found:
        store.acknowledge(place, group, [item.id])


def test_a_group_reads_every_append_once(store: EventStore) -> None:
    """From the start of the feed, in each game's order, whoever of its members asks; another group reads it all again."""
    for game in ("a", "b", "c"):
        written(store, game)
    store.append(asked("b", 3))
    first = taken(store, "one", count=1)
    done(store, first)
    rest = [*taken(store, "two"), *taken(store, "one")]
    done(store, rest)
    assert moves(first + rest) == [("a", 3), ("b", 3), ("b", 4), ("c", 3)]
    assert all(store.partition(item.game) == place for place, item in first + rest)
    assert taken(store, "one") == taken(store, "two") == []
    assert moves(taken(store, "one", "standings")) == [("a", 3), ("b", 3), ("b", 4), ("c", 3)]


def test_a_member_follows_only_its_partitions(store: EventStore) -> None:
    """The others are somebody else's."""
    for number in range(20):
        written(store, f"g{number}")
    found = store.follow([1, 2], "views", "one", 100, 0)
    assert {place for place, _ in found} == {1, 2}
    assert moves(found) == sorted((f"g{n}", 3) for n in range(20) if store.partition(f"g{n}") in (1, 2))


@pytest.mark.parametrize("house", SERVERS, indirect=True)  # a store in memory dies with its members
def test_what_a_member_took_is_its_own_when_it_starts_anew(house: House) -> None:
    """Killed between taking and acknowledging, it finds its lines again at once, in order, then what is new."""
    written(house.store, "g")
    house.store.append(asked("g", 3))
    house.store.append(asked("g", 4))
    (place, oldest), *_ = taken(house.store, "one")
    house.store.acknowledge(place, "views", [oldest.id])
    house.store.append(asked("g", 5))
    reborn = house.another(claim_after_ms=60_000)
    again = taken(reborn, "one")
    assert [item.version for _, item in again] == [4, 5]
    done(reborn, again)
    assert [item.version for _, item in taken(reborn, "one")] == [6]


def test_a_dead_member_s_lines_go_to_a_living_one(house: House) -> None:
    """After the time has passed, not before; and not a third time once they are done."""
    written(house.store, "g")
    start = time.monotonic()
    assert moves(taken(house.store, "dead")) == [("g", 3)]
    heir = house.another()
    found = eventually(lambda: taken(heir, "alive"))
    assert time.monotonic() - start >= CLAIM / 1000
    assert moves(found) == [("g", 3)]
    done(heir, found)
    written(heir, "h")
    until = time.monotonic() + 2.5 * CLAIM / 1000
    later = []
    while time.monotonic() < until:
        found = heir.follow(everywhere(heir), "views", "alive", 100, 20)
        done(heir, found)
        later += found
    assert moves(later) == [("h", 3)]


def test_a_follower_waits_and_is_woken(house: House) -> None:
    """Not longer than it said; an append ends the wait."""
    start = time.monotonic()
    assert house.store.follow(everywhere(house.store), "views", "one", 10, 60) == []
    assert 0.055 <= time.monotonic() - start < 2
    found: list[tuple[int, FeedItem]] = []
    waiting = threading.Event()
    follower = house.another(claim_after_ms=60_000)

    def follow() -> None:
        waiting.set()
        found.extend(follower.follow(everywhere(follower), "views", "two", 10, 10_000))

    thread = threading.Thread(target=follow)
    thread.start()
    waiting.wait()
    start = time.monotonic()
    written(house.store, "g")
    thread.join()
    assert moves(found) == [("g", 3)]
    assert time.monotonic() - start < 5


def test_a_group_that_reads_in_time_has_not_fallen_behind(store: EventStore) -> None:
    """However long the feed has run."""
    place = store.partition("g")
    assert not store.fell_behind(place, "views")
    written(store, "g", 1)
    assert not store.fell_behind(place, "views")
    for version in range(1, 3 * LENGTH):
        store.append(asked("g", version))
        found = taken(store, "one")
        assert moves(found)[-1] == ("g", version + 1)
        done(store, found)
        assert not store.fell_behind(place, "views")


def test_a_group_that_is_too_slow_has_fallen_behind(store: EventStore) -> None:
    """By one line that it never read; a group that comes late has missed the start.  It goes on with what is left."""
    place = store.partition("g")
    written(store, "g", 1)
    done(store, taken(store, "one"))
    for version in range(1, LENGTH + 1):
        store.append(asked("g", version))
    assert not store.fell_behind(place, "views")
    assert store.fell_behind(place, "late")
    store.append(asked("g", LENGTH + 1))
    assert store.fell_behind(place, "views")
    found = taken(store, "one")
    assert moves(found) == [("g", version) for version in range(3, LENGTH + 3)]
    done(store, found)
    assert not store.fell_behind(place, "views")


def test_a_line_that_was_taken_but_never_done_counts_too(house: House) -> None:
    """It was dropped from the feed while its reader lay dead: nobody will ever read it."""
    place = house.store.partition("g")
    written(house.store, "g", 1)
    taken(house.store, "dead")
    for version in range(1, LENGTH + 1):
        house.store.append(asked("g", version))
    assert house.store.fell_behind(place, "views")
    reborn = house.another()
    found = taken(reborn, "dead") or taken(reborn, "dead")
    assert moves(found) == [("g", version) for version in range(2, LENGTH + 2)]
    done(reborn, found)
    assert not reborn.fell_behind(place, "views")


def test_how_far_a_group_is_behind(house: House) -> None:
    """Lines that were not read, and lines that were read and not done, of each partition; also those that were dropped."""
    store = house.store

    def behind(group: str = "views") -> dict[int, int]:
        return {place: count for place, count in enumerate(store.behind(group)) if count}

    assert len(store.behind("views")) == store.partitions
    assert behind() == {}
    a = store.partition("a")
    other = next(game for game in "bcdefghij" if store.partition(game) != a)
    b = store.partition(other)
    for game in ("a", other):
        written(store, game)
    store.append(asked(other, 3))
    assert behind() == {a: 1, b: 2}
    found = taken(store, "one")
    assert behind() == {a: 1, b: 2}
    done(store, found[:1])
    assert sum(behind().values()) == 2
    done(store, found)
    assert behind() == {}
    assert behind("standings") == {a: 1, b: 2}
    for number in range(2 * LENGTH):
        store.append(asked("a", 3 + number))
    assert behind() == {a: 2 * LENGTH}


def test_a_line_says_whether_the_game_moves_on_by_itself(store: EventStore) -> None:
    """It owes itself a step at once; a deadline, or none, is no such step."""
    written(store, "g", wake=0)
    store.append(asked("g", 3, wake=HOUR))
    store.append(asked("g", 4))
    assert [(item.version, item.moving) for _, item in taken(store, "one")] == [(3, True), (4, False), (5, False)]
