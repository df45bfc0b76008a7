"""Every card of the box: what it costs, what comes of it, and from what it is free."""

from __future__ import annotations

from typing import Any

import pytest

from events import facts as f
from events.refusals import Reason, Refusal
from events.rules.building import city_stock
from events.rules.effects import shields
from events.rules.scoring import sheet, symbols
from events.rules.state import City, Game
from events.rules.trade import unit
from events.vocabulary import MANUFACTURED_GOODS, RAW_MATERIALS, Resource
from tests.rules.positions import BOX, build, choose, city, discard, listed, of, play, replace, table
from tests.rules.printed import COLOURS, LETTERS, MAKERS, PRODUCERS, ROWS, Row

CHAINS = [(source, row.card) for row in ROWS.values() for source in row.free_from]
UNLIKE: dict[Resource, str] = {**dict.fromkeys(RAW_MATERIALS, "ephesos"), **dict.fromkeys(MANUFACTURED_GOODS, "rhodos")}


def makes(*wanted: Resource, **more: Any) -> City:
    """A city that makes exactly these units (one by its board)."""
    board = MAKERS[wanted[0]] if wanted else "gizah"
    return city(board, "day", *(PRODUCERS[resource] for resource in wanted[1:]), **more)


def alone(mine: City, card: str, age: int = 1) -> Game:
    """A table where the neighbours sell only what the card does not need."""
    needed = set(ROWS[card].units)
    idle = [resource for resource in PRODUCERS if resource not in needed] or ["glass"]
    boards = [MAKERS[resource] for resource in idle if MAKERS[resource] != mine.wonder] + ["carthage", "ur"]
    hand = (card, *("tavern",) * 6)
    return table(replace(mine, hand=hand), city(boards[0], hand=hand), city(boards[1], hand=hand), age=age)


def test_the_table_names_every_card_and_no_other():
    assert set(ROWS) == set(BOX.cards)
    for card, row in ROWS.items():
        facts = BOX.cards[card]
        assert (facts.age, facts.type, facts.copies, facts.free_from) == (row.age, row.type, row.copies, tuple(row.free_from))


@pytest.mark.parametrize("card", ROWS)
def test_what_a_card_costs(card):
    """Exactly its resources and coins: they suffice and are used; without any one of them it cannot be built."""
    row = ROWS[card]
    same = {name for name, other in PRODUCERS.items() if BOX.cards[other].name == BOX.cards[card].name}
    assert not same & set(row.units)
    game = alone(makes(*row.units, coins=row.coins), card)
    assert listed(game, 0, "build", card).payments == ((0, 0),)
    events, after = play(game, build(card))
    assert card in after.cities[0].built
    paid = [(event.city, event.to, event.amount, event.why) for event in of(events, f.CoinsPaid)]
    assert paid == ([(0, None, row.coins, "cost")] if row.coins else [])
    for place in range(len(row.units)):
        fewer = row.units[:place] + row.units[place + 1 :]
        poorer = alone(makes(*fewer) if fewer else city(UNLIKE[row.units[place]]), card)
        with pytest.raises(Refusal) as refused:
            choose(poorer, 0, build(card))
        assert refused.value.reason in (Reason.CANNOT_PAY, Reason.WRONG_PAYMENT)
        assert listed(poorer, 0, "build", card) is None or (0, 0) not in listed(poorer, 0, "build", card).payments
    if row.coins:
        with pytest.raises(Refusal, match="coin") as refused:
            choose(alone(makes(*row.units, coins=row.coins - 1), card), 0, build(card))
        assert refused.value.reason is Reason.CANNOT_PAY


