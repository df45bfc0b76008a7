"""Puts the house's addresses together: what can be asked over HTTP, in one application."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from importlib.metadata import version
from typing import TYPE_CHECKING

from litestar import Litestar
from litestar.di import Provide
from litestar.types import ControllerRouterHandler

from events.store.memory import MemoryStore
from services.api import audit, handovers, health, live, names, openapi, parameters, plays, problems, replays, tables, views
from services.api.callers import operator_token
from services.api.desk import Desk
from services.api.edge import Edge, allowed
from services.api.hub import Hub
from services.api.reading import LARGEST_BODY
from services.api.streams import Streams

if TYPE_CHECKING:
    from workers.wiring import House

PATIENCE = 10.0
"""Seconds that a request waits for a version."""
MOST_WATCHING = 2000
"""Live streams and waiting requests of one process."""

ROUTES: tuple[ControllerRouterHandler, ...] = (
    tables.open_table, tables.cancel, tables.take_seat, tables.leave_seat, tables.get_ready, tables.start, tables.agree_to_abort,
    tables.call_bot, tables.reclaim_seat, tables.play_again, names.erase_name,
    plays.choose, plays.withdraw_choice, plays.answer_extra, plays.withdraw_extra, plays.legal_plays,
    views.view, views.events, views.replay, views.chronicle, views.score, views.lobby, views.rematch, views.ruler,
    replays.leaves, live.live,
    handovers.lay_down, handovers.look_after, handovers.take_back, handovers.claim, handovers.find,
    audit.get_bundle, audit.get_audit, audit.get_dispute, audit.get_host, audit.well_known,
    health.healthz, health.readyz, health.metrics,
)  # fmt: skip


def create_app(
    house: House,
    more: Sequence[ControllerRouterHandler] = (),
    *,
    operator: str | None = None,
    patience: float = PATIENCE,
    most_watching: int = MOST_WATCHING,
) -> Litestar:
    """The application of one process; it does not close the house.

    more: further routes, such as the pages.  operator: hash of the operator's token; by default that of the data directory's.
    """
    hub = Hub(house.store, most_watching)
    if operator is None and not isinstance(house.store, MemoryStore):
        operator = operator_token(house.settings.data)
    desk = Desk(house, hub, Streams(house.table), operator, patience)

    @asynccontextmanager
    async def listening(app: Litestar) -> AsyncIterator[None]:
        async with hub:
            yield

    app = Litestar(
        route_handlers=[*ROUTES, *more],
        dependencies={"desk": Provide(lambda: desk, sync_to_thread=False)},
        exception_handlers=problems.HANDLERS,
        before_request=parameters.refuse_unknown,
        request_max_body_size=LARGEST_BODY,
        lifespan=[listening],
        openapi_config=openapi.config(version("wonderlog")),
        logging_config=None,
        debug=False,
    )
    app.asgi_handler = Edge(app.asgi_handler, house.metrics, allowed(app))
    return app
