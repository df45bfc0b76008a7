"""Extra actions: Babylon's last card, building from the discard pile, and who is awaited meanwhile."""

from __future__ import annotations

import pytest

from events import facts as f
from events.commands import ChooseAction
from events.refusals import Reason, Refusal
from events.rules import decide, legal, waking
from events.rules.clock import awaited
from events.rules.state import Closing, Extra, Game
from tests.rules.positions import DECLINE, answer, build, city, discard, lose, of, pick, play, projects, replace, stage, table


def babylon(*built: str, stages: int = 1, **more: object) -> Game:
    """Turn six with Babylon by night on seat 1 (of 0 to 2)."""
    mine = city("babylon", "night", *built, stages=stages, **more)
    return table(city("gizah"), mine, city("ephesos"), turn=6)


def asked(game: Game) -> tuple[str, tuple[int, ...], tuple[int, ...]]:
    assert isinstance(game.phase, Extra), game.phase
    return game.phase.question, game.phase.cities, game.phase.seats


# ---- R40 --------------------------------------------------------------------------------------------------------------
def test_babylon_plays_its_last_card():
    """R40, R43: after the sixth action of all, asked of this seat alone; the card is on offer to it only."""
    events, game = play(babylon(hand=("tavern", "altar")), None, discard("tavern"))
    assert asked(game) == ("last-card", (1,), (1,))
    assert awaited(game) == ((1, 1),)
    offer = of(events, f.ExtraAsked)[0].offers[0]
    assert (offer.readers, offer.value) == ((1,), ("altar",))
    assert not [event for event in of(events, f.CardDiscarded) if event.why == "leftover"]
    events, game = answer(game, 1, build("altar"))
    assert game.cities[1].built == ("altar",)
    assert [event.city for event in of(events, f.CardDiscarded)] == [0, 2]
    assert isinstance(game.phase, Closing)


def test_babylon_plays_its_last_card_also_in_the_turn_of_the_stage():
    """R40: once the stage stands, the sixth turn included."""
    _, game = play(babylon("quarry", stages=0, hand=("tavern", "altar")), None, stage("tavern"))
    assert asked(game) == ("last-card", (1,), (1,))


def test_without_the_stage_or_before_the_sixth_turn_nobody_is_asked():
    """R13, R40."""
    _, game = play(babylon(stages=0, hand=("tavern", "altar")))
    assert isinstance(game.phase, Closing)
    _, game = play(table(city("babylon", "night", stages=1), turn=5))
    assert game.turn == 6


@pytest.mark.parametrize("age", [1, 2, 3])
def test_babylon_plays_it_in_every_age(age):
    """R40: at the sixth turn, of every Age in which the stage stands."""
    _, game = play(table(city("babylon", "night", stages=1), age=age, turn=6))
    assert asked(game)[0] == "last-card"


def test_the_last_card_is_paid_from_the_coins_held_then():
    """R40: what the sixth action earned can be spent, and what was built serves."""
    _, game = play(babylon(coins=0, hand=("lumber-yard", "sawmill")), None, discard("lumber-yard"))
    assert game.cities[1].coins == 3
    events, game = answer(game, 1, build("sawmill"))
    assert [(event.amount, event.why) for event in of(events, f.CoinsPaid)] == [(1, "cost")]
    assert game.cities[1].coins == 2


def test_a_post_built_with_the_sixth_action_cheapens_the_last_card():
    """R16, R40: the city's next action."""
    mine = city("babylon", "night", stages=1, coins=1, hand=("west-trading-post", "baths"))
    start = table(city("gizah"), mine, city("gizah", "night"), turn=6)
    _, game = play(start, None, build("west-trading-post"))
    plays = {(one.kind, one.card): one for one in legal(game, 1)}
    assert plays["build", "baths"].payments == ((1, 0),)
    _, game = answer(game, 1, build("baths", left=1))
    assert game.cities[1].coins == 0
    assert game.cities[2].coins == 3 + 3 + 1


def test_the_last_card_may_go_under_a_stage_or_for_three_coins():
    """R40: build, stage or discard."""
    start = babylon("brickyard", "clay-pool", "glassworks-1", hand=("tavern", "palace"))
    _, game = play(start, None, discard("tavern"))
    assert [(one.kind, one.card) for one in legal(game, 1)] == [("stage", "palace"), ("discard", "palace")]
    _, staged = answer(game, 1, stage("palace"))
    assert (staged.cities[1].stages, staged.cities[1].under[-1]) == (2, "palace")
    events, sold = answer(game, 1, discard("palace"))
    assert sold.cities[1].coins == game.cities[1].coins + 3
    assert sold.discard == ("tavern", "tavern", "tavern", "palace", "tavern", "tavern")
    assert [event.why for event in of(events, f.CardDiscarded)] == ["action", "leftover", "leftover"]


def test_the_last_cards_effects_count_what_stands_then():
    """R40, R12: the cards of the sixth turn count."""
    mine = city("babylon", "night", stages=1, hand=("tavern", "vineyard"))
    start = table(city("gizah", "day", hand=("clay-pool",)), mine, city("ephesos", "day", hand=("ore-vein",)), turn=6)
    _, game = play(start, build("clay-pool"), discard("tavern"), build("ore-vein"))
    _, game = answer(game, 1, build("vineyard"))
    assert game.cities[1].coins == 3 + 3 + 2


