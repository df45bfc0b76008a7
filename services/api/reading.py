"""How a request is read: strictly, so that nothing is guessed and nothing is read in two ways."""

from __future__ import annotations

import json
from typing import Any, TypeVar

import msgspec
from litestar import Request

from services.api.bodies import (
    Answer,
    Body,
    Build,
    Choice,
    CommitAnew,
    Decline,
    Discard,
    FillSeats,
    Lose,
    Pick,
    Reveal,
    SeatBot,
    SitDown,
    Stage,
)
from services.api.problems import UNPROCESSABLE, Denied

B = TypeVar("B", bound=msgspec.Struct)

LARGEST_BODY = 64 * 1024

_CHOICES: dict[str, type[Choice]] = {"build": Build, "stage": Stage, "discard": Discard}
_ANSWERS: dict[str, type[Answer]] = {**_CHOICES, "pick": Pick, "decline": Decline, "lose": Lose}
_SITTING: dict[str, type[SitDown] | type[SeatBot] | type[FillSeats]] = {"token": SitDown, "bot": SeatBot, "fill": FillSeats}
_READY: dict[str, type[Reveal] | type[CommitAnew]] = {"entropy": Reveal, "commitment": CommitAnew}


def _malformed(detail: str) -> Denied:
    return Denied(400, "malformed-json", detail)


def _invalid(detail: str) -> Denied:
    return Denied(UNPROCESSABLE, "invalid-body", detail)


def read_object(request: Request[Any, Any, Any], raw: bytes) -> dict[str, Any]:
    """The JSON object of a request.  Raises Denied for another content type, bytes that are no JSON (not UTF-8, cut off, nested
    too deeply, a key twice, NaN) and for JSON that is no object."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        raise Denied(415, "not-json", "Send a JSON object, with Content-Type: application/json.")
    try:
        value = json.loads(raw.decode("utf-8"), object_pairs_hook=_once, parse_constant=_constant, parse_float=_number)
        if b"\\u" in raw:
            json.dumps(value, ensure_ascii=False).encode("utf-8")  # half a surrogate pair is no character
    except UnicodeError:
        raise _malformed("The body is not UTF-8.") from None
    except RecursionError:
        raise _malformed("The body is nested too deeply.") from None
    except json.JSONDecodeError as error:
        raise _malformed(f"The body is not JSON: {error.msg} at line {error.lineno}, column {error.colno}.") from None
    except ValueError:
        raise _malformed("A number in the body is too long.") from None
    if not isinstance(value, dict):
        raise _invalid("The body is a JSON object.")
    return value


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise _malformed("A key stands twice in one object.")
    return found


def _number(text: str) -> int | float:
    """3.0 is a whole number to JSON Schema, so it is one here, as far as a float is exact."""
    number = float(text)
    return int(number) if number.is_integer() and abs(number) < 2**53 else number


def _constant(name: str) -> Any:
    raise _malformed(f"{name} is no JSON.")


def as_body(value: dict[str, Any], kind: type[B]) -> B:
    """The object as one shape.  Raises Denied (422) with the path of the first fault."""
    try:
        return msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        raise _invalid(f"{error}.") from None


def _by_key(value: dict[str, Any], kinds: dict[str, type[B]], several: str) -> B:
    """The shape whose own key the object has; exactly one of them."""
    found = [key for key in kinds if key in value]
    if len(found) != 1:
        raise _invalid(f"Exactly one of {', '.join(kinds)} is needed{several if found else ''}.")
    return as_body(value, kinds[found[0]])


def as_choice(value: dict[str, Any]) -> Choice:
    """Build, stage or discard: one of them."""
    return _by_key(value, _CHOICES, ", not two choices at once")


def as_answer(value: dict[str, Any]) -> Answer:
    """An answer to an extra question: one of them."""
    return _by_key(value, _ANSWERS, ", not two answers at once")


def as_sitting(value: dict[str, Any]) -> SitDown | SeatBot | FillSeats:
    """A person with a token, a bot, or bots for all free seats."""
    return _by_key(value, _SITTING, "")


def as_ready(value: dict[str, Any]) -> Reveal | CommitAnew:
    """The entropy itself, or a new commitment to it."""
    return _by_key(value, _READY, "")


def canonical(request: Request[Any, Any, Any], body: Body) -> bytes:
    """The exact request, for telling a repeated one from another with the same command id: method, path, and the body encoded
    anew with its keys in order, so that spaces, the order of keys and spelt-out defaults make no difference."""
    return f"{request.method} {request.scope['path']}\n".encode() + msgspec.json.encode(body, order="deterministic")
