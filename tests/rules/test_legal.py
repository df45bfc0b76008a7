"""What is listed as legal is accepted, all of it; what is not listed is refused, with the reason that fits."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from events.facts import ActValue
from events.refusals import Reason, Refusal
from events.rules import Game, decide, legal
from events.rules.building import next_stage, stage_options, stage_payments, trader
from events.rules.clock import awaited
from events.rules.edifice import candidates
from events.rules.position import play_out
from events.rules.state import Choosing, Extra
from tests.rules.driver import acts, chosen, command_of, options, own_card, steps
from tests.rules.positions import city, projects, table
from tests.rules.test_games import TABLES

HAND = ["theater", "tavern", "altar"]
BOARDS = {"Ada": "gizah", "Ben": "rhodos", "Cy": "babylon"}


def refusal(game: Game, seat: int, place: int, act: ActValue, card: str) -> Reason | None:
    """Why `decide` says no, None if it does not; every refusal is a sentence."""
    try:
        decide(game, command_of(game, seat, place, act, card))
    except Refusal as refused:
        return refused.reason if refused.message.strip() else None
    return None


def fitting(game: Game, place: int, act: ActValue, card: str | None) -> Reason | None:
    """The reason that POSITION's order demands, worked out apart from `decide`: card, duty, name, stage, joining, option, money."""
    if isinstance(game.phase, Extra) and game.phase.question in ("pick", "lose"):
        return fitting_answer(game, place, act, card)
    plays = legal(game, place, own_card(game, place))
    if act.kind not in ("build", "stage", "discard"):
        return Reason.NOT_OFFERED
    if card not in held(game, place):
        return Reason.NOT_IN_HAND
    mine, edifice = game.cities[place], game.edifice
    who = trader(game, place)
    if act.kind == "discard":
        if place == game.free and any(play.kind != "discard" for play in plays):
            return Reason.FREE_CITY_MUST_BUILD
        if act.participate or act.option is not None:
            return Reason.UNKNOWN_OPTION
        return Reason.WRONG_PAYMENT if act.left or act.right else None
    if act.kind == "build":
        if game.box.cards[card].name in {game.box.cards[other].name for other in mine.built}:
            return Reason.ALREADY_BUILT
        if act.participate:
            return Reason.NOT_OFFERED
        if act.option is not None:
            return Reason.UNKNOWN_OPTION
        ways = [play.payments for play in plays if (play.kind, play.card) == ("build", card)]
        return money(ways[0] if ways else (), act)
    stage = next_stage(game.box, mine)
    if stage is None:
        return Reason.NO_STAGE_LEFT
    if act.participate:
        if not edifice:
            return Reason.EDIFICE_OFF
        if game.age in mine.participates:
            return Reason.ALREADY_PARTICIPATING
        if edifice[game.age - 1].tokens == 0:
            return Reason.NO_TOKEN_LEFT
    words = stage_options(stage)
    if words and act.option is None:
        return Reason.OPTION_NEEDED
    if act.option is not None and act.option not in words:
        return Reason.UNKNOWN_OPTION
    extra = game.box.projects[edifice[game.age - 1].project].coins if act.participate else 0
    return money(stage_payments(who, extra), act)


def fitting_answer(game: Game, place: int, act: ActValue, card: str | None) -> Reason | None:
    assert isinstance(game.phase, Extra)
    if game.phase.question == "pick":
        if act.kind != "pick" or card not in game.discard:
            return Reason.NOT_OFFERED
        if game.box.cards[card or ""].name in {game.box.cards[other].name for other in game.cities[place].built}:
            return Reason.ALREADY_BUILT
    elif act.kind != "lose" or card not in candidates(game, place):
        return Reason.NOT_OFFERED
    if act.participate or act.option is not None:
        return Reason.UNKNOWN_OPTION
    return Reason.WRONG_PAYMENT if act.left or act.right else None


def money(ways: tuple[tuple[int, int], ...], act: ActValue) -> Reason | None:
    if not ways:
        return Reason.CANNOT_PAY
    return None if (act.left, act.right) in ways else Reason.WRONG_PAYMENT


def held(game: Game, place: int) -> list[str]:
    """The cards that a city may use, from the game's own fields."""
    if isinstance(game.phase, Extra) and game.phase.question == "lose":
        return list(candidates(game, place))
    if isinstance(game.phase, Extra):
        return [card for card in game.phase.offers[game.phase.cities.index(place)] if card is not None]
    cards = [card for card in game.cities[game.answerer(place)].hand if card is not None]
    if game.drawn is not None and game.answerer(place) == game.holder:
        cards.append(game.drawn)
    if place == game.free and (own := own_card(game, place)) in cards:
        cards.remove(own)
    return cards


def listed_acts(game: Game, place: int) -> set[tuple[ActValue, str | None]]:
    return {(act, play.card) for play in legal(game, place, own_card(game, place)) for act in acts(play)}


