"""Two players and the Free City: who holds its card, what it must do, and how hands cross the Border."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from events import facts as f
from events.commands import AnswerExtra, ChooseAction, ScoreGame, WithdrawAction
from events.facts import ActValue
from events.refusals import Reason, Refusal
from events.rules import decide, legal, outcome
from events.rules.clock import awaited, default_play
from events.rules.state import Choosing, Closing, Extra, Game
from tests.rules.driver import PUBLISHER, options, steps
from tests.rules.positions import (
    allowed,
    answer,
    build,
    choose,
    city,
    discard,
    ending,
    listed,
    lose,
    of,
    pick,
    play,
    projects,
    reveal,
    settle,
    stage,
    table,
)


def duel(free: Any = None, hand: Any = ("altar", "theater"), other: Any = ("well", "baths"), **more: Any) -> Game:
    """Seat 0 holds the Free City's card (place 2) and has drawn a palace."""
    first = city("gizah", hand=hand, coins=more.pop("coins", 3))
    given = {"drawn": "palace", "pile": ("circus", "walls"), **more}
    return table(first, city("rhodos", hand=other), free or city("ephesos"), free=2, **given)


def test_seven_cards_each_and_seven_in_the_pile_of_the_decks_for_three():
    """R90: each Age; five guilds; the holder draws one at once."""
    for step in steps(options(2), 4):
        for event in step.events:
            if isinstance(event, f.AgeDealt):
                assert ([len(hand.value) for hand in event.hands], len(event.pile.value), event.pile_size) == ([7, 7], 7, 7)
                cards = [card for hand in (*event.hands, event.pile) for card in hand.value]
                deck = [card for card, _ in step.after.box.deck(event.age, 3)]
                guilds = [card for card in cards if step.after.box.cards[card].type == "guild"]
                assert sorted(card for card in cards if card not in guilds) == sorted(deck)
                assert len(guilds) == (5 if event.age == 3 else 0)
                assert of(step.events, f.CardDrawn)[0].left == 6
    started = next(step.after for step in steps(options(2), 4) if step.after.cities)
    assert ([one.coins for one in started.cities], started.free) == ([3, 3, 3], 2)


@pytest.mark.parametrize(("control", "ages"), [
    ("age", {1: [0] * 6, 2: [1] * 6, 3: [0] * 6}), ("turn", {1: [0, 1] * 3, 2: [1, 0] * 3, 3: [0, 1] * 3}),
])  # fmt: skip
def test_who_holds_the_free_citys_card(control, ages):
    """R93: the left neighbour in Ages I and III, the right one in II; or changing every turn from there."""
    found: dict[int, list[int]] = {1: [], 2: [], 3: []}
    for step in steps(options(2, free_city_control=control), 8):
        for event in step.events:
            if isinstance(event, f.AgeDealt | f.HandsPassed):
                found[event.age].append(event.holder)
            if isinstance(event, f.CardDrawn):
                assert event.seat == found[step.after.age][-1]
                assert event.card.readers == (event.seat,)
    assert found == ages


def test_the_holder_chooses_for_the_own_city_first():
    """R91: and the Free City's card cannot be the same one."""
    game = duel()
    assert awaited(game) == ((0, 0), (1, 1), (0, 2))
    with pytest.raises(Refusal) as refused:
        choose(game, 2, build("altar"))
    assert refused.value.reason is Reason.MISSING_CHOICE
    game = choose(game, 0, build("altar"))
    with pytest.raises(Refusal) as refused:
        choose(game, 2, build("altar"))
    assert refused.value.reason is Reason.NOT_IN_HAND
    assert allowed(game, 2, build("theater"))


def test_of_two_equal_cards_each_city_may_have_one():
    """R91: one card for the own city, one of the rest for the Free City."""
    game = choose(duel(hand=("altar", "altar")), 0, build("altar"))
    game = choose(game, 2, build("altar"))
    _, after = reveal(choose(game, 1, discard()))
    assert [one.built for one in after.cities] == [("altar",), (), ("altar",)]


