"""Games to look at, and small ways of looking."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from events import codec
from events.facts import AnyEvent
from events.rules import evolve, initial
from events.rules.state import Closing, Game, Resolving
from projections.views import Views
from tests.games import Sitting


def plain(body: bytes) -> Any:
    """A document as dicts and lists."""
    return msgspec.json.decode(body)


def resting(game: Game) -> bool:
    """Whether a game has come to rest: neither in the middle of a reveal nor of an Age's end."""
    return not isinstance(game.phase, (Resolving, Closing))


def moments_of(sitting: Sitting) -> Iterator[tuple[Game, Views, AnyEvent]]:
    """The game as the server knows it, all views, and the event, after each entry of a log."""
    views, names = Views(), sitting.names
    game = initial(sitting.game.box)
    for version, entry in sitting.entries:
        event = codec.read(version, entry.e, entry.s, names)
        game = evolve(game, event)
        views.see(version, entry, names)
        yield game, views, event


def strings(value: Any) -> Iterator[str]:
    """Every text in a document, keys too."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield key
            yield from strings(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from strings(inner)
