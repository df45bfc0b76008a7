"""Proof for whoever asks: the bundle to take home, the audit, one disputed turn, the host's key and the host's record."""

from __future__ import annotations

import functools
from typing import Annotated

import msgspec
from litestar import Response, get
from litestar.params import Parameter
from msgspec import Struct

from events.codec import EVERYTHING
from events.rules.state import Game, Over
from projections.audit import audit
from projections.audit_report import Report
from projections.bundle import bundle
from projections.dealings import HostDoc, host_document
from projections.dispute import dispute
from projections.dispute_sheet import DisputeDoc
from services.api.callers import Caller
from services.api.desk import Desk, Incoming
from services.api.openapi import describes
from services.api.threads import in_thread
from services.api.views import As, whose_eyes

Age = Annotated[int, Parameter(ge=1, le=3, description="The Age.")]
Turn = Annotated[int, Parameter(ge=1, le=6, description="The turn.")]
SeatNumber = Annotated[int, Parameter(ge=0, le=6, description="A chair, counted from 0.")]
HostHash = Annotated[str, Parameter(pattern="^[0-9a-f]{64}$", description="SHA-256 of the host's secret, as in GameOpened.")]


class WellKnown(Struct, frozen=True, kw_only=True):
    """What a stranger needs to check this host's signatures.  host_key: Ed25519, hex."""

    format: str
    algorithm: str
    host_key: str


def _closed(game: Game) -> bool:
    return isinstance(game.phase, Over) and game.phase.reason is not None


def _viewer(caller: Caller, game: Game, whose: str | None) -> int:
    """Everything once the game is closed, before that what the caller may know; others' eyes as everywhere."""
    if whose is None:
        return EVERYTHING if _closed(game) else caller.viewer
    return whose_eyes(caller, game, whose)


def packed(desk: Desk, game: str, viewer: int) -> bytes:
    """The bundle of a game as it stands."""
    kept = desk.house.table.load(game)
    return bundle(desk.streams.entries(game, 0), desk.house.store.names(game), kept.key, viewer, desk.house.host_key)


@get("/games/{game:str}/bundle", opt=describes(media="application/zip"))
@in_thread
def get_bundle(request: Incoming, desk: Desk, game: str, whose: As = None) -> Response[bytes]:
    """The game to take home, as far as the caller may know it; everything once it is closed.  The same game, the same bytes."""
    kept = desk.load(request, game)
    raw = packed(desk, game, _viewer(desk.caller(request, kept), kept.game, whose))
    headers = {"Content-Disposition": f'attachment; filename="{game}.zip"'}
    return Response(raw, media_type="application/zip", headers=headers)


@get("/games/{game:str}/audit", opt=describes(answers=(Report,)))
@in_thread
def get_audit(request: Incoming, desk: Desk, game: str) -> Response[bytes]:
    """The house's own audit of what the caller may know; anybody can make the same from the bundle."""
    kept = desk.load(request, game)
    viewer = _viewer(desk.caller(request, kept), kept.game, None)
    raw = packed(desk, game, viewer)
    return Response(_audited(raw, desk.house.host_key.public), media_type="application/json")


@functools.lru_cache(maxsize=32)
def _audited(raw: bytes, host_key: str) -> bytes:
    """The same bytes have the same report."""
    return msgspec.json.encode(audit(raw, (), host_key))


@get("/games/{game:str}/disputes/{age:int}/{turn:int}/{seat:int}", opt=describes(answers=(DisputeDoc,)))
@in_thread
def get_dispute(request: Incoming, desk: Desk, game: str, age: Age, turn: Turn, seat: SeatNumber) -> Response[bytes]:
    """One turn of one seat: what was offered, chosen, accepted, revealed and paid, and why; everything once the game is closed."""
    kept = desk.load(request, game)
    viewer = _viewer(desk.caller(request, kept), kept.game, None)
    sheet = dispute(desk.streams.entries(game, 0), desk.house.store.names(game), viewer, age, turn, seat)
    return Response(msgspec.json.encode(sheet), media_type="application/json")


@get("/hosts/{host:str}", opt=describes(answers=(HostDoc,)))
@in_thread
def get_host(desk: Desk, host: HostHash) -> Response[bytes]:
    """How many tables a host opened, finished and broke off: nobody can shop for deals unseen."""
    return Response(msgspec.json.encode(host_document(desk.house.store, host)), media_type="application/json")


@get("/.well-known/wonderlog.json", opt=describes(answers=(WellKnown,)))
@in_thread
def well_known(desk: Desk) -> Response[bytes]:
    """The host's public key, with which every receipt and head of this house is signed."""
    shown = WellKnown(format="wonderlog/1", algorithm="ed25519", host_key=desk.house.host_key.public)
    return Response(msgspec.json.encode(shown), media_type="application/json", headers={"Cache-Control": "public, max-age=300"})
