"""Looking at a table: as it is, as it was, what happened, and who leads; everybody with their own eyes."""

from __future__ import annotations

import asyncio
import time
from typing import Annotated

import msgspec
from litestar import Response, get
from litestar.params import Parameter

from events.codec import EVERYTHING, SPECTATOR
from events.rules.state import Game, Over
from events.transact import Kept
from projections.chronicle import ChronicleDoc
from projections.documents import HandDoc, OpenTableDoc, TableDoc
from projections.lobby import LOBBY, LobbyRow, RematchRow
from projections.replay import Moment, document_at, moments
from projections.score_sheet import ScoreDoc
from projections.views import CHRONICLE, SCORE, TABLE, Views, hand_of, load
from services.api.callers import Caller
from services.api.desk import Desk, Incoming
from services.api.openapi import describes
from services.api.problems import Denied
from services.api.streams import LATEST, StreamLine
from services.api.threads import in_thread

GRACE = 1.0
"""Seconds after which a view that the projector has not written yet is made from the log, if that has come so far."""
MOST_LINES = 1000

Version = Annotated[int | None, Parameter(ge=1, le=LATEST, description="Wait until the view has come to this version.")]
After = Annotated[int, Parameter(ge=0, le=LATEST, description="Only what came after this version.")]
Limit = Annotated[int, Parameter(ge=1, le=MOST_LINES, description="At most so many lines.")]
At = Annotated[int, Parameter(ge=1, le=LATEST, description="The version to look at.")]
As = Annotated[
    str | None,
    Parameter(
        query="as",
        pattern="^(table|all|[0-6])$",
        description="Whose eyes: table, a seat's number, or all; the caller's own where left out. Others' once the game is closed.",
    ),
]


def _json(content: bytes) -> Response[bytes]:
    return Response(content, media_type="application/json")


def _name(viewer: int) -> str:
    return TABLE if viewer == SPECTATOR else hand_of(viewer)


def _seen(desk: Desk, game: str, viewer: int, at: int | None = None) -> bytes:
    """The table with somebody's eyes, made from the log up to a version."""
    return document_at(desk.streams.entries(game, 0), desk.house.store.names(game), viewer, at)


def _told(desk: Desk, game: str, name: str) -> bytes:
    """The chronicle or the score, made from the log."""
    entries = desk.streams.entries(game, 0)
    return Views().see_all(entries, desk.house.store.names(game)).documents()[name]


def _saved(desk: Desk, game: str, name: str, version: int) -> bytes | None:
    """A view as the projector wrote it, if it has come to a version."""
    saved = load(desk.house.store, game, name)
    return saved[1] if saved is not None and saved[0] >= version else None


# ---- now ----------------------------------------------------------------------------------------------------------------
@get("/games/{game:str}", opt=describes(answers=(HandDoc, TableDoc,)))
async def view(request: Incoming, desk: Desk, game: str, version: Version = None) -> Response[bytes]:
    """The table with the caller's own eyes; with `version`, as soon as it has come so far."""
    if version is None:
        caller, _ = await asyncio.to_thread(_recognise, desk, request, game)
        return _json(await asyncio.to_thread(_now, desk, game, caller))
    end = time.monotonic() + desk.patience
    grace = time.monotonic() + min(GRACE, desk.patience / 2)
    with desk.hub.watch(game) as watch:
        while True:
            caller, kept = await asyncio.to_thread(_recognise, desk, request, game)
            found = await asyncio.to_thread(_at_least, desk, game, caller, kept, version, time.monotonic() >= grace)
            if found is not None and (await asyncio.to_thread(_recognise, desk, request, game))[0].viewer == caller.viewer:
                return _json(found)
            left = end - time.monotonic()
            if left <= 0 or desk.hub.closing:
                detail = f"The table has not come to version {version} yet: ask again."
                raise Denied(409, "not-there-yet", detail, {"Retry-After": "1"})
            await watch.news(min(left, GRACE / 2))


def _recognise(desk: Desk, request: Incoming, game: str) -> tuple[Caller, Kept]:
    """Asked again once the view is there: a seat may have become another's while it was awaited."""
    kept = desk.load(request, game)
    return desk.caller(request, kept), kept


def _now(desk: Desk, game: str, caller: Caller) -> bytes:
    return _saved(desk, game, _name(caller.viewer), 1) or _seen(desk, game, caller.viewer)


