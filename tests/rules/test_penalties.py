"""A project that fails: who suffers what, who chooses what is lost, and what projects are worth at the end."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from events import facts as f
from events.facts import ActValue
from events.refusals import Reason, Refusal
from events.rules.clock import awaited
from events.rules.scoring import sheet
from events.rules.state import City, Closing, Extra, Game
from tests.rules.driver import PUBLISHER
from tests.rules.positions import answer, build, city, ending, listed, lose, of, play, projects, settle, table


# ---- R65 - R68: failure -------------------------------------------------------------------------------------------------
def lost(*cities: City, project: str = "artisan-district", **more: Any) -> tuple[tuple[f.AnyEvent, ...], Game]:
    """The evaluation of a project that failed."""
    game = ending(table(*cities, projects=projects(project), tokens=1, age=more.pop("age", 1), **more), "edifice", "deal")
    return settle(game)


def test_a_lost_building_takes_everything_with_it():
    """R67: production, discount, chain, shields, points; coins once earned stay; it may be built again."""
    posts = ("west-trading-post",)
    events, game = lost(city("gizah", "day", *posts, coins=1, hand=()), project="artisan-district")
    assert of(events, f.PenaltySuffered)[0].card == "west-trading-post"
    assert game.cities[0].built == ()
    assert game.discard == ("west-trading-post",)
    assert game.cities[0].coins == 1
    again = table(replace(game.cities[0], hand=("west-trading-post", "forum")), city("rhodos", "day", "brickyard"), turn=1)
    assert listed(again, 0, "build", "west-trading-post") is not None
    assert listed(again, 0, "build", "forum") is None


def test_lost_shields_count_no_more():
    """R67 with penalties before conflicts: the wall that fell does not defend."""
    game = table(city("gizah", "day", "stockade"), turn=6, projects=projects("outpost"), tokens=1, **PUBLISHER)
    _, game = play(game)
    events, after = settle(game)
    assert of(events, f.ConflictsResolved)[0].cities[0].shields == 0
    assert after.cities[0].tokens == ()
    booklet = table(city("gizah", "day", "stockade"), turn=6, projects=projects("outpost"), tokens=1)
    _, game = play(booklet)
    _, after = settle(game)
    assert after.cities[0].tokens == (1, 1)


def test_a_tavern_lost_keeps_its_coins():
    """R67: coins once earned stay."""
    _, game = lost(city("gizah", "day", "tavern", coins=8))
    assert (game.cities[0].built, game.cities[0].coins) == ((), 8)


def test_all_concerned_are_asked_at_once_and_nothing_happens_before_the_last():
    """R67, R43: answers may be changed until then; Debt of others waits too."""
    _, game = lost(city("gizah", "day", "altar", "forum", "tavern"), city("rhodos", "day", "bazar", "vineyard"))
    assert isinstance(game.phase, Extra)
    assert (game.phase.question, game.phase.cities) == ("lose", (0, 1))
    assert game.edifice[0].state == "failed"
    assert game.cities[2].debts == ()
    _, game = answer(game, 0, lose("forum"))
    _, game = answer(game, 0, lose("tavern"))
    assert awaited(game) == ((1, 1),)
    _, game = answer(game, 1, lose("bazar"))
    with pytest.raises(Refusal) as refused:
        answer(game, 0, lose("forum"))
    assert refused.value.reason is Reason.STALE_CHOICE
    events, game = settle(game)
    assert [type(e).__name__ for e in events] == ["ExtraRevealed", *["PenaltySuffered"] * 3, "EdificeEvaluated"]
    assert [(e.city, e.kind, e.card) for e in of(events, f.PenaltySuffered)] == [
        (0, "discard", "tavern"), (1, "discard", "bazar"), (2, "debt", None)]  # fmt: skip
    assert len(of(events, f.ExtraRevealed)[0].openings) == 4


@pytest.mark.parametrize("wrong", [lose("altar"), lose("palace"), build("forum"), (ActValue(kind="decline"), None)])
def test_only_a_building_of_the_colour_can_be_lost(wrong):
    """R67."""
    _, game = lost(city("gizah", "day", "altar", "forum", "tavern"))
    with pytest.raises(Refusal) as refused:
        answer(game, 0, wrong)
    assert refused.value.reason is Reason.NOT_OFFERED
    with pytest.raises(Refusal) as refused:
        answer(game, 1, lose("forum"))
    assert refused.value.reason is Reason.NOT_AWAITED


@pytest.mark.parametrize(("tokens", "left", "gone"), [
    ((1, 3, 5), (5,), (1, 3)), ((5, 3), (), (3, 5)), ((3, 1, -1, 1, 5), (3, -1, 5), (1, 1)), ((5, -1, -1), (5, -1, -1), None),
    ((), (), None),
])  # fmt: skip
def test_concentric_castle_takes_two_of_the_lowest(tokens, left, gone):
    """R68: with fewer than two victory tokens a Debt token; defeats do not count."""
    events, game = lost(city("gizah", tokens=tokens), project="concentric-castle", age=3)
    told = of(events, f.PenaltySuffered)[0]
    assert (told.kind, told.tokens) == (("tokens", gone) if gone else ("debt", ()))
    assert game.cities[0].tokens == left
    assert game.cities[0].debts == (() if gone else (-5,))


def test_holders_of_a_failed_project_get_no_refund():
    """R65: immune, but no reward and no coins back."""
    events, game = lost(city("gizah", "day", "forum", participates=(1,), coins=0), city("rhodos"), city("ephesos"))
    assert of(events, f.EdificeFailed)[0].holders == (0,)
    assert [e.city for e in of(events, f.PenaltySuffered)] == [1, 2]
    assert (game.cities[0].coins, game.cities[0].rewards, game.cities[0].built) == (0, (), ("forum",))


def test_a_token_of_another_age_does_not_protect():
    """R65: this Age's token."""
    holder, late = city("gizah", participates=(2,)), city("rhodos", participates=(1,))
    events, _ = lost(holder, late, project="auction-house", age=2)
    assert of(events, f.EdificeFailed)[0].penalised == (1, 2)


