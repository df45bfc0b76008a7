"""The keys of a position document: what FEN is to chess, written down by hand."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from events.facts import ActValue
from events.vocabulary import DEBT, DEFEAT, VICTORY, Side

PRESETS: dict[str, dict[str, str]] = {
    "booklet": {
        "edifice_tokens": "cities-1",
        "edifice_reward": "age-end",
        "edifice_penalty": "after-conflicts",
        "free_city_control": "age",
    },
    "publisher": {
        "edifice_tokens": "printed",
        "edifice_reward": "at-once",
        "edifice_penalty": "before-conflicts",
        "free_city_control": "turn",
    },
}
"""The two rule presets: option -> value."""

Natural = Annotated[int, Meta(ge=0, le=10_000)]
AgeNumber = Annotated[int, Meta(ge=1, le=3)]
TokenValue = Literal[-1, 1, 3, 5]
DebtValue = Literal[-2, -3, -5]
assert {*VICTORY, DEFEAT} == {-1, 1, 3, 5}
assert set(DEBT) == {-2, -3, -5}


class RuleTable(Struct, frozen=True, forbid_unknown_fields=True):
    """Single options, laid over `booklet`."""

    edifice_tokens: Literal["cities-1", "printed"] = "cities-1"
    edifice_reward: Literal["age-end", "at-once"] = "age-end"
    edifice_penalty: Literal["after-conflicts", "before-conflicts"] = "after-conflicts"
    free_city_control: Literal["age", "turn"] = "age"


class ProjectEntry(Struct, frozen=True, forbid_unknown_fields=True):
    """One Age's project; tokens None: all, by the rules."""

    project: str
    state: Literal["open", "completed", "failed"] = "open"
    tokens: Natural | None = None


class CityEntry(Struct, frozen=True, forbid_unknown_fields=True):
    """One city of the ring."""

    name: Annotated[str, Meta(min_length=1)]
    wonder: str
    side: Side
    stages: Natural = 0
    options: dict[str, str] = {}
    coins: Natural = 3
    built: tuple[str, ...] = ()
    hand: tuple[str, ...] = ()
    tokens: tuple[TokenValue, ...] = ()
    debts: tuple[DebtValue, ...] = ()
    participates: tuple[AgeNumber, ...] = ()
    rewards: tuple[str, ...] = ()
    free: bool = False


class PlayEntry(Struct, frozen=True, forbid_unknown_fields=True):
    """What one city does in one play: one action with its own keys."""

    build: str | UnsetType = UNSET
    stage: str | UnsetType = UNSET
    discard: str | UnsetType = UNSET
    pick: str | UnsetType = UNSET
    lose: str | UnsetType = UNSET
    decline: Literal[True] | UnsetType = UNSET
    left: Natural | UnsetType = UNSET
    right: Natural | UnsetType = UNSET
    participate: bool | UnsetType = UNSET
    option: str | UnsetType = UNSET


BESIDE: dict[str, tuple[str, ...]] = {
    "build": ("left", "right"),
    "stage": ("left", "right", "participate", "option"),
    "discard": (),
    "pick": (),
    "lose": (),
    "decline": (),
}
"""Action -> the keys that may stand beside it."""


class Document(Struct, frozen=True, forbid_unknown_fields=True):
    """A whole position document."""

    city: tuple[CityEntry, ...]
    rules: Literal["booklet", "publisher"] | RuleTable = "booklet"
    seed: str = ""
    age: AgeNumber = 1
    turn: Annotated[int, Meta(ge=1, le=6)] = 1
    discard: tuple[str, ...] = ()
    edifice: tuple[ProjectEntry, ...] | None = None
    play: tuple[dict[str, PlayEntry], ...] = ()
    holder: str | None = None
    pile: tuple[str, ...] | None = None
    drawn: str | None = None


def action_of(entry: PlayEntry) -> tuple[ActValue, str | None]:
    """The act and the card of one play."""
    kind = next(action for action in BESIDE if getattr(entry, action) is not UNSET)
    card = None if kind == "decline" else getattr(entry, kind)
    act = ActValue(
        kind=kind,  # type: ignore[arg-type]
        left=0 if entry.left is UNSET else entry.left,
        right=0 if entry.right is UNSET else entry.right,
        participate=False if entry.participate is UNSET else entry.participate,
        option=None if entry.option is UNSET else entry.option,
    )
    return act, card