def test_the_other_player_has_no_say_in_it():
    """R91, R95."""
    game = choose(duel(), 0, build("altar"))
    command = ChooseAction(seat=1, city=2, age=1, turn=1, card="well", act=ActValue(kind="build"))
    with pytest.raises(Refusal) as refused:
        decide(game, command)
    assert refused.value.reason is Reason.NOT_AWAITED


def test_the_drawn_card_may_be_chosen_or_joins_the_hand():
    """R91: at the reveal what was not chosen joins the hand; hands are equal again."""
    game = duel(city("ephesos", "day"), hand=("altar", "theater"), age=3)
    assert allowed(game, 0, discard("palace"))
    assert not allowed(game, 1, discard("palace"))
    _, kept = play(game, build("altar"), discard("well"), build("theater"))
    assert "palace" in kept.cities[1].hand
    assert [len(one.hand) for one in kept.cities] == [6, 6, 0]
    _, used = play(game, discard("palace"), discard("well"), build("theater"))
    assert "palace" not in (*used.cities[0].hand, *used.cities[1].hand)
    assert used.discard == ("palace", "well")


def test_hands_are_swapped_over_the_border_and_the_next_card_is_drawn():
    """R92, R91."""
    game = duel(hand=("altar", "theater"), other=("well", "baths"))
    events, after = play(game, build("altar"), build("well"), build("theater"))
    passed, drawn = of(events, f.HandsPassed)[0], of(events, f.CardDrawn)[0]
    assert (passed.to, passed.turn, passed.holder) == ("border", 2, 0)
    assert [hand.readers for hand in passed.hands] == [(0,), (1,)]
    assert "baths" in after.cities[0].hand
    assert "palace" in after.cities[1].hand
    assert (drawn.seat, drawn.card.value, drawn.left) == (0, "circus", 1)
    assert (after.drawn, after.pile) == ("circus", ("walls",))


def test_an_empty_pile_gives_nothing():
    """R91: then the holder chooses from the hand alone."""
    events, after = play(duel(pile=()), build("altar"), build("well"), build("theater"))
    assert not of(events, f.CardDrawn)
    assert (after.has_drawn, after.drawn) == (False, None)


# ---- R94 ----------------------------------------------------------------------------------------------------------------
FREE_CASES = {
    "a card it can build": (city("ephesos", coins=0), ("altar", "circus"), "altar", {"build"}),
    "nothing it can pay": (city("ephesos", coins=0), ("altar", "circus"), "circus", set()),
    "only names that stand": (city("ephesos", "day", "altar", coins=0), ("theater", "altar"), "altar", set()),
    "a stage it can pay": (city("ephesos", "day", "brickyard", coins=0), ("altar", "circus"), "circus", {"stage"}),
    "a card it buys from a player": (city("ephesos", coins=2), ("altar", "barracks"), "barracks", {"build"}),
    "a card by chain": (city("ephesos", "day", "training-ground", coins=0), ("altar", "circus"), "circus", {"build"}),
}


@pytest.mark.parametrize("case", FREE_CASES)
def test_the_free_city_discards_only_when_it_can_do_nothing_else(case):
    """R94: usable is a building not yet held with a possible payment, or a payable stage; the holder's own card is gone."""
    free, hand, card, kinds = FREE_CASES[case]
    start = table(replace(city("gizah"), hand=hand), city("rhodos"), free, free=2, turn=6, pile=())
    own = next(one for one in hand if one != card) if hand[0] != card else hand[1]
    game = choose(start, 0, discard(own))
    plays = legal(game, 2, own)
    assert {play.kind for play in plays} == (kinds or {"discard"})
    assert {play.card for play in plays} == {card}
    if kinds:
        with pytest.raises(Refusal) as refused:
            choose(game, 2, discard(card))
        assert refused.value.reason is Reason.FREE_CITY_MUST_BUILD
    else:
        game = choose(choose(game, 2, discard(card)), 1, discard())
        _, after = reveal(game)
        assert after.cities[2].coins == 3 + free.coins


