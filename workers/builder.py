"""The bot that builds: it takes what scores, keeps an eye on its borders, and does not hand its neighbour a present.

Everything is weighed in points at the end of the game.  It knows what its seat knows: its own cards, and what lies open.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from events.catalogue.things import AnyEffect, Coins, CoinsPerCard, CoinsPerStage, LoseCoins, LoseVictoryTokens, Shields
from events.facts import ActValue
from events.rules import Game, Play
from events.rules.building import names, next_stage
from events.rules.edifice import candidates, project_of
from events.rules.free_city import other
from events.rules.scoring import sheet
from events.rules.state import Choosing
from events.rules.trade import taken
from events.vocabulary import DEBT, LEFTWARD, TURNS, CardId, left_of, right_of
from workers.worth import COIN, gain

DENIAL = 0.25
"""How much of what a card is worth to the neighbour counts for keeping it away."""
CHAIN = 0.4
"""What the right to a free card in a later Age is worth."""


def choose(game: Game, seat: int, city: int, plays: tuple[Play, ...]) -> tuple[ActValue, CardId | None]:
    """The best of these plays for a seat, which answers for the city; the first in catalogue order among equals.

    ValueError if there are none."""
    if not plays:
        raise ValueError(f"nothing is asked of city {city}")
    weigh = _for_free_city if city == game.free else _for_own_city
    best: tuple[float, ActValue, CardId | None] | None = None
    for play in _building(plays):
        for worth, act in weigh(game, seat, city, play):
            if best is None or worth > best[0]:
                best = worth, act, play.card
    assert best is not None
    return best[1], best[2]


def _building(plays: tuple[Play, ...]) -> tuple[Play, ...]:
    """Whoever can build does: only what builds, if anything does."""
    return tuple(play for play in plays if play.kind in ("build", "stage", "pick")) or plays


def _for_own_city(game: Game, seat: int, city: int, play: Play) -> Iterable[tuple[float, ActValue]]:
    """(worth, act) of each sensible way to carry out a play."""
    kept_away = DENIAL * _worth_to_neighbour(game, city, play.card)
    match play.kind:
        case "build" | "pick":
            yield from _building_ways(game, city, play, kept_away)
        case "stage":
            yield from _stage_ways(game, city, play, kept_away)
        case "lose":
            assert play.card is not None
            yield -_loss(game, city, play.card), ActValue(kind="lose")
        case _:
            yield kept_away, ActValue(kind=play.kind)


def _building_ways(game: Game, city: int, play: Play, kept_away: float) -> Iterable[tuple[float, ActValue]]:
    assert play.card is not None
    card = game.box.cards[play.card]
    printed = 0 if play.free else card.cost.get("coins", 0)
    left, right = _cheapest(game, city, play.payments)
    worth = gain(game, city, card.effects, card.type) + CHAIN * len(card.allows) * (game.age < 3)
    yield worth + kept_away - _price(game, city, left, right, printed), ActValue(kind=play.kind, left=left, right=right)


def _stage_ways(game: Game, city: int, play: Play, kept_away: float) -> Iterable[tuple[float, ActValue]]:
    """Alone or joining the project, with each option."""
    stage = next_stage(game.box, game.cities[city])
    assert stage is not None
    for option in play.options or (None,):
        worth = gain(game, city, taken(stage.effects, option), None) + kept_away
        left, right = _cheapest(game, city, play.payments)
        cost = _price(game, city, left, right, stage.cost.get("coins", 0))
        yield worth - cost, ActValue(kind="stage", left=left, right=right, option=option)
        if play.joinable:
            left, right = _cheapest(game, city, play.joinable)
            cost = _price(game, city, left, right, stage.cost.get("coins", 0) + project_of(game).coins)
            joined = worth + _joining(game, city) - cost
            yield joined, ActValue(kind="stage", left=left, right=right, participate=True, option=option)


# ---- money ------------------------------------------------------------------------------------------------------------
def _rivalry(game: Game, city: int, neighbour: int) -> float:
    """What a coin in a neighbour's hands costs us; nobody sits behind the Free City."""
    if neighbour == game.free:
        return 0.0
    return 0.15 if _standing(game, neighbour) > _standing(game, city) else 0.1


def _standing(game: Game, city: int) -> int:
    """A cheap look at who is ahead: buildings, stages and what the borders brought."""
    one = game.cities[city]
    return len(one.built) + 2 * len(one.options) + sum(one.tokens)


def _price(game: Game, city: int, left: int, right: int, printed: int) -> float:
    n = len(game.cities)
    to_left, to_right = (COIN + _rivalry(game, city, neighbour) for neighbour in (left_of(city, n), right_of(city, n)))
    return COIN * printed + to_left * left + to_right * right