SURROUNDINGS = (
    # own: 2 brown, 1 grey, 1 blue, 1 yellow, 1 red, 2 green, 1 purple; 2 stages
    city("gizah", "night", "clay-pool", "ore-vein", "loom-1", "theater", "tavern", "stockade", "workshop", "library", "spies-guild",
         stages=2, coins=50),
    # left: 3 brown, 2 grey, 0 blue, 2 yellow, 3 red, 1 green; 1 stage
    city("rhodos", "day", "foundry", "quarry", "sawmill", "press-1", "glassworks-2", "vineyard", "bazar", "walls", "barracks",
         "circus", "school", stages=1),
    # right: 1 brown, 0 grey, 4 blue, 1 yellow, 0 red, 2 green; 2 stages
    city("babylon", "day", "brickyard", "altar", "well", "palace", "senate", "arena", "study", "lodge", stages=2),
)  # fmt: skip
COUNTS = {  # of own, left, right; the card itself is added where it is of the colour
    "brown": (2, 3, 1), "grey": (1, 2, 0), "blue": (1, 0, 4), "yellow": (1, 2, 1), "red": (1, 3, 0), "green": (2, 1, 2),
    "purple": (1, 0, 0), "stage": (2, 1, 2),
}  # fmt: skip
COINS = {
    "tavern": 5, "vineyard": 6, "bazar": 6, "lighthouse": 2, "haven": 2, "chamber-of-commerce": 2, "ludus": 3, "arena": 6,
}  # fmt: skip
POINTS = {
    "lighthouse": 2, "haven": 2, "chamber-of-commerce": 2, "ludus": 1, "arena": 2, "workers-guild": 4, "craftsmens-guild": 4,
    "magistrates-guild": 4, "traders-guild": 3, "spies-guild": 3, "philosophers-guild": 3, "shipowners-guild": 5,
    "decorators-guild": 0, "builders-guild": 5,
}  # fmt: skip
ROW = {"civilian": "civilian", "commercial": "commercial", "guild": "guilds"}


def effected(card: str) -> tuple[tuple[f.AnyEvent, ...], Game, Game]:
    """A card built for nothing that matters, in a city between two others."""
    mine, left, right = SURROUNDINGS
    mine = replace(mine, built=tuple(other for other in mine.built if BOX.cards[other].name != BOX.cards[card].name))
    game = table(replace(mine, hand=(card,)), left, right, age=2, turn=2)
    ways = listed(game, 0, "build", card).payments
    events, after = play(game, build(card, *ways[0]))
    return events, game, after


def made(effect: str) -> list[tuple[Resource, ...]]:
    """The units that an effect of the table makes."""
    text = effect.strip("()")
    if "/" in text:
        return [tuple(LETTERS[letter] for letter in text.split("/"))]
    return [(LETTERS[letter],) for letter in text] if text and set(text) <= set(LETTERS) else []


@pytest.mark.parametrize("card", ROWS)
def test_what_a_card_does(card):
    """Its coins come at once, and what it makes, sells, defends or is worth stands from then on; nothing else changes."""
    row = ROWS[card]
    events, before, after = effected(card)
    mine = after.cities[0]
    received = [(event.amount, event.source) for event in of(events, f.CoinsReceived) if event.city == 0]
    usual = COINS.get(card)
    assert received == ([(usual, card)] if usual else [])
    was, now = (city_stock(one.box, one.cities[0]) for one in (before, after))
    units = made(row.effect)
    assert now.raw - was.raw == sum(unit(types)[0] for types in units)
    assert now.made - was.made == sum(unit(types)[1] for types in units)
    sold = [] if row.effect.startswith("(") else units
    assert now.raw_sold - was.raw_sold == sum(unit(types)[0] for types in sold)
    assert now.made_sold - was.made_sold == sum(unit(types)[1] for types in sold)
    prices = {"east": (2, 1, 2, 2), "west": (1, 2, 2, 2), "market": (2, 2, 1, 1)}.get(row.effect, (2, 2, 2, 2))
    assert (now.raw_left, now.raw_right, now.made_left, now.made_right) == prices
    more_shields = shields(BOX, mine) - shields(BOX, before.cities[0])
    assert more_shields == (int(row.effect[0]) if row.effect.endswith("s") and row.effect[0].isdigit() else 0)
    _science(row, before, after)
    _points(row, before, after)


