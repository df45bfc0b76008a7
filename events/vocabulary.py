"""The words in the game's box: seats, Ages, resources, card types, symbols, sides."""

from __future__ import annotations

from typing import Literal

CardId = str
"""An id of the catalogue, such as ``lumber-yard``."""
Seat = int
"""A chair at the table and the city in front of it, counted clockwise from 0: the left neighbour of seat i is seat i + 1.
With two players the Free City stands in the ring like a seat, though nobody sits there."""

Resource = Literal["wood", "stone", "clay", "ore", "glass", "loom", "papyrus"]
CardType = Literal["raw", "manufactured", "civilian", "commercial", "scientific", "military", "guild"]
Symbol = Literal["compass", "gear", "tablet"]
Scope = Literal["left", "self", "right"]
Side = Literal["day", "night"]
ActKind = Literal["build", "stage", "discard", "pick", "decline", "lose"]
Question = Literal["last-card", "pick", "lose"]
Free = Literal["chain", "colour", "first", "last", "discard"]
BotKind = Literal["random", "builder"]

RAW_MATERIALS: tuple[Resource, ...] = ("wood", "stone", "clay", "ore")
MANUFACTURED_GOODS: tuple[Resource, ...] = ("glass", "loom", "papyrus")
SYMBOLS: tuple[Symbol, ...] = ("compass", "gear", "tablet")
SIDES: tuple[Side, ...] = ("day", "night")
CATEGORIES = ("military", "treasury", "wonder", "civilian", "science", "commercial", "guilds", "edifice")
"""The rows of the score sheet, in the order of R80."""

AGES = 3
TURNS = 6
HAND_SIZE = 7
STARTING_COINS = 3
DISCARD_COINS = 3
TRADE_PRICE = 2
COINS_PER_POINT = 3
SET_POINTS = 7
VICTORY = (1, 3, 5)
DEFEAT = -1
DEBT = (-2, -3, -5)
LEFTWARD = (True, False, True)
"""Whether the hands go to the left neighbour in Age I, II, III (R6)."""


def left_of(seat: Seat, cities: int) -> Seat:
    """The left neighbour in a ring of `cities`.

    >>> left_of(2, 3)
    0
    """
    return (seat + 1) % cities


def right_of(seat: Seat, cities: int) -> Seat:
    """The right neighbour in a ring of `cities`."""
    return (seat - 1) % cities
