"""Whether a city may build a card or its next stage, why it would be free, and at which payments."""

from __future__ import annotations

from functools import lru_cache
from typing import Literal

from msgspec import Struct

from events.catalogue import Box
from events.catalogue.things import FreeFirstOfAge, FreeFirstOfColour, FreeLastOfAge, OneOf, StageFacts, Token
from events.rules.state import City, Game
from events.rules.trade import NOTHING_TO_PAY, Need, Payment, Stock, need, payments, stock
from events.vocabulary import TURNS, CardId, CardType, Free, left_of, right_of


class Price(Struct, frozen=True):
    """Every allowed payment (none: cannot be paid) and why it is free, if so."""

    payments: tuple[Payment, ...]
    free: Free | None = None


NOTHING_PRINTED = Price(NOTHING_TO_PAY)


class Printed(Struct, frozen=True, eq=False):
    """What is printed on a card, as far as building it goes."""

    name: str
    type: CardType
    need: Need
    free_from: tuple[CardId, ...]


@lru_cache(maxsize=8)
def printed(box: Box) -> dict[CardId, Printed]:
    """Every card's print, its cost as lanes."""
    return {card.id: Printed(card.name, card.type, need(card.cost), card.free_from) for card in box.cards.values()}


class Trader(Struct, frozen=True, eq=False):
    """A city before an action, with what it and its neighbours produce; prices: those that were asked for already."""

    city: City
    own: Stock
    left: Stock
    right: Stock
    names: frozenset[str]
    first_of_colour: bool
    gift: Literal["first", "last"] | None
    prices: dict[CardId, Price]


@lru_cache(maxsize=512)
def stage_need(box: Box, wonder: str, side: str, number: int) -> Need:
    """The printed cost of stage `number` (from 0)."""
    return need(box.faces[wonder, side].stages[number].cost)


@lru_cache(maxsize=16384)
def names(box: Box, built: tuple[CardId, ...]) -> frozenset[str]:
    """The names that stand in a city (R19)."""
    return frozenset(box.cards[card].name for card in built)


@lru_cache(maxsize=16384)
def _colours(box: Box, built: tuple[CardId, ...]) -> frozenset[str]:
    return frozenset(box.cards[card].type for card in built)


def city_stock(box: Box, city: City) -> Stock:
    """What a city produces and sells, and at which prices it buys."""
    return stock(box, city.wonder, city.side, city.options, city.built, city.rewards)


@lru_cache(maxsize=256)
def _gifts(box: Box, wonder: str, side: str, stages: int) -> tuple[bool, bool, bool]:
    """Whether the built stages give the first of a colour (R30), the first and the last card of an Age (R31)."""
    kinds = {type(effect) for stage in box.faces[wonder, side].stages[:stages] for effect in stage.effects}
    return FreeFirstOfColour in kinds, FreeFirstOfAge in kinds, FreeLastOfAge in kinds


_recent: tuple[tuple[City, ...], int, dict[int, Trader]] = ((), 0, {})


def trader(game: Game, seat: int) -> Trader:
    """The city of a seat as it stands before its action; `legal` and `decide` both price with this.

    The traders of the moment asked about last are kept: while a turn is chosen the ring does not change, and `decide` asks
    what `legal` has just listed (a random game with them 156/s, without 118/s).
    """
    global _recent
    ring, turn, known = _recent
    if ring is not game.cities or turn != game.turn:
        known = {}
        _recent = (game.cities, game.turn, known)
    who = known.get(seat)
    if who is None or who.city is not game.cities[seat]:
        who = known[seat] = _trader(game, seat)
    return who


def _trader(game: Game, seat: int) -> Trader:
    box, n = game.box, len(game.cities)
    city = game.cities[seat]
    colour, first, last = _gifts(box, city.wonder, city.side, len(city.options))
    gift: Literal["first", "last"] | None = None
    if first and game.turn == 1:
        gift = "first"
    elif last and game.turn == TURNS:
        gift = "last"
    return Trader(
        city,
        city_stock(box, city),
        city_stock(box, game.cities[left_of(seat, n)]),
        city_stock(box, game.cities[right_of(seat, n)]),
        names(box, city.built),
        colour,
        gift,
        {},
    )


def card_price(box: Box, who: Trader, card_id: CardId) -> Price:
    """What building a card costs; whether its name already stands is asked elsewhere (R19)."""
    price = who.prices.get(card_id)
    if price is None:
        price = who.prices[card_id] = _card_price(box, who, printed(box)[card_id])
    return price


def _card_price(box: Box, who: Trader, card: Printed) -> Price:
    if card.need.free:
        return NOTHING_PRINTED
    free = _why_free(box, who, card)
    if free is not None:
        return Price(NOTHING_TO_PAY, free)
    return Price(payments(card.need, who.own, who.left, who.right, who.city.coins))


def _why_free(box: Box, who: Trader, card: Printed) -> Free | None:
    """The first reason that fits, in the order chain, colour, first, last (R18, R30, R31)."""
    for source in card.free_from:
        if source in who.city.built:
            return "chain"
    if who.first_of_colour and card.type not in _colours(box, who.city.built):
        return "colour"
    return who.gift


def next_stage(box: Box, city: City) -> StageFacts | None:
    """The stage that comes next (R20), None when all are built."""
    stages = box.faces[city.wonder, city.side].stages
    return stages[len(city.options)] if len(city.options) < len(stages) else None


def stage_payments(box: Box, who: Trader, extra_coins: int = 0) -> tuple[Payment, ...]:
    """Every payment for the next stage that leaves `extra_coins` for a project (R10, R62); empty: none, or no stage left."""
    city = who.city
    if len(city.options) >= len(box.faces[city.wonder, city.side].stages):
        return ()
    wanted = stage_need(box, city.wonder, city.side, len(city.options))
    return payments(wanted, who.own, who.left, who.right, city.coins - extra_coins)


def stage_options(stage: StageFacts) -> tuple[str, ...]:
    """The option words of a stage, sorted; empty without a choice (R33, R73)."""
    for effect in stage.effects:
        if isinstance(effect, OneOf):
            return tuple(sorted(effect.options))
        if isinstance(effect, Token) and len(effect.ages) > 1:
            return tuple(f"age-{age}" for age in effect.ages)
    return ()
