"""Why the house says no, in one shape for every refusal: a status, a reason for programs, a sentence for people (RFC 9457)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from http import HTTPStatus
from typing import Any

import msgspec
import structlog
from litestar import Request, Response
from litestar.exceptions import HTTPException, ValidationException
from msgspec import Struct

from events.codec import BrokenRecord
from events.refusals import Reason, Refusal
from events.store.protocol import Archived, CommandReused, Conflict, NotReplicated, StoreError, StoreUnavailable
from events.transact import UnknownGame

MEDIA_TYPE = "application/problem+json"


class Problem(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A refusal.  reason: kebab-case, stable; city: the seat whose play is at fault, if any."""

    type: str = "about:blank"
    title: str
    status: int
    reason: str
    detail: str
    city: int | None = None


class Denied(Exception):
    """The house itself refuses, before any rule is asked: nothing has changed."""

    def __init__(self, status: int, reason: str, detail: str, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(detail)
        self.status, self.reason, self.detail, self.headers = status, reason, detail, dict(headers or {})


UNPROCESSABLE = 422
STATUS: dict[Reason, int] = {
    Reason.UNKNOWN_SEAT:        404,
    Reason.SEAT_TAKEN:          409,
    Reason.TABLE_FULL:          409,
    Reason.NAME_TAKEN:          409,
    Reason.WONDER_TAKEN:        409,
    Reason.ALREADY_STARTED:     409,
    Reason.NOT_STARTED:         409,
    Reason.NOT_READY:           409,
    Reason.ALREADY_READY:       409,
    Reason.NOT_AWAITED:         409,
    Reason.STALE_CHOICE:        409,
    Reason.STALE_NUMBER:        409,
    Reason.NOTHING_TO_WITHDRAW: 409,
    Reason.NOT_ALLOWED:         409,
    Reason.NOTHING_DUE:         409,
    Reason.GAME_OVER:           409,
}  # fmt: skip
"""What depends on the moment is a 409; every other reason is about the request itself: 422."""

HTTP_REASONS: dict[int, str] = {
    400: "bad-request",
    401: "unknown-token",
    403: "not-yours",
    404: "not-found",
    405: "method-not-allowed",
    406: "not-acceptable",
    411: "length-required",
    413: "too-large",
    415: "not-json",
}
"""The reasons of refusals that the HTTP layer makes by itself."""

AGAIN = {"Retry-After": "1"}


def problem(request: Request[Any, Any, Any], body: Problem, headers: Mapping[str, str] | None = None) -> Response[bytes]:
    """A refusal as a reply; its reason goes into the request's log line."""
    request.scope.setdefault("state", {})["reason"] = body.reason
    content = msgspec.json.encode(body)
    return Response(content, status_code=body.status, media_type=MEDIA_TYPE, headers=dict(headers or {}))


def described(status: int, reason: str, detail: str, city: int | None = None) -> Problem:
    """A problem with the title that belongs to its status."""
    return Problem(title=HTTPStatus(status).phrase, status=status, reason=reason, detail=detail, city=city)


# ---- from exceptions to problems --------------------------------------------------------------------------------------
def _refusal(request: Request[Any, Any, Any], error: Refusal) -> Response[bytes]:
    status = STATUS.get(error.reason, UNPROCESSABLE)
    return problem(request, described(status, error.reason.value, error.message, error.city))


def _denied(request: Request[Any, Any, Any], error: Denied) -> Response[bytes]:
    return problem(request, described(error.status, error.reason, error.detail), error.headers)


def _unknown_game(request: Request[Any, Any, Any], error: UnknownGame) -> Response[bytes]:
    return problem(request, described(404, "unknown-game", "There is no such table."))


def _store(request: Request[Any, Any, Any], error: StoreError) -> Response[bytes]:
    match error:
        case CommandReused():
            detail = "This command id was accepted before with another request; make a new id for a new command."
            return problem(request, described(409, "command-reused", detail))
        case Archived():
            return problem(request, described(410, "archived", "This game has been moved to the archive."))
        case NotReplicated():
            detail = "Written, but not yet on enough replicas: repeat the request with the same command id."
            return problem(request, described(503, "not-yet-replicated", detail), AGAIN)
        case Conflict():
            detail = "Too many moves at once: repeat the request with the same command id."
            return problem(request, described(503, "busy", detail), AGAIN)
        case StoreUnavailable():
            detail = "The games cannot be reached just now: repeat the request with the same command id."
            return problem(request, described(503, "store-away", detail), AGAIN)
        case _:
            return _broken(request, error)


def _http(request: Request[Any, Any, Any], error: HTTPException) -> Response[bytes]:
    """What Litestar refuses: addresses, methods, sizes, parameters."""
    status = error.status_code
    if status >= 500:
        return _broken(request, error)
    reason, detail = HTTP_REASONS.get(status, "bad-request"), HTTPStatus(status).description or error.detail
    if isinstance(error, ValidationException):
        faults = error.extra if isinstance(error.extra, list) else []
        told = "; ".join(f"{one.get('key', '?')}: {one.get('message', 'not understood')}" for one in faults)
        reason, detail = "invalid-parameter", told or error.detail
    if status == 413:
        detail = "A request has at most 64 KiB."
    return problem(request, described(status, reason, detail), error.headers)


def _broken(request: Request[Any, Any, Any], error: Exception) -> Response[bytes]:
    """Our own fault.  The log gets the kind of error and the place, no value: a value might be somebody's hand."""
    structlog.get_logger("wonderlog.api").error("request failed", error=type(error).__name__, where=_where(error))
    reason = "broken-record" if isinstance(error, BrokenRecord) else "internal"
    return problem(request, described(500, reason, "The house made a mistake; it has been written down."))


def _where(error: BaseException) -> list[str]:
    """file:line of the last frames, innermost last; of the cause too, since the HTTP layer wraps errors."""
    frames, trace = [], (error.__cause__ or error).__traceback__
    while trace is not None:
        frames.append(f"{trace.tb_frame.f_code.co_filename}:{trace.tb_lineno}")
        trace = trace.tb_next
    return frames[-6:]


HANDLERS: dict[int | type[Exception], Callable[[Request[Any, Any, Any], Any], Response[Any]]] = {
    Refusal: _refusal,
    Denied: _denied,
    UnknownGame: _unknown_game,
    StoreError: _store,
    HTTPException: _http,
    Exception: _broken,
}
