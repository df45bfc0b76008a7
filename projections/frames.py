"""A whole game to leaf through: the table after every event, each told as what is different from the one before."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Struct

from events.codec import EVERYTHING, SPECTATOR
from events.refusals import Reason, Refusal
from events.store.protocol import Entry
from projections.eyes import Eyes, look
from projections.hand import you_document
from projections.replay import open_document, refuse_unless_closed
from projections.table import city_documents, table_document

WHOLE = ""
"""The path of the document itself."""


class Frame(Struct, frozen=True, kw_only=True):
    """The table after one more event.

    changes: path -> value, in the order in which they are put in; a path is keys and places joined by "/", "" the document itself.
    """

    version: int
    changes: dict[str, Any]


def frames(entries: Sequence[tuple[int, Entry]], names: Mapping[str, bytes], viewer: int, after: int = 0) -> tuple[Frame, ...]:
    """The documents of `document_at` for every version above `after`; the first of them is told against version `after`.

    viewer: SPECTATOR, a seat's number, or EVERYTHING.  Raises Refusal: `unknown-seat`, or `not-allowed` for EVERYTHING while the
    game is not closed.
    """
    if viewer == EVERYTHING:
        refuse_unless_closed(entries)
    table, eyes = Eyes(SPECTATOR), Eyes(viewer)
    drawn: tuple[object, object, Any] = (None, None, [])
    known: Any = None
    found = []
    for version, entry in entries:
        look(version, entry, names, table, eyes)
        if viewer >= len(table.game.people):
            raise Refusal(Reason.UNKNOWN_SEAT, f"This table has the seats 1 to {len(table.game.people)}.")
        if version < after:
            continue
        game = table.game
        if drawn[0] is not game.cities or drawn[1] is not game.people:
            drawn = (game.cities, game.people, msgspec.to_builtins(city_documents(game)))
        document = _document(table, eyes, drawn[2])
        if version > after:
            found.append(Frame(version=version, changes=changes(known, document)))
        known = document
    return tuple(found)


def _document(table: Eyes, eyes: Eyes, cities: Any) -> dict[str, Any]:
    """What `document_at` gives, as plain values."""
    document: dict[str, Any] = msgspec.to_builtins(table_document(table.game, table.conflicts, ()))
    document["cities"] = cities
    if eyes.viewer == EVERYTHING:
        document["open"] = msgspec.to_builtins(open_document(eyes.game))
    elif eyes.viewer != SPECTATOR:
        document["you"] = msgspec.to_builtins(you_document(eyes.game, eyes.viewer))
    return document


def changes(before: Any, now: Any) -> dict[str, Any]:
    """What to put where, so that one plain value becomes another.

    >>> changes({"turn": 1, "cities": [{"coins": 3}, {"coins": 3}]}, {"turn": 1, "cities": [{"coins": 3}, {"coins": 5}]})
    {'cities/1/coins': 5}
    """
    found: dict[str, Any] = {}
    _compare(before, now, WHOLE, found)
    return found


def _compare(before: Any, now: Any, path: str, found: dict[str, Any]) -> None:
    if before == now:
        return
    if isinstance(before, dict) and isinstance(now, dict) and before.keys() == now.keys():
        for key, value in now.items():
            _compare(before[key], value, f"{path}/{key}" if path else key, found)
    elif isinstance(before, (list, tuple)) and isinstance(now, (list, tuple)) and len(before) == len(now):
        for place, value in enumerate(now):
            _compare(before[place], value, f"{path}/{place}" if path else str(place), found)
    else:
        found[path] = now
