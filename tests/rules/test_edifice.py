"""The Edifice: tokens and who may take one, completion and failure, and the order at an Age's end."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from events import facts as f
from events.commands import EvaluateEdifice
from events.facts import ActValue
from events.refusals import Reason, Refusal
from events.rules import decide, due
from events.rules.state import Choosing, Closing, Game
from tests.rules.driver import PUBLISHER, options, steps
from tests.rules.positions import allowed, answer, choose, city, ending, listed, of, play, projects, settle, stage, table

STAGER = city("babylon", "day", "brickyard", coins=20)


def stagers(count: int, **more: Any) -> Game:
    """So many cities that can build their next stage and join; the rest cannot."""
    able = [replace(STAGER, wonder=board) for board in ("babylon", "alexandria", "ephesos", "olympia")]
    able = [able[0], replace(able[1], side="night"), able[2], city("olympia", "day", "quarry", coins=20)]
    idle = [city(board) for board in ("rhodos", "gizah")[: max(0, 3 - count)]]
    return table(*able[:count], *idle, **{"projects": projects(), **more})


# ---- R60 - R63: joining -------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("players", "cities_1", "printed"), [
    (2, 2, 2), (3, 2, 2), (4, 3, 3), (5, 4, 3), (6, 5, 4), (7, 6, 5),
])  # fmt: skip
def test_how_many_tokens_lie_on_each_project(players, cities_1, printed):
    """R61, R98: cities minus one, or the printed table; with two players three cities count."""
    for option, tokens in (("cities-1", cities_1), ("printed", printed)):
        for step in steps(options(players, True, edifice_tokens=option), 3):
            if step.after.edifice:
                assert [project.tokens for project in step.after.edifice] == [tokens] * 3
                break


def test_one_project_of_each_age_lies_open_from_the_start():
    """R60: drawn at random; without the Edifice none."""
    drawn = set()
    for seed in range(40):
        game = next(step.after for step in steps(options(3, True), seed) if step.after.age == 1)
        drawn |= {(age, project.project) for age, project in enumerate(game.edifice, 1)}
        assert [game.box.projects[project.project].age for project in game.edifice] == [1, 2, 3]
    assert len(drawn) == 15
    assert not next(step.after for step in steps(options(3), 0) if step.after.age == 1).edifice


def test_only_a_stage_joins():
    """R62: never a building or a discard."""
    game = stagers(1)
    for kind, reason in (("build", Reason.NOT_OFFERED), ("discard", Reason.UNKNOWN_OPTION)):
        with pytest.raises(Refusal) as refused:
            choose(game, 0, (ActValue(kind=kind, participate=True), "tavern"))
        assert refused.value.reason is reason


def test_nobody_joins_without_the_edifice():
    game = stagers(1, projects=None)
    with pytest.raises(Refusal) as refused:
        choose(game, 0, stage(join=True))
    assert refused.value.reason is Reason.EDIFICE_OFF
    assert listed(game, 0, "stage").joinable == ()


def test_a_stage_without_joining_takes_no_token():
    """R62: joining is a choice."""
    events, game = play(stagers(1), stage())
    assert not of(events, f.ParticipationTaken)
    assert game.edifice[0].tokens == 2


def test_one_token_a_city_and_age():
    """R62: a second stage of the Age cannot join; one of the next Age can, in that Age's project."""
    _, game = play(stagers(1), stage(join=True))
    assert game.cities[0].participates == (1,)
    mine = city("babylon", "day", "foundry", "loom-1", stages=1, coins=9, participates=(1,))
    again = table(mine, turn=3, projects=projects(), tokens=1)
    with pytest.raises(Refusal) as refused:
        choose(again, 0, stage(join=True))
    assert refused.value.reason is Reason.ALREADY_PARTICIPATING
    assert allowed(again, 0, stage())
    later = table(mine, age=2, turn=3, projects=projects())
    _, after = play(later, stage(join=True))
    assert after.cities[0].participates == (1, 2)
    assert [project.tokens for project in after.edifice] == [2, 1, 2]


def test_more_takers_than_tokens_all_get_one():
    """R63: spares come from the box, in seat order; the project then has none left."""
    events, game = play(stagers(3, tokens=2), stage(join=True), stage(join=True), stage(join=True))
    assert [(e.city, e.left, e.box) for e in of(events, f.ParticipationTaken)] == [(0, 1, False), (1, 0, False), (2, 0, True)]
    assert [one.participates for one in game.cities] == [(1,)] * 3
    assert game.edifice[0].tokens == 0


def test_with_no_token_left_at_the_turns_start_nobody_joins():
    """R63."""
    game = stagers(1, tokens=0)
    with pytest.raises(Refusal) as refused:
        choose(game, 0, stage(join=True))
    assert refused.value.reason is Reason.NO_TOKEN_LEFT
    assert listed(game, 0, "stage").joinable == ()
    assert allowed(game, 0, stage())


