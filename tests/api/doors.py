"""A real server on loopback, for what a client in the same process cannot show: streams that stay open."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx
import uvicorn

from services.api import create_app
from tests.api.given import lines
from workers.wiring import House


@contextmanager
def served(house: House, **settings: Any) -> Iterator[httpx.Client]:
    """The house behind uvicorn; ends when the block does, open streams included."""
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        config = uvicorn.Config(create_app(house, **settings), log_config=None, timeout_graceful_shutdown=1, lifespan="on")
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, args=([listening],), daemon=True)
        thread.start()
        try:
            deadline = time.monotonic() + 10
            while not server.started:
                assert time.monotonic() < deadline, "the server does not start"
                time.sleep(0.005)
            with httpx.Client(base_url=f"http://127.0.0.1:{listening.getsockname()[1]}", timeout=10) as client:
                yield client
        finally:
            server.should_exit = True
            thread.join(10)
            assert not thread.is_alive()


class Stream:
    """A live stream that is being read."""

    def __init__(self, response: httpx.Response) -> None:
        self.response = response
        self._text = ""
        self._chunks = response.iter_text()

    def next(self, many: int) -> list[dict[str, Any]]:
        """The next events, waited for; the client's timeout is the deadline."""
        while self._text.count("\n\n") - self._comments() < many:
            self._text += next(self._chunks)
        whole, _, self._text = self._text.rpartition("\n\n")
        found = lines(whole + "\n\n")
        assert len(found) >= many
        return found

    def _comments(self) -> int:
        return sum(not part.startswith("id: ") for part in self._text.split("\n\n")[:-1])

    def rest(self) -> list[dict[str, Any]]:
        """Everything until the stream ends."""
        for chunk in self._chunks:
            self._text += chunk
        return lines(self._text)

    def until_comment(self, words: str) -> None:
        """Reads on until a comment with these words."""
        while f": {words}" not in self._text:
            self._text += next(self._chunks)


@contextmanager
def watching(client: httpx.Client, path: str, headers: dict[str, str] | None = None, **query: Any) -> Iterator[Stream]:
    """A live stream."""
    with client.stream("GET", f"{path}/live", params=query, headers=headers or {}) as response:
        assert response.status_code == 200, response.read()
        assert response.headers["content-type"].startswith("text/event-stream")
        yield Stream(response)
