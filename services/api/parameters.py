"""A parameter that nobody knows is refused: a misspelt one would be silently without effect."""

from __future__ import annotations

from typing import Any

from litestar import Request

from services.api.openapi import SPEC, called
from services.api.problems import Denied


def refuse_unknown(request: Request[Any, Any, Any]) -> None:
    """Raises Denied (400) for a query parameter that the address does not have, or that stands twice.  Asked only of this API's
    own addresses: pages may have what they like."""
    handler = request.route_handler
    if SPEC not in handler.opt:
        return
    known = {called(name, field) for name, field in handler.parsed_fn_signature.parameters.items()}
    given = [name for name, _ in request.query_params.multi_items()]
    for name in given:
        if name not in known - NO_PARAMETERS:
            raise Denied(400, "invalid-parameter", f"{name[:40]}: there is no such parameter here.")
        if given.count(name) > 1:
            raise Denied(400, "invalid-parameter", f"{name}: given twice.")


NO_PARAMETERS = frozenset({"request", "desk", "body", "game", "seat", "Last-Event-ID"})

