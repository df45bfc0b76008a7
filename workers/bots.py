"""Bots at the table: each sees what its seat sees, and the same sight always gives the same move.

`random` takes any legal play, each payment, option and token a play of its own, all equally likely.  `builder` is in
`workers.builder`.  What looks like chance is a digest of what the seat sees, so that a job that runs twice chooses once.
"""

from __future__ import annotations

from collections.abc import Callable
from hashlib import blake2b

import msgspec

from events.facts import ActValue
from events.rules import Game, Play, legal
from events.rules.state import Choosing, Extra
from events.vocabulary import BotKind, CardId
from workers import builder

Move = tuple[ActValue, CardId | None]
_encode = msgspec.json.Encoder().encode
Choose = Callable[[Game, int, int, tuple[Play, ...] | None], Move]


def plays_of(game: Game, seat: int, city: int) -> tuple[Play, ...]:
    """What `legal` offers a seat for a city; for the Free City, without the card that the holder has chosen for its own (R91)."""
    own = None
    if city == game.free and isinstance(game.phase, Choosing):
        choice = game.phase.choices[seat]
        own = choice.card if choice else None
    return legal(game, city, own)


def random(game: Game, seat: int, city: int, plays: tuple[Play, ...] | None = None) -> Move:
    """Any legal play.  game: as the seat knows it; plays: `plays_of` it, if they are known already.

    ValueError if nothing is asked of the city."""
    plays = plays_of(game, seat, city) if plays is None else plays
    total = 0
    for play in plays:
        total += ways(play)
    if not total:
        raise ValueError(f"nothing is asked of city {city}")
    place = chance(game, city) % total
    for play in plays:
        count = ways(play)
        if place < count:
            return act(play, place), play.card
        place -= count
    raise AssertionError("the place is below the sum")


def ways(play: Play) -> int:
    """In how many ways it may be carried out: (payments, joining or not) times options."""
    return (len(play.payments) + len(play.joinable) or 1) * (len(play.options) or 1)


def act(play: Play, way: int) -> ActValue:
    """One of the `ways`, counted from 0."""
    if play.options:
        way, place = divmod(way, len(play.options))
        option: str | None = play.options[place]
    else:
        option = None
    alone = len(play.payments)
    if not alone:
        return ActValue(kind=play.kind, option=option)
    left, right = play.payments[way] if way < alone else play.joinable[way - alone]
    return ActValue(kind=play.kind, left=left, right=right, participate=way >= alone, option=option)


def chance(game: Game, city: int) -> int:
    """A number of 64 bits from what a seat sees of its turn; 2 µs, where a digest of the whole table would take 200.

    The cards it may choose from, the moment, and everybody's coins and buildings so far: no more is needed for two turns
    never to look alike by accident."""
    phase = game.phase
    asked: str
    if isinstance(phase, Extra):
        asked, cards = phase.question, phase.offers[phase.cities.index(city)] if phase.offers else ()  # a loss offers none
    else:
        asked, cards = "turn", game.cities[game.answerer(city)].hand
    drawn = game.drawn if game.holder is not None and game.answerer(city) == game.holder else None  # known to the holder alone
    cities = [(one.coins, len(one.built), len(one.options)) for one in game.cities]
    seen = _encode((game.id, game.age, game.turn, city, asked, cards, drawn, cities))
    return int.from_bytes(blake2b(seen, digest_size=8).digest())


def careful(game: Game, seat: int, city: int, plays: tuple[Play, ...] | None = None) -> Move:
    """The builder's play; game, plays and errors as in `random`."""
    return builder.choose(game, seat, city, plays_of(game, seat, city) if plays is None else plays)


BOTS: dict[BotKind, Choose] = {"random": random, "builder": careful}


def choose(kind: BotKind, game: Game, seat: int, city: int) -> Move:
    """What a bot of this kind does for a city; game: as its seat knows it."""
    return BOTS[kind](game, seat, city, None)
