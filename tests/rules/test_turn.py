"""One turn: secret choices, payments from the coins at its start, everything placed at once, then effects."""

from __future__ import annotations

import pytest

from events import facts as f
from events.commands import ChooseAction, RevealTurn, WithdrawAction
from events.refusals import Reason, Refusal
from events.rules import decide, outcome
from events.rules.state import Choosing, Closing
from tests.rules.positions import allowed, build, choose, city, discard, listed, of, play, projects, replace, reveal, stage, table


# ---- R7, R8: choosing -------------------------------------------------------------------------------------------------
def test_a_choice_may_be_changed_until_the_last_seat_has_chosen():
    """R7: and then no more."""
    game = table(city("gizah", hand=("altar", "theater")))
    game = choose(game, 0, build("altar"))
    game = choose(game, 0, build("theater"))
    game = choose(game, 1, discard())
    assert isinstance(game.phase, Choosing)
    assert game.phase.numbers == (2, 1, 0)
    game = choose(game, 2, discard())
    with pytest.raises(Refusal) as refused:
        choose(game, 0, build("altar"))
    assert refused.value.reason is Reason.STALE_CHOICE
    _, after = reveal(game)
    assert after.cities[0].built == ("theater",)


def test_a_choice_may_be_withdrawn_until_the_last_seat_has_chosen():
    """R7: its number counts on, and without a choice there is nothing to take back."""
    game = choose(table(), 0, discard())
    taken = WithdrawAction(seat=0, city=0, age=1, turn=1)
    events, game = outcome(game, taken)
    assert (events[0].number, events[0].why) == (2, "asked")
    assert isinstance(game.phase, Choosing)
    assert game.phase.choices == (None, None, None)
    with pytest.raises(Refusal) as refused:
        outcome(game, taken)
    assert refused.value.reason is Reason.NOTHING_TO_WITHDRAW


def test_a_turn_is_not_revealed_before_everyone_has_chosen():
    game = choose(choose(table(), 0, discard()), 1, discard())
    with pytest.raises(Refusal) as refused:
        decide(game, RevealTurn())
    assert refused.value.reason is Reason.NOTHING_DUE


@pytest.mark.parametrize(("age", "turn"), [(1, 2), (1, 4), (2, 3)])
def test_a_choice_for_another_turn_is_stale(age, turn):
    """What was meant for a turn that is over, or not yet come, is not taken for this one."""
    late = ChooseAction(seat=0, city=0, age=age, turn=turn, card="tavern", act=f.ActValue(kind="discard"))
    with pytest.raises(Refusal) as refused:
        decide(table(age=1, turn=3), late)
    assert refused.value.reason is Reason.STALE_CHOICE


def test_numbers_only_rise():
    """A lower number, or the same again, is refused; a higher one may leave gaps."""
    game = choose(table(), 0, discard(), number=5)
    for number in (5, 4, 0, -1, 1_000_001):
        with pytest.raises(Refusal) as refused:
            choose(game, 0, discard(), number=number)
        assert refused.value.reason is Reason.STALE_NUMBER
    assert choose(game, 0, discard(), number=9).phase.numbers[0] == 9


def test_nobody_chooses_for_another_city():
    for seat, place in ((0, 1), (1, 0), (0, 7), (0, -1)):
        with pytest.raises(Refusal) as refused:
            decide(table(), ChooseAction(seat=seat, city=place, age=1, turn=1, card="tavern", act=f.ActValue(kind="discard")))
        assert refused.value.reason is Reason.NOT_AWAITED


def test_a_card_that_is_not_in_the_hand_is_refused():
    with pytest.raises(Refusal) as refused:
        choose(table(), 0, build("palace"))
    assert refused.value.reason is Reason.NOT_IN_HAND


def test_a_discard_brings_three_coins_and_the_card_lies_in_the_pile():
    """R8."""
    events, after = play(table(city("gizah", hand=("palace",))), discard("palace"))
    assert after.cities[0].coins == 6
    assert after.discard[0] == "palace"
    assert [(event.amount, event.source) for event in of(events, f.CoinsReceived) if event.city == 0] == [(3, "discard")]


# ---- R10, R11, R12: simultaneity ---------------------------------------------------------------------------------------
def test_all_is_paid_from_the_coins_at_the_turns_start():
    """R10: neither this turn's trade nor a discard helps to pay."""
    needy = city("gizah", "day", coins=0, hand=("stockade",))
    rich = city("babylon", "day", coins=9, hand=("baths",))
    game = table(needy, rich, city("ephesos"))
    assert not allowed(game, 0, build("stockade", left=2))
    game = choose(game, 1, build("baths", right=2))
    assert not allowed(game, 0, build("stockade", left=2))
    _, game = play(game, discard(), build("baths", right=2))
    assert game.cities[0].coins == 5


