"""What a city can pay and from whom it buys what it lacks.

The two classes (raw materials, manufactured goods) never mix in one producer, so they are solved apart.  A set of units is
an integer with one 8-bit lane for every non-empty subset S of the class's types: the number of units that can yield
something in S.  A cost has the same lanes with the units it needs of S.  By Hall's theorem units pay a cost iff
need <= cover in every lane; the largest shortage over the lanes is the number of units to buy (R17).
"""

from __future__ import annotations

from functools import lru_cache

from msgspec import Struct

from events.catalogue import Box
from events.catalogue.things import AnyEffect, Cost, Discount, OneOf, Produce
from events.vocabulary import MANUFACTURED_GOODS, RAW_MATERIALS, TRADE_PRICE, Free, Resource

RAW_LANES = (1 << len(RAW_MATERIALS)) - 1
MADE_LANES = (1 << len(MANUFACTURED_GOODS)) - 1


def _ones(lanes: int) -> int:
    return sum(1 << (8 * lane) for lane in range(lanes))


RAW_ONES, MADE_ONES = _ones(RAW_LANES), _ones(MADE_LANES)

Payment = tuple[int, int]
"""Coins to the left neighbour, coins to the right one."""


class Need(Struct, frozen=True, eq=False, gc=False):
    """A cost as lanes, with its coins; free: nothing is printed."""

    raw: int
    made: int
    coins: int
    free: bool


class Stock(Struct, frozen=True, eq=False, gc=False):
    """What a city's producers cover: all of its own, and what neighbours may buy (R14, R15); prices a unit (R16).

    Cities that cover the same share one stock, so that a market is found by the identity of three.
    """

    raw: int
    made: int
    raw_sold: int
    made_sold: int
    raw_left: int
    raw_right: int
    made_left: int
    made_right: int


@lru_cache(maxsize=64)
def unit(types: tuple[Resource, ...]) -> tuple[int, int]:
    """The lanes (raw, made) that one unit of one of these types adds.

    >>> unit(("loom",))[0]
    0
    """
    return _unit(types, RAW_MATERIALS), _unit(types, MANUFACTURED_GOODS)


def _unit(types: tuple[Resource, ...], known: tuple[Resource, ...]) -> int:
    mask = sum(1 << place for place, resource in enumerate(known) if resource in types)
    return sum(1 << (8 * (subset - 1)) for subset in range(1, 1 << len(known)) if subset & mask)


def need(cost: Cost) -> Need:
    """The lanes of a cost."""
    raw = made = 0
    for resource, amount in cost.items():
        if resource != "coins":
            one_raw, one_made = unit((resource,))
            raw += amount * one_raw
            made += amount * one_made
    return Need(raw, made, cost.get("coins", 0), not cost)


def taken(effects: tuple[AnyEffect, ...], option: str | None) -> tuple[AnyEffect, ...]:
    """The effects of a built stage with its option put in (R33)."""
    found: list[AnyEffect] = []
    for effect in effects:
        if isinstance(effect, OneOf):
            found += effect.options.get(option or "", ())
        else:
            found.append(effect)
    return tuple(found)


class _Part(Struct, frozen=True):
    """What one building, stage or project adds to a stock."""

    raw: int = 0
    made: int = 0
    raw_sold: int = 0
    made_sold: int = 0
    discounts: tuple[Discount, ...] = ()


def _part(effects: tuple[AnyEffect, ...]) -> _Part:
    raw = made = raw_sold = made_sold = 0
    discounts = tuple(effect for effect in effects if isinstance(effect, Discount))
    for effect in effects:
        if isinstance(effect, Produce):
            one_raw, one_made = unit(effect.any_of)
            raw += effect.amount * one_raw
            made += effect.amount * one_made
            if effect.sellable:
                raw_sold += effect.amount * one_raw
                made_sold += effect.amount * one_made
    return _Part(raw, made, raw_sold, made_sold, discounts)


@lru_cache(maxsize=8)
def _producers(box: Box) -> dict[str, _Part]:
    """The cards that produce or discount something: most do not."""
    parts = {card.id: _part(card.effects) for card in box.cards.values()}
    return {card: part for card, part in parts.items() if part.raw or part.made or part.discounts}


@lru_cache(maxsize=512)
def _stage_part(box: Box, wonder: str, side: str, number: int, option: str | None) -> _Part:
    return _part(taken(box.faces[wonder, side].stages[number].effects, option))


@lru_cache(maxsize=16384)
def stock(
    box: Box, wonder: str, side: str, options: tuple[str | None, ...], built: tuple[str, ...], rewards: tuple[str, ...]
) -> Stock:
    """A city's stock: as it was before the last thing that came, and that.  Remembered by its six values, which between two
    actions of a city do not change; a building that yields nothing leaves the stock as it was."""
    if rewards:
        return _with(stock(box, wonder, side, options, built, rewards[:-1]), _part(box.projects[rewards[-1]].reward))
    if options:
        before = stock(box, wonder, side, options[:-1], built, ())
        return _with(before, _stage_part(box, wonder, side, len(options) - 1, options[-1]))
    if built:
        part = _producers(box).get(built[-1])
        before = stock(box, wonder, side, (), built[:-1], ())
        return before if part is None else _with(before, part)
    raw, made = unit((box.faces[wonder, side].produces,))
    return _shared(raw, made, raw, made, *[TRADE_PRICE] * 4)


