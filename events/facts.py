"""What happened at a table, one fact an event: these shapes are the storage format and only ever grow.

Three kinds: *will* (what a person or bot chose), *chance* (what the deal gave), *consequence* (what the rules made of it,
in full and with its numbers, so that a reader needs no rules).  Money is in coins, times are ms since the epoch, secrets
and hashes are hex.  A change of a shape raises its `v` and adds an upcast in `events.upcasts`.
"""

from __future__ import annotations

from typing import Literal

from events.outcomes import (
    AgeEnded as AgeEnded,
    CardBuilt as CardBuilt,
    CardDiscarded as CardDiscarded,
    CoinsPaid as CoinsPaid,
    CoinsReceived as CoinsReceived,
    ConflictsResolved as ConflictsResolved,
    EdificeCompleted as EdificeCompleted,
    EdificeEvaluated as EdificeEvaluated,
    EdificeFailed as EdificeFailed,
    ExtraAsked as ExtraAsked,
    ExtraChosen as ExtraChosen,
    ExtraRevealed as ExtraRevealed,
    ExtraWithdrawn as ExtraWithdrawn,
    GameScored as GameScored,
    HandsPassed as HandsPassed,
    ParticipationTaken as ParticipationTaken,
    PenaltySuffered as PenaltySuffered,
    RewardGranted as RewardGranted,
    StageBuilt as StageBuilt,
)
from events.sealed import Erasable, Opening, Sealed
from events.values import (
    ActValue as ActValue,
    BoardDealt as BoardDealt,
    CardValue as CardValue,
    CityConflicts as CityConflicts,
    Comparison as Comparison,
    Event as Event,
    Line as Line,
    Options as Options,
    Owed as Owed,
    Seen as Seen,
    Sheet as Sheet,
)
from events.vocabulary import BotKind, CardId, Question, Side


# ---- gathering --------------------------------------------------------------------------------------------------------
class GameOpened(Event, frozen=True, kw_only=True):
    """A table was opened.  host: SHA-256 of the host's secret; key: SHA-256 of the game key (the deal's commitment)."""

    game: str
    host: str
    key: str
    options: Options
    engine: int
    catalogue: str
    expires: int
    rematch_of: str | None = None


class SeatTaken(Event, frozen=True, kw_only=True):
    """Somebody sat down.  token: SHA-256 of the seat's secret (None: a bot); entropy: the commitment to its part of the deal."""

    seat: int
    name: Erasable[str]
    bot: BotKind | None = None
    token: str | None = None
    entropy: str | None = None
    wonder: str | None = None
    side: Side | None = None
    public_key: str | None = None


class SeatLeft(Event, frozen=True, kw_only=True):
    """A seat became free again before the start; if reveals had begun, everyone commits anew."""

    seat: int
    why: Literal["left", "removed"]


class EntropyCommitted(Event, frozen=True, kw_only=True):
    """A new commitment, after a seat had left in the middle of the reveals."""

    seat: int
    entropy: str


class EntropyRevealed(Event, frozen=True, kw_only=True):
    """A seat's part of the deal, opened (hex); a bot's is derived from the key."""

    seat: int
    entropy: str
    derived: bool = False


class GameStarted(Event, frozen=True, kw_only=True):
    """Boards, projects and the first coins are on the table."""

    boards: tuple[BoardDealt, ...]
    coins: int
    projects: tuple[str, ...]
    tokens: int
    free_city: int | None = None


class AgeDealt(Event, frozen=True, kw_only=True):
    """An Age's hands.  size: cards in each hand; pile: the draw pile of two players, which nobody may read."""

    age: int
    size: int
    hands: tuple[Sealed[tuple[CardId, ...]], ...]
    pile: Sealed[tuple[CardId, ...]] | None = None
    pile_size: int = 0
    holder: int | None = None
    deadline: int | None = None


class CardDrawn(Event, frozen=True, kw_only=True):
    """The holder of the Free City card drew the top of the pile (R91)."""

    seat: int
    card: Sealed[CardId]
    left: int


# ---- choosing ---------------------------------------------------------------------------------------------------------
class ActionChosen(Event, frozen=True, kw_only=True):
    """A seat chose for a city (its own, or the Free City's); a higher number replaces a lower one."""

    seat: int
    city: int
    age: int
    turn: int
    number: int
    seen: Seen | None
    act: Sealed[ActValue]
    card: Sealed[CardValue]


class ActionWithdrawn(Event, frozen=True, kw_only=True):
    """A choice was taken back before the reveal.  why: "asked", or "own-choice" when a changed own choice undid the Free City's."""

    seat: int
    city: int
    age: int
    turn: int
    number: int
    seen: Seen | None
    why: Literal["asked", "own-choice"] = "asked"
    signature: str | None = None


class SeatTimedOut(Event, frozen=True, kw_only=True):
    """The clock ran out: the written default was chosen.  question: None in a turn, else the extra that was asked."""

    seat: int
    city: int
    age: int
    turn: int
    question: Question | None
    number: int
    missed: int
    act: Sealed[ActValue]
    card: Sealed[CardValue]


class TurnRevealed(Event, frozen=True, kw_only=True):
    """All choices are turned over: every act, and the card only where it is built."""

    age: int
    turn: int
    openings: tuple[Opening, ...]


# ---- time and persons -------------------------------------------------------------------------------------------------
class ClockExtended(Event, frozen=True, kw_only=True):
    """After an outage nobody has less than a fair rest of the time."""

    deadline: int


class SeatHandedToBot(Event, frozen=True, kw_only=True):
    """A bot plays for a seat until the person returns."""

    seat: int
    bot: BotKind


class SeatReclaimed(Event, frozen=True, kw_only=True):
    """The person is back."""

    seat: int


class AbortAgreed(Event, frozen=True, kw_only=True):
    """A seat agrees to end the game unfinished; when all people agree, it is closed."""

    seat: int


class GameClosed(Event, frozen=True, kw_only=True):
    """The end of the log.  key: the game key (hex): from now on everyone can open every seal and deal the cards again."""

    reason: Literal["finished", "aborted", "cancelled", "abandoned", "expired"]
    key: str


AnyEvent = (
    GameOpened | SeatTaken | SeatLeft | EntropyCommitted | EntropyRevealed | GameStarted | AgeDealt | CardDrawn | ActionChosen
    | ActionWithdrawn | SeatTimedOut | TurnRevealed | CoinsPaid | CoinsReceived | CardBuilt | StageBuilt | CardDiscarded
    | ParticipationTaken | ExtraAsked | ExtraChosen | ExtraWithdrawn | ExtraRevealed | HandsPassed | AgeEnded | ConflictsResolved
    | EdificeCompleted | EdificeFailed | RewardGranted | PenaltySuffered | EdificeEvaluated | GameScored | ClockExtended
    | SeatHandedToBot | SeatReclaimed | AbortAgreed | GameClosed
)  # fmt: skip