def test_coins_from_a_neighbour_come_only_after_all_have_paid():
    """R10: who is paid two coins this turn cannot pass them on."""
    one = city("gizah", "day", coins=2, hand=("stockade",))
    two = city("babylon", "day", coins=0, hand=("baths",))
    game = table(one, two, city("rhodos", "day", "stone-pit"))
    assert allowed(game, 0, build("stockade", left=2))
    assert not allowed(choose(game, 0, build("stockade", left=2)), 1, build("baths", left=2))


def test_participation_and_purchases_and_coins_are_added_up():
    """R10, R62: a stage for two coins with a project for two costs four together."""
    def of_coins(coins):
        return table(city("gizah", "day", "lumber-yard", coins=coins), city("babylon"), city("ephesos"),
                     projects=projects("artisan-district"))  # fmt: skip

    assert allowed(of_coins(4), 0, stage(left=2, join=True))
    assert not allowed(of_coins(3), 0, stage(left=2, join=True))
    with pytest.raises(Refusal) as refused:
        choose(of_coins(3), 0, stage(left=2, join=True))
    assert refused.value.reason is Reason.CANNOT_PAY


def test_payments_go_first_then_placements_then_effects():
    """R11: the order of the events of one turn."""
    game = table(
        city("gizah", "day", "lumber-yard", hand=("tavern",)),
        city("babylon", hand=("baths",)),
        city("ephesos", hand=("altar",)),
    )
    events, _ = play(game, stage(left=2), build("baths", right=2), discard("altar"))
    kinds = [type(event).__name__ for event in events]
    placed = ["StageBuilt", "CardBuilt", "CardDiscarded"]
    assert kinds == ["TurnRevealed", "CoinsPaid", "CoinsPaid", *placed, "CoinsReceived", "HandsPassed"]


def test_a_vineyard_counts_what_all_place_in_the_same_turn():
    """R12: one's own and the neighbours' brown cards, those of this turn too; a discarded card counts nothing."""
    game = table(
        city("gizah", "day", "stone-pit", hand=("vineyard",)),
        city("rhodos", "day", "ore-vein", hand=("sawmill",)),
        city("ephesos", "day", hand=("quarry",)),
        age=2,
    )
    _, after = play(game, build("vineyard"), build("sawmill"), build("quarry"))
    assert after.cities[0].coins == 3 + 4
    _, after = play(game, build("vineyard"), discard("sawmill"), build("quarry"))
    assert after.cities[0].coins == 3 + 3


def test_an_arena_counts_the_stages_that_stand_after_the_turn():
    """R12: only the city's own; its own stage cannot be built in the same turn."""
    game = table(city("gizah", "day", "quarry", "ore-vein", stages=2, hand=("arena",)),
                 city("rhodos", "day", "sawmill", stages=0), age=3)  # fmt: skip
    _, after = play(game, build("arena"), stage())
    assert after.cities[0].coins == 3 + 6


def test_a_city_that_builds_sees_no_effect_of_its_coins_this_turn():
    """R10: the Tavern's five coins are there next turn."""
    events, after = play(table(city("gizah", coins=0, hand=("tavern",))), build("tavern"))
    assert after.cities[0].coins == 5
    assert [event.source for event in of(events, f.CoinsReceived) if event.city == 0] == ["tavern"]


def test_hands_go_left_right_left():
    """R6: to the next seat in Ages I and III, to the one before in Age II."""
    for age, hands in ((1, [2, 0, 1]), (2, [1, 2, 0]), (3, [2, 0, 1])):
        cards = ("altar", "theater", "well")
        boards = ("gizah", "rhodos", "ephesos")
        game = table(*(city(board, hand=("tavern", card)) for board, card in zip(boards, cards, strict=True)), age=age)
        events, after = play(game, *(discard("tavern") for _ in range(3)))
        assert [next(card for card in one.hand if card != "tavern") for one in after.cities] == [cards[source] for source in hands]
        assert of(events, f.HandsPassed)[0].to == ("right" if age == 2 else "left")
        assert (after.age, after.turn) == (age, 2)


def test_the_last_card_of_each_hand_is_discarded_without_coins():
    """R13."""
    game = table(city("gizah", hand=("altar", "theater")), turn=6)
    events, after = play(game, build("altar"))
    leftovers = [(event.city, event.card.value, event.why) for event in of(events, f.CardDiscarded) if event.why == "leftover"]
    assert leftovers == [(0, "theater", "leftover"), (1, "tavern", "leftover"), (2, "tavern", "leftover")]
    assert [one.coins for one in after.cities] == [3, 6, 6]
    assert after.discard == ("tavern", "tavern", "theater", "tavern", "tavern")
    assert isinstance(after.phase, Closing)


# ---- R30, R31: Olympia -------------------------------------------------------------------------------------------------
def olympia(side, stages, *built, **more):
    return city("olympia", side, *built, stages=stages, coins=0, **more)


