"""The editions of the box that were ever released, found by their digest, so that an old game keeps its own cards."""

from __future__ import annotations

import functools
import tomllib
from importlib import resources

from events.catalogue.box import Box, CatalogueError

RELEASED = {
    "first": "5135b1c1abf062bb6fecb6b61be2a95b6f9cccde60e0d307557d40ce1a8fdf55",
}
"""Folder -> digest.  A released edition never changes; a new one gets a new folder."""
CURRENT = "first"


@functools.cache
def _read(folder: str) -> Box:
    place = resources.files("events.catalogue") / "editions" / folder
    base, edifice = (tomllib.loads((place / name).read_text(encoding="utf-8")) for name in ("base.toml", "edifice.toml"))
    return Box(base, edifice)


def current() -> Box:
    """The edition that new games are played with."""
    return _read(CURRENT)


def edition(digest: str) -> Box:
    """The edition with this digest; raises CatalogueError if none was released with it."""
    for folder, known in RELEASED.items():
        if known == digest:
            return _read(folder)
    raise CatalogueError(f"no edition of the box has the digest {digest}")
