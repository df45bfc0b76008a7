"""What buildings and stages give at once, and what a city holds because of them: shields and coins."""

from __future__ import annotations

from functools import lru_cache

from events import facts as f
from events.catalogue import Box
from events.catalogue.things import AnyEffect, Coins, CoinsPerCard, CoinsPerStage, Shields
from events.rules.state import City, Game
from events.rules.story import GAME, Story
from events.rules.trade import taken
from events.vocabulary import CardId, CardType, Scope, left_of, right_of


@lru_cache(maxsize=1024)
def _stage_effects(box: Box, wonder: str, side: str, number: int, option: str | None) -> tuple[AnyEffect, ...]:
    return taken(box.faces[wonder, side].stages[number].effects, option)


def stage_effects(box: Box, city: City, number: int) -> tuple[AnyEffect, ...]:
    """The effects of built stage `number` (from 0), its option put in."""
    return _stage_effects(box, city.wonder, city.side, number, city.options[number])


def in_scope(game: Game, seat: int, scope: tuple[Scope, ...]) -> list[City]:
    """The cities that an effect looks at."""
    n = len(game.cities)
    places = {"left": left_of(seat, n), "self": seat, "right": right_of(seat, n)}
    return [game.cities[places[where]] for where in scope]


def count_cards(game: Game, seat: int, types: tuple[CardType, ...], scope: tuple[Scope, ...]) -> int:
    """Buildings of these types in the cities in scope."""
    cards = game.box.cards
    return sum([cards[card].type in types for city in in_scope(game, seat, scope) for card in city.built])


def count_stages(game: Game, seat: int, scope: tuple[Scope, ...]) -> int:
    """Built stages in the cities in scope."""
    return sum(city.stages for city in in_scope(game, seat, scope))


def coins_of(game: Game, seat: int, effects: tuple[AnyEffect, ...]) -> int:
    """The coins that effects give now, counting what stands at this moment (R12)."""
    total = 0
    for effect in effects:
        match effect:
            case Coins(amount=amount):
                total += amount
            case CoinsPerCard(amount=amount, types=types, scope=scope):
                total += amount * count_cards(game, seat, types, scope)
            case CoinsPerStage(amount=amount, scope=scope):
                total += amount * count_stages(game, seat, scope)
            case _:
                pass
    return total


@lru_cache(maxsize=512)
def gives_coins(box: Box, card: CardId) -> bool:
    """Whether a building gives coins when it is built; most do not, and the reveal asks for each."""
    return any(isinstance(effect, (Coins, CoinsPerCard, CoinsPerStage)) for effect in box.cards[card].effects)


def receive(story: Story, seat: int, amount: int, source: str) -> None:
    """Coins from the bank; nothing is told of no coins."""
    if amount:
        story.tell(f.CoinsReceived(at=story.at, by=GAME, city=seat, amount=amount, source=source))


@lru_cache(maxsize=16384)
def _shields(
    box: Box, wonder: str, side: str, options: tuple[str | None, ...], built: tuple[CardId, ...], rewards: tuple[str, ...]
) -> int:
    stages = box.faces[wonder, side].stages
    effects = [effect for card in built for effect in box.cards[card].effects]
    for number, option in enumerate(options):
        effects += taken(stages[number].effects, option)
    for project in rewards:
        effects += box.projects[project].reward
    return sum(effect.amount for effect in effects if isinstance(effect, Shields))


def shields(box: Box, city: City) -> int:
    """The shields of a city: buildings, stages and projects (R71)."""
    return _shields(box, city.wonder, city.side, city.options, city.built, city.rewards)
