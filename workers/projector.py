"""Shows what has happened: follows the feed of all games, brings their views up to date, then tells whoever is watching."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Sequence

from msgspec import Struct

from events.store.protocol import StoreError, StoreUnavailable
from events.transact import UnknownGame
from projections.project import Projections
from workers import logs
from workers.wiring import FOLLOWERS, House

GROUP = FOLLOWERS
COUNT = 512
BLOCK_MS = 500
AWAY_SECONDS = 0.2
HOLD_SECONDS = 0.05
"""How long views are held back while a game owes itself a step: what nobody could look at before the next step has come takes
time that this step needs, and a write to the disk.  If no worker comes, everything is shown then."""


def run(house: House, stop: threading.Event) -> None:
    """Projects until `stop` is set.  A store that is away is waited for; several projectors share the work."""
    projector = Projector(house)
    away = False
    while not stop.is_set():
        try:
            projector.look(BLOCK_MS)
        except StoreUnavailable as error:
            if not away:
                logs.line(house.log, "store_away", ms=0.0, reason=type(error).__name__, watcher="projector")
            away = True
            stop.wait(AWAY_SECONDS)
        else:
            if away:
                house.log.info("store_back", watcher="projector")
            away = False


class _Open(Struct):
    """A game with lines that are not acknowledged yet: since when, which (partition, line), and whether the last of them says
    that the game moves on by itself."""

    since: float
    lines: list[tuple[int, str]] = []
    moving: bool = False


class Projector:
    """One member of the group that follows the feeds.

    member: its name; one that comes back under its old name finishes at once what it had left.  places: the partitions it
    follows, by default all.
    """

    def __init__(self, house: House, member: str | None = None, places: Sequence[int] | None = None) -> None:
        self.house = house
        self.member = member or house.settings.member or socket.gethostname()
        self.places = tuple(places if places is not None else range(house.store.partitions))
        self.projections = Projections(house.store)
        self._open: dict[str, _Open] = {}
        self._ask = True  # whether lines may have been dropped unread: at the start, and after a full answer

    def look(self, block_ms: int) -> int:
        """What came since the last look, waiting at most `block_ms`; how many games were brought up to date.

        Raises StoreUnavailable; nothing is lost then, since a line is acknowledged only when its views are written."""
        store = self.house.store
        if self._ask:
            self._make_up()
        lines = store.follow(self.places, GROUP, self.member, COUNT, self._patience(block_ms))
        self._ask = len(lines) >= COUNT
        now = time.monotonic()
        for place, item in lines:  # many lines of one game are one piece of work
            open = self._open.setdefault(item.game, _Open(now))
            open.lines.append((place, item.id))
            open.moving = item.moving
        shown = [game for game, open in self._open.items() if not open.moving or now - open.since >= HOLD_SECONDS]
        for game in shown:
            self.show(game)
        done: dict[int, list[str]] = {}
        for game in shown:
            for place, line in self._open.pop(game).lines:
                done.setdefault(place, []).append(line)
        for place, items in done.items():
            store.acknowledge(place, GROUP, items)
        return len(shown)

    def _patience(self, block_ms: int) -> int:
        """How long to wait for news: not beyond the time at which a game that is held back must be shown."""
        if not self._open:
            return block_ms
        left = min(open.since for open in self._open.values()) + HOLD_SECONDS - time.monotonic()
        return max(0, min(block_ms, int(left * 1000) + 1))

    def show(self, game: str) -> None:
        """Writes the views of a game, then says so: also if somebody else wrote them, who may have died before saying it."""
        began = time.perf_counter()
        try:
            self.projections.project(game)
        except UnknownGame:
            return  # its log is in the archive
        except StoreError:
            raise
        except Exception as error:  # noqa: BLE001 - one game that nobody can show must not keep all others waiting
            logs.line(self.house.log, "not_shown", game=game, ms=0.0, reason=type(error).__name__, at=logs.place(error))
            self.house.metrics.not_projected.inc()
            return
        self.house.metrics.projected.inc()
        self.house.metrics.project_ms.observe((time.perf_counter() - began) * 1000)

    def _make_up(self) -> None:
        """The feed is bounded: where lines were dropped before the group read them, every game is brought up to date."""
        store = self.house.store
        for place in self.places:
            if not store.fell_behind(place, GROUP):
                continue
            began = time.perf_counter()
            games = 0
            for game in store.games(place):
                self.show(game)
                games += 1
            logs.line(self.house.log, "made_up", ms=(time.perf_counter() - began) * 1000, partition=place, games=games)
        self._ask = False
