"""What an audit says in the end: each thing that does not fit, in a sentence, and what no audit can prove."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import Struct

from projections.audit_kinds import Kind, Unproved

MOST = 100
"""Findings that a report lists; one is enough to fail."""
LONGEST = 100
"""Characters of a value in a sentence."""
AGES = ("", "I", "II", "III")


class Finding(Struct, frozen=True, kw_only=True):
    """Something that does not fit.

    kind: what it is about, of a closed list.  version: of the event, 0 for the bundle as a whole.  field: the path in the event
    or the member of the bundle.
    recorded, recomputed: both values as JSON would show them, None where there is none.
    """

    kind: Kind
    version: int
    field: str
    recorded: Any
    recomputed: Any
    sentence: str


class Report(Struct, frozen=True, kw_only=True):
    """An audit.  version, at: the head of the log; complete: everything was opened, so nothing was left unchecked.

    checked: how many events, seals, decisions, draws, signatures, heads and receipts were recomputed and compared.
    signed, unsigned: people's seats with and without a key; by_host: moves of signed seats that the host made (bots, time-outs).
    not_proved: what the audit cannot know, one sentence each; unproved: the same by its kind, in the same order.
    """

    game: str
    version: int
    at: int
    viewer: str
    complete: bool
    clean: bool
    findings: tuple[Finding, ...]
    more: int
    checked: dict[str, int]
    signed: tuple[int, ...]
    unsigned: tuple[int, ...]
    by_host: tuple[int, ...]
    not_proved: tuple[str, ...]
    unproved: tuple[Unproved, ...]


class Findings:
    """Collects what an audit finds, and counts what it looked at."""

    def __init__(self) -> None:
        self.all: list[Finding] = []
        self.more = 0
        self.not_proved: dict[str, Unproved] = {}
        self.checked = dict.fromkeys(("events", "seals", "decisions", "draws", "signatures", "heads", "receipts"), 0)
        self.by_host: list[int] = []

    def add(self, kind: Kind, version: int, field: str, recorded: Any, recomputed: Any, sentence: str) -> None:
        """One more thing that does not fit."""
        if len(self.all) == MOST:
            self.more += 1
            return
        was, should = plain(recorded), plain(recomputed)
        self.all.append(Finding(kind=kind, version=version, field=field, recorded=was, recomputed=should, sentence=sentence))

    def unless(self, kind: Kind, fits: bool, version: int, field: str, recorded: Any, recomputed: Any, sentence: str) -> bool:
        """A finding unless it fits; whether it does."""
        if not fits:
            self.add(kind, version, field, recorded, recomputed, sentence)
        return fits

    def note(self, kind: Unproved, sentence: str) -> None:
        """Something that is not proved; said once."""
        self.not_proved.setdefault(sentence, kind)


def plain(value: Any) -> Any:
    """A value as JSON shows it; bytes as text."""
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else msgspec.to_builtins(value)


def moment(age: int, turn: int) -> str:
    """When it was, for people.

    >>> moment(2, 3)
    'Age II, turn 3'
    """
    return f"Age {AGES[age]}, turn {turn}" if 1 <= age <= 3 else "before the first turn"


def shown(value: Any) -> str:
    """A value in a sentence; a long one is cut, it stands in full beside it."""
    if value is None or value == "":
        return "nothing"
    text = value if isinstance(value, str) else msgspec.json.encode(value).decode()
    return text if len(text) <= LONGEST else text[:LONGEST] + "..."


def differences(recorded: Any, recomputed: Any, path: str = "") -> list[tuple[str, Any, Any]]:
    """(path, recorded, recomputed) of every leaf in which two plain values differ.

    >>> differences({"coins": 3, "who": [1]}, {"coins": 2, "who": [1]})
    [('coins', 3, 2)]
    """
    if isinstance(recorded, dict) and isinstance(recomputed, dict):
        return [
            difference
            for key in {**recorded, **recomputed}
            for difference in differences(recorded.get(key), recomputed.get(key), f"{path}/{key}" if path else key)
        ]
    if isinstance(recorded, (list, tuple)) and isinstance(recomputed, (list, tuple)) and len(recorded) == len(recomputed):
        return [
            difference
            for place, (one, other) in enumerate(zip(recorded, recomputed, strict=True))
            for difference in differences(one, other, f"{path}/{place}")
        ]
    return [] if type(recorded) is type(recomputed) and recorded == recomputed else [(path, recorded, recomputed)]
