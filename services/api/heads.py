"""The host's word on the log, on the live stream: a signed head at each reveal, at each Age's end and at the end of the game."""

from __future__ import annotations

import msgspec
from msgspec import Struct

from projections.bundle import HEADED, Head
from services.api.streams import StreamLine
from workers.wiring import House

_HEADED = frozenset(kind.__name__ for kind in HEADED)


class _Kind(Struct, frozen=True):
    type: str


def head_of(house: House, game: str, line: StreamLine) -> Head | None:
    """The signed head that belongs to a line of the stream, if one does."""
    kind = msgspec.json.decode(line.event, type=_Kind).type
    return house.host_key.head(game, line.version, bytes.fromhex(line.link)) if kind in _HEADED else None


def told(house: House, game: str, line: StreamLine) -> bytes:
    """The server-sent event of that head, none for other lines.  It has no id: the line before it was told."""
    head = head_of(house, game, line)
    return b"" if head is None else b"event: head\ndata: %s\n\n" % msgspec.json.encode(head)
