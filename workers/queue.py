"""How a worker is woken: a knock at the door, which may be lost or heard twice without harm."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol
from urllib.parse import urlsplit

import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from workers.settings import QUEUE_SCHEMES

if TYPE_CHECKING:
    from rq import Queue

    from events.store.embedded import EmbeddedServer
    from workers.wiring import House

NAME = "wonderlog"
"""The one queue that all workers listen to."""
JOB_SECONDS = 30
"""No job runs longer; what it left undone is found again."""
MANY_SECONDS = 120
RESULT_SECONDS = 30
"""How long a finished job stays; 0 would cost more (RQ then deletes each by itself)."""
FAILED_SECONDS = 7 * 24 * 3600
KNOCK_SECONDS = 1.0
"""How long somebody who has just played waits for a queue that does not answer, and for how long it is then left alone."""


class Knocks(Protocol):
    """Somebody who wakes a worker for a game."""

    def knock(self, house: House, games: Sequence[str], version: int, first: bool) -> str | None:
        """One job for these games, before or after those that wait; None, or why it could not be handed over."""

    def forgive(self, game: str, version: int) -> None:
        """Takes an earlier failure of this job off the list, because it is tried again."""

    def answers(self) -> bool:
        """Whether the queue can be reached."""

    def figures(self) -> dict[str, float]:
        """Gauges by name; empty if they cannot be had."""

    def close(self) -> None: ...


class RqQueue:
    """The queue of RQ, over connections of its own: RQ wants RESP2, and its server may be another one than the store's.

    url: redis://, rediss:// or unix://; server: the one behind it, if it is ours.  ValueError for another address (a cluster
    cannot hold a queue).
    """

    def __init__(self, url: str, server: EmbeddedServer | None = None) -> None:
        from rq import Queue  # a quarter of a second that `wonderlog --help` and a house in memory do without
        from rq.serializers import JSONSerializer

        if urlsplit(url).scheme not in QUEUE_SCHEMES:
            raise ValueError("this store cannot hold the queue: name a server for it in WONDERLOG_QUEUE_URL")
        self.url, self._server = url, server
        self.connection = connection(url, KNOCK_SECONDS)
        self.queue: Queue = Queue(NAME, connection=self.connection, serializer=JSONSerializer, default_timeout=JOB_SECONDS)
        self._silent_until = 0.0

    def knock(self, house: House, games: Sequence[str], version: int, first: bool) -> str | None:
        if time.monotonic() < self._silent_until:
            return "queue-silent"
        try:
            if len(games) == 1:
                self._enqueue("workers.jobs.advance", games[0], f"{games[0]}-{version}", JOB_SECONDS, first)
            else:
                self._enqueue("workers.jobs.advance_many", list(games), f"many-{games[0]}-{version}", MANY_SECONDS, first)
        except (redis.RedisError, OSError) as error:
            self._silent_until = time.monotonic() + KNOCK_SECONDS
            return f"queue-{type(error).__name__}"
        return None

    def _enqueue(self, job: str, argument: str | list[str], identity: str, seconds: int, first: bool) -> None:
        journey = self.connection.pipeline()  # RQ makes two of it, if it is not given one
        self.queue.enqueue_call(
            job,
            args=(argument,),
            job_id=identity,
            timeout=seconds,
            result_ttl=RESULT_SECONDS,
            failure_ttl=FAILED_SECONDS,
            description=job,
            at_front=first,
            pipeline=journey,
        )
        journey.execute()

    def forgive(self, game: str, version: int) -> None:
        try:
            self.connection.zrem(self.queue.failed_job_registry.key, f"{game}-{version}")
        except (redis.RedisError, OSError):
            return  # the list is a convenience; the knock itself will say that the queue is away

    def answers(self) -> bool:
        try:
            return bool(self.connection.ping())
        except (redis.RedisError, OSError):
            return False

    def figures(self) -> dict[str, float]:
        try:
            failed = self.queue.failed_job_registry.count
            return {"wonderlog_queue_length": float(self.queue.count), "wonderlog_failed_jobs": float(failed)}
        except (redis.RedisError, OSError):
            return {}

    def close(self) -> None:
        self.connection.close()
        self.connection.connection_pool.disconnect()
        if self._server is not None:
            self._server.close()


def own_queue(data: Path) -> RqQueue:
    """A queue on a small server of its own, beside the embedded store: started, or joined if it runs.

    A job is some twenty writes of RQ's book-keeping.  On the store's server each of them would wait for the disk (10 ms a job,
    4 ms of them before it starts) and keep moves waiting; here nothing is worth that, because a lost job is found again."""
    from events.store.embedded import EmbeddedServer

    server = EmbeddedServer(queue_folder(data))
    try:
        with redis.Redis.from_url(server.url, protocol=2) as client:
            client.config_set("appendfsync", "no")
        return RqQueue(server.url, server)
    except BaseException:
        server.close()
        raise


def queue_folder(data: Path) -> Path:
    """Where the queue's own server has its files, in the folder of a house."""
    return data / "queue"


class NoQueue:
    """For a store in memory: nobody else could hear a knock, so the game is advanced at once, in this process.

    A knock from inside an advance is left for later by whoever is at work, so that no step waits for itself.
    """

    def __init__(self) -> None:
        self._working: set[str] = set()

    def knock(self, house: House, games: Sequence[str], version: int, first: bool) -> str | None:
        from workers.handlers import advance  # handlers need a house

        for game in games:
            if game in self._working:
                continue
            self._working.add(game)
            try:
                while not advance(house, game).rests:
                    pass
            finally:
                self._working.discard(game)
        return None

    def forgive(self, game: str, version: int) -> None:
        """Nothing failed here."""

    def answers(self) -> bool:
        return True

    def figures(self) -> dict[str, float]:
        return {}

    def close(self) -> None:
        """Nothing to let go of."""


def connection(url: str, seconds: float | None) -> redis.Redis:
    """A client for RQ.  seconds: the longest wait for a reply; None where RQ sets its own, for workers."""
    settings: dict[str, Any] = {"protocol": 2, "retry": Retry(NoBackoff(), 1, supported_errors=(redis.ConnectionError,))}
    if seconds is not None:
        settings["socket_timeout"] = seconds
    if urlsplit(url).scheme != "unix":
        settings["socket_connect_timeout"] = seconds or 5.0
    return redis.Redis.from_url(url, **settings)
