"""The house's own description for programs: every address, what it takes, what it answers (OpenAPI 3.1)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
from litestar import Litestar, Request, Response, Router
from litestar.enums import OpenAPIMediaType
from litestar.exceptions import NotFoundException
from litestar.handlers import HTTPRouteHandler
from litestar.openapi.config import OpenAPIConfig
from litestar.openapi.plugins import OpenAPIRenderPlugin
from litestar.openapi.spec import Components, SecurityScheme
from msgspec import Struct

from events.catalogue import current
from events.transact import Receipt
from services.api.problems import MEDIA_TYPE, Problem

RECEIPT = (Receipt,)
"""What every accepted command answers."""
REFERENCE = "#/components/schemas/{name}"
SPEC = "described"

BOUNDS = {"ge": "minimum", "le": "maximum", "pattern": "pattern", "min_length": "minLength", "max_length": "maxLength"}
REFUSALS = {
    "400": "Malformed JSON, or a parameter that is not understood.",
    "401": "A token that belongs to nobody here.",
    "403": "Not yours to ask.",
    "404": "No such table, seat or address.",
    "409": "Not at this moment, or a command id used for another request.",
    "410": "The game is in the archive.",
    "413": "A request over 64 KiB.",
    "415": "The body is not JSON.",
    "422": "Well-formed, but not a request of this shape, or a play that the rules do not allow.",
    "429": "Too many wrong codes for a seat: wait as long as Retry-After says.",
    "503": "The store is away or not yet replicated: repeat the same request.",
}


class Described(Struct, frozen=True, kw_only=True):
    """What an operation takes and answers.  media: of an answer that is not JSON; also: further statuses in words."""

    bodies: tuple[type[Struct], ...]
    answers: tuple[Any, ...]
    status: int
    media: str
    also: dict[int, str]


def describes(
    *bodies: type[Struct],
    answers: tuple[Any, ...] = (),
    status: int = 200,
    media: str = "application/json",
    also: dict[int, str] | None = None,
) -> dict[str, Any]:
    """The `opt` of a route.  bodies: shapes of the request; answers: types that the reply may have, none for plain text."""
    return {SPEC: Described(bodies=bodies, answers=answers, status=status, media=media, also=also or {})}


class Document(OpenAPIRenderPlugin):
    """Litestar's document of the addresses, with bodies and answers as msgspec itself describes them."""

    def __init__(self) -> None:
        super().__init__(path="/openapi.json", media_type=OpenAPIMediaType.OPENAPI_JSON)
        self._written: bytes | None = None

    def render(self, request: Request[Any, Any, Any], openapi_schema: dict[str, Any]) -> bytes:
        """The document; made once."""
        if self._written is None:
            self._written = msgspec.json.encode(overlaid(request.app, openapi_schema), order="sorted")
        return self._written


def overlaid(app: Litestar, document: dict[str, Any]) -> dict[str, Any]:
    """The document with what Litestar would describe too loosely: bodies without unknown keys, exact replies, refusals."""
    described = _operations(app)
    kinds: list[Any] = [Problem]
    for _, spec in described.values():
        kinds += [*spec.bodies, *spec.answers]
    schemas, components = msgspec.json.schema_components(kinds, ref_template=REFERENCE)
    found = {_key(kind): schema for kind, schema in zip(kinds, schemas, strict=True)}
    document = msgspec.json.decode(msgspec.json.encode(document))
    for path, item in document["paths"].items():
        for method, operation in item.items():
            if (method.upper(), path) in described:
                handler, spec = described[method.upper(), path]
                _describe(operation, spec, found)
                _bound(operation, handler)
    components["OpenTable"] |= fitting_tables()
    document.setdefault("components", {})["schemas"] = components
    return dict(document)