# ---- R70, R72 -----------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("built", "points"), [
    ((), 0), (("spies-guild",), 4), (("workers-guild", "spies-guild"), 4), (("scientists-guild", "apothecary", "workshop"), 3),
    (("scientists-guild", "apothecary", "workshop", "scriptorium", "spies-guild"), 5),
    (("scientists-guild", "academy", "lodge", "apothecary", "dispensary"), 11), (("decorators-guild",), 7),
])  # fmt: skip
def test_agora_counts_the_guild_that_adds_most(built, points):
    """R70: the gain stands under Edifice; for the Scientists Guild it is one more free symbol."""
    mine = city("gizah", "day", *built, stages=3, rewards=("agora",))
    game = table(mine, city("rhodos", "day", "walls", "circus", "sawmill"), city("ephesos", "day", "barracks", "stockade"), age=3,
                 projects=projects())  # fmt: skip
    with_, without = sheet(game, 0), sheet(replace(game, cities=(replace(mine, rewards=()), *game.cities[1:])), 0)
    assert with_.points["edifice"] == points
    assert {row: value for row, value in with_.points.items() if row != "edifice"} == {
        row: value for row, value in without.points.items() if row != "edifice"}  # fmt: skip


@pytest.mark.parametrize(("built", "pairs"), [
    (("sawmill",), 0), (("loom-1", "press-1"), 0), (("sawmill", "loom-1"), 1),
    (("sawmill", "quarry", "mine", "loom-1", "press-1"), 2),
])  # fmt: skip
def test_artisan_district_counts_pairs(built, pairs):
    """R70: one brown and one grey, two points a pair."""
    game = table(city("gizah", "day", *built, rewards=("artisan-district",)), projects=projects())
    line = sheet(game, 0).rows["edifice"][0]
    assert (line.source, line.points, line.count) == ("artisan-district", 2 * pairs, pairs)


def test_rewards_stay_when_the_tokens_have_left_the_boards():
    """R72: what they earned stays recorded; the next Age begins with its own project."""
    mine = city("gizah", "day", stages=2, participates=(1,))
    _, game = settle(ending(table(mine, projects=projects("belvedere"), tokens=0), "edifice", "deal"))
    assert game.cities[0].rewards == ("belvedere",)
    assert sheet(game, 0).points["edifice"] == 2
    assert isinstance(game.phase, Closing)
    assert game.phase.owed == ("deal",)
