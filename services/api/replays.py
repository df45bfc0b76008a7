"""A game to leaf through: every moment of it in one answer, as far as the caller may know it."""

from __future__ import annotations

import msgspec
from litestar import Response, get
from msgspec import Struct

from projections.frames import Frame, frames
from services.api.desk import Desk, Incoming
from services.api.openapi import describes
from services.api.threads import in_thread
from services.api.views import After, As, whose_eyes


class FramesDoc(Struct, frozen=True, kw_only=True):
    """The table after each event above version `after`, each told as its changes (docs/views.md)."""

    game: str
    after: int
    frames: tuple[Frame, ...]


@get("/games/{game:str}/frames", opt=describes(answers=(FramesDoc,)))
@in_thread
def leaves(request: Incoming, desk: Desk, game: str, after: After = 0, whose: As = None) -> Response[bytes]:
    """The table at every version at once, as changes from one to the next: what `replay` gives one by one."""
    kept = desk.load(request, game)
    viewer = whose_eyes(desk.caller(request, kept), kept.game, whose)
    found = frames(desk.streams.entries(game, 0), desk.house.store.names(game), viewer, after)
    return Response(msgspec.json.encode(FramesDoc(game=game, after=after, frames=found)), media_type="application/json")
