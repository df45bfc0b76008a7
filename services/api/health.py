"""Whether the house is open: for those who run it."""

from __future__ import annotations

from litestar import Response, get
from msgspec import Struct

from events.store.protocol import StoreError
from services.api.desk import Desk
from services.api.openapi import describes
from services.api.problems import AGAIN, Denied
from services.api.threads import in_thread
from workers.metrics import CONTENT_TYPE


class Health(Struct, frozen=True, kw_only=True):
    """status: "ok"."""

    status: str = "ok"


@get("/healthz", opt=describes(answers=(Health,)), sync_to_thread=False)
def healthz() -> Health:
    """This process answers."""
    return Health()


@get("/readyz", opt=describes(answers=(Health,)))
@in_thread
def readyz(desk: Desk) -> Health:
    """This process can reach the games, and hears of their moves."""
    desk.house.table.store.now()
    if not desk.hub.alive:
        raise Denied(503, "not-listening", "This process does not hear of moves any more: start it again.", AGAIN)
    return Health()


@get("/metrics", opt=describes(media="text/plain"))
@in_thread
def metrics(desk: Desk) -> Response[bytes]:
    """Figures for Prometheus; those that the store would have to tell are left out while it is away."""
    house = desk.house
    try:
        text = house.metrics.exposition(house.gauges)
    except StoreError:
        text = house.metrics.exposition()
    return Response(text, media_type=CONTENT_TYPE)
