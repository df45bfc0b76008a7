"""The front door: the address at which the house is reached over HTTP."""

from __future__ import annotations

import errno
import socket
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import uvicorn

from services.cli.voice import Stop, refused

if TYPE_CHECKING:
    from workers.wiring import House

CLOSING_SECONDS = 1
"""How long requests may go on when the house closes; open live streams are ended then, and resume when it opens again."""


def bind(host: str, port: int) -> socket.socket:
    """A listening place at an address, taken before anything else is started.  Port 0: any that is free.  Raises Stop."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # The protocol is named: only then does asyncio send small replies at once, and not 40 ms later, after the reader's ACK.
    place = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    place.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        if not 0 <= port <= 65535:
            raise refused(f"There is no port {port}.", "A port is a number from 1 to 65535; 0 takes one that is free.")
        place.bind((host, port))
        place.listen(1024)
    except OSError as error:
        place.close()
        if error.errno == errno.EADDRINUSE:
            advice = (
                f"Is the house open already? Then: wonderlog play --url {url(host, port)}. Or take another one: --port {port + 1}"
            )
            raise Stop(f"Port {port} is in use.", advice, reason="port-in-use") from None
        if error.errno == errno.EACCES:
            raise Stop(f"This user may not listen on port {port}.", "Take one above 1023: --port 8777", reason="port") from None
        advice = "This machine has no such address: --host 127.0.0.1 for this machine, --host 0.0.0.0 for the network."
        raise Stop(f"Nothing can listen at {host}: {error.strerror or error}.", advice, reason="host") from None
    except Stop:
        place.close()
        raise
    return place


def url(host: str, port: int) -> str:
    """The address for this machine's own programs.

    >>> url("0.0.0.0", 8777)
    'http://127.0.0.1:8777'
    """
    own = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(host, f"[{host}]" if ":" in host else host)
    return f"http://{own}:{port}"


def shared(host: str, port: int) -> str | None:
    """The address to share on the local network; None where the house listens for this machine alone."""
    if host not in ("0.0.0.0", "::"):
        return None if host in ("localhost", "::1") or host.startswith("127.") else url(host, port)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # a datagram socket sends nothing by this: the system only says which way it would go
            own = str(probe.getsockname()[0])
        except OSError:
            own = socket.gethostname()
    return f"http://{own}:{port}"


class _Server(uvicorn.Server):
    """Says when it serves, and ends when it is told to."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[], None], stop: threading.Event) -> None:
        super().__init__(config)
        self._ready, self._stop = ready, stop

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._ready()

    async def on_tick(self, counter: int) -> bool:
        return await super().on_tick(counter) or self._stop.is_set()


def serve(everything: Any, place: socket.socket, stop: threading.Event, ready: Callable[[], None]) -> int:
    """Answers requests, by the application, until SIGTERM, SIGINT or `stop`; the exit status."""
    config = uvicorn.Config(
        everything,
        lifespan="on",
        log_config=None,  # each request has its line in the house's own diary
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=CLOSING_SECONDS,
        ws="none",
    )
    server = _Server(config, ready, stop)
    server.run(sockets=[place])
    return 0 if server.started else 1


def application(house: House) -> Any:
    """All that is reached over HTTP, in one application: the API, and the pages beside it.

    OSError, ValueError: the house's token or its key cannot be kept or read.
    """
    from services.api.app import create_app
    from services.web.routes import pages

    _ = house.host_key  # a key that cannot be read is told now, not at the first receipt
    return create_app(house, pages())


def prepare() -> None:
    """Imports all that answering a request needs."""
    from services.api import app  # noqa: F401
    from services.web import routes  # noqa: F401
