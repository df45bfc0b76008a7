"""What stands on the sheet of a disputed turn: offers, choices, what was taken back, and what followed."""

from __future__ import annotations

from msgspec import Struct

from events.facts import ActValue, Seen
from events.vocabulary import CardId
from projections.dispute_price import Price


class OfferSheet(Struct, frozen=True, kw_only=True):
    """What lay before the seat.  cards None: the reader may not see them; drawn: the card from the pile beside them (R91)."""

    version: int
    at: int
    cards: tuple[CardId, ...] | None
    drawn: CardId | None = None


class ChoiceSheet(Struct, frozen=True, kw_only=True):
    """One choice, answer or time-out.  act, card None: face down for this reader; link: of the log after it, as on its receipt.

    by: "seat" or "game" (a bot, or the written default when time was over); fate: "counted", "replaced", "taken back" or "open".
    signature: "signed", "wrong", "no key", "by the host" or "face down"; revealed: the version that turned it over.
    """

    version: int
    at: int
    link: str
    number: int
    by: str
    timed_out: bool
    seen: Seen | None
    act: ActValue | None
    card: CardId | None
    fate: str
    signature: str
    revealed: int | None


class TakenBackSheet(Struct, frozen=True, kw_only=True):
    """A choice that went back into the hand.  why: "asked", or "own-choice" where a changed own choice undid the Free City's."""

    version: int
    at: int
    number: int
    why: str
    signature: str


class StepSheet(Struct, frozen=True, kw_only=True):
    """What followed, by the event that says so."""

    version: int
    at: int
    type: str
    text: tuple[str, ...]


class QuestionSheet(Struct, frozen=True, kw_only=True):
    """One question that the seat answered.  question: "choose", "last-card", "pick" or "lose"; city: for which city."""

    question: str
    city: int
    name: str
    offer: OfferSheet
    choices: tuple[ChoiceSheet, ...]
    taken_back: tuple[TakenBackSheet, ...]
    price: Price | None
    followed: tuple[StepSheet, ...]
    rulings: dict[str, str]


class DisputeDoc(Struct, frozen=True, kw_only=True):
    """The sheet.  key: the seat's public key, None for an unsigned seat; rulings: number -> what it says."""

    game: str
    version: int
    at: int
    age: int
    turn: int
    seat: int
    name: str
    key: str | None
    questions: tuple[QuestionSheet, ...]