def test_the_last_cards_stage_may_join_a_project():
    """R40, R62, R63: if a token is left at that moment."""
    mine = city("babylon", "night", "brickyard", "clay-pool", "glassworks-1", stages=1, hand=("tavern", "altar"), coins=0)

    def at_turn_six(tokens: int) -> Game:
        start = table(city("gizah", "day", "sawmill"), mine, city("ephesos"), turn=6, projects=projects(), tokens=tokens)
        return play(start, stage(join=True), discard("tavern"))[1]

    game = at_turn_six(2)
    events, game = answer(game, 1, stage("altar", join=True))
    assert [(event.city, event.left, event.box) for event in of(events, f.ParticipationTaken)] == [(1, 0, False)]
    assert game.cities[1].participates == (1,)
    with pytest.raises(Refusal) as refused:
        answer(at_turn_six(1), 1, stage("altar", join=True))
    assert refused.value.reason is Reason.NO_TOKEN_LEFT


@pytest.mark.parametrize("wrong", [DECLINE, pick("altar"), lose("altar"), build("palace"), build("altar", left=2)])
def test_another_answer_to_the_last_card_is_refused(wrong):
    _, game = play(babylon(hand=("tavern", "altar")), None, discard("tavern"))
    with pytest.raises(Refusal) as refused:
        answer(game, 1, wrong)
    assert refused.value.reason in (Reason.NOT_OFFERED, Reason.NOT_IN_HAND, Reason.WRONG_PAYMENT)
    assert refused.value.reason is not Reason.NOT_IN_HAND or wrong == build("palace")


# ---- R41, R42 -----------------------------------------------------------------------------------------------------------
def halikarnassos(turn: int = 2, **more: object) -> Game:
    """Seat 0 can build its second stage (glass and papyrus) by day."""
    mine = city("halikarnassos", "day", "glassworks-1", "press-1", stages=1, **more)
    return table(mine, turn=turn, discard=("palace", "altar", "palace"))


def test_a_pick_is_built_for_nothing_at_the_end_of_the_turn():
    """R41: from all discards so far, this turn's too; the turn goes on afterwards."""
    start = halikarnassos(coins=0)
    rhodos = replace(start.cities[1], hand=("circus",) * 6)
    events, game = play(replace(start, cities=(start.cities[0], rhodos, start.cities[2])), stage(), discard("circus"))
    assert asked(game) == ("pick", (0,), (0,))
    assert isinstance(game.phase, Extra)
    assert game.phase.offers == (("altar", "tavern", "palace", "palace", "circus"),)
    assert of(events, f.ExtraAsked)[0].offers[0].readers == (0,)
    events, game = answer(game, 0, pick("circus"))
    assert [(event.card, event.free, event.origin) for event in of(events, f.CardBuilt)] == [("circus", "discard", "discard")]
    assert not of(events, f.CoinsPaid)
    assert game.cities[0].built[-1] == "circus"
    assert game.discard == ("palace", "altar", "palace", "tavern")
    assert game.turn == 3


def test_the_stages_own_card_is_not_among_the_discards():
    """R41, R9: the card under the board lies under the board."""
    start = halikarnassos(hand=("theater",))
    _, game = play(start, stage("theater"))
    assert isinstance(game.phase, Extra)
    assert "theater" not in game.phase.offers[0]


def test_of_equal_cards_the_first_discarded_goes():
    """R41."""
    _, game = play(halikarnassos(), stage())
    _, game = answer(game, 0, pick("palace"))
    assert game.discard[:2] == ("altar", "palace")


def test_a_picks_effects_count_what_stands_then():
    """R41: coins at that moment, spendable next turn."""
    start = replace(halikarnassos(coins=0), discard=("lighthouse",))
    _, game = play(start, stage())
    events, game = answer(game, 0, pick("lighthouse"))
    assert [(event.amount, event.source) for event in of(events, f.CoinsReceived)] == [(1, "lighthouse")]
    assert game.cities[0].coins == 1


def test_a_name_that_stands_cannot_be_picked():
    """R19, R41: not even from the discard pile; what was never discarded neither."""
    mine = halikarnassos().cities[0]
    start = replace(halikarnassos(), cities=(replace(mine, built=(*mine.built, "altar")), *halikarnassos().cities[1:]))
    _, game = play(start, stage())
    assert [one.card for one in legal(game, 0)] == ["tavern", "palace", None]
    for wrong, reason in ((pick("altar"), Reason.ALREADY_BUILT), (pick("theater"), Reason.NOT_OFFERED),
                          (build("palace"), Reason.NOT_OFFERED), (discard("palace"), Reason.NOT_OFFERED)):  # fmt: skip
        with pytest.raises(Refusal) as refused:
            answer(game, 0, wrong)
        assert refused.value.reason is reason


