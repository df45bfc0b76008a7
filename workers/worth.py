"""What a building, a stage or a project is worth to a city, in points at the end, as far as one can guess today."""

from __future__ import annotations

from functools import lru_cache

from events.catalogue import Box
from events.catalogue.things import (
    AnyEffect,
    BuildFromDiscard,
    Coins,
    CoinsPerCard,
    CoinsPerStage,
    Discount,
    DropDefeats,
    FreeFirstOfAge,
    FreeFirstOfColour,
    FreeLastOfAge,
    OneOf,
    PlayLastCard,
    Points,
    PointsIfWonderComplete,
    PointsPerCard,
    PointsPerColour,
    PointsPerPair,
    PointsPerStage,
    Produce,
    RepeatGuild,
    Science,
    Shields,
    Token,
    VictoryToken,
)
from events.rules.effects import coins_of, count_cards, count_stages, shields
from events.rules.scoring import best_symbols, symbols
from events.rules.state import Game
from events.vocabulary import AGES, DEFEAT, SYMBOLS, VICTORY, CardId, CardType, left_of, right_of

COIN = 0.36
"""A coin in hand: a third of a point, and a little freedom."""
AHEAD = (0.0, 2.4, 1.8, 0.0)
"""A unit of a good, by Age: it pays for what comes later."""
DISCOUNT = (0.0, 2.0, 1.2, 0.0)
SYMBOL = (0.0, 2.5, 1.5, 0.0)
"""What a symbol promises beyond what it scores now."""
SEEN, LATER = 0.8, 0.35
"""How sure a border is in this Age, and in each later one."""
GROWTH = (0.0, 1.7, 1.3, 1.0)
"""What is counted at the end is still growing, by Age."""
PRIVILEGE: dict[type, tuple[float, float, float, float]] = {
    PlayLastCard: (0.0, 5.0, 3.5, 2.0),
    BuildFromDiscard: (0.0, 3.0, 4.0, 5.0),
    FreeFirstOfColour: (0.0, 5.0, 3.5, 1.5),
    FreeFirstOfAge: (0.0, 4.0, 3.0, 0.0),
    FreeLastOfAge: (0.0, 3.5, 2.5, 1.0),
    RepeatGuild: (0.0, 4.0, 4.0, 4.0),
}


def gain(game: Game, seat: int, effects: tuple[AnyEffect, ...], kind: CardType | None) -> float:
    """The points that these effects promise a city.  kind: the type of the card that brings them, which counts itself."""
    return sum(_one(game, seat, effect, kind) for effect in effects)


def _one(game: Game, seat: int, effect: AnyEffect, kind: CardType | None) -> float:
    age = min(max(game.age, 1), AGES)
    match effect:
        case Points(amount=amount):
            return float(amount)
        case Shields(amount=amount):
            return _military(game, seat, amount, age)
        case Science(any_of=any_of):
            return _science(game, seat, any_of) + SYMBOL[age]
        case Produce(any_of=any_of, amount=amount):
            return _goods(game, seat, any_of, amount, age)
        case Coins() | CoinsPerCard() | CoinsPerStage():
            itself = effect.amount if isinstance(effect, CoinsPerCard) and kind in effect.types and "self" in effect.scope else 0
            return COIN * (coins_of(game, seat, (effect,)) + itself)
        case Discount():
            return DISCOUNT[age]
        case _:
            return _at_the_end(game, seat, effect, kind, age)


def _at_the_end(game: Game, seat: int, effect: AnyEffect, kind: CardType | None, age: int) -> float:
    match effect:
        case PointsPerCard(amount=amount, types=types, scope=scope):
            itself = kind in types and "self" in scope
            return amount * (count_cards(game, seat, types, scope) + itself) * GROWTH[age]
        case PointsPerStage(amount=amount, scope=scope):
            return amount * count_stages(game, seat, scope) * GROWTH[age]
        case PointsIfWonderComplete(amount=amount):
            city = game.cities[seat]
            missing = len(game.box.faces[city.wonder, city.side].stages) - city.stages
            return amount * (1.0, 0.6, 0.2, 0.0, 0.0)[missing]
        case PointsPerPair(points=points, types=types):
            return points * min(count_cards(game, seat, (one,), ("self",)) for one in types) * GROWTH[age]
        case PointsPerColour(points=points):
            return points * len({game.box.cards[card].type for card in game.cities[seat].built}) * GROWTH[age]
        case VictoryToken(points=points):
            return float(points)
        case DropDefeats():
            return float(sum(token < 0 for token in game.cities[seat].tokens))
        case Token():
            return 3.0
        case OneOf():
            return 0.0  # the option is put in before it is weighed
        case _:
            return PRIVILEGE[type(effect)][age]


def _military(game: Game, seat: int, amount: int, age: int) -> float:
    """What `amount` shields more change on both borders, now and in the Ages to come."""
    n = len(game.cities)
    own = shields(game.box, game.cities[seat])
    worth = 0.0
    for neighbour in (left_of(seat, n), right_of(seat, n)):
        theirs = shields(game.box, game.cities[neighbour])
        for at in range(age, AGES + 1):
            change = _border(own + amount, theirs, at) - _border(own, theirs, at)
            worth += (SEEN if at == age else LATER) * change
    return worth + 0.2 * amount


def _border(own: int, theirs: int, age: int) -> int:
    return 0 if own == theirs else VICTORY[age - 1] if own > theirs else DEFEAT


def _science(game: Game, seat: int, any_of: tuple[str, ...]) -> float:
    counts, free = symbols(game, seat)
    now = best_symbols(counts, free)[0]
    if len(any_of) > 1:
        return float(best_symbols(counts, free + 1)[0] - now)
    more = tuple(count + (symbol == any_of[0]) for count, symbol in zip(counts, SYMBOLS, strict=True))
    return float(best_symbols((more[0], more[1], more[2]), free)[0] - now)


def _goods(game: Game, seat: int, any_of: tuple[str, ...], amount: int, age: int) -> float:
    """Less for the third of the same; a choice of goods and a pair are worth more than a single one."""
    have = sum(_units(game, seat, good) for good in any_of) / len(any_of)
    size = {1: 1.0, 2: 1.25}.get(len(any_of), 1.5) if amount == 1 else 1.5
    return AHEAD[age] * size / (1 + 0.5 * have)


def _units(game: Game, seat: int, good: str) -> int:
    city = game.cities[seat]
    return _produced(game.box, city.built, good) + (game.box.faces[city.wonder, city.side].produces == good)


@lru_cache(maxsize=16384)
def _produced(box: Box, built: tuple[CardId, ...], good: str) -> int:
    effects = [effect for card in built for effect in box.cards[card].effects]
    return sum(effect.amount for effect in effects if isinstance(effect, Produce) and good in effect.any_of)
