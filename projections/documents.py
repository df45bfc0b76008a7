"""The documents that people see: the table for everybody, what one seat knows beside it, and everything once a game is closed.

`docs/views.md` explains every key.  Coins are in coins, times in ms since the epoch, seats and cities are numbered from 0.
"""

from __future__ import annotations

from msgspec import UNSET, Struct, UnsetType
from msgspec.json import Encoder

from events.catalogue.things import AnyEffect, Penalty
from events.facts import CityConflicts, Options
from events.rules.trade import Payment
from events.vocabulary import CardId, Free
from projections.city import CityDoc

encode = Encoder().encode
"""Keys in the order in which they were put: a struct's as declared, a dict's as the box, the score pad or the ring has them."""


# ---- the table --------------------------------------------------------------------------------------------------------
class Ruleset(Struct, frozen=True, kw_only=True):
    """How the table plays.  preset: "booklet", "publisher" or "custom"."""

    preset: str
    options: Options
    engine: int
    catalogue: str


class Clock(Struct, frozen=True, kw_only=True):
    """turn_ms: time for each question (None: no clock); deadline: of the question that is open now."""

    turn_ms: int | None
    deadline: int | None


class SeatDoc(Struct, frozen=True, kw_only=True):
    """Who sits on a chair; name None: the chair is free, or the name was erased; signed: its moves bear its key's signature."""

    seat: int
    taken: bool
    name: str | None = None
    bot: str | None = None
    stand_in: str | None = None
    committed: bool = False
    ready: bool = False
    signed: bool = False
    wonder: str | None = None
    side: str | None = None
    missed: int = 0
    agrees_to_abort: bool = False


class GatheringDoc(Struct, frozen=True, kw_only=True):
    """Before the start.  full: every chair is taken; revealable: all have committed, so that seats can get ready."""

    expires: int
    recommit: bool
    full: bool
    revealable: bool
    startable: bool


class AwaitedDoc(Struct, frozen=True, kw_only=True):
    """A question that is open.  kind: "choose", "last-card", "pick", "lose"; chosen: answered already (it may still be changed)."""

    seat: int
    city: int
    kind: str
    chosen: bool


class ProjectDoc(Struct, frozen=True, kw_only=True):
    """One Age's project and what is at stake.  tokens: left on the card, of `of`; holders: cities that held its token."""

    age: int
    project: str
    state: str
    tokens: int
    of: int
    coins: int
    holders: tuple[int, ...]
    reward: tuple[AnyEffect, ...]
    penalty: Penalty


class ConflictsDoc(Struct, frozen=True, kw_only=True):
    """Every border at the end of an Age."""

    age: int
    cities: tuple[CityConflicts, ...]


class DiscardDoc(Struct, frozen=True, kw_only=True):
    """The discard pile: how many cards, and which of them everybody knows (lost buildings)."""

    count: int
    known: tuple[CardId, ...]


class FreeCityDoc(Struct, frozen=True, kw_only=True):
    """Two players: the neutral city, who holds its card, the pile, whether the holder has drawn this turn."""

    city: int
    holder: int | None
    pile: int
    has_drawn: bool


class ResultDoc(Struct, frozen=True, kw_only=True):
    """places: seats from first to last, a shared place lists several; totals: points by city."""

    places: tuple[tuple[int, ...], ...]
    totals: tuple[int, ...]


class TableDoc(Struct, frozen=True, kw_only=True):
    """The table as everybody sees it."""

    game: str
    version: int
    at: int
    phase: str
    age: int
    turn: int
    passing: str | None
    ruleset: Ruleset
    clock: Clock
    opened_at: int
    host: str
    rematch_of: str | None
    gathering: GatheringDoc | None
    seats: tuple[SeatDoc, ...]
    awaiting: tuple[AwaitedDoc, ...]
    owed: tuple[str, ...]
    cities: tuple[CityDoc, ...]
    discard: DiscardDoc
    edifice: tuple[ProjectDoc, ...]
    conflicts: tuple[ConflictsDoc, ...]
    free_city: FreeCityDoc | None
    result: ResultDoc | None
    closed: str | None


# ---- what one seat knows beside it --------------------------------------------------------------------------------------
class WhyNot(Struct, frozen=True, kw_only=True):
    """Why something cannot be done: the reason for programs, the sentence for people."""

    reason: str
    message: str


class PlayDoc(Struct, frozen=True, kw_only=True):
    """A legal play as in the position document: exactly one of build, stage, discard, pick, lose (a card) or decline.

    payments: every (coins left, coins right), sorted; joinable: those of them that leave coins to join the project."""

    build: CardId | UnsetType = UNSET
    stage: CardId | UnsetType = UNSET
    discard: CardId | UnsetType = UNSET
    pick: CardId | UnsetType = UNSET
    lose: CardId | UnsetType = UNSET
    decline: bool | UnsetType = UNSET
    payments: tuple[Payment, ...] | UnsetType = UNSET
    free: Free | UnsetType | None = UNSET
    cost: int | UnsetType = UNSET
    participate: bool | UnsetType = UNSET
    joinable: tuple[Payment, ...] | UnsetType = UNSET
    options: tuple[str, ...] | UnsetType = UNSET


class ChosenDoc(Struct, frozen=True, kw_only=True):
    """The choice that lies face down."""

    number: int
    kind: str
    card: CardId | None
    left: int
    right: int
    participate: bool
    option: str | None


class QuestionDoc(Struct, frozen=True, kw_only=True):
    """A question that this seat answers, for its own city or the Free City's.

    number: the last number used in it; own: the Free City's question only: the card chosen for the own city (None: choose
    that first); refused: why a card cannot be built, by card; stage, join, discard: why that is not possible (None: it is)."""

    city: int
    kind: str
    number: int
    changeable: bool
    chosen: ChosenDoc | None
    cards: tuple[CardId, ...]
    plays: tuple[PlayDoc, ...]
    refused: dict[str, WhyNot]
    stage: WhyNot | None
    join: WhyNot | None
    discard: WhyNot | None
    own: CardId | UnsetType | None = UNSET


class YouDoc(Struct, frozen=True, kw_only=True):
    """What one seat knows and the others do not.

    under: the cards under boards, by city, where it placed one; discard: the cards that it knows in the pile."""

    seat: int
    hand: tuple[CardId, ...]
    drawn: CardId | None
    under: dict[str, tuple[CardId | None, ...]]
    discard: tuple[CardId, ...]
    questions: tuple[QuestionDoc, ...]


class HandDoc(TableDoc, frozen=True, kw_only=True):
    """The table as one seat sees it."""

    you: YouDoc


# ---- everything, once a game is closed ------------------------------------------------------------------------------------
class LaidDoc(Struct, frozen=True, kw_only=True):
    """A choice as it lay face down, opened afterwards."""

    city: int
    number: int
    kind: str
    card: CardId | None
    left: int
    right: int
    participate: bool
    option: str | None


class OpenDoc(Struct, frozen=True, kw_only=True):
    """All that was hidden at this moment.  hands, under: by city; discard: in discarding order; pile: top card first."""

    hands: tuple[tuple[CardId, ...], ...]
    under: tuple[tuple[CardId, ...], ...]
    discard: tuple[CardId, ...]
    pile: tuple[CardId, ...]
    drawn: CardId | None
    chosen: tuple[LaidDoc, ...]
    offers: tuple[tuple[CardId, ...], ...]


class OpenTableDoc(TableDoc, frozen=True, kw_only=True):
    """The table with every card face up."""

    open: OpenDoc
