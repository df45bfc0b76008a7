"""Ur takes tokens from the box: of this Age, a later one, one that is done, one that failed, by day and by night."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from events import facts as f
from events.refusals import Reason, Refusal
from events.rules.scoring import sheet
from events.rules.state import City, Game
from tests.rules.driver import PUBLISHER
from tests.rules.positions import allowed, choose, city, ending, listed, of, play, projects, settle, stage, table

CHOSEN = projects("outpost", "auction-house", "military-school")
NIGHT = (("glassworks-1", "stone-pit"), ("foundry", "stone-pit"), ("brickyard", "stone-pit", "loom-1"))


def by_day(age: int, states: tuple[str, str, str] = ("open",) * 3, **more: Any) -> Game:
    """Ur by day can build its second stage, the one with the token."""
    held = {name: more.pop(name) for name in ("participates", "rewards", "coins", "tokens_held") if name in more}
    if "tokens_held" in held:
        held["tokens"] = held.pop("tokens_held")
    mine = city("ur", "day", "quarry", "clay-pool", stages=1, **held)
    return with_states(table(mine, age=age, turn=3, projects=CHOSEN, **more), states)


def by_night(number: int, age: int, states: tuple[str, str, str] = ("open",) * 3, **more: Any) -> Game:
    """Ur by night can build stage `number`, whose token is of that Age."""
    mine: City = city("ur", "night", *NIGHT[number - 1], stages=number - 1, **more)
    return with_states(table(mine, age=age, turn=3, projects=CHOSEN), states)


def with_states(game: Game, states: tuple[str, str, str]) -> Game:
    edifice = tuple(
        replace(project, state=state, tokens=0 if state == "completed" else project.tokens)
        for project, state in zip(game.edifice, states, strict=True)
    )
    return replace(game, edifice=edifice)


def tokens(events: tuple[f.AnyEvent, ...]) -> list[tuple[int, int, int, bool]]:
    return [(event.city, event.age, event.left, event.box) for event in of(events, f.ParticipationTaken)]


@pytest.mark.parametrize("token", [1, 2, 3])
@pytest.mark.parametrize("night", [False, True])
def test_a_token_of_the_current_or_a_later_age_is_held(token, night):
    """R73: in Age I, of any of the three; the card's own tokens do not shrink."""
    game = by_night(token, 1) if night else by_day(1)
    events, after = play(game, stage(option=None if night else f"age-{token}"))
    assert tokens(events) == [(0, token, 2, True)]
    assert after.cities[0].participates == (token,)
    assert [project.tokens for project in after.edifice] == [2, 2, 2]
    assert not of(events, f.CoinsPaid)
    assert not of(events, f.RewardGranted)


@pytest.mark.parametrize("night", [False, True])
def test_of_a_completed_project_it_gives_the_reward_now(night):
    """R73: Outpost's victory token, in Age II."""
    states = ("completed", "open", "open")
    game = by_night(1, 2, states) if night else by_day(2, states)
    events, after = play(game, stage(option=None if night else "age-1"))
    assert [(event.city, event.project, event.tokens) for event in of(events, f.RewardGranted)] == [(0, "outpost", (3,))]
    assert after.cities[0].tokens == (3,)
    assert after.cities[0].rewards == ("outpost",)
    assert after.cities[0].participates == (1,)
    assert after.edifice[0].tokens == 0
    assert after.edifice[0].state == "completed"


def test_the_coins_of_a_completed_project_come_with_the_effects_of_the_turn():
    """R73, R10: not in time to pay for anything else of the turn."""
    game = by_day(3, ("failed", "completed", "open"), coins=0)
    events, after = play(game, stage(option="age-2"))
    assert [(event.amount, event.source) for event in of(events, f.CoinsReceived) if event.city == 0] == [(7, "auction-house")]
    assert after.cities[0].coins == 7


@pytest.mark.parametrize("night", [False, True])
def test_of_a_failed_project_it_gives_nothing(night):
    """R73: the stage stands, no token, no reward."""
    states = ("failed", "open", "open")
    game = by_night(1, 2, states) if night else by_day(2, states)
    events, after = play(game, stage(option=None if night else "age-1"))
    assert tokens(events) == []
    assert not of(events, f.RewardGranted)
    assert after.cities[0].participates == ()
    assert after.cities[0].stages == game.cities[0].stages + 1


@pytest.mark.parametrize("state", ["open", "completed"])
def test_of_an_age_whose_token_it_has_held_it_gives_nothing(state):
    """R73: not a second one, and not the reward twice."""
    rewards = ("outpost",) if state == "completed" else ()
    game = by_day(2, (state, "open", "open"), participates=(1,), rewards=rewards, tokens_held=(3,))
    events, after = play(game, stage(option="age-1"))
    assert tokens(events) == []
    assert not of(events, f.RewardGranted)
    assert after.cities[0].tokens == (3,)


def test_the_token_is_the_ages_one():
    """R62, R73: who holds it from Ur's stage cannot join that project with another stage."""
    mine = city("ur", "day", "sawmill", "lumber-yard", "press-1", options=(None, "age-1"), coins=9, participates=(1,))
    game = table(mine, age=1, turn=4, projects=CHOSEN)
    with pytest.raises(Refusal) as refused:
        choose(game, 0, stage(join=True))
    assert refused.value.reason is Reason.ALREADY_PARTICIPATING
    assert listed(game, 0, "stage").joinable == ()