def test_with_no_legal_card_nobody_is_asked():
    """R41: an empty pile, or names that all stand."""
    for built in ((), ("palace", "altar", "tavern")):
        start = halikarnassos()
        mine = replace(start.cities[0], built=(*start.cities[0].built, *built))
        others = tuple(replace(one, hand=("lumber-yard",) * 6) for one in start.cities[1:])
        game = replace(start, cities=(mine, *others), discard=start.discard if built else ())
        choices = (stage(), build("lumber-yard"), build("lumber-yard"))
        events, game = play(game, *choices)
        assert not of(events, f.ExtraAsked)
        assert game.turn == 3


def test_at_the_sixth_turn_the_pick_sees_the_leftovers_and_babylons_discard():
    """R41: after R40 and R13."""
    hali = city("halikarnassos", "day", "glassworks-1", "press-1", stages=1, hand=("tavern", "altar"))
    baby = city("babylon", "night", stages=1, hand=("tavern", "palace"))
    start = table(hali, baby, city("ephesos", hand=("tavern", "well")), turn=6)
    _, game = play(start, stage("tavern"), discard("tavern"), discard("tavern"))
    assert asked(game)[0] == "last-card"
    events, game = answer(game, 1, discard("palace"))
    assert [type(event).__name__ for event in events if isinstance(event, f.CardDiscarded | f.ExtraAsked)] == [
        "CardDiscarded", "CardDiscarded", "CardDiscarded", "ExtraAsked"]  # fmt: skip
    assert isinstance(game.phase, Extra)
    assert game.phase.offers == (("altar", "well", "tavern", "tavern", "palace"),)
    events, game = answer(game, 0, pick("palace"))
    assert isinstance(game.phase, Closing)
    assert [type(event).__name__ for event in events][-1] == "AgeEnded"


def two_pickers(*pile: str) -> Game:
    """Seats 0 and 2 build a picking stage in the same turn."""
    hali = city("halikarnassos", "day", "glassworks-1", "press-1", stages=1)
    carthage = city("carthage", "night", "sawmill", "lumber-yard", "loom-1", options=("coins",))
    rhodos = city("rhodos", hand=("lumber-yard",) * 6)
    return table(carthage, rhodos, hali, turn=2, discard=pile)


def test_two_picks_go_in_seat_order_and_the_second_sees_what_is_left():
    """R42."""
    _, game = play(two_pickers("palace", "altar"), stage(option="discard"), build("lumber-yard"), stage())
    assert asked(game) == ("pick", (0,), (0,))
    with pytest.raises(Refusal) as refused:
        answer(game, 2, pick("altar"))
    assert refused.value.reason is Reason.NOT_AWAITED
    events, game = answer(game, 0, pick("palace"))
    assert asked(game) == ("pick", (2,), (2,))
    assert of(events, f.ExtraAsked)[0].offers[0].value == ("altar",)
    _, game = answer(game, 2, pick("altar"))
    assert (game.turn, game.discard) == (3, ())


def test_the_second_is_not_asked_when_the_first_took_the_last_card():
    """R41, R42."""
    _, game = play(two_pickers("altar"), stage(option="discard"), build("lumber-yard"), stage())
    _, game = answer(game, 0, pick("altar"))
    assert (game.turn, game.cities[0].built[-1]) == (3, "altar")


def test_the_second_is_asked_when_the_first_declines():
    """R42."""
    _, game = play(two_pickers("altar"), stage(option="discard"), build("lumber-yard"), stage())
    _, game = answer(game, 0, DECLINE)
    assert asked(game) == ("pick", (2,), (2,))


def test_the_first_is_passed_over_when_it_has_every_name():
    """R41, R42: the second is asked all the same."""
    start = two_pickers("altar")
    mine = replace(start.cities[0], built=(*start.cities[0].built, "altar"))
    _, game = play(replace(start, cities=(mine, *start.cities[1:])), stage(option="discard"), build("lumber-yard"), stage())
    assert asked(game) == ("pick", (2,), (2,))


def test_a_pick_of_this_turn_is_not_asked_again_in_the_next():
    """R41: once, at the end of the turn in which the stage was built."""
    _, game = play(halikarnassos(), stage())
    _, game = answer(game, 0, pick("altar"))
    _, game = play(game)
    assert game.turn == 4
    assert game.picks == ()


# ---- R43 ----------------------------------------------------------------------------------------------------------------
def test_while_one_is_asked_nobody_chooses_and_the_clock_runs():
    """R43: the game waits for that seat, with its clock."""
    start = table(city("halikarnassos", "day", "glassworks-1", "press-1", stages=1), discard=("palace",), turn_ms=60_000)
    events, game = play(start, stage())
    assert of(events, f.ExtraAsked)[0].deadline == 60_000
    assert awaited(game) == ((0, 0),)
    people = tuple(replace(person, bot=None, token="00") for person in game.people if person)
    assert waking(replace(game, people=people)) == 60_000
    for seat in range(3):
        with pytest.raises(Refusal) as refused:
            decide(game, ChooseAction(seat=seat, city=seat, age=1, turn=1, card="tavern", act=f.ActValue(kind="discard")))
        assert refused.value.reason is Reason.STALE_CHOICE
