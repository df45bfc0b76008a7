"""The words of the pages in English, French and Dutch: one catalogue for the server's shell and the browser's table."""

from __future__ import annotations

import functools
import hashlib
import tomllib
from importlib import resources
from typing import Any

import msgspec
from msgspec import Struct

from events.catalogue import Box, current
from services.web.files import HERE

LANGUAGES = {"en": "English", "fr": "Français", "nl": "Nederlands"}
"""Code -> its own name, in the order of the switch."""
COOKIE = "wonderlog-language"
KINDS = ("card", "wonder", "project", "resource", "type", "symbol")


class Words(Struct, frozen=True, kw_only=True):
    """A language as the browser gets it.  words: key -> text with {placeholders}; names: kind -> id -> name."""

    language: str
    words: dict[str, str]
    names: dict[str, dict[str, str]]


@functools.cache
def words(language: str) -> Words:
    """A language's catalogue with the names of everything in the box.  KeyError for a language that is not spoken here."""
    LANGUAGES[language]
    catalogue = msgspec.json.decode((HERE / "i18n" / f"{language}.json").read_bytes(), type=dict[str, str])
    return Words(language=language, words=catalogue, names=_names(language))


@functools.cache
def document(language: str) -> tuple[bytes, str]:
    """The catalogue as JSON, and twelve hex digits of its SHA-256 for its address."""
    content = msgspec.json.encode(words(language), order="deterministic")
    return content, hashlib.sha256(content).hexdigest()[:12]


def address(language: str) -> str:
    """Where the browser finds a language's catalogue."""
    return f"/words/{language}/{document(language)[1]}.json"


def _names(language: str) -> dict[str, dict[str, str]]:
    """The box's English names; over them the ones that were found in print, and for what was found nowhere our own."""
    found = _english(current())
    printed = tomllib.loads((resources.files("events.catalogue") / "names.toml").read_text(encoding="utf-8"))
    for kind in KINDS:
        found[kind] |= {id: names[language] for id, names in printed.get(kind, {}).items() if language in names}
        found[kind] |= ours(language).get(kind, {})
    return found


def ours(language: str) -> dict[str, dict[str, str]]:
    """Names that we translated ourselves, because no printed ones were found, by kind and id; {} where none were needed."""
    place = HERE / "i18n" / f"{language}.ours.json"
    return msgspec.json.decode(place.read_bytes(), type=dict[str, dict[str, str]]) if place.exists() else {}


def _english(box: Box) -> dict[str, dict[str, str]]:
    faces: dict[str, Any] = {wonder: box.faces[wonder, "day"] for wonder in box.wonders}
    spoken = words_of_things()
    return {
        "card": {id: card.name for id, card in box.cards.items()},
        "wonder": {id: face.name for id, face in faces.items()},
        "project": {id: project.name for id, project in box.projects.items()},
        "resource": dict(spoken["resource"]),
        "type": dict(spoken["type"]),
        "symbol": dict(spoken["symbol"]),
    }


def words_of_things() -> dict[str, dict[str, str]]:
    """English for what the box shows by a picture only."""
    return {
        "resource": {
            "wood": "Wood", "stone": "Stone", "clay": "Clay", "ore": "Ore",
            "glass": "Glass", "loom": "Cloth", "papyrus": "Papyrus", "coins": "Coins",
        },
        "type": {
            "raw": "Raw materials", "manufactured": "Manufactured goods", "civilian": "Civilian buildings",
            "commercial": "Commercial buildings", "scientific": "Scientific buildings", "military": "Military buildings",
            "guild": "Guilds",
        },
        "symbol": {"compass": "Compass", "gear": "Gear", "tablet": "Tablet"},
    }  # fmt: skip


def preferred(cookie: str | None, accept: str | None) -> str:
    """The language of a request: the switch first, then the browser's list, then English.

    >>> preferred(None, "de, fr-BE;q=0.8, nl;q=0.9")
    'nl'
    """
    if cookie in LANGUAGES:
        return str(cookie)
    wishes: list[tuple[float, int, str]] = []
    for place, part in enumerate((accept or "").split(",")[:20]):
        tag, _, quality = part.strip().partition(";")
        language = tag.split("-")[0].strip().lower()
        if language in LANGUAGES and (weight := _weight(quality)) > 0:
            wishes.append((-weight, place, language))
    return min(wishes)[2] if wishes else "en"


def _weight(quality: str) -> float:
    name, _, value = quality.strip().partition("=")
    if name.strip() != "q":
        return 1.0
    try:
        return float(value)
    except ValueError:
        return 0.0
