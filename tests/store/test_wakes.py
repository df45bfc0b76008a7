"""Who must look at which game, and when: true after each append, whatever else happens."""

from __future__ import annotations

import pytest

from events.store.protocol import EventStore, Wake
from tests.store.given import HOUR, asked, command, written


def due(store: EventStore, game: str, before: int = 9 * HOUR) -> list[Wake]:
    return [wake for wake in store.overdue(store.partition(game), before) if wake.game == game]


def test_an_append_sets_and_clears_the_wake_up(store: EventStore) -> None:
    """A deadline, then another one, then none: the game is over."""
    written(store, "g", wake=HOUR)
    assert due(store, "g") == [Wake("g", HOUR, 0)]
    assert due(store, "g", HOUR) == [Wake("g", HOUR, 0)]
    assert due(store, "g", HOUR - 1) == []
    store.append(asked("g", 3, wake=2 * HOUR))
    assert due(store, "g") == [Wake("g", 2 * HOUR, 0)]
    store.append(asked("g", 4))
    assert due(store, "g") == []
    assert store.waking(store.partition("g")) == 0


def test_a_step_that_is_due_at_once_has_the_store_s_time(store: EventStore) -> None:
    """So the slow path can see how long it has been due."""
    before = store.now()
    written(store, "g", wake=0)
    after = store.now()
    (wake,) = due(store, "g", after)
    assert before <= wake.at <= after


def test_a_settled_game_sleeps_until_its_deadline(store: EventStore) -> None:
    """Only by whoever has seen the last move."""
    written(store, "g", wake=0)
    assert store.settle("g", 3, HOUR)
    assert due(store, "g") == [Wake("g", HOUR, 0)]
    assert store.settle("g", 3, None)
    assert due(store, "g") == []
    before = store.now()
    assert store.settle("g", 3, 0)
    assert before <= due(store, "g", store.now())[0].at


@pytest.mark.parametrize("version", [0, 2, 4])
def test_who_has_not_seen_the_last_move_settles_nothing(store: EventStore, version: int) -> None:
    """A slow worker cannot put a game to sleep that has moved on."""
    written(store, "g", wake=HOUR)
    assert not store.settle("g", version, None)
    assert not store.settle("g", version, 5)
    assert due(store, "g") == [Wake("g", HOUR, 0)]


def test_a_postponed_game_is_counted(store: EventStore) -> None:
    """Each attempt beside the time; an append or a settled game starts afresh."""
    written(store, "g", wake=HOUR)
    (first,) = due(store, "g")
    assert store.postpone(first, HOUR + 1000)
    (second,) = due(store, "g")
    assert second == Wake("g", HOUR + 1000, 1)
    assert store.postpone(second, HOUR + 3000)
    assert due(store, "g") == [Wake("g", HOUR + 3000, 2)]
    assert store.settle("g", 3, HOUR)
    assert due(store, "g") == [Wake("g", HOUR, 0)]
    assert store.postpone(first, HOUR + 1)
    store.append(asked("g", 3, wake=HOUR))
    assert due(store, "g") == [Wake("g", HOUR, 0)]


def test_a_stale_postpone_never_delays_nor_revives(store: EventStore) -> None:
    """The game was moved, postponed by another, or is over: what was read before counts for nothing."""
    written(store, "g", wake=HOUR)
    (read,) = due(store, "g")
    store.append(asked("g", 3, wake=HOUR + 5))
    assert not store.postpone(read, 8 * HOUR)
    (read,) = due(store, "g")
    assert store.postpone(read, HOUR + 7)
    assert not store.postpone(read, 8 * HOUR)
    assert due(store, "g") == [Wake("g", HOUR + 7, 1)]
    (read,) = due(store, "g")
    store.append(asked("g", 4))
    assert not store.postpone(read, 8 * HOUR)
    assert due(store, "g") == []


def test_the_longest_overdue_comes_first(store: EventStore) -> None:
    """And not more than asked for."""
    place = store.partition("g")
    games = [name for number in range(400) if store.partition(name := f"n{number}") == place][:5]
    for late, game in enumerate(games):
        written(store, game, wake=HOUR - late)
    found = store.overdue(place, HOUR)
    assert [wake.game for wake in found] == games[::-1]
    assert store.overdue(place, HOUR, limit=2) == found[:2]
    assert store.waking(place) == 5


def test_a_repeated_command_wakes_nobody(store: EventStore) -> None:
    """The game has gone to sleep since."""
    written(store, "g", wake=HOUR, command=command("c"))
    assert store.settle("g", 3, None)
    assert store.append(asked("g", 0, 3, wake=HOUR, command=command("c"))).repeated
    assert due(store, "g") == []


def test_overdue_games_are_found_wherever_they_lie(store: EventStore) -> None:
    """In every partition, with their attempts, up to the limit in each; the same as one by one."""
    games = [f"g{number}" for number in range(12)]
    for number, game in enumerate(games):
        written(store, game, wake=HOUR + number)
    (first,) = due(store, "g0", HOUR)
    assert store.postpone(first, HOUR + 5)
    one_by_one = [wake for place in range(store.partitions) for wake in store.overdue(place, HOUR + 9)]
    assert store.overdue_anywhere(HOUR + 9) == one_by_one
    assert {wake.game: wake.attempts for wake in one_by_one} == {game: int(game == "g0") for game in games[:10]}
    assert len(store.overdue_anywhere(HOUR + 11, limit=1)) == len({store.partition(game) for game in games})
    assert store.overdue_anywhere(HOUR - 1) == []
