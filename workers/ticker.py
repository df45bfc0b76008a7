"""The clock on the wall: finds the games whose time has come or whose knock was lost, and has them moved on."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence

from events.commands import ExtendClock
from events.rules.state import Choosing, Extra
from events.store.protocol import StoreUnavailable, Wake
from events.transact import Kept
from workers import logs
from workers.clock import BEAT_MS, FAIR_MS, OUTAGE_MS, beat, last_beat
from workers.handlers import carry_out
from workers.wiring import House

POLL_SECONDS = 0.1
GRACE_MS = 250
"""A game that has waited no longer is on its way through the queue, or a person's click is."""
FIRST_MS, LONGEST_MS = 1_000, 30_000
"""How long a game that was handed to the queue is left alone: doubling, so that a backlog is not flooded."""
LOOK = 1_000
"""Games of one partition that are taken at a time."""
ALONE = 8
"""Up to so many games have a job each; more are handed over together, since a job costs RQ 3 ms."""
TOGETHER = 32


def run(house: House, stop: threading.Event) -> None:
    """Ticks until `stop` is set.  A store that is away is waited for; several tickers do no harm."""
    ticker = Ticker(house)
    away = False
    while not stop.is_set():
        try:
            ticker.tick()
        except StoreUnavailable as error:
            if not away:
                logs.line(house.log, "store_away", ms=0.0, reason=type(error).__name__, watcher="ticker")
            away = True
        else:
            if away:
                house.log.info("store_back", watcher="ticker")
            away = False
        stop.wait(POLL_SECONDS)


class Ticker:
    """One watcher of all partitions."""

    def __init__(self, house: House) -> None:
        self.house = house
        self._watched: int | None = None  # when this ticker last looked, ms
        self._beaten = 0

    def tick(self) -> int:
        """One look at all partitions; how many games were handed over.  Raises StoreUnavailable."""
        store = self.house.store
        now = store.now()
        if self._watched is None or now - self._watched > OUTAGE_MS:
            self._after_absence(now)
        if now - self._beaten >= BEAT_MS:
            beat(store, now)
            self._beaten = now
        self._watched = now
        overdue = store.overdue_anywhere(now - GRACE_MS, LOOK)
        return self._hand_over(overdue, now) if overdue else 0

    # -- what is overdue ----------------------------------------------------------------------------------------
    def _hand_over(self, overdue: Sequence[Wake], now: int) -> int:
        if not self.house.knocks.answers():
            return 0  # the wakes stay as they are: as soon as the queue is back, every game is found
        store = self.house.store
        taken = [wake for wake in overdue if store.postpone(wake, now + pause(wake.attempts))]
        if len(taken) <= ALONE:
            for wake in taken:
                self._hand_over_one(wake)
            return len(taken)
        for start in range(0, len(taken), TOGETHER):
            self.house.knock([wake.game for wake in taken[start : start + TOGETHER]], now, "ticker")
        return len(taken)

    def _hand_over_one(self, wake: Wake) -> None:
        head = self.house.store.head(wake.game)
        version = head[0] if head else 0
        self.house.knocks.forgive(wake.game, version)  # also the first time: the job of the fast path may have failed
        self.house.knock([wake.game], version, "ticker")

    # -- after an outage ----------------------------------------------------------------------------------------
    def _after_absence(self, now: int) -> None:
        """This ticker was away.  If nobody else watched, everybody gets time: before the first beat, so that no worker trusts
        the clock until all have it."""
        last = last_beat(self.house.store)
        if last is not None and now - last <= OUTAGE_MS:
            return
        began = time.perf_counter()
        store = self.house.store
        given = 0
        for place in range(store.partitions):
            # A deadline that was overdue may have been postponed, but by half a minute at most.
            for wake in store.overdue(place, now + FAIR_MS, limit=store.waking(place) + LOOK):
                given += self._give_time(wake.game)
        silent = 0 if last is None else now - last
        logs.line(self.house.log, "after_outage", ms=(time.perf_counter() - began) * 1000, given=given, silent_ms=silent)

    def _give_time(self, game: str) -> bool:
        """The smaller of a turn and a minute, for a question that people still have to answer."""

        def choose(kept: Kept) -> ExtendClock | None:
            phase, turn = kept.game.phase, kept.game.options.turn_ms if kept.game.options else None
            if turn is None or not isinstance(phase, (Choosing, Extra)):
                return None
            return ExtendClock(deadline=max(self.house.store.now(), kept.game.at) + min(turn, FAIR_MS))

        try:
            return carry_out(self.house, game, choose).receipt is not None
        except StoreUnavailable:
            raise
        except Exception as error:  # noqa: BLE001 - one broken game must not keep the clock from all others
            logs.line(self.house.log, "no_time_given", game=game, ms=0.0, reason=type(error).__name__, at=logs.place(error))
            return False


def pause(attempts: int) -> int:
    """How long (ms) a game is left alone after so many attempts.

    >>> [pause(n) for n in (0, 1, 4, 5, 400)]
    [1000, 2000, 16000, 30000, 30000]
    """
    return min(FIRST_MS << min(attempts, 10), LONGEST_MS)