def _with(before: Stock, part: _Part) -> Stock:
    prices = [before.raw_left, before.raw_right, before.made_left, before.made_right]
    for discount in part.discounts:
        first = 0 if discount.resources[0] in RAW_MATERIALS else 2
        for seller in discount.sellers:
            prices[first + (seller == "right")] = discount.price
    return _shared(
        before.raw + part.raw, before.made + part.made, before.raw_sold + part.raw_sold, before.made_sold + part.made_sold, *prices
    )


@lru_cache(maxsize=16384)
def _shared(*values: int) -> Stock:
    return Stock(*values)


NOTHING_TO_PAY: tuple[Payment, ...] = ((0, 0),)


class Price(Struct, frozen=True, eq=False, gc=False):
    """Every payment to the neighbours, sorted (none: cannot be paid); the cheapest and the dearest sum; why it is free, if so."""

    payments: tuple[Payment, ...]
    cheapest: int = 0
    dearest: int = 0
    free: Free | None = None


AT_HOME = Price(NOTHING_TO_PAY)
NOWHERE = Price((), 1 << 30, 1 << 30)


class Class(Struct, frozen=True, eq=False, gc=False):
    """One class of goods at a market: what the city alone covers, with a neighbour, with both (each with the high bits set),
    the neighbours' prices, and what was solved already, by the lanes needed.

    It stays while none of the three builds a producer or a post of the class: of three cards priced, two find their answer.
    """

    own: int
    with_left: int
    with_right: int
    with_both: int
    left_price: int
    right_price: int
    ones: int
    high: int
    prices: dict[int, Price]


class Market(Struct, frozen=True, eq=False, gc=False):
    """A city between its neighbours, class by class."""

    raw: Class
    made: Class


@lru_cache(maxsize=4096)
def _class(own: int, left: int, right: int, left_price: int, right_price: int, ones: int) -> Class:
    high = ones << 7
    covers = own | high, (own + left) | high, (own + right) | high, (own + left + right) | high
    return Class(*covers, left_price, right_price, ones, high, {})


@lru_cache(maxsize=4096)
def market(own: Stock, left: Stock, right: Stock) -> Market:
    """The market of a city with these neighbours."""
    return Market(
        _class(own.raw, left.raw_sold, right.raw_sold, own.raw_left, own.raw_right, RAW_ONES),
        _class(own.made, left.made_sold, right.made_sold, own.made_left, own.made_right, MADE_ONES),
    )


def affordable(market: Market, wanted: Need, coins: int) -> Price:
    """Every allowed payment to the neighbours within `coins` after the cost's own coins (R10, R17)."""
    price = AT_HOME
    if wanted.raw:
        price = market.raw.prices.get(wanted.raw) or _solved(wanted.raw, market.raw)
    if wanted.made:
        made = market.made.prices.get(wanted.made) or _solved(wanted.made, market.made)
        if price is AT_HOME:
            price = made
        elif made is not AT_HOME:
            price = _together(price, made)
    rest = coins - wanted.coins
    if price.dearest <= rest:
        return price
    if price.cheapest > rest:
        return NOWHERE
    return Price(tuple([payment for payment in price.payments if payment[0] + payment[1] <= rest]))


def _together(raw: Price, made: Price) -> Price:
    if raw is NOWHERE or made is NOWHERE:
        return NOWHERE
    found = {(a + c, b + d) for a, b in raw.payments for c, d in made.payments}
    return Price(tuple(sorted(found)), raw.cheapest + made.cheapest, raw.dearest + made.dearest)


def _solved(wanted: int, goods: Class) -> Price:
    """R17: as few units as possible are bought, of these any number from the left that leaves the right enough to sell."""
    high = goods.high
    if (goods.own - wanted) & high == high:
        price = AT_HOME
    elif (goods.with_both - wanted) & high != high:
        price = NOWHERE
    else:
        units = _short(goods.own, wanted, goods)
        left, right = units - _short(goods.with_left, wanted, goods), _short(goods.with_right, wanted, goods)
        found = [(x * goods.left_price, (units - x) * goods.right_price) for x in range(right, left + 1)]
        ends = sum(found[0]), sum(found[-1])
        price = Price(tuple(found), min(ends), max(ends))
    goods.prices[wanted] = price
    return price


def _short(cover: int, wanted: int, goods: Class) -> int:
    """How many units are missing: the largest shortage over all lanes."""
    missing, high = 0, goods.high
    while (cover - wanted) & high != high:
        cover += goods.ones
        missing += 1
    return missing