def _cheapest(game: Game, city: int, payments: tuple[tuple[int, int], ...]) -> tuple[int, int]:
    """The payment that costs least."""
    if len(payments) == 1:
        return payments[0]
    return min(payments, key=lambda pay: _price(game, city, pay[0], pay[1], 0))


# ---- neighbours -------------------------------------------------------------------------------------------------------
def _worth_to_neighbour(game: Game, city: int, card: CardId | None) -> float:
    """What the card would be worth to whoever gets the hand next; the last choice of an Age hands nothing on."""
    if card is None or not isinstance(game.phase, Choosing) or game.turn >= TURNS:
        return 0.0
    if game.free is not None:
        receiver = other(game, game.answerer(city))
    else:
        receiver = (left_of if LEFTWARD[game.age - 1] else right_of)(city, len(game.cities))
    facts = game.box.cards[card]
    if facts.name in names(game.box, game.cities[receiver].built):
        return 0.0
    return max(0.0, gain(game, receiver, facts.effects, facts.type))


# ---- the Edifice ------------------------------------------------------------------------------------------------------
def _joining(game: Game, city: int) -> float:
    """What a token of the Age's project brings: its reward if the project is completed, the penalty escaped if it is not."""
    project = project_of(game)
    left = game.edifice[game.age - 1].tokens
    turns = TURNS - game.turn + 1
    hope = 1.0 if left <= 1 else 0.7 if left <= turns else 0.35
    reward = gain(game, city, project.reward, None)
    return hope * reward + (1 - hope) * _penalty(game, city)


def _penalty(game: Game, city: int) -> float:
    """What the failure of the project would cost this city now (R66)."""
    own = game.cities[city]
    match project_of(game).penalty:
        case LoseCoins(amount=amount) if own.coins >= amount:
            return COIN * amount
        case LoseVictoryTokens(amount=amount) if sum(token > 0 for token in own.tokens) >= amount:
            return float(sum(sorted(token for token in own.tokens if token > 0)[:amount]))
        case _:
            losses = [_loss(game, city, card) for card in candidates(game, city)]
            return min(losses) if losses else float(-DEBT[game.age - 1])


def _loss(game: Game, city: int, card: CardId) -> float:
    """What a city loses with one of its buildings: what the sheet says, and something for producers."""
    own = game.cities[city]
    at = own.built.index(card)
    without = _with_built(game, city, own.built[:at] + own.built[at + 1 :])
    effects = game.box.cards[card].effects
    lasting = tuple(effect for effect in effects if not isinstance(effect, (Coins, CoinsPerCard, CoinsPerStage)))
    return sheet(game, city).total - sheet(without, city).total + max(0.0, gain(without, city, lasting, None)) / 2


def _with_built(game: Game, city: int, built: tuple[CardId, ...]) -> Game:
    cities = list(game.cities)
    cities[city] = replace(cities[city], built=built)
    changed: Game = replace(game, cities=tuple(cities))
    return changed


# ---- the Free City ----------------------------------------------------------------------------------------------------
def _for_free_city(game: Game, seat: int, city: int, play: Play) -> Iterable[tuple[float, ActValue]]:
    """R95: its holder gives it what would help the other player, no shields (it stands on both borders), and is paid by it."""
    opponent = other(game, seat)
    facts = game.box.cards[play.card] if play.card is not None else None
    kept_away = 0.0
    if facts is not None and facts.name not in names(game.box, game.cities[opponent].built):
        kept_away = max(0.0, gain(game, opponent, facts.effects, facts.type))
    effects: tuple[AnyEffect, ...] = ()
    if play.kind == "build" and facts is not None:
        effects = facts.effects
    for option in play.options or (None,):
        if play.kind == "stage":
            stage = next_stage(game.box, game.cities[city])
            assert stage is not None
            effects = taken(stage.effects, option)
        harm = sum(effect.amount for effect in effects if isinstance(effect, Shields))
        left, right = max(play.payments, key=lambda pay: _income(game, seat, city, pay)) if play.payments else (0, 0)
        worth = kept_away - harm + COIN * _income(game, seat, city, (left, right))
        yield worth, ActValue(kind=play.kind, left=left, right=right, option=option)


def _income(game: Game, seat: int, city: int, payment: tuple[int, int]) -> int:
    """What a payment of the Free City brings its holder, less what it brings the other player."""
    to_left = 1 if left_of(city, len(game.cities)) == seat else -1
    return to_left * (payment[0] - payment[1])
