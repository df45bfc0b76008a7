"""Somebody who sits by the queue and moves on every game that knocks."""

from __future__ import annotations

import gc
import signal
import threading
import time
from collections.abc import Callable
from typing import Any

import redis
from rq import Queue, SimpleWorker
from rq.executions import Execution
from rq.job import Job
from rq.serializers import JSONSerializer
from rq.utils import now
from rq.worker.base import WorkerStatus

import workers.jobs  # noqa: F401 - RQ finds the jobs by name: here, before the first one is late
from workers import logs
from workers.queue import NAME, connection
from workers.wiring import House, move_in

TTL_SECONDS = 30
"""RQ waits for a job 15 s less than this at a time, so a server that went away silently is noticed soon."""
BEAT_SECONDS = 5.0
LONGEST_PAUSE = 2.0


class Porter(SimpleWorker):
    """RQ's worker with fewer journeys to the queue before a job, which are time in which a table waits: one for all that is
    noted, where RQ makes two; and it says that it is alive every few seconds, not twice a job with three journeys each time."""

    def prepare_execution(self, job: Job) -> Execution:
        """What RQ notes of a job for the worker; sent by `prepare_job_execution`, which a worker without a fork does next."""
        self._journey = self.connection.pipeline()
        execution = Execution.create(job, self.get_heartbeat_ttl(job), pipeline=self._journey, worker_name=self.name)
        self.executions[execution.id] = execution
        self.set_state(WorkerStatus.BUSY, pipeline=self._journey)
        return execution

    def prepare_job_execution(self, job: Job, remove_from_intermediate_queue: bool = False) -> None:
        """What RQ notes of a job for the job itself, and both are sent."""
        with self._journey as journey:
            ttl = self.get_heartbeat_ttl(job)
            self.heartbeat(ttl, pipeline=journey)
            job.heartbeat(now(), ttl, pipeline=journey)
            job.prepare_for_execution(self.name, pipeline=journey)
            journey.persist(job.key)
            if remove_from_intermediate_queue:
                journey.lrem(self.queues[0].intermediate_queue_key, 1, job.id)
            journey.execute()

    def heartbeat(self, timeout: int | None = None, pipeline: Any = None) -> None:
        if pipeline is not None or timeout is not None or time.monotonic() >= self._beat_due:
            self._beat_due = time.monotonic() + BEAT_SECONDS
            super().heartbeat(timeout, pipeline)

    _beat_due = 0.0


def run(house: House, stop: threading.Event | None = None, ready: Callable[[], None] | None = None) -> int:
    """Works until SIGTERM or SIGINT (the job at hand is finished first); 0.  ValueError for a house without a queue.

    SimpleWorker carries jobs out in this process: forking for each would cost 8 ms and all that is kept folded.  A worker that
    loses its queue ends, so another one is made, for as long as nobody asks to stop.
    """
    url = house.queue_url
    stop = stop or threading.Event()
    move_in(house)
    gc.collect()
    gc.freeze()  # without it, collections make the slowest jobs take 10 to 25 ms
    if ready:
        ready()
    pause = 0.1
    while not stop.is_set():
        began = time.monotonic()
        if _work(house, url):
            return 0
        pause = 0.1 if time.monotonic() - began > 10 * LONGEST_PAUSE else min(2 * pause, LONGEST_PAUSE)
        stop.wait(pause)
    return 0


def _work(house: House, url: str) -> bool:
    """One RQ worker until it ends; True if it was asked to."""
    own = connection(url, None)
    handlers = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    asked = False
    try:
        queue = Queue(NAME, connection=own, serializer=JSONSerializer)
        worker = Porter([queue], connection=own, serializer=JSONSerializer, worker_ttl=TTL_SECONDS, log_job_description=False)
        worker.log_result_lifespan = False
        worker.max_connection_wait_time = LONGEST_PAUSE
        try:
            worker.work(logging_level="WARNING")
        finally:
            # RQ says nowhere why `work` came back; being asked to stop, it leaves this handler for a second, harder request.
            asked = signal.getsignal(signal.SIGTERM) == worker.request_force_stop
    except (redis.RedisError, OSError) as error:
        logs.line(house.log, "queue_away", ms=0.0, reason=type(error).__name__)
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
        own.close()
        own.connection_pool.disconnect()
    return asked
