"""Opens the house's store: the one that is named, or one of its own in a folder."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from events.store.memory import MemoryStore
from events.store.protocol import EventStore, UnsafeStore

if TYPE_CHECKING:
    from events.store.embedded import EmbeddedServer

DATA = Path("data")
ADDRESSES = ("WONDERLOG_STORE_URL", "REDIS_URL")


class OpenedStore:
    """A store, and all that is needed to use and to leave it.

    url: an address for redis-py (`redis.from_url`), or "memory://".  origin: where the games are kept, in words, without
    passwords.  warnings: what `unsafe` has overridden, one sentence each.
    """

    def __init__(
        self, store: EventStore, url: str, origin: str, warnings: tuple[str, ...] = (), server: EmbeddedServer | None = None
    ) -> None:
        self.store, self.url, self.warnings = store, url, warnings
        self._origin, self._server = origin, server

    @property
    def origin(self) -> str:
        return self._server.origin if self._server else self._origin

    def close(self) -> None:
        """Lets go of the connections, then of the server if it is our own.  Harmless when repeated."""
        self.store.close()
        if self._server:
            self._server.close()

    def __enter__(self) -> OpenedStore:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()


def open_store(
    data: Path | None = None, *, url: str | None = None, unsafe: bool = False, environ: Mapping[str, str] | None = None
) -> OpenedStore:
    """`url`, else WONDERLOG_STORE_URL or REDIS_URL, else the server of the data directory, started if it does not run.

    An address is `memory://`, `redis://`, `rediss://`, `unix://` or `redis+cluster://host:port,host:port`.
    WONDERLOG_ACK=replicated (or replicated:2) waits for that many replicas at each append.
    Raises UnsafeStore if the server could lose a move and `unsafe` is not set, ForeignStore if the games are another
    server's or lie in another number of partitions, StoreUnavailable if it cannot be reached, StoreError if there is none.
    """
    environ = os.environ if environ is None else environ
    url = url or next((environ[name] for name in ADDRESSES if environ.get(name)), None)
    if url is None:
        return _open_own(data or DATA, unsafe, _replicas(environ))
    if urlsplit(url).scheme == "memory":
        return OpenedStore(MemoryStore(), url, "this process's memory", ("every game ends with this process",))
    return _checked(url, f"the server at {_place(url)}", unsafe, _replicas(environ))


def _open_own(data: Path, unsafe: bool, ack: int) -> OpenedStore:
    from events.store.embedded import EmbeddedServer  # redis-py takes 60 ms to import; memory:// does without it

    server = EmbeddedServer(data)
    try:
        return _checked(server.url, "", unsafe, ack, server)
    except BaseException:
        server.close()
        raise


def _checked(url: str, origin: str, unsafe: bool, ack: int, server: EmbeddedServer | None = None) -> OpenedStore:
    from events.store.streams import StreamStore

    store = StreamStore(url, ack=ack)
    warnings: tuple[str, ...] = ()
    try:
        try:
            store.check()
        except UnsafeStore as error:
            if not unsafe:
                raise
            warnings = error.problems
            store.check_partitions()
    except BaseException:
        store.close()
        raise
    return OpenedStore(store, url, origin, warnings, server)


def _replicas(environ: Mapping[str, str]) -> int:
    setting = environ.get("WONDERLOG_ACK", "")
    kind, _, count = setting.partition(":")
    if kind == "replicated" and (count.isdecimal() or not count):
        return int(count or 1)
    if setting not in ("", "appended"):
        raise ValueError(f"WONDERLOG_ACK is {setting!r}: it must be appended, replicated or replicated:<number>")
    return 0


def _place(url: str) -> str:
    """The address without user and password."""
    parts = urlsplit(url)
    return f"{parts.netloc.rpartition('@')[2]}{parts.path}"
