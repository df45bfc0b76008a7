"""A house whose doors close and open again at the same address, while its games stay."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import uvicorn

from services.api import create_app
from services.web.routes import pages
from tests.api.given import ProjectingStore
from tests.web.house import OpenHouse
from workers.wiring import House


class Doors:
    """The server in front of a house.  port: always the same."""

    def __init__(self, house: House) -> None:
        self._house = house
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port: int = probe.getsockname()[1]
        self._server: uvicorn.Server | None = None
        self._thread: threading.Thread | None = None

    def open(self) -> None:
        config = uvicorn.Config(
            create_app(self._house, pages()), port=self.port, log_config=None, timeout_graceful_shutdown=1, lifespan="on"
        )
        self._server = server = uvicorn.Server(config)
        self._thread = threading.Thread(target=server.run, daemon=True)
        self._thread.start()
        deadline = time.monotonic() + 20
        while not server.started:
            assert time.monotonic() < deadline, "the server does not start"
            time.sleep(0.01)

    def close(self) -> None:
        if self._server is None or self._thread is None:
            return
        self._server.should_exit = True
        self._thread.join(20)
        assert not self._thread.is_alive()
        self._server = None


@contextmanager
def reopening_house() -> Iterator[tuple[OpenHouse, Doors]]:
    """A house and its doors, which are open."""
    house = House.on(ProjectingStore())
    doors = Doors(house)
    doors.open()
    try:
        yield OpenHouse(house, doors.port), doors
    finally:
        doors.close()
        house.close()
