"""The door of the house: every request gets one line in the diary, and every reply the same safe headers."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

from litestar import Litestar
from litestar.enums import ScopeType
from litestar.routes import HTTPRoute
from litestar.types import ASGIApp, HTTPScope, Message, Receive, Scope, Send

from workers.logs import diary, line
from workers.metrics import Metrics

HEADERS = (
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"x-frame-options", b"DENY"),
    (b"cross-origin-resource-policy", b"same-origin"),
)
NO_STORE = (b"cache-control", b"no-store")
"""Unless a reply says otherwise: views and streams are somebody's own."""
QUIET = frozenset({"/healthz", "/readyz", "/metrics"})


class Edge:
    """Stands around the whole application, so that refusals of the router pass through it too."""

    def __init__(self, app: ASGIApp, metrics: Metrics, allowed: Mapping[str, bytes]) -> None:
        self._app, self._metrics, self._allowed, self._log = app, metrics, allowed, diary("wonderlog.api")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != ScopeType.HTTP:
            await self._app(scope, receive, send)
            return
        began, status = time.perf_counter(), 500

        async def sending(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message["headers"] = self._headers(scope, list(message["headers"]))
            await send(message)

        try:
            await self._app(scope, receive, sending)
        finally:
            self._write(scope, status, (time.perf_counter() - began) * 1000)

    def _headers(self, scope: HTTPScope, headers: list[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
        """The reply's headers with the safe ones, where it does not set them itself.

        For OPTIONS Litestar names only one of several handlers' methods: the whole list is put in its place."""
        methods = self._allowed.get(str(scope.get("path_template")))
        if scope["method"] == "OPTIONS" and methods is not None:
            headers = [(name, methods if name.lower() == b"allow" else value) for name, value in headers]
        there = {name.lower() for name, _ in headers}
        return headers + [(name, value) for name, value in (*HEADERS, NO_STORE) if name not in there]

    def _write(self, scope: HTTPScope, status: int, ms: float) -> None:
        found: dict[str, Any] = scope.get("state") or {}
        noted = dict(found.get("noted", {}))
        route = str(scope.get("path_template") or "unknown") if status not in (404, 405) or noted else "unknown"
        method = str(scope["method"]) if scope["method"] in METHODS else "OTHER"
        if noted.get("stream") is None:
            self._metrics.request_ms.labels(f"{method} {route}").observe(ms)
        self._metrics.requests.labels(f"{method} {route}", str(status)).inc()
        if route not in QUIET or status >= 400:
            line(self._log, "request", ms=ms, method=method, route=route, status=status, reason=found.get("reason"), **noted)


METHODS = frozenset({"GET", "HEAD", "POST", "DELETE", "OPTIONS", "PUT", "PATCH"})


def allowed(app: Litestar) -> dict[str, bytes]:
    """The methods of each address, as an Allow header."""
    return {
        str(getattr(route, "path_format", route.path)): ", ".join(sorted(route.methods)).encode()
        for route in app.routes
        if isinstance(route, HTTPRoute)
    }
