"""A house in memory with its pages, on a real port: games move in step with the requests, and finished ones lie there at once."""

from __future__ import annotations

import os
import shutil
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import uvicorn

from services.api import create_app, hub
from services.web.routes import pages
from tests.api.given import ProjectingStore
from tests.games import Sitting, options
from workers.wiring import House

STRANGE_HOST = "table.example"
"""A name that the browser maps to this machine: an origin without HTTPS, where it keeps its own cryptography locked away."""
CHROMIUM = ("chromium", "chromium-browser", "google-chrome")


def browser_arguments() -> dict[str, Any]:
    """How the browser is started: CHROMIUM names it, else the first on PATH."""
    found = os.environ.get("CHROMIUM") or next((place for name in CHROMIUM if (place := shutil.which(name))), None)
    if found is None:
        raise LookupError("no Chromium: apt-get install chromium, or name one with CHROMIUM=/path/to/it")
    mapped = f"--host-resolver-rules=MAP {STRANGE_HOST} 127.0.0.1"
    return {"executable_path": found, "args": ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", mapped]}


class OpenHouse:
    """The house and where it is.  url: on this machine; strange: the same by a name, without HTTPS."""

    def __init__(self, house: House, port: int) -> None:
        self.house = house
        self.url = f"http://127.0.0.1:{port}"
        self.strange = f"http://{STRANGE_HOST}:{port}"
        self._finished: dict[tuple[object, ...], str] = {}

    def finished(self, players: int, edifice: bool = True, seed: int = 3, **more: Any) -> str:
        """The id of a game of people that was played to its end; the same game when it is asked for again."""
        kind = (players, edifice, seed, *sorted(more.items()))
        if kind not in self._finished:
            self._finished[kind] = self.sitting(players, edifice, seed, **more).play().id
        return self._finished[kind]

    def sitting(self, players: int, edifice: bool = True, seed: int = 3, **more: Any) -> Sitting:
        """A game of people on this house's store, not begun."""
        return Sitting(options(players, edifice, **more), seed, store=self.house.store)


@contextmanager
def open_house() -> Iterator[OpenHouse]:
    """Opens the doors; closes them when the block ends."""
    before, hub.LISTEN_MS = hub.LISTEN_MS, 20
    house = House.on(ProjectingStore())
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        config = uvicorn.Config(create_app(house, pages()), log_config=None, timeout_graceful_shutdown=1, lifespan="on")
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, args=([listening],), daemon=True)
        thread.start()
        try:
            deadline = time.monotonic() + 20
            while not server.started:
                assert thread.is_alive(), "the server has ended"
                assert time.monotonic() < deadline, "the server does not start"
                time.sleep(0.01)
            yield OpenHouse(house, listening.getsockname()[1])
        finally:
            server.should_exit = True
            thread.join(20)
            hub.LISTEN_MS = before
            house.close()
            assert not thread.is_alive()
