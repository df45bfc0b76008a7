"""Watching live: each event of the viewer's stream as it happens, from where the client left off."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from functools import partial
from typing import Annotated

import msgspec
from litestar import Response, get
from litestar.params import Parameter
from litestar.response import Stream

from events.rules.state import Over
from events.store.protocol import StoreUnavailable
from services.api.desk import Desk, Incoming, note
from services.api.heads import told
from services.api.openapi import describes
from services.api.problems import AGAIN, Denied
from services.api.streams import LATEST, StreamLine, ends, leaves

HEARTBEAT = 15.0
"""Seconds without an event until a comment is sent, so that nothing on the way takes the stream for dead."""
RETRY_MS = 1000

After = Annotated[int, Parameter(ge=0, le=LATEST, description="The version after which to begin.")]
LastEventId = Annotated[
    str | None,
    Parameter(
        header="Last-Event-ID",
        pattern="^[0-9]{1,6}$",
        description="The version of the last event that came; goes before `after`.",
    ),
]


@get(
    "/games/{game:str}/live",
    opt=describes(media="text/event-stream", also={204: "The game is over and everything has been told: do not come back."}),
)
async def live(
    request: Incoming, desk: Desk, game: str, after: After = 0, last_event_id: LastEventId = None
) -> Response[bytes] | Stream:
    """Server-sent events: `id` is the version, `data` a line of the viewer's stream.  A token goes into Authorization."""
    if last_event_id is not None:
        after = int(last_event_id)
    kept = await asyncio.to_thread(desk.load, request, game)
    caller = desk.caller(request, kept)
    if isinstance(kept.game.phase, Over) and kept.game.phase.reason is not None and after >= kept.game.version:
        return Response(b"", status_code=204, media_type="text/event-stream")
    if desk.hub.count >= desk.hub.most:
        raise Denied(503, "too-many-streams", "Too many people are watching: try again in a moment.", AGAIN)
    note(request, stream="live")
    events = _events(desk, game, caller.viewer, after, kept.game.version)
    return Stream(events, media_type="text/event-stream", headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"})


async def _events(desk: Desk, game: str, viewer: int, after: int, known: int) -> AsyncIterator[bytes]:
    """known: the version at which the caller was recognised; later the seat may become another's, and the stream ends."""
    yield f"retry: {RETRY_MS}\n\n".encode()
    with desk.hub.watch(game) as watch:
        while not desk.hub.closing:
            try:
                lines = await watch.crowd.together((viewer, after), partial(desk.streams.lines, game, viewer, after))
            except StoreUnavailable:
                yield b": the store is away\n\n"
                await watch.news(1.0)
                continue
            last = next((place for place, line in enumerate(lines, 1) if _is_last(line, viewer, known)), None)
            if lines:
                yield b"".join(message(line) + told(desk.house, game, line) for line in lines[:last])
                after = lines[-1].version
            if last is not None:
                return
            if not await watch.news(HEARTBEAT):
                yield b": nothing new\n\n"


def _is_last(line: StreamLine, viewer: int, known: int) -> bool:
    return ends(line) or (line.version > known and leaves(line, viewer))


def message(line: StreamLine) -> bytes:
    """One server-sent event."""
    return b"id: %d\ndata: %s\n\n" % (line.version, msgspec.json.encode(line))
