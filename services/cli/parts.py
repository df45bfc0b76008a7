"""The parts of the house one by one, for a house on many machines."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from services.cli.openings import settings_of, store_troubles
from services.cli.serve import PORT, Host, Port, Unsafe
from services.cli.voice import Data, InJson, Stop, StoreUrl, aside, say_document
from workers.wiring import House

EXAMPLES = {
    "api": ("wonderlog api --host 0.0.0.0 --port 8777 --store redis://store:6379/0",),
    "work": ("wonderlog work --store redis://store:6379/0", "WONDERLOG_STORE_URL=redis://store:6379/0 wonderlog work"),
    "tick": ("wonderlog tick --store redis://store:6379/0",),
    "project": ("wonderlog project --store redis://store:6379/0",),
}


def api(
    *,
    host: Host = "127.0.0.1",
    port: Port = PORT,
    data: Data = None,
    store: StoreUrl = None,
    unsafe_store: Unsafe = False,
    json: InJson = False,
) -> int:
    """Answer requests over HTTP, until Ctrl-C or SIGTERM. Any number may run. Workers, a ticker and a projector run elsewhere.

    With --json one line when it is ready, with the key url.
    """
    from services.cli import door

    place = door.bind(host, port)
    address = door.url(host, place.getsockname()[1])
    with place, _part(data, store, unsafe_store) as (house, stop):
        try:
            everything = door.application(house)
        except (OSError, ValueError) as error:
            advice = "They lie in the data folder: --data or WONDERLOG_DATA; the key where WONDERLOG_HOST_KEY says."
            raise Stop(f"The house's own secrets cannot be kept: {error}.", advice, reason="data") from None
        return door.serve(everything, place, stop, lambda: _ready("api", json, url=address))


def work(*, data: Data = None, store: StoreUrl = None, unsafe_store: Unsafe = False, json: InJson = False) -> int:
    """Move games on as the queue asks for it, until Ctrl-C or SIGTERM: one for each core to spare.

    With --json one line when it is ready, with the key part.
    """
    from workers import worker

    with _part(data, store, unsafe_store) as (house, stop):
        try:
            return worker.run(house, stop, lambda: _ready("worker", json))
        except ValueError as error:
            raise Stop(str(error), "Name a Valkey or Redis with --store.", reason="no-queue") from None


def tick(*, data: Data = None, store: StoreUrl = None, unsafe_store: Unsafe = False, json: InJson = False) -> int:
    """Watch the clocks, and wake the games that were forgotten, until Ctrl-C or SIGTERM. One is enough; two do no harm.

    With --json one line when it is ready, with the key part.
    """
    from workers import ticker

    return _watch("ticker", ticker.run, data, store, unsafe_store, json)


def project(*, data: Data = None, store: StoreUrl = None, unsafe_store: Unsafe = False, json: InJson = False) -> int:
    """Write what people see, following the feeds, until Ctrl-C or SIGTERM. Several share the partitions.

    With --json one line when it is ready, with the key part.
    """
    from workers import projector

    return _watch("projector", projector.run, data, store, unsafe_store, json)


def _watch(
    name: str, run: Callable[[House, threading.Event], None], data: Data, store: StoreUrl, unsafe_store: bool, json: bool
) -> int:
    with _part(data, store, unsafe_store) as (house, stop):
        _ready(name, json)
        run(house, stop)
    return 0


@contextmanager
def _part(data: Data, store: StoreUrl, unsafe: bool) -> Iterator[tuple[House, threading.Event]]:
    """The house for one part, and the event that SIGINT and SIGTERM set."""
    settings = settings_of(data, store, unsafe=unsafe)
    stop = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda number, frame: stop.set())
    with store_troubles():
        house = House.open(settings)
    try:
        yield house, stop
    finally:
        house.close()


def _ready(part: str, json: bool, **more: str) -> None:
    if json:
        say_document({"part": part, **more})
    else:
        aside().print(f"The {part} is at work{''.join(f': {word}' for word in more.values())}. Ctrl-C ends it.", style="dim")