@pytest.mark.parametrize("age", [1, 2, 3])
def test_olympia_by_day_builds_the_first_of_each_colour_for_nothing(age):
    """R30: the whole game long, a colour that the city does not hold when the turn begins."""
    game = table(olympia("day", 2, "altar", hand=("palace", "academy", "circus")), age=age, turn=4)
    assert listed(game, 0, "build", "palace") is None
    for card in ("academy", "circus"):
        assert listed(game, 0, "build", card).free == "colour"
        assert listed(game, 0, "build", card).payments == ((0, 0),)
    _, after = play(game, build("academy"))
    assert after.cities[0].built == ("altar", "academy")
    again = table(replace(after.cities[0], hand=("university",)), age=age, turn=5)
    assert listed(again, 0, "build", "university") is None


def test_olympia_by_day_waits_for_its_second_stage():
    """R30: one stage is not enough, and the stage's own turn is too early."""
    game = table(olympia("day", 1, "lumber-yard", "lumber-yard", hand=("academy", "tavern")), age=2)
    assert listed(game, 0, "build", "academy") is None
    _, after = play(game, stage())
    ready = table(replace(after.cities[0], hand=("academy",)), age=2, turn=2)
    assert listed(ready, 0, "build", "academy").free == "colour"


def test_a_colour_that_was_lost_is_free_again():
    """R30, R67: what counts is what the city holds when the turn begins."""
    held = table(olympia("day", 2, "scriptorium", hand=("academy",)), age=3)
    lost = table(olympia("day", 2, hand=("academy",)), age=3)
    assert listed(held, 0, "build", "academy") is None
    assert listed(lost, 0, "build", "academy").free == "colour"


def test_a_chain_is_named_before_a_colour_and_a_card_without_cost_has_no_reason():
    """`free` names the first that fits; what costs nothing anyway is not called free."""
    game = table(olympia("day", 2, "scriptorium", hand=("courthouse", "altar")), age=2)
    assert listed(game, 0, "build", "courthouse").free == "chain"
    assert listed(game, 0, "build", "altar").free is None


@pytest.mark.parametrize(("stages", "turn", "free"), [
    (0, 1, None), (1, 1, "first"), (1, 2, None), (1, 6, None), (2, 1, "first"), (2, 3, None), (2, 6, "last"), (3, 6, "last"),
])  # fmt: skip
def test_olympia_by_night_builds_the_first_and_the_last_of_an_age_for_nothing(stages, turn, free):
    """R31: with the first choice of an Age, and with the second power the sixth."""
    game = table(olympia("night", stages, "academy", hand=("palace",)), age=3, turn=turn)
    play_listed = listed(game, 0, "build", "palace")
    assert (play_listed.free if play_listed else None) == free
    assert (play_listed is not None) == (free is not None)


def test_an_ages_gift_is_lost_with_a_stage_or_a_discard():
    """R31: the second choice is never free, whatever the first one was; the next Age gives it again."""
    for first in (discard(), build("tavern"), stage()):
        game = table(olympia("night", 1, "brickyard", "brickyard", hand=("tavern",)), city("rhodos", hand=("palace",) * 7),
                     city("gizah", hand=("palace",) * 7), age=2)  # fmt: skip
        _, after = play(game, first)
        assert "palace" in after.cities[0].hand
        assert listed(after, 0, "build", "palace") is None
    again = table(olympia("night", 1, hand=("palace",)), age=3)
    assert listed(again, 0, "build", "palace").free == "first"


def test_olympias_first_stage_late_in_an_age_gives_from_the_next_age_on():
    """R31: built in turn three, the gift of this Age is over."""
    game = table(olympia("night", 0, "foundry", "tavern", hand=("tavern",)), city("rhodos", hand=("palace",) * 5),
                 city("gizah", hand=("palace",) * 5), age=1, turn=3)  # fmt: skip
    _, after = play(game, stage())
    assert after.cities[0].stages == 1
    assert listed(after, 0, "build", "palace") is None
    assert listed(table(replace(after.cities[0], hand=("palace",)), age=2), 0, "build", "palace").free == "first"


def test_a_free_construction_takes_no_payment():
    """R31: nothing may be paid for what is free."""
    game = table(replace(olympia("night", 1, hand=("baths",)), coins=9), city("gizah"), age=1)
    with pytest.raises(Refusal) as refused:
        choose(game, 0, build("baths", left=2))
    assert refused.value.reason is Reason.WRONG_PAYMENT
    events, _ = play(game, build("baths"))
    assert of(events, f.CardBuilt)[0].free == "first"


def test_a_free_card_saves_its_coins_too():
    """R31: no coin cost either."""
    events, after = play(table(olympia("night", 1, hand=("sawmill",)), age=2), build("sawmill"))
    assert of(events, f.CardBuilt)[0].free == "first"
    assert after.cities[0].coins == 0
