"""The jobs in the queue: a game, or many games, are moved on until they wait for people again."""

from __future__ import annotations

import time
from collections.abc import Sequence

from events.store.protocol import StoreUnavailable
from workers import logs
from workers.handlers import Advanced, advance as move_on
from workers.wiring import House, house


def advance(game: str) -> None:
    """Moves one game on.  A job that fails is failed: RQ keeps it, and the game is found again by its wake-up time."""
    own = house()
    began = time.perf_counter()
    try:
        done = move_on(own, game)
    except Exception as error:
        _tell(own, "advance", began, game=game, reason=type(error).__name__)
        raise
    _tell(own, "advance", began, game=game, version=done.version, events=done.events)
    _again(own, game, done)


def advance_many(games: Sequence[str]) -> None:
    """Moves many games on, one after the other.  One that fails spoils nothing for the others: it is tried once more in a job
    of its own, and fails there."""
    own = house()
    began = time.perf_counter()
    events = alone = 0
    for game in games:
        try:
            done = move_on(own, game)
        except StoreUnavailable as error:
            _tell(own, "advance_many", began, events=events, reason=type(error).__name__, games=len(games))
            raise
        except Exception as error:  # noqa: BLE001 - it is raised again in its own job, where RQ keeps it
            alone += 1
            own.log.warning("tried_alone", game=game, reason=type(error).__name__)
            own.knock([game], _version(own, game), "alone")
            continue
        events += done.events
        _again(own, game, done)
    _tell(own, "advance_many", began, events=events, games=len(games), alone=alone)


def _again(own: House, game: str, done: Advanced) -> None:
    """A game that owes more than one job does goes to the end of the queue."""
    if not done.rests:
        own.knock([game], done.version, "again")


def _version(own: House, game: str) -> int:
    head = own.store.head(game)
    return head[0] if head else 0


def _tell(own: House, job: str, began: float, *, reason: str | None = None, **facts: object) -> None:
    ms = (time.perf_counter() - began) * 1000
    own.metrics.jobs.labels(job, "failed" if reason else "done").inc()
    own.metrics.job_ms.labels(job).observe(ms)
    logs.line(own.log, job, ms=ms, reason=reason, **facts)  # type: ignore[arg-type]
