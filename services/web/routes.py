"""Where each page of the house is, and the files it is made of."""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from litestar import Request, Response, get
from litestar.exceptions import NotFoundException
from litestar.types import ControllerRouterHandler

from events.catalogue import CatalogueError
from services.web import box, csp, files, words

Incoming = Request[Any, Any, Any]

GAME_ID = re.compile("[0-9a-f]{20}")
THEMES = ("light", "dark")
THEME_COOKIE = "wonderlog-theme"


@functools.cache
def templates() -> Environment:
    """Everything that goes into a page is escaped; a missing value is an error."""
    shelf = FileSystemLoader(files.HERE / "templates")
    return Environment(loader=shelf, autoescape=True, undefined=StrictUndefined, trim_blocks=True)


def page(request: Incoming, name: str, **more: str) -> Response[str]:
    """A page's shell in the visitor's language: header, skeleton, and the module that fills it."""
    language = words.preferred(request.cookies.get(words.COOKIE), request.headers.get("accept-language"))
    theme = request.cookies.get(THEME_COOKIE)
    text = templates().get_template(f"{name}.html").render(
        page=name,
        language=language,
        languages=words.LANGUAGES,
        theme=theme if theme in THEMES else "",
        t=words.words(language).words.__getitem__,
        static=files.address,
        words=words.address(language),
        box=box.address(),
        **more,
    )
    headers = {**csp.HEADERS, "Vary": "Accept-Language, Cookie", "Content-Language": language, "Cache-Control": "no-cache"}
    return Response(text, media_type="text/html", headers=headers)


def _of_game(request: Incoming, name: str, game: str) -> Response[str]:
    if not GAME_ID.fullmatch(game):
        raise NotFoundException
    return page(request, name, game=game)


# ---- pages ------------------------------------------------------------------------------------------------------------
@get("/", include_in_schema=False, sync_to_thread=False)
def lobby(request: Incoming) -> Response[str]:
    """Open and running tables, and a game against bots in one click."""
    return page(request, "lobby")


@get("/new", include_in_schema=False, sync_to_thread=False)
def new(request: Incoming) -> Response[str]:
    """A new table with every option explained."""
    return page(request, "new")


@get("/table/{game:str}", include_in_schema=False, sync_to_thread=False)
def table(request: Incoming, game: str) -> Response[str]:
    """The table: to join, to play, to watch."""
    return _of_game(request, "table", game)


@get("/replay/{game:str}", include_in_schema=False, sync_to_thread=False)
def replay(request: Incoming, game: str) -> Response[str]:
    """Any moment of a game again."""
    return _of_game(request, "replay", game)


@get("/audit/{game:str}", include_in_schema=False, sync_to_thread=False)
def audit(request: Incoming, game: str) -> Response[str]:
    """A game's ledger, checked in the browser."""
    return _of_game(request, "audit", game)


@get("/audit", include_in_schema=False, sync_to_thread=False)
def bundles(request: Incoming) -> Response[str]:
    """The same for a bundle that somebody brings along."""
    return page(request, "audit", game="")


# ---- what they are made of --------------------------------------------------------------------------------------------
@get("/static/{version:str}/{path:path}", include_in_schema=False, sync_to_thread=False)
def static(version: str, path: str) -> Response[bytes]:
    """A file; of another version too, because a page may be older than the house."""
    found = files.files().get(str(path).lstrip("/"))
    if found is None:
        raise NotFoundException
    return Response(found.content, media_type=found.media, headers=files.FOR_GOOD if version == files.fingerprint() else {})


@get("/words/{language:str}/{name:str}", include_in_schema=False, sync_to_thread=False)
def catalogue(language: str, name: str) -> Response[bytes]:
    """A language's words and names."""
    if language not in words.LANGUAGES:
        raise NotFoundException
    content, digest = words.document(language)
    return Response(content, media_type="application/json", headers=files.FOR_GOOD if name == f"{digest}.json" else {})


@get("/box/{name:str}", include_in_schema=False, sync_to_thread=False)
def edition(name: str) -> Response[bytes]:
    """An edition of the box, by its digest."""
    try:
        content = box.document(name.removesuffix(".json"))
    except CatalogueError:
        raise NotFoundException from None
    return Response(content, media_type="application/json", headers=files.FOR_GOOD)


PAGES: Sequence[ControllerRouterHandler] = (lobby, new, table, replay, audit, bundles, static, catalogue, edition)


def pages() -> list[ControllerRouterHandler]:
    """Everything that `create_app` mounts beside the API."""
    return list(PAGES)
