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
from events.vocabulary import MANUFACTURED_GOODS, RAW_MATERIALS, TRADE_PRICE, Resource

RAW_LANES = (1 << len(RAW_MATERIALS)) - 1
MADE_LANES = (1 << len(MANUFACTURED_GOODS)) - 1


def _ones(lanes: int) -> int:
    return sum(1 << (8 * lane) for lane in range(lanes))


RAW_ONES, MADE_ONES = _ones(RAW_LANES), _ones(MADE_LANES)
RAW_HIGH, MADE_HIGH = RAW_ONES << 7, MADE_ONES << 7

Payment = tuple[int, int]
"""Coins to the left neighbour, coins to the right one."""


class Need(Struct, frozen=True):
    """A cost as lanes, with its coins; free: nothing is printed."""

    raw: int
    made: int
    coins: int
    free: bool


class Stock(Struct, frozen=True):
    """What a city's producers cover: all of its own, and what neighbours may buy (R14, R15); prices a unit (R16)."""

    raw: int
    made: int
    raw_sold: int
    made_sold: int
    raw_left: int
    raw_right: int
    made_left: int
    made_right: int


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
    return tuple(
        inner for effect in effects for inner in (effect.options.get(option or "", ()) if isinstance(effect, OneOf) else (effect,))
    )


@lru_cache(maxsize=16384)
def stock(
    box: Box, wonder: str, side: str, options: tuple[str | None, ...], built: tuple[str, ...], rewards: tuple[str, ...]
) -> Stock:
    """A city's stock.  Cached by its six values: between two actions of a city they do not change."""
    face = box.faces[wonder, side]
    raw, made = unit((face.produces,))
    raw_sold, made_sold = raw, made
    prices = {"raw": [TRADE_PRICE, TRADE_PRICE], "made": [TRADE_PRICE, TRADE_PRICE]}
    effects = [effect for card in built for effect in box.cards[card].effects]
    for number, option in enumerate(options):
        effects += taken(face.stages[number].effects, option)
    for project in rewards:
        effects += box.projects[project].reward
    for effect in effects:
        if isinstance(effect, Produce):
            one_raw, one_made = unit(effect.any_of)
            raw += effect.amount * one_raw
            made += effect.amount * one_made
            if effect.sellable:
                raw_sold += effect.amount * one_raw
                made_sold += effect.amount * one_made
        elif isinstance(effect, Discount):
            of = prices["raw" if effect.resources[0] in RAW_MATERIALS else "made"]
            for seller in effect.sellers:
                of[seller == "right"] = effect.price
    return Stock(raw, made, raw_sold, made_sold, *prices["raw"], *prices["made"])


def _short(cover: int, wanted: int, ones: int, high: int) -> int:
    """How many units are missing: the largest shortage over all lanes."""
    missing = 0
    while ((cover | high) - wanted) & high != high:
        cover += ones
        missing += 1
    return missing


def _splits(own: int, left: int, right: int, wanted: int, ones: int, high: int) -> tuple[int, int, int] | None:
    """(units to buy, fewest from the left, most from the left); None if no purchase suffices (R17)."""
    missing = _short(own, wanted, ones, high)
    if not missing:
        return 0, 0, 0
    if _short(own + left + right, wanted, ones, high):
        return None
    return missing, _short(own + right, wanted, ones, high), missing - _short(own + left, wanted, ones, high)


NOTHING_TO_PAY: tuple[Payment, ...] = ((0, 0),)


def payments(wanted: Need, own: Stock, left: Stock, right: Stock, coins: int) -> tuple[Payment, ...]:
    """Every allowed payment to the neighbours, sorted, within `coins` after the cost's own coins (R10, R17); empty: none."""
    rest = coins - wanted.coins
    if rest < 0:
        return ()
    raw_spare, made_spare = (own.raw | RAW_HIGH) - wanted.raw, (own.made | MADE_HIGH) - wanted.made
    if raw_spare & RAW_HIGH == RAW_HIGH and made_spare & MADE_HIGH == MADE_HIGH:
        return NOTHING_TO_PAY
    raw = _splits(own.raw, left.raw_sold, right.raw_sold, wanted.raw, RAW_ONES, RAW_HIGH)
    if raw is None:
        return ()
    made = _splits(own.made, left.made_sold, right.made_sold, wanted.made, MADE_ONES, MADE_HIGH)
    if made is None:
        return ()
    raw_units, raw_from, raw_to = raw
    made_units, made_from, made_to = made
    if not raw_units and not made_units:
        return NOTHING_TO_PAY
    if raw_units * min(own.raw_left, own.raw_right) + made_units * min(own.made_left, own.made_right) > rest:
        return ()
    found = {
        (x * own.raw_left + y * own.made_left, (raw_units - x) * own.raw_right + (made_units - y) * own.made_right)
        for x in range(raw_from, raw_to + 1)
        for y in range(made_from, made_to + 1)
    }
    return tuple(sorted(payment for payment in found if payment[0] + payment[1] <= rest))
