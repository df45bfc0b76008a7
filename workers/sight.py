"""What a bot may look at: the game as its own seat sees it, folded from what that seat may read and from nothing else."""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock

from events.rules import Game
from events.store.protocol import EventStore
from projections.eyes import Eyes

KEPT = 1024
"""Seats that a process keeps folded."""


class Sight:
    """The eyes of all seats that bots play for in this process.  Safe to share between threads; nothing here is a truth."""

    def __init__(self, store: EventStore) -> None:
        self._store = store
        self._kept: OrderedDict[tuple[str, int], Eyes] = OrderedDict()
        self._lock = Lock()

    def of(self, game: str, seat: int, version: int) -> Game:
        """The game as the seat saw it when the log had come to `version`, which must have been read already.

        Names are left out: no bot plays by who sits where."""
        with self._lock:
            eyes = self._kept.get((game, seat))
            if eyes is None or eyes.version > version:
                eyes = Eyes(seat)
            if eyes.version < version:
                eyes.see_all(self._store.read(game, eyes.version, version - eyes.version), {})
            self._kept[game, seat] = eyes
            self._kept.move_to_end((game, seat))
            while len(self._kept) > KEPT:
                self._kept.popitem(last=False)
            return eyes.game
