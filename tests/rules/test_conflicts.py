"""Conflicts at the end of an Age: who compares shields with whom, and which tokens are taken."""

from __future__ import annotations

import pytest

from events import facts as f
from events.commands import ResolveConflicts
from events.refusals import Reason, Refusal
from events.rules import decide
from events.rules.effects import shields
from tests.rules.positions import BOX, city, ending, of, settle, table


def armed(board: str, strength: int, side: str = "day"):
    """A city with this many shields from cards."""
    return city(board, side, *{0: (), 1: ("stockade",), 2: ("walls",), 3: ("circus",), 4: ("circus", "barracks")}[strength])


@pytest.mark.parametrize(("age", "prize"), [(1, 1), (2, 3), (3, 5)])
def test_more_gives_the_ages_token_fewer_a_defeat_equal_nothing(age, prize):
    """R50: seat 0 beats its left neighbour (seat 1) and ties with its right one (seat 2)."""
    game = ending(table(armed("gizah", 2), armed("rhodos", 1), armed("ephesos", 2), age=age), "conflicts", "deal")
    events, after = settle(game)
    assert [one.tokens for one in after.cities] == [(prize,), (-1, -1), (prize,)]
    told = of(events, f.ConflictsResolved)[0]
    assert [one.shields for one in told.cities] == [2, 1, 2]
    left = told.cities[0].left
    assert (left.neighbour, left.own, left.theirs, left.token) == (1, 2, 1, prize)
    assert (told.cities[0].right.neighbour, told.cities[0].right.token) == (2, 0)


def test_the_token_of_the_left_comparison_is_taken_first():
    """R50: left neighbour is the next seat."""
    game = ending(table(armed("gizah", 1), armed("rhodos", 2), armed("ephesos", 0), age=2), "conflicts", "deal")
    _, after = settle(game)
    assert [one.tokens for one in after.cities] == [(-1, 3), (3, 3), (-1, -1)]


def test_only_direct_neighbours_are_compared():
    """R50: with five cities the strongest fights two of them."""
    cities = [armed("gizah", 4), armed("rhodos", 0), armed("ephesos", 0), armed("alexandria", 0), armed("olympia", 3)]
    _, after = settle(ending(table(*cities), "conflicts", "deal"))
    assert [one.tokens for one in after.cities] == [(1, 1), (-1,), (), (-1,), (-1, 1)]


def test_shields_come_from_buildings_stages_and_projects():
    """R50, R71: all that the city has, whatever its colour."""
    mine = city("rhodos", "night", "circus", "stockade", stages=2, rewards=("curtain-wall", "concentric-castle"))
    assert shields(BOX, mine) == 3 + 1 + 1 + 1 + 1 + 2
    assert shields(BOX, city("carthage", "day", options=(None, "shield"))) == 1
    assert shields(BOX, city("carthage", "day", options=(None, "coins"))) == 0
    assert shields(BOX, city("carthage", "night", options=("shields",))) == 2


def test_conflicts_come_once_an_age_and_only_when_due():
    """R50."""
    game = ending(table(), "conflicts", "deal")
    _, after = settle(game)
    for one in (after, table(), ending(table(), "deal"), ending(table(), "edifice", "conflicts", "deal")):
        with pytest.raises(Refusal) as refused:
            decide(one, ResolveConflicts())
        assert refused.value.reason is Reason.NOTHING_DUE


def test_earlier_tokens_stay():
    """R50: tokens add up over the Ages."""
    game = ending(table(city("gizah", "day", "circus", tokens=(1, -1)), age=2), "conflicts", "deal")
    _, after = settle(game)
    assert after.cities[0].tokens == (1, -1, 3, 3)