def fitting_tables() -> dict[str, Any]:
    """Which options go together, as far as a schema can say it: boards of the box and enough of them, Ur with the Edifice, a
    fixed Free City for two."""
    box = current()
    plain = [wonder for wonder in box.wonders if not box.faces[wonder, "day"].needs_edifice]

    def boards(known: Sequence[str], least: int) -> dict[str, Any]:
        listed = {"type": "array", "items": {"enum": list(known)}, "uniqueItems": True, "minItems": least, "maxItems": len(known)}
        return {"anyOf": [{"type": "null"}, listed]}

    def table(edifice: bool, players: int) -> dict[str, Any]:
        known = box.wonders if edifice else plain
        facts: dict[str, Any] = {"edifice": {"const": edifice}, "players": {"const": players}}
        facts["wonders"] = boards(known, max(players, 3))
        free = {"type": "object", "properties": {"wonder": {"enum": list(known)}}}
        facts["free_city"] = {"anyOf": [{"type": "null"}, free]} if players == 2 else {"type": "null"}
        return {"properties": facts}

    return {"oneOf": [table(edifice, players) for edifice in (False, True) for players in range(2, 8)]}


def _key(kind: Any) -> str:
    return repr(kind)


def _operations(app: Litestar) -> dict[tuple[str, str], tuple[HTTPRouteHandler, Described]]:
    found: dict[tuple[str, str], tuple[HTTPRouteHandler, Described]] = {}
    for route in app.routes:
        for handler in getattr(route, "route_handlers", ()):
            spec = handler.opt.get(SPEC)
            if spec is not None:
                path = getattr(route, "path_format", route.path)
                found |= {(str(method), path): (handler, spec) for method in handler.http_methods}
    return found


def _describe(operation: dict[str, Any], spec: Described, found: dict[str, Any]) -> None:
    if spec.bodies:
        schema = _either([found[_key(body)] for body in spec.bodies], "oneOf")
        operation["requestBody"] = {"required": True, "content": {"application/json": {"schema": schema}}}
    answer = _either([found[_key(kind)] for kind in spec.answers] or [{"type": "string"}], "anyOf")
    responses: dict[str, Any] = {str(spec.status): {"description": "Done.", "content": {spec.media: {"schema": answer}}}}
    responses |= {str(status): {"description": words} for status, words in spec.also.items()}
    problem = {MEDIA_TYPE: {"schema": found[_key(Problem)]}}
    responses |= {status: {"description": words, "content": problem} for status, words in REFUSALS.items()}
    operation["responses"] = responses
    operation["security"] = [{}, {"secret": []}]


def _bound(operation: dict[str, Any], handler: HTTPRouteHandler) -> None:
    """The bounds of parameters that may be left out, which Litestar forgets; none of them can be null."""
    fields = {called(name, field): field for name, field in handler.parsed_fn_signature.parameters.items()}
    for parameter in operation.get("parameters", ()):
        schema = parameter["schema"]
        shapes = [shape for shape in schema.get("oneOf", ()) if shape != {"type": "null"}]
        if len(shapes) == 1 and parameter["name"] in fields:
            definition = fields[parameter["name"]].kwarg_definition
            bounds = {word: getattr(definition, name, None) for name, word in BOUNDS.items()}
            parameter["schema"] = shapes[0] | {word: bound for word, bound in bounds.items() if bound is not None}
            if description := getattr(definition, "description", None):
                parameter["description"] = description


def called(name: str, field: Any) -> str:
    """A parameter's name in the address or among the headers."""
    definition = field.kwarg_definition
    return getattr(definition, "query", None) or getattr(definition, "header", None) or name


def _either(shapes: list[dict[str, Any]], word: str) -> dict[str, Any]:
    return shapes[0] if len(shapes) == 1 else {word: shapes}


def _no_page(response: Response[Any]) -> Response[Any]:
    """Litestar has a page of its own for an unknown address below /schema; here that is a refusal like every other."""
    if response.status_code == 404:
        raise NotFoundException
    return response


def config(version: str) -> OpenAPIConfig:
    """Served at /schema and /schema/openapi.json; no page that would load anything from elsewhere."""
    return OpenAPIConfig(
        title="Wonderlog",
        version=version,
        summary="A table for 7 Wonders whose games are logs.",
        openapi_router=Router("/schema", route_handlers=[], include_in_schema=False, after_request=_no_page),
        render_plugins=[Document()],
        use_handler_docstrings=True,
        components=Components(
            security_schemes={
                "secret": SecurityScheme(
                    type="http",
                    scheme="bearer",
                    description="The secret of a host, a seat or the operator; the house knows its SHA-256.",
                )
            }
        ),
    )
