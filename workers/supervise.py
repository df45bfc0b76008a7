"""Keeps the whole house open: starts its parts, starts again what falls over, and puts out the lights when it is told to.

Each part is a process forked from this one, which has imported everything and opened nothing: a part then stands in some
milliseconds, where a fresh Python would import for half a second (and compile for longer where nothing may be cached).  For
that, this process has a single thread, no store and no sockets; each part opens the house for itself after the fork.

Ticker and projector share one process, the clock, each in a thread of its own: both wait nearly all the time, and two
processes would cost twice the memory for nothing.  On many machines they are run apart (`wonderlog tick`, `wonderlog project`).

No part outlives this process: all hold the reading end of a pipe that closes when it dies, however it dies.
"""

from __future__ import annotations

import gc
import os
import select
import shutil
import signal
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from types import FrameType
from typing import TYPE_CHECKING

from msgspec import Struct

from workers import logs
from workers.settings import Settings

if TYPE_CHECKING:
    from workers.wiring import House

GRACE_SECONDS = 6.0
"""A part that has not ended by then is killed; no acknowledged move can be lost with it."""
FIRST_PAUSE, LONGEST_PAUSE = 0.2, 10.0
STEADY_SECONDS = 30.0
"""A part that has stood for so long is started again without delay."""

Run = Callable[["House", threading.Event, Callable[[], None]], int | None]
"""(house, stop, ready): serves until `stop` is set or SIGTERM comes; calls `ready` once it serves; its exit status."""


class Part(Struct, frozen=True):
    """A process of the house."""

    name: str
    run: Run


def parts(workers: int = 1) -> tuple[Part, ...]:
    """What moves games on: so many workers, and the clock."""
    return (*(Part(f"worker-{number}", _worker) for number in range(1, workers + 1)), Part("clock", _clock))


def _worker(house: House, stop: threading.Event, ready: Callable[[], None]) -> int:
    from workers.worker import run

    return run(house, stop, ready)


def _clock(house: House, stop: threading.Event, ready: Callable[[], None]) -> int:
    from workers import projector, ticker

    failed: list[str] = []

    def watch(name: str, run: Callable[[House, threading.Event], None]) -> None:
        try:
            run(house, stop)
        finally:
            if not stop.is_set():
                failed.append(name)
                stop.set()

    gc.collect()
    gc.freeze()
    both = [threading.Thread(target=watch, args=one, name=one[0]) for one in (("ticker", ticker.run), ("projector", projector.run))]
    for thread in both:
        thread.start()
    ready()
    for thread in both:
        thread.join()
    return 1 if failed else 0


def run(settings: Settings, wanted: Sequence[Part], on_ready: Callable[[], None] = lambda: None) -> int:
    """Opens the house and keeps it open until SIGINT or SIGTERM; the exit status.

    on_ready: called once, when all parts serve.  A part that ends before it ever served ends the house (status 1): it has said
    why.  A second signal kills.  Only in the main thread of a process that has no other.
    """
    return _Supervisor(settings, wanted, on_ready).keep()


class _Child(Struct):
    """One process.  ready: it serves; ever: it, or one before it, has."""

    part: Part
    pid: int = 0
    began: float = 0.0
    ever: bool = False
    again_at: float = 0.0
    pause: float = FIRST_PAUSE


