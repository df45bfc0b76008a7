"""A viewer's stream: every public event of a game, with the openings of what this viewer may read."""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock
from typing import Annotated

import msgspec
from msgspec import Meta, Raw, Struct

from events import codec
from events.sealed import Opening
from events.store.protocol import Entry
from events.transact import Table

KEPT_GAMES = 128
LATEST = 1_000_000
"""No game comes near this version."""
NAMED = b'"type":"SeatTaken"'
LAST = b'"type":"GameClosed"'
LEFT = b'"type":"SeatLeft"'


class StreamLine(Struct, frozen=True, kw_only=True):
    """One event as a viewer gets it.  event: the exact public bytes; link: hex, of the chain up to here; openings: the seals
    that the viewer may open, and the names that were not erased."""

    version: Annotated[int, Meta(ge=1)]
    event: Raw
    link: Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
    openings: tuple[Opening, ...]


class Streams:
    """Logs as they are read again and again by those who watch the same tables; the cache is short and holds no truth."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._logs: OrderedDict[str, list[tuple[int, Entry]]] = OrderedDict()
        self._lock = Lock()

    def entries(self, game: str, after: int) -> list[tuple[int, Entry]]:
        """Everything above a version, up to the head of the log as it is now.  Raises StoreUnavailable."""
        with self._lock:
            known = self._logs.get(game, [])
        fresh = self._table.store.read(game, len(known))
        if fresh:
            known = known[: fresh[0][0] - 1] + fresh
        with self._lock:
            if len(known) >= len(self._logs.get(game, ())):
                self._logs[game] = known
            self._logs.move_to_end(game)
            while len(self._logs) > KEPT_GAMES:
                self._logs.popitem(last=False)
        return known[after:]

    def lines(self, game: str, viewer: int, after: int, most: int | None = None) -> list[StreamLine]:
        """The viewer's stream above a version, at most so many lines.  Names are asked for anew each time: an erased one is
        gone at once, in every process."""
        entries = self.entries(game, after)[:most]
        if not entries:
            return []
        names = self._table.store.names(game) if any(NAMED in entry.e for _, entry in entries) else {}
        key = (self._table.known(game) or self._table.load(game)).key
        return [
            StreamLine(
                version=version,
                event=Raw(entry.e),
                link=entry.l.hex(),
                openings=codec.openings(version, entry.e, entry.s, names, key, viewer),
            )
            for version, entry in entries
        ]


def leaves(line: StreamLine, viewer: int) -> bool:
    """Whether this is the moment in which the viewer's seat becomes somebody else's to take."""
    event = bytes(line.event)
    return LEFT in event and bool(msgspec.json.decode(event)["seat"] == viewer)


def ends(line: StreamLine) -> bool:
    """Whether nothing can follow."""
    return LAST in bytes(line.event)
