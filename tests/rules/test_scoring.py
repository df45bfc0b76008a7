"""The end of the game: every row of the score sheet, free symbols at their best, guilds, and who is first."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given, settings, strategies as st

from events import facts as f
from events.commands import ScoreGame
from events.refusals import Reason, Refusal
from events.rules import decide
from events.rules.scoring import best_symbols, sheet
from events.rules.state import City
from tests.rules.positions import city, ending, projects, table


def lines(one: City, row: str, *others: City, **more: object) -> list[tuple[str, int, int | None]]:
    game = table(one, *others, age=3, **more)
    return [(line.source, line.points, line.count) for line in sheet(game, 0).rows[row]]


# ---- R32 --------------------------------------------------------------------------------------------------------------
@settings(max_examples=200, deadline=None)
@given(st.tuples(*[st.integers(0, 6)] * 3), st.integers(0, 4))
def test_free_symbols_are_chosen_for_the_best_total(counts, free):
    """R32: all together; compared with trying every assignment."""

    def worth(a, b, c):
        return a * a + b * b + c * c + 7 * min(a, b, c)

    best = max(
        worth(*(count + chosen.count(symbol) for symbol, count in enumerate(counts))) for chosen in product(range(3), repeat=free)
    )
    total, final = best_symbols(counts, free)
    assert total == best == worth(*final)
    assert sum(final) == sum(counts) + free
    assert all(now >= was for was, now in zip(counts, final, strict=True))


@pytest.mark.parametrize(("built", "stages", "points"), [
    ((), 0, 0), (("apothecary",), 0, 1), (("apothecary", "dispensary"), 0, 4), (("apothecary", "workshop", "scriptorium"), 0, 10),
    (("apothecary", "dispensary", "workshop", "laboratory", "scriptorium", "library"), 0, 26),
    ((), 2, 1), (("apothecary", "workshop"), 2, 10), (("apothecary", "workshop", "scientists-guild"), 2, 13),
    (("apothecary", "dispensary", "lodge", "scientists-guild"), 2, 25), (("apothecary", "scientists-guild"), 2, 10),
])  # fmt: skip
def test_science_on_a_city(built, stages, points):
    """R32, R80: Babylon's and the Scientists Guild's symbols together."""
    game = table(city("babylon", "day", *built, stages=stages), age=3)
    assert sheet(game, 0).points["science"] == points


def test_carthages_symbol_counts_only_if_it_was_taken():
    """R32, R33."""
    taken = city("carthage", "night", "apothecary", "workshop", options=("coins", "science"))
    other = city("carthage", "night", "apothecary", "workshop", options=("coins", "discard"))
    assert [sheet(table(one), 0).points["science"] for one in (taken, other)] == [10, 2]


def test_science_says_where_its_points_come_from():
    """R81: a line a symbol, and one for the sets."""
    found = lines(city("gizah", "day", "apothecary", "dispensary", "workshop", "scriptorium"), "science")
    assert found == [("symbol:compass", 4, 2), ("symbol:gear", 1, 1), ("symbol:tablet", 1, 1), ("sets", 7, 1)]


# ---- R80, R81 ---------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("coins", "points"), [(0, 0), (2, 0), (3, 1), (5, 1), (6, 2), (30, 10)])
def test_three_coins_are_a_point(coins, points):
    """R80."""
    assert sheet(table(city("gizah", coins=coins)), 0).points["treasury"] == points


def test_military_is_the_sum_of_the_tokens():
    """R80, R69: victory tokens of projects too."""
    assert lines(city("gizah", tokens=(1, -1, 5, 3, 5, -1)), "military") == [
        ("token:5", 10, 2), ("token:3", 3, 1), ("token:1", 1, 1), ("token:-1", -2, 2)]  # fmt: skip


def test_the_wonder_row_names_each_stage():
    assert lines(city("ephesos", "night", stages=3), "wonder") == [("stage:1", 2, None), ("stage:2", 3, None), ("stage:3", 5, None)]


def test_civilian_and_commercial_rows_name_each_card():
    """R81."""
    mine = city("gizah", "day", "altar", "palace", "lighthouse", "arena", "tavern", "ludus", stages=2)
    assert lines(mine, "civilian") == [("altar", 3, None), ("palace", 8, None)]
    assert lines(mine, "commercial") == [("lighthouse", 4, 4), ("arena", 2, 2), ("ludus", 0, 0)]


def test_debts_stand_under_edifice():
    """R80: end-of-game rewards minus Debt."""
    mine = city("gizah", "day", "altar", "sawmill", rewards=("archives",), debts=(-2, -5))
    assert lines(mine, "edifice", projects=projects("archives")) == [("archives", 2, 2), ("debt", -2, None), ("debt", -5, None)]
    assert sheet(table(mine, projects=projects("archives")), 0).points["edifice"] == -5


GUILDS = {
    # own city, left, right: points
    "workers-guild": (("sawmill",), ("mine", "quarry"), ("lumber-yard",), 3),
    "craftsmens-guild": (("loom-1",), ("press-1", "glassworks-1"), ("loom-1",), 6),
    "magistrates-guild": (("altar", "palace"), ("well",), ("theater", "senate"), 3),
    "traders-guild": (("tavern",), ("forum", "arena"), (), 2),
    "spies-guild": (("walls",), ("stockade",), ("circus", "castrum"), 3),
    "philosophers-guild": (("school",), ("study", "lodge"), ("academy",), 3),
    "shipowners-guild": (("sawmill", "loom-1", "spies-guild"), ("mine", "workers-guild"), ("press-1",), 4),
    "builders-guild": ((), (), (), 2 + 1 + 3),
    "decorators-guild": ((), (), (), 0),
}


@pytest.mark.parametrize("guild", GUILDS)
def test_a_guild_counts_where_it_says(guild):
    """All guilds but the Scientists': the neighbours' or the own city's cards, stages of all three."""
    own, left, right, points = GUILDS[guild]
    mine = city("gizah", "day", *own, guild, stages=2)
    game = table(mine, city("rhodos", "day", *left, stages=1), city("ephesos", "day", *right, stages=3), age=3)
    line = next(line for line in sheet(game, 0).rows["guilds"] if line.source == guild)
    assert line.points == points


