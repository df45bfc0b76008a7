"""The neutral third city of the two-player game: who holds its card, and how hands cross the Border."""

from __future__ import annotations

from events.rules.state import Game
from events.vocabulary import CardId, left_of, right_of


def first_holder(free: int, age: int) -> int:
    """R93: Age I the seat left of the Free City, II right, III left, in the ring of three.

    >>> [first_holder(2, age) for age in (1, 2, 3)]
    [0, 1, 0]
    """
    return right_of(free, 3) if age == 2 else left_of(free, 3)


def next_holder(game: Game) -> int | None:
    """R93: the holder of the next turn of this Age; None with more than two players."""
    if game.free is None or game.holder is None:
        return None
    return game.holder if game.rules.free_city_control == "age" else other(game, game.holder)


def other(game: Game, seat: int) -> int:
    """The other player."""
    return next(one for one in game.seats if one != seat)


def swapped(game: Game) -> list[tuple[CardId | None, ...]]:
    """R92: the hands of the two players, each with the other's, in seat order."""
    return [game.cities[other(game, seat)].hand for seat in game.seats]
