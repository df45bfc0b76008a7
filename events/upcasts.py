"""Old shapes of facts and how each becomes the next one, so that a game of any age can be read.

Verification of bytes comes before upcasting: links and seals are over what was stored, never over what was made of it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import msgspec

Plain = dict[str, Any]

CURRENT: Mapping[str, int] = {}
"""Event type -> today's `v`, where it is above 1."""

STEPS: Mapping[tuple[str, int], Callable[[Plain], Plain]] = {}
"""(event type, v) -> the function that turns that shape into v + 1; `v` itself is raised by `upcast`."""


def upcast(
    e: bytes,
    steps: Mapping[tuple[str, int], Callable[[Plain], Plain]] | None = None,
    current: Mapping[str, int] | None = None,
) -> Plain:
    """The plain event in today's shape.  Raises LookupError for a shape that no step leads on from."""
    steps, current = STEPS if steps is None else steps, CURRENT if current is None else current
    plain: Plain = msgspec.json.decode(e)
    kind = plain["type"]
    while plain["v"] < current.get(kind, 1):
        plain = {**steps[kind, plain["v"]](plain), "v": plain["v"] + 1}
    if plain["v"] > current.get(kind, 1):
        raise LookupError(f"{kind} has v {plain['v']}: written by a newer Wonderlog")
    return plain
