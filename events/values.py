"""What stands inside the facts: how a table plays, what a choice is, a border's comparison, a score sheet's lines."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from events.vocabulary import ActKind, CardId, Side

Owed = Literal["conflicts", "edifice", "deal", "score"]
"""What an Age's end still owes."""


class Event(Struct, frozen=True, kw_only=True, tag_field="type"):
    """at: when, ms.  by: "host", "game" or "seat:<n>"."""

    v: int = 1
    at: int
    by: str


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