class _Supervisor:
    def __init__(self, settings: Settings, wanted: Sequence[Part], on_ready: Callable[[], None]) -> None:
        self.settings = settings
        self.children = [_Child(part) for part in wanted]
        self.on_ready = on_ready
        self.status = 0
        self.asked = 0
        self.said = False
        self.log = logs.diary("supervisor")

    def keep(self) -> int:
        logs.configure(self.settings.log)
        figures = tempfile.mkdtemp(prefix="wonderlog-figures-")
        _import_everything(figures)
        self.lifeline_out, self.lifeline = os.pipe()
        self.ready_out, self.ready_in = os.pipe()
        self.woken_out, woken_in = os.pipe()
        for end in (self.ready_out, self.woken_out, woken_in):
            os.set_blocking(end, False)
        before = {number: signal.signal(number, self._asked) for number in (signal.SIGINT, signal.SIGTERM)}
        before[signal.SIGCHLD] = signal.signal(signal.SIGCHLD, lambda number, frame: None)
        signal.set_wakeup_fd(woken_in, warn_on_full_buffer=False)
        self.woken_in = woken_in
        try:
            for child in self.children:
                self._start(child)
            while not self.asked and not self.status:
                self._watch()
            self._end()
        finally:
            signal.set_wakeup_fd(-1)
            for number, handler in before.items():
                signal.signal(number, handler)
            for end in (self.lifeline_out, self.lifeline, self.ready_out, self.ready_in, self.woken_out, woken_in):
                os.close(end)
            shutil.rmtree(figures, ignore_errors=True)
            stop_own_servers(self.settings)
        return self.status

    def _asked(self, number: int, frame: FrameType | None) -> None:
        self.asked += 1

    # -- watching -----------------------------------------------------------------------------------------------
    def _watch(self) -> None:
        """Waits for a signal, a part that serves or one that has ended, and does what is to be done."""
        now = time.monotonic()
        waiting = [child.again_at - now for child in self.children if not child.pid]
        select.select([self.woken_out, self.ready_out], [], [], max(0.0, min(waiting, default=60.0)))
        with suppress(BlockingIOError):
            os.read(self.woken_out, 4096)
        with suppress(BlockingIOError):
            for place in os.read(self.ready_out, 4096):
                self.children[place].ever = True
        self._bury()
        if not self.said and all(child.ever for child in self.children):
            self.said = True
            self.on_ready()
        for child in self.children:
            if not child.pid and not self.status and time.monotonic() >= child.again_at:
                self._start(child)

    def _bury(self) -> None:
        """Takes note of the parts that have ended."""
        for child in self.children:
            if not child.pid:
                continue
            pid, status = os.waitpid(child.pid, os.WNOHANG)
            if not pid:
                continue
            child.pid = 0
            if self.asked:
                continue
            code = os.waitstatus_to_exitcode(status)
            self.log.warning("part_ended", name=child.part.name, status=code)
            if not child.ever:
                self.status = 1
            stood = time.monotonic() - child.began
            child.pause = FIRST_PAUSE if stood > STEADY_SECONDS else min(2 * child.pause, LONGEST_PAUSE)
            child.again_at = time.monotonic() + (0.0 if stood > STEADY_SECONDS else child.pause)

    # -- starting -----------------------------------------------------------------------------------------------
    def _start(self, child: _Child) -> None:
        place = self.children.index(child)
        sys.stdout.flush()
        sys.stderr.flush()
        child.began = time.monotonic()
        pid = os.fork()
        if pid:
            child.pid = pid
            return
        status = 1
        try:
            status = self._be(child.part, place)
        finally:  # nothing of the parent's may run in the child: neither its loop nor its exit handlers
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(status)

    def _be(self, part: Part, place: int) -> int:
        """The life of a part, in its own process."""
        signal.set_wakeup_fd(-1)
        os.setpgid(0, 0)  # Ctrl-C in the terminal is for the supervisor, which asks each part once
        stop = threading.Event()
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.signal(signal.SIGTERM, lambda number, frame: stop.set())
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        for end in (self.lifeline, self.ready_out, self.woken_out, self.woken_in):
            os.close(end)
        threading.Thread(target=_end_with_parent, args=(self.lifeline_out,), name="lifeline", daemon=True).start()
        return _serve(self.settings, part, stop, lambda: os.write(self.ready_in, bytes([place])))

    # -- ending -------------------------------------------------------------------------------------------------
    def _end(self) -> None:
        """Asks every part to end, all at once; kills what has not after a while, or at a second signal."""
        asked = self.asked = max(self.asked, 1)
        self._signal(signal.SIGTERM)
        end = time.monotonic() + GRACE_SECONDS
        while any(child.pid for child in self.children):
            left = end - time.monotonic()
            if left <= 0 or self.asked > asked:
                self._signal(signal.SIGKILL)
                left = 1.0
            select.select([self.woken_out], [], [], left)
            with suppress(BlockingIOError):
                os.read(self.woken_out, 4096)
            self._bury()

    def _signal(self, number: signal.Signals) -> None:
        for child in self.children:
            if child.pid:
                with suppress(ProcessLookupError):
                    os.kill(child.pid, number)


def _import_everything(figures: str) -> None:
    """Before the first fork, so that it is done once: what the parts need, and a folder where their counters meet."""
    from workers import metrics, projector, ticker, worker  # noqa: F401

    metrics.share(figures)
    gc.collect()
    gc.freeze()  # what was imported is never looked at by a collection again, so the parts go on sharing its memory


def _serve(settings: Settings, part: Part, stop: threading.Event, ready: Callable[[], object]) -> int:
    from events.store.protocol import StoreError
    from workers.wiring import House

    log = logs.diary(part.name)
    try:
        house = House.open(settings)
    except (StoreError, ValueError, OSError) as error:
        log.error("not_opened", says=str(error))
        return 1
    try:
        return part.run(house, stop, lambda: (ready(), None)[1]) or 0
    except Exception as error:  # noqa: BLE001 - the end of this process, which its supervisor notices
        log.error("part_failed", error=type(error).__name__, at=logs.place(error))
        return 1
    finally:
        house.close()


def _end_with_parent(lifeline: int) -> None:
    """Waits until the supervisor is gone, then ends this process, gently at first."""
    os.read(lifeline, 1)
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(GRACE_SECONDS)
    os._exit(1)


def stop_own_servers(settings: Settings) -> None:
    """If parts were killed, the servers of the data folder still run: joins each as its last user, and so ends it."""
    from events.store.embedded import EmbeddedServer, reachable, socket_path
    from events.store.protocol import StoreError
    from workers.queue import queue_folder

    if settings.store_url is not None:
        return
    for data in (settings.data, queue_folder(settings.data)):
        folder = data.resolve() / "store"
        if folder.is_dir() and reachable(socket_path(folder)):
            with suppress(StoreError):
                EmbeddedServer(data).close()