def tried(game: Game, luck: random.Random, place: int) -> tuple[ActValue, str]:
    """A play that may or may not be legal: one of the listed ones bent a little, or anything at all."""
    act, card = chosen(game, place, luck)
    cards = [*held(game, place), *game.cities[place].built, "altar", "no-such-card"]
    bends = {
        "kind": luck.choice(("build", "stage", "discard", "pick", "decline", "lose")),
        "left": luck.choice((0, 1, 2, 4)),
        "right": luck.choice((0, 1, 2, 4)),
        "participate": luck.random() < 0.5,
        "option": luck.choice((None, "coins", "shield", "shields", "discard", "science", "age-1", "age-3", "nonsense")),
    }
    keep = {name: getattr(act, name) for name in ("kind", "left", "right", "participate", "option")}
    bent = luck.sample(sorted(bends), luck.choice((0, 1, 1, 2, 5)))
    other = luck.choice(cards) if card is None or luck.random() < 0.4 else card
    return ActValue(**{**keep, **{name: bends[name] for name in bent}}), other


@pytest.mark.parametrize("name", TABLES)
def test_every_listed_play_is_accepted_and_every_other_has_its_reason(name):
    """Each listed payment, option and participation passes; sampled others are refused with the reason of the written order."""
    luck, reasons = random.Random(name), Counter()
    for seed in range(2):
        for step in steps(TABLES[name], seed):
            game = step.before
            for seat, place in awaited(game):
                if place == game.free and isinstance(game.phase, Choosing) and own_card(game, place) is None:
                    continue
                listed = listed_acts(game, place)
                for act, card in luck.sample(sorted(listed, key=repr), min(len(listed), 12)):
                    decide(game, command_of(game, seat, place, act, card))
                for _ in range(3):
                    act, card = tried(game, luck, place)
                    reason = refusal(game, seat, place, act, card)
                    assert (reason is None) == ((act, card) in listed), (act, card, reason)
                    assert reason == fitting(game, place, act, card), (act, card)
                    reasons[reason] += 1
    assert len(reasons) >= 7, reasons


@pytest.mark.parametrize("name", ["3 players", "4 players, Edifice, publisher", "2 players, Edifice, publisher"])
def test_each_listed_play_without_exception_is_accepted(name):
    """One whole game, each play of each seat in each turn, all payments."""
    count = 0
    for step in steps(TABLES[name], 99):
        game = step.before
        for seat, place in awaited(game):
            if place != game.free or isinstance(game.phase, Extra) or own_card(game, place):
                for act, card in listed_acts(game, place):
                    assert decide(game, command_of(game, seat, place, act, card))
                    count += 1
    assert count > 300


def test_the_order_of_the_list_is_builds_stages_discards_in_catalogue_order():
    """And a card held twice stands in it once."""
    game = table(city("gizah", "day", "lumber-yard", "sawmill", coins=9, hand=("theater", "altar", "theater", "lumber-yard")))
    found = [(play.kind, play.card) for play in legal(game, 0)]
    cards = ["lumber-yard", "altar", "theater", "tavern"]
    assert found == [("build", card) for card in cards[1:]] + [("stage", card) for card in cards] + [("discard", c) for c in cards]


def test_a_hand_written_down_in_any_order_lists_in_catalogue_order():
    """A position document names a hand's cards as they come."""
    seats = [{"name": name, "wonder": board, "side": "day", "coins": 3, "hand": HAND} for name, board in BOARDS.items()]
    game, _, _ = play_out({"age": 1, "turn": 5, "city": seats})
    assert {play.card: None for play in legal(game, 0)} == dict.fromkeys(("altar", "theater", "tavern"))
    assert [play.card for play in legal(game, 0) if play.kind == "discard"] == ["altar", "theater", "tavern"]


def test_nothing_is_listed_when_nothing_can_be_changed_any_more():
    """Once all have chosen `decide` refuses every change, so `legal` lists none."""
    for step in steps(options(3), 5):
        phase = step.after.phase
        if isinstance(phase, Choosing) and all(phase.choices):
            assert [legal(step.after, place) for place in range(3)] == [(), (), ()]
            return
    pytest.fail("no turn was chosen")


def test_a_city_that_is_not_asked_has_nothing_to_play():
    """Neither outside a turn nor while somebody else is asked."""
    asked = 0
    for step in steps(options(4, True), 11):
        game = step.after
        if isinstance(game.phase, Extra):
            asked += 1
            assert all(legal(game, place) == () for place in range(4) if place not in game.phase.cities)
        elif not isinstance(game.phase, Choosing):
            assert all(legal(game, place) == () for place in range(len(game.cities)))
    assert asked


def test_joinable_payments_leave_coins_for_the_project():
    """R10, R62: the payments with which one may join are those that the purse still allows."""
    poor = table(city("gizah", "day", coins=5), city("babylon", "day", "lumber-yard"), city("rhodos", "day", "sawmill"),
                 projects=projects("artisan-district"))  # fmt: skip
    stage = next(play for play in legal(poor, 0) if play.kind == "stage")
    assert stage.payments == ((0, 4), (2, 2), (4, 0))
    assert stage.joinable == ()
    rich = table(city("gizah", "day", "west-trading-post", coins=5), *poor.cities[1:], projects=projects("artisan-district"))
    stage = next(play for play in legal(rich, 0) if play.kind == "stage")
    assert stage.payments == ((0, 4), (1, 2), (2, 0))
    assert stage.joinable == ((1, 2), (2, 0))
