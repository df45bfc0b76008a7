"""What may be asked of a table: by players and hosts, and by the game itself.

Times (`at`, ms) and random bytes arrive in the command, so that the same commands give the same bytes.
"""

from __future__ import annotations

from msgspec import Struct

from events.facts import ActValue, Options, Seen
from events.vocabulary import BotKind, CardId, Side


class Command(Struct, frozen=True, kw_only=True, tag_field="type"):
    """Something asked at a time."""

    at: int = 0


# ---- hosts ------------------------------------------------------------------------------------------------------------
class OpenGame(Command, frozen=True, kw_only=True):
    """Open a table.  host: SHA-256 of the host's secret; key: the new game key (32 bytes), never stored in the log."""

    game: str
    host: str
    options: Options
    key: bytes
    expires: int
    rematch_of: str | None = None


class RemoveSeat(Command, frozen=True, kw_only=True):
    """The host sends somebody away before the start."""

    seat: int


class StartGame(Command, frozen=True, kw_only=True):
    """All are there and ready: begin."""

    key: bytes = b""


class CancelTable(Command, frozen=True, kw_only=True):
    """The host closes a table that has not started, or one where only bots play."""

    key: bytes = b""


# ---- seats ------------------------------------------------------------------------------------------------------------
class TakeSeat(Command, frozen=True, kw_only=True):
    """Sit down.  seat None: the first free one.  nonce: 32 random bytes (hex) for the erasable name."""

    seat: int | None
    name: str
    nonce: str
    token: str | None = None
    entropy: str | None = None
    bot: BotKind | None = None
    wonder: str | None = None
    side: Side | None = None
    public_key: str | None = None


class LeaveSeat(Command, frozen=True, kw_only=True):
    """Stand up before the start."""

    seat: int


class CommitEntropy(Command, frozen=True, kw_only=True):
    """Commit anew, after a seat had left during the reveals."""

    seat: int
    entropy: str


class RevealEntropy(Command, frozen=True, kw_only=True):
    """Open one's part of the deal (hex) when the seats are full."""

    seat: int
    entropy: str


class ChooseAction(Command, frozen=True, kw_only=True):
    """Choose for a city in the current turn.  number None: the next one."""

    seat: int
    city: int
    age: int
    turn: int
    card: CardId
    act: ActValue
    number: int | None = None
    seen: Seen | None = None
    card_signature: str | None = None


class WithdrawAction(Command, frozen=True, kw_only=True):
    """Take a choice back before the reveal."""

    seat: int
    city: int
    age: int
    turn: int
    number: int | None = None
    seen: Seen | None = None
    signature: str | None = None


class AnswerExtra(Command, frozen=True, kw_only=True):
    """Answer the extra question that is asked (card None: decline)."""

    seat: int
    city: int
    age: int
    turn: int
    card: CardId | None
    act: ActValue
    number: int | None = None
    seen: Seen | None = None
    card_signature: str | None = None


class WithdrawExtra(Command, frozen=True, kw_only=True):
    """Take an answer back while others are awaited."""

    seat: int
    city: int
    age: int
    turn: int
    number: int | None = None
    seen: Seen | None = None
    signature: str | None = None


class HandToBot(Command, frozen=True, kw_only=True):
    """Let a bot play on for this seat."""

    seat: int
    bot: BotKind


class ReclaimSeat(Command, frozen=True, kw_only=True):
    """Play oneself again."""

    seat: int


class AgreeAbort(Command, frozen=True, kw_only=True):
    """Agree to end the game unfinished."""

    seat: int
    key: bytes = b""


# ---- the game itself --------------------------------------------------------------------------------------------------
class RevealTurn(Command, frozen=True, kw_only=True):
    """All have chosen: turn the cards over."""


class ResolveConflicts(Command, frozen=True, kw_only=True):
    """Compare shields on every border."""


class EvaluateEdifice(Command, frozen=True, kw_only=True):
    """Reward or penalise the Age's project."""


class DealAge(Command, frozen=True, kw_only=True):
    """Deal the next Age."""

    key: bytes = b""


class ScoreGame(Command, frozen=True, kw_only=True):
    """Count the points and close the game."""

    key: bytes = b""


class TimeOut(Command, frozen=True, kw_only=True):
    """Choose the written default for a seat whose time is over."""

    seat: int
    city: int


class PlayBot(Command, frozen=True, kw_only=True):
    """A bot's seat is awaited: its handler chooses, with the seat's own view, and sends that seat's command."""

    seat: int
    city: int


class ExtendClock(Command, frozen=True, kw_only=True):
    """Move the deadline after an outage."""

    deadline: int


class CloseGame(Command, frozen=True, kw_only=True):
    """Close a table that never started or that nobody plays."""

    key: bytes = b""


PlayerCommand = (
    OpenGame | RemoveSeat | StartGame | CancelTable | TakeSeat | LeaveSeat | CommitEntropy | RevealEntropy | ChooseAction
    | WithdrawAction | AnswerExtra | WithdrawExtra | HandToBot | ReclaimSeat | AgreeAbort
)  # fmt: skip
SystemCommand = (
    RevealTurn | ResolveConflicts | EvaluateEdifice | DealAge | ScoreGame | TimeOut | PlayBot | ExtendClock | CloseGame
)  # fmt: skip
AnyCommand = PlayerCommand | SystemCommand
