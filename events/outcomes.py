"""What the rules made of a turn or an Age: facts with all their numbers, so that a reader needs no rules.

Part of the storage format, like `events.facts`.
"""

from __future__ import annotations

from typing import Literal

from events.sealed import Opening, Sealed
from events.values import ActValue, CardValue, CityConflicts, Event, Owed, Seen, Sheet
from events.vocabulary import CardId, Free, Question


class CoinsPaid(Event, frozen=True, kw_only=True):
    """Coins left a city.  to: the neighbour's seat, None for the bank."""

    city: int
    to: int | None
    amount: int
    why: Literal["trade", "cost", "project"]


class CoinsReceived(Event, frozen=True, kw_only=True):
    """Coins came from the bank.  source: the card, "stage:<n>", "discard" or the project that brought them."""

    city: int
    amount: int
    source: str


class CardBuilt(Event, frozen=True, kw_only=True):
    """A building stands.  free: why it cost nothing, if so; origin: where the card came from ("pile": R95)."""

    city: int
    card: CardId
    free: Free | None
    origin: Literal["hand", "discard", "pile"] = "hand"


class StageBuilt(Event, frozen=True, kw_only=True):
    """A wonder stage stands, the card face down under it.  pick: the city may now build from the discard pile (R41)."""

    city: int
    stage: int
    option: str | None
    card: Sealed[CardId]
    pick: bool = False
    origin: Literal["hand", "pile"] = "hand"


class CardDiscarded(Event, frozen=True, kw_only=True):
    """A card went face down to the discard pile.  why: an action, a leftover of the Age, or the two-player pile."""

    city: int
    card: Sealed[CardId]
    why: Literal["action", "leftover", "pile"]
    origin: Literal["hand", "pile"] = "hand"


class ParticipationTaken(Event, frozen=True, kw_only=True):
    """A token of a project.  left: tokens then on the card; box: it came from the box (R63's spare, R73)."""

    city: int
    age: int
    project: str
    left: int
    box: bool = False


class ExtraAsked(Event, frozen=True, kw_only=True):
    """The game waits for an extra choice.  seats answer for cities; offers: the cards on offer, sealed (None: own buildings)."""

    question: Question
    age: int
    turn: int
    cities: tuple[int, ...]
    seats: tuple[int, ...]
    offers: tuple[Sealed[tuple[CardId, ...]], ...]
    deadline: int | None


class ExtraChosen(Event, frozen=True, kw_only=True):
    """An answer; final when one seat alone was asked, else it may be changed until the last one."""

    seat: int
    city: int
    question: Question
    age: int
    turn: int
    number: int
    seen: Seen | None
    act: Sealed[ActValue]
    card: Sealed[CardValue]


class ExtraWithdrawn(Event, frozen=True, kw_only=True):
    """An answer was taken back while others are still awaited."""

    seat: int
    city: int
    question: Question
    age: int
    turn: int
    number: int
    seen: Seen | None
    signature: str | None = None


class ExtraRevealed(Event, frozen=True, kw_only=True):
    """The answers are turned over, as far as the rules make them public."""

    question: Question
    age: int
    turn: int
    openings: tuple[Opening, ...]


class HandsPassed(Event, frozen=True, kw_only=True):
    """The hands went on (to: "left", "right", or "border" between two players); `turn` is the new turn."""

    age: int
    turn: int
    to: Literal["left", "right", "border"]
    size: int
    hands: tuple[Sealed[tuple[CardId, ...]], ...]
    holder: int | None
    deadline: int | None


class AgeEnded(Event, frozen=True, kw_only=True):
    """The sixth turn is over, picks included.  owed: what follows, in order."""

    age: int
    owed: tuple[Owed, ...]


class ConflictsResolved(Event, frozen=True, kw_only=True):
    """Every border of an Age, with both shields and the tokens taken (R50)."""

    age: int
    cities: tuple[CityConflicts, ...]


class EdificeCompleted(Event, frozen=True, kw_only=True):
    """No token is left on the project: its holders are rewarded (R64)."""

    age: int
    project: str
    holders: tuple[int, ...]


class EdificeFailed(Event, frozen=True, kw_only=True):
    """A token was left when the Age ended: cities without one are penalised (R65)."""

    age: int
    project: str
    left: int
    holders: tuple[int, ...]
    penalised: tuple[int, ...]


class RewardGranted(Event, frozen=True, kw_only=True):
    """A city has a project's reward for good; coins come in an event of their own.

    tokens: victory tokens taken; dropped: defeat tokens given back (R69)."""

    city: int
    project: str
    tokens: tuple[int, ...] = ()
    dropped: int = 0


class PenaltySuffered(Event, frozen=True, kw_only=True):
    """A penalty, whole; or the Debt token that stands for it (R66)."""

    city: int
    project: str
    kind: Literal["coins", "discard", "tokens", "debt"]
    coins: int = 0
    card: CardId | None = None
    tokens: tuple[int, ...] = ()
    debt: int = 0


class EdificeEvaluated(Event, frozen=True, kw_only=True):
    """The Age's evaluation is over; its tokens have left the boards (R72).  owed: what follows."""

    age: int
    project: str
    owed: tuple[Owed, ...]


class GameScored(Event, frozen=True, kw_only=True):
    """The score sheets, and the places from first to last; a shared place lists several seats."""

    sheets: tuple[Sheet, ...]
    places: tuple[tuple[int, ...], ...]