def test_from_whom_the_free_city_buys_is_the_holders_choice():
    """R94, R95: both players sell to it, with its own coins; and players buy from it."""
    free = city("ephesos", "day", coins=2)
    holder = city("gizah", "day", "clay-pool", coins=0, hand=("guard-tower", "altar"))
    start = table(holder, city("rhodos", "day", "clay-pool", coins=0), free, free=2, pile=())
    game = choose(start, 0, discard("altar"))
    assert listed(game, 2, "build", "guard-tower").payments == ((0, 2), (2, 0))
    _, after = play(start, discard("altar"), discard(), build("guard-tower", left=2))
    assert [one.coins for one in after.cities] == [5, 3, 0]
    buyer = table(city("gizah", hand=("scriptorium",)), city("rhodos"), free, free=2, pile=())
    assert listed(buyer, 0, "build", "scriptorium").payments == ((0, 2),)


def test_a_changed_own_choice_takes_the_free_citys_back_where_it_no_longer_fits():
    """R91, R94: the card is gone, or a discard is no longer excused; what still fits stays."""
    game = choose(choose(duel(), 0, build("altar")), 2, build("theater"))
    act = ActValue(kind="discard")
    events, after = outcome(game, ChooseAction(seat=0, city=0, age=1, turn=1, card="theater", act=act))
    assert [type(event).__name__ for event in events] == ["ActionChosen", "ActionWithdrawn"]
    assert (events[1].city, events[1].seat, events[1].number, events[1].why, events[1].by) == (2, 0, 2, "own-choice", "game")
    assert isinstance(after.phase, Choosing)
    assert after.phase.choices[2] is None
    events, after = outcome(game, ChooseAction(seat=0, city=0, age=1, turn=1, card="palace", act=act))
    assert [type(event).__name__ for event in events] == ["ActionChosen"]
    start = table(city("gizah", hand=("altar", "circus")), city("rhodos"), city("ephesos", coins=0), free=2, turn=6, pile=())
    game = choose(choose(start, 0, build("altar")), 2, discard("circus"))
    events, _ = outcome(game, ChooseAction(seat=0, city=0, age=1, turn=6, card="circus", act=act))
    assert [type(event).__name__ for event in events] == ["ActionChosen", "ActionWithdrawn"]


def test_taking_the_own_choice_back_takes_the_free_citys_too():
    """R91."""
    game = choose(choose(duel(), 0, build("altar")), 2, build("theater"))
    events, after = outcome(game, WithdrawAction(seat=0, city=0, age=1, turn=1))
    assert [(event.city, event.why) for event in events] == [(0, "asked"), (2, "own-choice")]
    assert isinstance(after.phase, Choosing)
    assert after.phase.choices == (None, None, None)
    events, after = outcome(game, WithdrawAction(seat=0, city=2, age=1, turn=1))
    assert [event.city for event in events] == [2]


def test_the_default_for_the_free_city_fits_the_own_choice():
    """R43, R94: the first legal play where it may not discard."""
    game = choose(duel(), 0, build("altar"))
    found = default_play(game, 2)
    assert (found.kind, found.card) == ("build", "theater")


# ---- R95, R96, R97, R98 -------------------------------------------------------------------------------------------------
def test_as_babylon_it_plays_the_bottom_of_the_pile():
    """R95, R40, R94: asked of the holder, it must be used if it can be; the rest of pile and hands goes (R96)."""
    free = city("babylon", "night", stages=1, coins=0)
    start = table(city("gizah", hand=("altar", "theater")), city("rhodos", hand=("well", "baths")), free, free=2, turn=6,
                  drawn="palace", pile=("circus", "tavern"))  # fmt: skip
    events, game = play(start, build("altar"), build("well"), build("theater"))
    asked = of(events, f.ExtraAsked)[0]
    assert (asked.cities, asked.seats, asked.offers[0].readers, asked.offers[0].value) == ((2,), (0,), (0,), ("tavern",))
    with pytest.raises(Refusal) as refused:
        answer(game, 2, discard("tavern"))
    assert refused.value.reason is Reason.FREE_CITY_MUST_BUILD
    events, game = answer(game, 2, build("tavern"))
    assert [(event.city, event.card, event.origin) for event in of(events, f.CardBuilt)] == [(2, "tavern", "pile")]
    gone = [(event.city, event.card.value, event.why) for event in of(events, f.CardDiscarded)]
    assert gone == [(0, "palace", "leftover"), (1, "baths", "leftover"), (2, "circus", "pile")]
    assert (game.pile, game.discard) == ((), ("palace", "baths", "circus"))
    assert isinstance(game.phase, Closing)


