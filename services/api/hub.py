"""Word of mouth inside one process: a game has moved on, and everybody who waits for it is woken."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager, suppress
from types import TracebackType
from typing import Any, TypeVar

from events.store.protocol import EventStore, StoreUnavailable

LISTEN_MS = 400
"""How long one wait at the store lasts: also how long leaving takes."""


T = TypeVar("T")


class Crowd:
    """All who watch one game: one of them looks for all who want to know the same."""

    def __init__(self) -> None:
        self.watches: set[Watch] = set()
        self._readings: dict[Hashable, asyncio.Task[Any]] = {}

    def tell(self, version: int) -> None:
        """Wakes everybody; a reading that began before this is not joined any more."""
        self._readings.clear()
        for watch in self.watches:
            watch.tell(version)

    async def together(self, what: Hashable, read: Callable[[], T]) -> T:
        """What `read` finds, in a thread; those who ask for the same while it is under way get the same."""
        reading = self._readings.get(what)
        if reading is None or reading.done():
            reading = self._readings[what] = asyncio.create_task(asyncio.to_thread(read))
            reading.add_done_callback(_heard_out)
        found: T = await asyncio.shield(reading)
        return found


def _heard_out(reading: asyncio.Task[Any]) -> None:
    """An error is told to all who wait, and to nobody if nobody waits any more."""
    if not reading.cancelled():
        reading.exception()


class Watch:
    """Somebody who waits for news of one game.  version: the highest one that was heard of."""

    def __init__(self, crowd: Crowd) -> None:
        self.version = 0
        self.crowd = crowd
        self._news = asyncio.Event()

    def tell(self, version: int) -> None:
        self.version = max(self.version, version)
        self._news.set()

    async def news(self, seconds: float) -> bool:
        """Waits for the next news, at most so long; news that came since the last call counts.  False: none came."""
        try:
            await asyncio.wait_for(self._news.wait(), seconds)
        except TimeoutError:
            return False
        self._news.clear()
        return True


class Hub:
    """One thread listens at the store; the event loop wakes who watches.  At most `most` watch at the same time.

    A lost connection to the store wakes everybody, since news may have been missed: whoever is woken looks at the log, and
    finds what there is.
    """

    def __init__(self, store: EventStore, most: int) -> None:
        self._store, self.most = store, most
        self._watching: dict[str, Crowd] = {}
        self.count = 0
        self.closing = False
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None

    # -- the thread ---------------------------------------------------------------------------------------------
    async def __aenter__(self) -> Hub:
        self._loop = asyncio.get_running_loop()
        self.closing = False
        self._stop.clear()
        self._thread = threading.Thread(target=self._listen, name="wonderlog-live", daemon=True)
        self._thread.start()
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._stop.set()
        self.close()
        if self._thread is not None:
            await asyncio.to_thread(self._thread.join)
        self._loop = None

    def close(self) -> None:
        """Ends every watch, so that open streams end; call it from the event loop."""
        self.closing = True
        self._wake_all()

    @property
    def alive(self) -> bool:
        """Whether the listening thread runs."""
        return self._thread is not None and self._thread.is_alive()

    def _listen(self) -> None:
        while not self._stop.is_set():
            try:
                for game, version in self._store.listen(LISTEN_MS):
                    self.tell(game, version)
            except StoreUnavailable:
                self._in_loop(self._wake_all)
                self._stop.wait(0.1)

    def _in_loop(self, call: object, *arguments: object) -> None:
        loop = self._loop
        if loop is not None:
            with suppress(RuntimeError):  # the loop has closed: nobody is left to be woken
                loop.call_soon_threadsafe(call, *arguments)  # type: ignore[arg-type]

    # -- telling ------------------------------------------------------------------------------------------------
    def tell(self, game: str, version: int) -> None:
        """The game has come to this version; from any thread."""
        self._in_loop(self._wake, game, version)

    def _wake(self, game: str, version: int) -> None:
        if (crowd := self._watching.get(game)) is not None:
            crowd.tell(version)

    def _wake_all(self) -> None:
        for crowd in self._watching.values():
            crowd.tell(0)

    # -- watching -----------------------------------------------------------------------------------------------
    @contextmanager
    def watch(self, game: str) -> Iterator[Watch]:
        """News of a game from now on.  In the event loop only."""
        crowd = self._watching.setdefault(game, Crowd())
        watch = Watch(crowd)
        crowd.watches.add(watch)
        self.count += 1
        try:
            yield watch
        finally:
            self.count -= 1
            crowd.watches.discard(watch)
            if not crowd.watches:
                del self._watching[game]
