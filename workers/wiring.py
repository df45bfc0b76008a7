"""Puts the house together, once for each process: its store, its table, its queue, its diary and its counters."""

from __future__ import annotations

import functools
import threading
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

from structlog.typing import FilteringBoundLogger

from events.rules import waking
from events.store import OpenedStore, open_store
from events.store.memory import MemoryStore
from events.store.protocol import EventStore, StoreError
from events.transact import Receipt, Table, UnknownGame
from workers import logs
from workers.host_key import HostKey
from workers.metrics import Metrics
from workers.queue import Knocks, NoQueue, RqQueue, own_queue
from workers.settings import Settings
from workers.sight import Sight

if TYPE_CHECKING:
    from rq import Queue


FOLLOWERS = "views"
"""The group in which projectors follow the feeds."""


class House:
    """One process's view of the house; services and workers take everything from here.

    store, url: where the logs are.  table: the write path.  knocks: the queue that wakes workers.  sight: what bots see.
    """

    def __init__(self, settings: Settings, opened: OpenedStore, knocks: Knocks) -> None:
        self.settings = settings
        self.opened = opened
        self.knocks = knocks
        self.store: EventStore = opened.store
        self.table = Table(opened.store)
        self.sight = Sight(opened.store)
        self.metrics = Metrics()
        self.log: FilteringBoundLogger = logs.diary()

    @classmethod
    def open(cls, settings: Settings | None = None) -> House:
        """Opens the store that the settings name.  Raises ValueError for settings, and what `open_store` raises."""
        settings = settings or Settings.read()
        logs.configure(settings.log)
        opened = open_store(
            settings.data, url=settings.store_url, unsafe=settings.unsafe_store, environ={"WONDERLOG_ACK": settings.ack}
        )
        try:
            house = cls(settings, opened, _queue(settings, opened))
        except BaseException:
            opened.close()
            raise
        for warning in opened.warnings:
            house.log.warning("unsafe_store", says=warning)
        return house

    @classmethod
    def on(cls, store: EventStore, knocks: Knocks | None = None, settings: Settings | None = None) -> House:
        """A house on a store that is open already: for tests and simulations."""
        return cls(settings or Settings(), OpenedStore(store, "memory://", "a store that was given"), knocks or NoQueue())

    @property
    def url(self) -> str:
        return self.opened.url

    @functools.cached_property
    def host_key(self) -> HostKey:
        """The key that signs receipts and heads; a house in memory has one of its own.  ValueError if its file cannot be read."""
        if isinstance(self.store, MemoryStore) and self.settings.host_key is None:
            return HostKey.passing()
        return HostKey.open(self.settings.data, self.settings.host_key)

    @property
    def queue(self) -> Queue:
        """The RQ queue.  ValueError for a house that has none."""
        return self._rq.queue

    @property
    def queue_url(self) -> str:
        """Where the queue is.  ValueError for a house that has none."""
        return self._rq.url

    @property
    def _rq(self) -> RqQueue:
        if not isinstance(self.knocks, RqQueue):
            raise ValueError("a store in memory has no queue: its games are advanced in this process")
        return self.knocks

    # -- the fast path ------------------------------------------------------------------------------------------
    def after(self, done: Receipt | str) -> None:
        """Call it after an append: if the game owes itself a step, a worker is woken at once.

        Never fails what was appended: whatever goes wrong here, the game is still in `wakes` and the ticker finds it."""
        game, version = (done, None) if isinstance(done, str) else (done.game, done.version)
        began = time.perf_counter()
        try:
            kept = self.table.known(game) if version else None
            if kept is None or version is None or kept.game.version < version:
                kept = self.table.load(game)
        except (StoreError, UnknownGame) as error:
            logs.line(self.log, "not_woken", game=game, ms=_ms(began), reason=type(error).__name__)
            return
        if waking(kept.game) == 0:
            self.knock([game], kept.game.version, "fast")

    def knock(self, games: Sequence[str], version: int, path: str) -> bool:
        """Hands games to the queue (version: of the first one's log); False if the queue cannot be reached.

        path: who knocks.  The "fast" one goes first: people wait for it, while a table of bots, or a backlog, does not mind."""
        reason = self.knocks.knock(self, games, version, path == "fast")
        self.metrics.knocks.labels(path, "sent" if reason is None else "lost").inc(len(games))
        if reason is not None:
            logs.line(self.log, "not_woken", game=games[0], version=version, ms=0.0, reason=reason, games=len(games))
        return reason is None

    # -- figures ------------------------------------------------------------------------------------------------
    def gauges(self) -> dict[str, float]:
        """What the store and the queue say now, by metric name.  Raises StoreUnavailable."""
        now, places = self.store.now(), range(self.store.partitions)
        overdue = self.store.overdue_anywhere(now - 1000, limit=10_000)
        figures = {
            "wonderlog_waking_games": float(sum(self.store.waking(place) for place in places)),
            "wonderlog_overdue_games": float(len(overdue)),
            "wonderlog_feed_behind_lines": float(sum(self.store.behind(FOLLOWERS))),
            "wonderlog_oldest_overdue_ms": float(max((now - wake.at for wake in overdue), default=0)),
        }
        return figures | self.knocks.figures()

    def close(self) -> None:
        """Lets go of everything.  Harmless when repeated."""
        self.knocks.close()
        self.opened.close()


def _queue(settings: Settings, opened: OpenedStore) -> Knocks:
    if isinstance(opened.store, MemoryStore):
        return NoQueue()
    if settings.queue_url is None and settings.store_url is None:
        return own_queue(settings.data)
    return RqQueue(settings.queue_url or opened.url)


# ---- the house of this process: RQ calls its jobs by name, with nothing but their arguments ----------------------------
_own: House | None = None
_lock = threading.Lock()


def house() -> House:
    """The house of this process, opened from the environment when it is first asked for."""
    global _own
    with _lock:
        if _own is None:
            _own = House.open()
        return _own


def move_in(own: House | None) -> None:
    """From now on `house()` is this one."""
    global _own
    with _lock:
        _own = own


def _ms(began: float) -> float:
    return (time.perf_counter() - began) * 1000