def test_a_pick_of_the_free_city_is_its_holders():
    """R95, R41."""
    free = city("halikarnassos", "day", "glassworks-1", "press-1", stages=1)
    game = duel(free, discard=("circus",))
    events, game = play(game, build("altar"), build("well"), stage("theater"))
    assert of(events, f.ExtraAsked)[0].seats == (0,)
    with pytest.raises(Refusal) as refused:
        decide(game, replace(_answer(game, "circus"), seat=1))
    assert refused.value.reason is Reason.NOT_AWAITED
    _, game = answer(game, 2, pick("circus"))
    assert game.cities[2].built[-1] == "circus"
    assert (game.turn, game.discard) == (2, ())


def _answer(game: Game, card: str) -> Any:
    return AnswerExtra(seat=0, city=2, age=game.age, turn=game.turn, card=card, act=ActValue(kind="pick"))


def test_the_free_city_joins_and_suffers_like_a_city():
    """R98: if the holder says so; rewards and penalties apply to it; who holds the card chooses what it loses."""
    free = city("babylon", "day", "brickyard", "forum", "tavern", coins=9)
    game = duel(free, projects=projects("artisan-district"))
    _, joined = play(game, build("altar"), build("well"), stage("theater", join=True))
    assert joined.cities[2].participates == (1,)
    assert joined.edifice[0].tokens == 1
    both = city("gizah", "day", "forum", "tavern"), city("rhodos")
    end = table(*both, free, free=2, turn=6, projects=projects("artisan-district"), tokens=1, pile=())
    _, end = settle(ending(end, "edifice", "deal"))
    assert isinstance(end.phase, Extra)
    assert (end.phase.cities, end.phase.seats, awaited(end)) == ((0, 2), (0, 0), ((0, 0), (0, 2)))
    _, end = answer(end, 2, lose("forum"))
    _, end = answer(end, 0, lose("tavern"))
    events, end = settle(end)
    assert [(event.city, event.kind, event.card) for event in of(events, f.PenaltySuffered)] == [
        (0, "discard", "tavern"), (1, "debt", None), (2, "discard", "forum")]  # fmt: skip


def test_three_comparisons_with_the_free_city_among_them():
    """R96, R50."""
    game = table(city("gizah", "day", "stockade"), city("rhodos"), city("ephesos", "day", "walls"), free=2, age=1, pile=())
    _, after = settle(ending(game, "conflicts", "deal"))
    assert [one.tokens for one in after.cities] == [(1, -1), (-1, -1), (1, 1)]


def test_the_free_city_takes_no_place():
    """R97: its sheet is kept; the better player wins."""
    game = table(city("gizah", coins=9), city("rhodos", coins=30), city("ephesos", coins=99), free=2, age=3, pile=())
    events = decide(ending(game, "score"), ScoreGame())
    assert [sheet.total for sheet in events[0].sheets] == [3, 10, 33]
    assert events[0].places == ((1,), (0,))


@pytest.mark.parametrize("preset", [{}, PUBLISHER])
def test_extras_after_the_sixth_turn_are_the_last_holders(preset):
    """R93: also with the holder changing every turn."""
    mine = city("babylon", "night", stages=1, coins=0)
    game = table(city("gizah"), city("rhodos"), mine, free=2, holder=1, turn=6, pile=("tavern", "altar"), **preset)
    events, _ = play(game)
    assert of(events, f.ExtraAsked)[0].seats == (1,)