def test_coins_of_this_turn_come_too_late_to_join():
    """R10, R62: Ephesos' nine coins do not pay the project of the same turn."""
    mine = city("ephesos", "day", "sawmill", stages=1, coins=0)
    game = table(mine, projects=projects())
    assert not allowed(game, 0, stage(join=True))
    assert allowed(game, 0, stage())


# ---- R64: completion ----------------------------------------------------------------------------------------------------
def test_at_the_ages_end_the_reward_comes_after_the_conflicts():
    """R64 age-end: until then the project counts as open."""
    _, game = play(stagers(1, tokens=1, projects=projects("curtain-wall")), stage(join=True))
    assert game.edifice[0].state == "open"
    assert game.cities[0].rewards == ()
    events, after = settle(ending(game, "conflicts", "edifice", "deal"))
    kinds = [type(e).__name__ for e in events]
    assert kinds == ["ConflictsResolved", "EdificeCompleted", "RewardGranted", "EdificeEvaluated"]
    assert of(events, f.ConflictsResolved)[0].cities[0].shields == 0
    assert after.cities[0].rewards == ("curtain-wall",)


def test_at_once_the_reward_comes_after_the_turns_effects_and_before_extras():
    """R64 at-once, R11: and before the hands pass."""
    mine = city("halikarnassos", "day", "glassworks-1", "press-1", stages=1, coins=5)
    game = table(mine, turn=2, projects=projects(), tokens=1, discard=("palace",), **PUBLISHER)
    events, after = play(game, stage(join=True))
    kinds = [type(e).__name__ for e in events]
    assert kinds[-4:] == ["EdificeCompleted", "RewardGranted", "CoinsReceived", "ExtraAsked"]
    assert after.cities[0].coins == 5 - 1 + 4
    assert after.edifice[0].state == "completed"


def test_at_once_the_reward_of_babylons_card_comes_right_after_that_action():
    """R64, R40: before the leftovers."""
    mine = city("babylon", "night", "brickyard", "clay-pool", "glassworks-1", stages=1, hand=("tavern", "altar"), coins=5)
    game = table(mine, turn=6, projects=projects(), tokens=1, **PUBLISHER)
    _, game = play(game, (ActValue(kind="discard"), "tavern"))
    events, _ = answer(game, 0, stage("altar", join=True))
    kinds = [type(e).__name__ for e in events]
    assert kinds.index("RewardGranted") < kinds.index("CardDiscarded")
    assert kinds.index("ParticipationTaken") < kinds.index("EdificeCompleted")


def test_a_project_completed_at_once_is_not_rewarded_again_at_the_ages_end():
    """R64: evaluated once, with an end of its own in the log."""
    _, game = play(stagers(2, tokens=1, **PUBLISHER), stage(join=True), stage(join=True))
    assert [one.rewards for one in game.cities] == [("money-changer",), ("money-changer",), ()]
    events, after = settle(ending(game, "conflicts", "edifice", "deal"))
    assert [type(e).__name__ for e in events] == ["ConflictsResolved", "EdificeEvaluated"]
    assert [one.coins for one in after.cities] == [one.coins for one in game.cities]


def test_curtain_walls_shield_counts_in_the_same_age_only_at_once():
    """R71: with age-end from the next conflicts on."""
    for preset, shields in (({}, 0), (PUBLISHER, 1)):
        _, game = play(stagers(1, tokens=1, turn=6, projects=projects("curtain-wall"), **preset), stage(join=True))
        events, _ = settle(game)
        assert of(events, f.ConflictsResolved)[0].cities[0].shields == shields


# ---- R74 ----------------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("preset", "tokens", "owed"), [
    ({}, 1, ("conflicts", "edifice", "deal")), ({}, 0, ("conflicts", "edifice", "deal")),
    ({"edifice_penalty": "before-conflicts"}, 1, ("edifice", "conflicts", "deal")),
    ({"edifice_penalty": "before-conflicts"}, 0, ("conflicts", "edifice", "deal")),
])  # fmt: skip
def test_a_failure_comes_before_the_conflicts_if_the_table_plays_so(preset, tokens, owed):
    """R74: a completion never does."""
    events, game = play(table(turn=6, projects=projects(), tokens=tokens, **preset))
    assert of(events, f.AgeEnded)[0].owed == owed
    assert isinstance(game.phase, Closing)
    events, game = settle(game)
    assert [type(e).__name__ for e in events if isinstance(e, f.ConflictsResolved | f.EdificeEvaluated)] == [
        {"conflicts": "ConflictsResolved", "edifice": "EdificeEvaluated"}[step] for step in owed[:2]]  # fmt: skip
    assert isinstance(game.phase, Closing)
    assert game.phase.owed == ("deal",)


def test_an_evaluation_that_is_not_due_is_refused():
    for game in (table(projects=projects()), ending(table(projects=projects()), "conflicts", "edifice", "deal"), table()):
        with pytest.raises(Refusal) as refused:
            decide(game, EvaluateEdifice())
        assert refused.value.reason is Reason.NOTHING_DUE
    assert not isinstance(due(table(projects=projects()), 0), EvaluateEdifice)
    assert isinstance(table().phase, Choosing)
