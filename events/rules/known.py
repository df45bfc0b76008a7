"""What a viewer makes of a sealed card: the card itself, or an unknown one."""

from __future__ import annotations

from typing import TypeVar

from msgspec import UNSET

from events.sealed import Sealed
from events.vocabulary import CardId

T = TypeVar("T")


def known(sealed: Sealed[T]) -> T | None:
    return None if sealed.value is UNSET else sealed.value


def cards_of(sealed: Sealed[tuple[CardId, ...]], size: int) -> tuple[CardId | None, ...]:
    cards = known(sealed)
    return (None,) * size if cards is None else cards


def all_known(cards: tuple[CardId | None, ...]) -> tuple[CardId, ...]:
    """Those that are known; for the server itself, that is all of them."""
    if None not in cards:
        return cards  # type: ignore[return-value]
    return tuple([card for card in cards if card is not None])


def without(cards: tuple[CardId | None, ...], card: CardId | None) -> tuple[CardId | None, ...]:
    """One card fewer: the first of that id if it is known to be there, else an unknown one."""
    try:
        place = cards.index(card)
    except ValueError:
        if None not in cards:
            return cards
        place = cards.index(None)
    return cards[:place] + cards[place + 1 :]
