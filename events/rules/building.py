"""Whether a city may build a card or its next stage, why it would be free, and at which payments."""

from __future__ import annotations

from functools import lru_cache
from typing import Literal, get_args

from msgspec import Struct

from events.catalogue import Box
from events.catalogue.things import FreeFirstOfAge, FreeFirstOfColour, FreeLastOfAge, OneOf, StageFacts, Token
from events.rules.state import City, Game
from events.rules.trade import AT_HOME, NOTHING_TO_PAY, Market, Need, Payment, Price, Stock, affordable, market, need, stock
from events.vocabulary import TURNS, CardId, CardType, Free, left_of, right_of

FREE: dict[Free, Price] = {reason: Price(NOTHING_TO_PAY, free=reason) for reason in get_args(Free)}


class Printed(Struct, frozen=True, eq=False, gc=False):
    """What is printed on a card, as far as building it goes."""

    name: str
    type: CardType
    need: Need
    free_from: tuple[CardId, ...]


@lru_cache(maxsize=8)
def printed(box: Box) -> dict[CardId, Printed]:
    """Every card's print, its cost as lanes."""
    return {card.id: Printed(card.name, card.type, need(card.cost), card.free_from) for card in box.cards.values()}


class NextStage(Struct, frozen=True, eq=False, gc=False):
    """A board with some stages built: the cost of the next one (None: all are built) with its option words, and whether the
    built ones give the first of a colour (R30), the first and the last card of an Age (R31)."""

    need: Need | None
    options: tuple[str, ...]
    first_of_colour: bool
    first_of_age: bool
    last_of_age: bool


class Trader(Struct, frozen=True, eq=False, gc=False):
    """A city before an action, with what it and its neighbours produce; favoured: whether its board makes
    some cards free; prices: those that were asked for already."""

    prints: dict[CardId, Printed]
    city: City
    market: Market
    names: frozenset[str]
    stage: NextStage
    gift: Literal["first", "last"] | None
    favoured: bool
    prices: dict[CardId, Price]


@lru_cache(maxsize=512)
def stage_need(box: Box, wonder: str, side: str, number: int) -> Need:
    """The printed cost of stage `number` (from 0)."""
    return need(box.faces[wonder, side].stages[number].cost)


@lru_cache(maxsize=16384)
def names(box: Box, built: tuple[CardId, ...]) -> frozenset[str]:
    """The names that stand in a city (R19)."""
    return frozenset([box.cards[card].name for card in built])


def city_stock(box: Box, city: City) -> Stock:
    """What a city produces and sells, and at which prices it buys."""
    return stock(box, city.wonder, city.side, city.options, city.built, city.rewards)


@lru_cache(maxsize=256)
def _next_stage(box: Box, wonder: str, side: str, built: int) -> NextStage:
    stages = box.faces[wonder, side].stages
    kinds = {type(effect) for stage in stages[:built] for effect in stage.effects}
    left = built < len(stages)
    return NextStage(
        stage_need(box, wonder, side, built) if left else None,
        stage_options(stages[built]) if left else (),
        FreeFirstOfColour in kinds,
        FreeFirstOfAge in kinds,
        FreeLastOfAge in kinds,
    )


class _Moment(Struct, frozen=True, eq=False, gc=False):
    """The ring before a turn, with the traders that were asked for already."""

    cities: tuple[City, ...]
    turn: int
    prints: dict[CardId, Printed]
    stocks: tuple[Stock, ...]
    traders: dict[int, Trader]


_recent = _Moment((), 0, {}, (), {})


def trader(game: Game, seat: int) -> Trader:
    """The city of a seat as it stands before its action; `legal` and `decide` both price with this.

    The traders of the moment asked about last are kept: while a turn is chosen the ring does not change, and `decide` asks
    what `legal` has just listed (a random game with them 156/s, without 118/s).
    """
    global _recent
    moment = _recent
    if moment.cities is not game.cities or moment.turn != game.turn:
        stocks = tuple([city_stock(game.box, city) for city in game.cities])
        moment = _recent = _Moment(game.cities, game.turn, printed(game.box), stocks, {})
    who = moment.traders.get(seat)
    return _trader(game.box, moment, seat) if who is None else who


def _trader(box: Box, moment: _Moment, seat: int) -> Trader:
    city, stocks, n = moment.cities[seat], moment.stocks, len(moment.stocks)
    left, right = stocks[left_of(seat, n)], stocks[right_of(seat, n)]
    stage = _next_stage(box, city.wonder, city.side, len(city.options))
    gift: Literal["first", "last"] | None = None
    if stage.first_of_age and moment.turn == 1:
        gift = "first"
    elif stage.last_of_age and moment.turn == TURNS:
        gift = "last"
    who = Trader(
        prints=moment.prints,
        city=city,
        market=market(stocks[seat], left, right),
        names=names(box, city.built),
        stage=stage,
        gift=gift,
        favoured=stage.first_of_colour or gift is not None,
        prices={},
    )
    moment.traders[seat] = who
    return who


def card_price(who: Trader, card_id: CardId) -> Price:
    """What building a card costs; whether its name already stands is asked elsewhere (R19)."""
    price = who.prices.get(card_id)
    if price is None:
        card = who.prints[card_id]
        if card.need.free:
            price = AT_HOME
        elif (card.free_from or who.favoured) and (free := _why_free(who, card)) is not None:
            price = FREE[free]
        else:
            price = affordable(who.market, card.need, who.city.coins)
        who.prices[card_id] = price
    return price


def _why_free(who: Trader, card: Printed) -> Free | None:
    """The first reason that fits, in the order chain, colour, first, last (R18, R30, R31)."""
    built = who.city.built
    for source in card.free_from:
        if source in built:
            return "chain"
    if who.stage.first_of_colour and card.type not in [who.prints[one].type for one in built]:
        return "colour"
    return who.gift


def next_stage(box: Box, city: City) -> StageFacts | None:
    """The stage that comes next (R20), None when all are built."""
    stages = box.faces[city.wonder, city.side].stages
    return stages[len(city.options)] if len(city.options) < len(stages) else None


def stage_payments(who: Trader, extra_coins: int = 0) -> tuple[Payment, ...]:
    """Every payment for the next stage that leaves `extra_coins` for a project (R10, R62); empty: none, or no stage left."""
    wanted = who.stage.need
    return () if wanted is None else affordable(who.market, wanted, who.city.coins - extra_coins).payments


def stage_options(stage: StageFacts) -> tuple[str, ...]:
    """The option words of a stage, sorted; empty without a choice (R33, R73)."""
    for effect in stage.effects:
        if isinstance(effect, OneOf):
            return tuple(sorted(effect.options))
        if isinstance(effect, Token) and len(effect.ages) > 1:
            return tuple(f"age-{age}" for age in effect.ages)
    return ()
