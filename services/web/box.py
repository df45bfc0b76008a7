"""The box as the browser needs it: each card's cost, effects and chains, each board's stages, each project."""

from __future__ import annotations

import functools

import msgspec

from events.catalogue import Box, current, edition


@functools.cache
def document(digest: str) -> bytes:
    """An edition as JSON.  Raises CatalogueError for a digest that was never released."""
    return written(edition(digest))


def address() -> str:
    """Where the browser finds the edition that new games are played with."""
    return f"/box/{current().digest}.json"


def written(box: Box) -> bytes:
    """Cards in catalogue order; boards by wonder and side."""
    boards = {
        wonder: {
            side: {"produces": face.produces, "stages": face.stages, "needs_edifice": face.needs_edifice}
            for (name, side), face in box.faces.items()
            if name == wonder
        }
        for wonder in box.wonders
    }
    return msgspec.json.encode({"digest": box.digest, "cards": box.cards, "wonders": boards, "projects": box.projects})