def _science(row: Row, before: Game, after: Game) -> None:
    (compass, gear, tablet), free = symbols(before, 0)
    symbol = row.effect.removeprefix("@") if row.effect.startswith("@") else None
    wanted = ((compass + (symbol == "compass"), gear + (symbol == "gear"), tablet + (symbol == "tablet")), free + (symbol == "any"))
    assert symbols(after, 0) == wanted


def _points(row: Row, before: Game, after: Game) -> None:
    was, now = sheet(before, 0), sheet(after, 0)
    worth = POINTS.get(row.card)
    if worth is None:
        worth = int(row.effect[0]) if row.effect.endswith("p") else 0
    if row.card == "scientists-guild":  # gear, tablet and now a compass: 1 + 1 + 1 + 7 instead of 2
        assert (was.points["science"], now.points["science"]) == (2, 10)
        assert now.points["guilds"] == was.points["guilds"] == 3
        return
    for name in ("civilian", "commercial", "guilds", "wonder", "edifice"):
        gain = worth if ROW.get(row.type) == name else 0
        assert now.points[name] - was.points[name] == gain, name
    lines = [line for name in ROW.values() for line in now.rows[name] if line.source == row.card]
    assert sum(line.points for line in lines) == worth


def test_the_surroundings_are_as_the_comments_say():
    """The counts from which the numbers in this file were worked out by hand."""
    for colour, counts in COUNTS.items():
        kinds = [[BOX.cards[card].type for card in one.built].count(COLOURS.get(colour, "")) for one in SURROUNDINGS]
        assert [one.stages for one in SURROUNDINGS] == list(counts) if colour == "stage" else kinds == list(counts)


@pytest.mark.parametrize(("source", "card"), CHAINS)
def test_a_chain_makes_a_card_free(source, card):
    """R18: no resource, no coin, no purchase, and it says so; without the source it must be paid."""
    hand = (card, *("tavern",) * 6)
    neighbours = city("rhodos", "day", *PRODUCERS.values(), *PRODUCERS.values()), city("ephesos", "day", *PRODUCERS.values())
    game = table(city("gizah", "day", source, coins=0, hand=hand), *neighbours)
    assert (listed(game, 0, "build", card).payments, listed(game, 0, "build", card).free) == (((0, 0),), "chain")
    events, _ = play(game, build(card), discard(), discard())
    assert [(event.city, event.card, event.free) for event in of(events, f.CardBuilt)] == [(0, card, "chain")]
    assert not [event for event in of(events, f.CoinsPaid) if event.city == 0]
    with pytest.raises(Refusal) as refused:
        choose(game, 0, build(card, left=2))
    assert refused.value.reason is Reason.WRONG_PAYMENT
    unlinked = table(city("gizah", "day", coins=0, hand=hand), *neighbours)
    with pytest.raises(Refusal) as refused:
        choose(unlinked, 0, build(card))
    assert refused.value.reason is Reason.CANNOT_PAY


def test_there_are_no_other_chains():
    """R18: whatever stands, no other card is free because of it."""
    for source in BOX.cards:
        game = table(city("gizah", "day", source), city("rhodos"), city("ephesos"))
        for card in BOX.cards:
            hand = replace(game, cities=(replace(game.cities[0], hand=(card,) * 7), *game.cities[1:]))
            found = listed(hand, 0, "build", card)
            assert (found is not None and found.free == "chain") == ((source, card) in CHAINS and bool(BOX.cards[card].cost))


def test_a_chain_under_the_board_is_none():
    """R19: a card under a board gives no chain."""
    game = table(replace(city("gizah", "day", stages=1, coins=0, hand=("pantheon",)), under=("altar",)))
    assert listed(game, 0, "build", "pantheon") is None


def test_a_neighbours_building_gives_no_chain():
    """R18: in the city itself."""
    game = table(city("gizah", "day", coins=0, hand=("pantheon",)), city("rhodos", "day", "altar"), city("ephesos", "day", "altar"))
    assert listed(game, 0, "build", "pantheon") is None