def _at_least(desk: Desk, game: str, caller: Caller, kept: Kept, version: int, from_log_too: bool) -> bytes | None:
    found = _saved(desk, game, _name(caller.viewer), version)
    if found is None and from_log_too and kept.game.version >= version:
        return _seen(desk, game, caller.viewer)
    return found


@get("/games/{game:str}/chronicle", opt=describes(answers=(ChronicleDoc,)))
@in_thread
def chronicle(request: Incoming, desk: Desk, game: str) -> Response[bytes]:
    """The game told turn by turn."""
    desk.caller(request, desk.load(request, game))
    return _json(_saved(desk, game, CHRONICLE, 1) or _told(desk, game, CHRONICLE))


@get("/games/{game:str}/score", opt=describes(answers=(ScoreDoc,)))
@in_thread
def score(request: Incoming, desk: Desk, game: str) -> Response[bytes]:
    """The score sheet: what each city would score if the game ended now, or has scored."""
    desk.caller(request, desk.load(request, game))
    return _json(_saved(desk, game, SCORE, 1) or _told(desk, game, SCORE))


@get("/lobby", opt=describes(answers=(list[LobbyRow],)))
@in_thread
def lobby(desk: Desk) -> Response[bytes]:
    """Listed tables that are open or being played, the newest first."""
    rows = [msgspec.json.decode(row, type=LobbyRow) for row in desk.house.store.load_rows(LOBBY).values()]
    rows.sort(key=lambda row: (-row.opened_at, row.game))
    return _json(msgspec.json.encode(rows))


@get("/games/{game:str}/rematch", opt=describes(answers=(RematchRow,)))
@in_thread
def rematch(request: Incoming, desk: Desk, game: str) -> Response[bytes]:
    """Where the players of a game went on."""
    desk.caller(request, desk.load(request, game))
    row = desk.rematches().get(game)
    if row is None:
        raise Denied(404, "no-rematch", "Nobody has asked for a rematch yet.")
    return _json(row)


# ---- then ---------------------------------------------------------------------------------------------------------------
@get("/games/{game:str}/events", opt=describes(answers=(list[StreamLine],)))
@in_thread
def events(
    request: Incoming, desk: Desk, game: str, after: After = 0, limit: Limit = MOST_LINES, whose: As = None
) -> Response[bytes]:
    """The viewer's stream: the exact public bytes of each event, its link, and the openings that the viewer may have."""
    kept = desk.load(request, game)
    viewer = whose_eyes(desk.caller(request, kept), kept.game, whose)
    return _json(msgspec.json.encode(desk.streams.lines(game, viewer, after, limit)))


@get("/games/{game:str}/replay", opt=describes(answers=(HandDoc, OpenTableDoc, TableDoc,)))
@in_thread
def replay(request: Incoming, desk: Desk, game: str, at: At, whose: As = None) -> Response[bytes]:
    """The table as it was at a version, with the caller's own eyes or, once the game is closed, anybody's."""
    kept = desk.load(request, game)
    viewer = whose_eyes(desk.caller(request, kept), kept.game, whose)
    if at > kept.game.version:
        raise Denied(404, "unknown-version", f"The game has {kept.game.version} events.")
    return _json(_seen(desk, game, viewer, at))


@get("/games/{game:str}/moments", opt=describes(answers=(list[Moment],)))
@in_thread
def ruler(request: Incoming, desk: Desk, game: str) -> Response[bytes]:
    """Every event in words with the figures after it, as a spectator sees it: the ruler under a replay."""
    desk.caller(request, desk.load(request, game))
    found = moments(desk.streams.entries(game, 0), desk.house.store.names(game))
    return _json(msgspec.json.encode(found))


def whose_eyes(caller: Caller, game: Game, whose: str | None) -> int:
    """The viewer that is meant.  Raises Denied (403) for eyes that the caller may not have yet."""
    if whose is None:
        return caller.viewer
    viewer = {"table": SPECTATOR, "all": EVERYTHING}.get(whose)
    if viewer is None:
        viewer = int(whose)
        if viewer >= len(game.people):
            raise Denied(404, "unknown-seat", f"This table has the seats 0 to {len(game.people) - 1}.")
    closed = isinstance(game.phase, Over) and game.phase.reason is not None
    if viewer not in (SPECTATOR, caller.viewer) and not closed:
        raise Denied(403, "not-open-yet", "Others' cards are shown once the game is closed.")
    return viewer