def test_joining_and_taking_another_ages_token_with_one_stage():
    """R62, R73: two tokens of two Ages; of the same Age only one."""
    game = by_day(1, coins=5)
    events, after = play(game, stage(join=True, option="age-3"))
    assert tokens(events) == [(0, 1, 1, False), (0, 3, 2, True)]
    assert after.cities[0].participates == (1, 3)
    events, after = play(game, stage(join=True, option="age-1"))
    assert tokens(events) == [(0, 1, 1, False)]
    assert after.cities[0].participates == (1,)
    assert after.cities[0].coins == 5 - 1


def test_ur_can_take_a_token_when_none_is_left_on_the_card():
    """R73: from the box, with age-end before the evaluation; it is rewarded with the others."""
    game = by_day(1)
    game = replace(game, edifice=(replace(game.edifice[0], tokens=0), *game.edifice[1:]))
    assert not allowed(game, 0, stage(join=True, option="age-2"))
    events, after = play(game, stage(option="age-1"))
    assert tokens(events) == [(0, 1, 0, True)]
    assert not of(events, f.RewardGranted)
    _, done = settle(ending(after, "conflicts", "edifice", "deal"))
    assert done.cities[0].rewards == ("outpost",)


def test_ur_alone_neither_completes_a_project_nor_is_penalised_when_it_fails():
    """R65, R73: a token from the box leaves the card's own where they are; its holder is immune."""
    _, game = play(by_day(1), stage(option="age-1"))
    events, after = settle(ending(game, "conflicts", "edifice", "deal"))
    assert [(event.left, event.holders, event.penalised) for event in of(events, f.EdificeFailed)] == [(2, (0,), (1, 2))]
    assert [event.city for event in of(events, f.PenaltySuffered)] == [1, 2]
    assert after.cities[0].rewards == ()


def test_at_once_ur_is_rewarded_when_the_project_is_completed_in_the_same_turn():
    """R64, R73: the token is there before the completion, so it is one of the holders, once."""
    other = city("babylon", "day", "brickyard", coins=9)
    mine = city("ur", "day", "quarry", "clay-pool", stages=1)
    game = table(mine, other, turn=3, projects=CHOSEN, tokens=1, **PUBLISHER)
    events, after = play(game, stage(option="age-1"), stage(join=True))
    assert [event.holders for event in of(events, f.EdificeCompleted)] == [(0, 1)]
    assert [event.city for event in of(events, f.RewardGranted)] == [0, 1]
    assert [one.tokens for one in after.cities] == [(3,), (3,), ()]


def test_at_once_ur_is_rewarded_of_a_project_completed_earlier_in_the_age():
    """R73: completed and evaluated already, its reward now, and not again at the Age's end."""
    game = by_day(1, ("completed", "open", "open"), **PUBLISHER)
    events, after = play(game, stage(option="age-1"))
    assert [event.tokens for event in of(events, f.RewardGranted)] == [(3,)]
    events, done = settle(ending(after, "conflicts", "edifice", "deal"))
    assert not of(events, f.RewardGranted)
    assert done.cities[0].tokens == (3,)


def test_a_token_of_a_later_age_waits_for_that_age():
    """R73: its holder is rewarded, or immune, when that Age's project is evaluated."""
    mine = city("ur", "night", stages=2, participates=(2,))
    done = ending(table(mine, age=2, projects=CHOSEN, tokens=0), "edifice", "deal")
    _, rewarded = settle(done)
    assert (rewarded.cities[0].rewards, rewarded.cities[0].coins) == (("auction-house",), 10)
    events, spared = settle(ending(table(mine, age=2, projects=CHOSEN, tokens=1), "edifice", "deal"))
    assert [event.city for event in of(events, f.PenaltySuffered)] == [1, 2]
    assert spared.cities[0].coins == 3


def test_military_schools_reward_from_ur_drops_the_defeats_of_that_moment():
    """R69, R73."""
    mine = city("ur", "night", *NIGHT[2], stages=2, tokens=(1, -1, -1))
    game = with_states(table(mine, age=3, turn=3, projects=CHOSEN, **PUBLISHER), ("open", "open", "completed"))
    events, after = play(game, stage())
    assert [(event.tokens, event.dropped) for event in of(events, f.RewardGranted)] == [((5,), 2)]
    assert after.cities[0].tokens == (1, 5)


@pytest.mark.parametrize("option", [None, "age-4", "1", "coins"])
def test_by_day_the_age_is_chosen_with_the_action(option):
    """R33, R73: one of the three words."""
    with pytest.raises(Refusal) as refused:
        choose(by_day(1), 0, stage(option=option))
    assert refused.value.reason is (Reason.OPTION_NEEDED if option is None else Reason.UNKNOWN_OPTION)
    assert listed(by_day(1), 0, "stage").options == ("age-1", "age-2", "age-3")


def test_by_night_there_is_no_choice():
    with pytest.raises(Refusal) as refused:
        choose(by_night(1, 1), 0, stage(option="age-1"))
    assert refused.value.reason is Reason.UNKNOWN_OPTION


def test_agoras_gain_from_urs_token_is_counted_at_the_end():
    """R70, R73: a later token counts like any other."""
    mine = city("ur", "night", "spies-guild", stages=3, participates=(3,), rewards=("agora",))
    armed = city("rhodos", "day", "walls"), city("ephesos", "day", "circus", "stockade")
    game = table(mine, *armed, age=3, projects=projects("agora"))
    assert sheet(game, 0).points["edifice"] == 3
