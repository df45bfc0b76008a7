"""What happened at a table, one fact an event: these shapes are the storage format and only ever grow.

Three kinds: *will* (what a person or bot chose), *chance* (what the deal gave), *consequence* (what the rules made of it,
in full and with its numbers, so that a reader needs no rules).  Money is in coins, times are ms since the epoch, secrets
and hashes are hex.  A change of a shape raises its `v` and adds an upcast in `events.upcasts`.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from events.sealed import Erasable, Opening, Sealed
from events.vocabulary import ActKind, BotKind, CardId, Free, Question, Side


class Event(Struct, frozen=True, kw_only=True, tag_field="type"):
    """at: when, ms.  by: "host", "game" or "seat:<n>"."""

    v: int = 1
    at: int
    by: str


Owed = Literal["conflicts", "edifice", "deal", "score"]
"""What an Age's end still owes."""


# ---- values inside events ---------------------------------------------------------------------------------------------
class Options(Struct, frozen=True, kw_only=True):
    """How a table plays; recorded in its first event and shown wherever the game is.

    players: 2 to 7.  wonders: boards that may be dealt or chosen.  boards: whether seats choose.  turn_ms: time for each
    question, None without a clock.  free_city: a board and side fixed by the host (two players).
    """

    players: int
    edifice: bool
    edifice_tokens: Literal["cities-1", "printed"] = "cities-1"
    edifice_reward: Literal["age-end", "at-once"] = "age-end"
    edifice_penalty: Literal["after-conflicts", "before-conflicts"] = "after-conflicts"
    free_city_control: Literal["age", "turn"] = "age"
    wonders: tuple[str, ...]
    boards: Literal["dealt", "chosen"] = "dealt"
    sides: Literal["dealt", "day", "night"] = "dealt"
    free_city: tuple[str, Side] | None = None
    turn_ms: int | None = None
    listed: bool = True


class Seen(Struct, frozen=True, kw_only=True):
    """The head of the log that a player had before the eyes when choosing."""

    version: int
    link: str


class ActValue(Struct, frozen=True, kw_only=True):
    """What was chosen, without the card: sealed until the reveal.  left, right: coins to each neighbour."""

    kind: ActKind
    left: int = 0
    right: int = 0
    participate: bool = False
    option: str | None = None
    signature: str | None = None


class CardValue(Struct, frozen=True, kw_only=True):
    """The card of a choice (None: declined): sealed apart from the act."""

    card: CardId | None
    signature: str | None = None


class BoardDealt(Struct, frozen=True):
    """The wonder board of one city."""

    wonder: str
    side: Side


class Comparison(Struct, frozen=True, kw_only=True):
    """One border as one city sees it; token 0: equal shields, nothing taken (R50)."""

    neighbour: int
    own: int
    theirs: int
    token: int


class CityConflicts(Struct, frozen=True, kw_only=True):
    """Both comparisons of a city, the left one first."""

    city: int
    shields: int
    left: Comparison
    right: Comparison


class Line(Struct, frozen=True, kw_only=True):
    """Where some points come from: a card, stage, token or project (`source`), and how they were counted."""

    source: str
    points: int
    count: int | None = None


class Sheet(Struct, frozen=True, kw_only=True):
    """The score sheet of a city: the rows of R80, each with its lines; the points of a row are the sum of its lines."""

    city: int
    coins: int
    rows: dict[str, tuple[Line, ...]]
    points: dict[str, int]
    total: int


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


# ---- consequences -----------------------------------------------------------------------------------------------------
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