@pytest.mark.parametrize(("wonder", "side", "stages", "points"), [
    ("gizah", "day", 2, 0), ("gizah", "day", 3, 7), ("gizah", "night", 3, 0), ("gizah", "night", 4, 7), ("babylon", "night", 2, 7),
    ("rhodos", "night", 1, 0),
])  # fmt: skip
def test_the_decorators_guild_wants_the_whole_wonder(wonder, side, stages, points):
    """All stages of the own face."""
    assert sheet(table(city(wonder, side, "decorators-guild", stages=stages)), 0).points["guilds"] == points


def test_a_city_across_the_table_is_no_neighbour():
    """Guilds look left and right only."""
    far = city("ephesos", "day", "mine", "sawmill")
    game = table(city("gizah", "day", "workers-guild"), city("rhodos"), far, city("babylon"), age=3)
    assert sheet(game, 0).points["guilds"] == 0


def scored(*cities: City) -> f.GameScored:
    return decide(ending(table(*cities, age=3), "score"), ScoreGame(key=bytes(32)))[0]


def test_the_sum_decides_then_coins_then_it_is_shared():
    """R80."""
    told = scored(
        city("gizah", "day", "altar", coins=1), city("rhodos", "day", "theater", coins=2), city("ephesos", "day", "well", coins=1),
        city("alexandria", "day", "palace", coins=0),
    )  # fmt: skip
    assert [one.total for one in told.sheets] == [3, 3, 3, 8]
    assert told.places == ((3,), (1,), (0, 2))


def test_scoring_closes_the_game_and_publishes_its_key():
    """The last two events: the sheets and the key."""
    events = decide(ending(table(age=3), "score"), ScoreGame(key=bytes(range(32))))
    assert [type(event).__name__ for event in events] == ["GameScored", "GameClosed"]
    assert (events[1].reason, events[1].key) == ("finished", bytes(range(32)).hex())


@pytest.mark.parametrize("owed", [("deal",), ("conflicts", "score"), ("edifice", "score")])
def test_scoring_waits_for_everything_else(owed):
    with pytest.raises(Refusal) as refused:
        decide(ending(table(age=3), *owed), ScoreGame())
    assert refused.value.reason is Reason.NOTHING_DUE
