"""What stands in front of a seat for everybody to see: board, stages, buildings, what they produce and what is sold."""

from __future__ import annotations

from functools import lru_cache

from msgspec import Struct

from events.catalogue import Box
from events.catalogue.things import AnyEffect, Cost, Produce
from events.rules.building import city_stock, stage_options
from events.rules.effects import shields
from events.rules.scoring import symbols
from events.rules.state import City, Game
from events.rules.trade import taken
from events.vocabulary import SYMBOLS, CardId, CardType, left_of, right_of


class UnitDoc(Struct, frozen=True, kw_only=True):
    """What one source produces each turn: `amount` units of one of `any_of`; sold: neighbours may buy it (R15)."""

    source: str
    any_of: tuple[str, ...]
    amount: int
    sold: bool


class PricesDoc(Struct, frozen=True, kw_only=True):
    """What a unit costs this city, bought from a neighbour (R16)."""

    raw: int
    manufactured: int


class BuysDoc(Struct, frozen=True, kw_only=True):
    """The prices on both sides."""

    left: PricesDoc
    right: PricesDoc


class StageDoc(Struct, frozen=True, kw_only=True):
    """One stage of the board.  option: what was taken, of `options`."""

    number: int
    built: bool
    cost: Cost
    effects: tuple[AnyEffect, ...]
    options: tuple[str, ...] = ()
    option: str | None = None


class CityDoc(Struct, frozen=True, kw_only=True):
    """What everybody sees of a city; the keys of the position document keep their names."""

    city: int
    name: str
    free: bool
    wonder: str
    side: str
    coins: int
    hand_size: int
    built: tuple[CardId, ...]
    types: tuple[CardType, ...]
    stages: int
    options: dict[str, str]
    board: tuple[StageDoc, ...]
    tokens: tuple[int, ...]
    debts: tuple[int, ...]
    participates: tuple[int, ...]
    rewards: tuple[str, ...]
    shields: int
    symbols: dict[str, int]
    produces: tuple[UnitDoc, ...]
    buys: BuysDoc
    left: int
    right: int


def city_document(game: Game, place: int) -> CityDoc:
    """One city of the ring, drawn from what the game's viewer knows; hidden cards are only counted."""
    box, city, n = game.box, game.cities[place], len(game.cities)
    symbol, wild = symbols(game, place)
    stock = city_stock(box, city)
    return CityDoc(
        city=place,
        name=game.called(place),
        free=place == game.free,
        wonder=city.wonder,
        side=city.side,
        coins=city.coins,
        hand_size=len(city.hand),
        built=city.built,
        types=tuple(box.cards[card].type for card in city.built),
        stages=city.stages,
        options={str(number): option for number, option in enumerate(city.options, 1) if option is not None},
        board=board(box, city.wonder, city.side, city.options),
        tokens=city.tokens,
        debts=city.debts,
        participates=city.participates,
        rewards=city.rewards,
        shields=shields(box, city),
        symbols={**dict(zip(SYMBOLS, symbol, strict=True)), "any": wild},
        produces=units(box, city),
        buys=BuysDoc(
            left=PricesDoc(raw=stock.raw_left, manufactured=stock.made_left),
            right=PricesDoc(raw=stock.raw_right, manufactured=stock.made_right),
        ),
        left=left_of(place, n),
        right=right_of(place, n),
    )


@lru_cache(maxsize=1024)
def board(box: Box, wonder: str, side: str, options: tuple[str | None, ...]) -> tuple[StageDoc, ...]:
    """Every stage of a board; the first len(options) are built."""
    built = len(options)
    return tuple(
        StageDoc(
            number=place + 1,
            built=place < built,
            cost=stage.cost,
            effects=stage.effects,
            options=stage_options(stage),
            option=options[place] if place < built else None,
        )
        for place, stage in enumerate(box.faces[wonder, side].stages)
    )


def units(box: Box, city: City) -> tuple[UnitDoc, ...]:
    """What a city produces, source by source: its board, its buildings, its stages, its projects (R14, R15, R71)."""
    return _units(box, city.wonder, city.side, city.options, city.built, city.rewards)


@lru_cache(maxsize=4096)
def _units(
    box: Box, wonder: str, side: str, options: tuple[str | None, ...], built: tuple[CardId, ...], rewards: tuple[str, ...]
) -> tuple[UnitDoc, ...]:
    face = box.faces[wonder, side]
    found = [UnitDoc(source="board", any_of=(face.produces,), amount=1, sold=True)]
    sources: list[tuple[str, tuple[AnyEffect, ...]]] = [(card, box.cards[card].effects) for card in built]
    sources += [(f"stage:{number}", taken(face.stages[number - 1].effects, option)) for number, option in enumerate(options, 1)]
    sources += [(project, box.projects[project].reward) for project in rewards]
    for source, effects in sources:
        found += [
            UnitDoc(source=source, any_of=effect.any_of, amount=effect.amount, sold=effect.sellable)
            for effect in effects
            if isinstance(effect, Produce)
        ]
    return tuple(found)
