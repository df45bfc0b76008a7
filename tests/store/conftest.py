"""The stores that must all behave alike: memory, fakeredis, the embedded Valkey, one that is set up and locked like the one we
deploy, and a Redis >= 7 where there is one."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import fakeredis
import pytest
import redis
from structlog.typing import EventDict

from events.store import OpenedStore, open_store
from events.store.binaries import candidates, described
from events.store.embedded import EmbeddedServer
from events.store.memory import MemoryStore
from events.store.protocol import EventStore, StoreError
from events.store.streams import StreamStore
from tests import diaries
from tests.store.given import Opener, as_user, every_byte, running, running_as_deployed


def _redis_on_path() -> Path | None:
    found = shutil.which("redis-server")
    try:
        return Path(found) if found and described(Path(found)).release() >= (7, 0) else None
    except StoreError:
        return None


REDIS = _redis_on_path()
SERVERS = ["fakeredis", "valkey", "deployed", *(["redis"] if REDIS else [])]
KINDS = ["memory", *SERVERS]


class House:
    """One place where games are written down.

    `another()` is a second store object on the same games; the archivist's is `archive`, which may be the same.
    """

    def __init__(
        self,
        kind: str,
        open_one: Callable[..., EventStore],
        contents: Callable[[], object],
        open_archive: Callable[[], EventStore] | None = None,
    ) -> None:
        self.kind, self._open, self.contents = kind, open_one, contents
        self._opened: list[EventStore] = []
        self.store = self.another()
        self.archive = open_archive() if open_archive else self.store
        self._opened.append(self.archive)

    def another(self, **options: int) -> EventStore:
        store = self._open(**options)
        self._opened.append(store)
        return store

    def close(self) -> None:
        for store in self._opened:
            store.close()


def _memory(options: dict[str, int]) -> House:
    kept: list[MemoryStore] = []

    def open_one(**more: int) -> MemoryStore:
        if not kept:
            kept.append(MemoryStore(partitions=4, **{**options, **more}))  # type: ignore[arg-type]
        return kept[0]

    def contents() -> object:
        store = kept[0]
        logs = {game: (list(log.entries), dict(log.commands), log.key, dict(log.names)) for game, log in store._logs.items()}
        feeds = [(list(feed.lines), feed.first) for feed in store._feeds]
        return repr((logs, store._tombs, store._wakes, feeds, store._views, store._rows, store._slips))

    return House("memory", open_one, contents)


def _fake(options: dict[str, int]) -> House:
    server = fakeredis.FakeServer(version=(7,))

    def client() -> redis.Redis:
        return fakeredis.FakeRedis(server=server, protocol=3)

    return House("fakeredis", lambda **more: StreamStore(client(), **{**options, **more}), lambda: every_byte(client()))


def _served(kind: str, url: str, options: dict[str, int]) -> House:
    def contents() -> object:
        with redis.Redis.from_url(url) as client:
            return every_byte(client)

    with redis.Redis.from_url(url) as client:
        client.flushall()
    return House(kind, lambda **more: StreamStore(url, **{**options, **more}), contents)


def _deployed(url: str, options: dict[str, int]) -> House:
    """The house as its own user, the archive as the archivist; the test looks on as the operator."""

    def contents() -> object:
        with redis.Redis.from_url(as_user(url, "operator")) as client:
            return every_byte(client)

    with redis.Redis.from_url(as_user(url, "operator")) as client:
        client.flushall()
    return House(
        "deployed",
        lambda **more: StreamStore(as_user(url, "wonderlog"), **{**options, **more}),
        contents,
        lambda: StreamStore(as_user(url, "archivist")),
    )


@pytest.fixture(autouse=True)
def diary() -> Iterator[list[EventDict]]:
    """The lines that are written while a test runs."""
    with diaries.noted() as lines:
        yield lines


@pytest.fixture(scope="session")
def valkey(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of an embedded Valkey for the whole run."""
    server = EmbeddedServer(tmp_path_factory.mktemp("valkey"))
    yield server.url
    server.close()


@pytest.fixture(scope="session")
def redis_on_path(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of the machine's own Redis, for the whole run."""
    assert REDIS is not None
    with running(REDIS, tmp_path_factory.mktemp("redis")) as (url, _):
        yield url


@pytest.fixture(scope="session")
def deployed(binary: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server with the settings and access rules of deploy/store."""
    with running_as_deployed(binary, tmp_path_factory.mktemp("deployed")) as url:
        yield url


@pytest.fixture
def options() -> dict[str, int]:
    """How the stores of a test are set up; a test module may say otherwise."""
    return {}


@pytest.fixture(params=KINDS)
def house(request: pytest.FixtureRequest, options: dict[str, int]) -> Iterator[House]:
    kind = request.param
    match kind:
        case "memory":
            made = _memory(options)
        case "fakeredis":
            made = _fake(options)
        case "deployed":
            made = _deployed(request.getfixturevalue("deployed"), options)
        case _:
            made = _served(kind, request.getfixturevalue({"valkey": "valkey", "redis": "redis_on_path"}[kind]), options)
    yield made
    made.close()


@pytest.fixture
def store(house: House) -> EventStore:
    return house.store


@pytest.fixture(scope="session")
def binary() -> Path:
    """The server that the embedded store would start."""
    return next(candidates())


@pytest.fixture
def opened() -> Iterator[Opener]:
    """Opens stores without looking at the environment, and closes them all."""
    houses: list[OpenedStore] = []

    def open_one(data: Path | None = None, environ: dict[str, str] | None = None, **options: object) -> OpenedStore:
        house = open_store(data, environ=environ or {}, **options)  # type: ignore[arg-type]
        houses.append(house)
        return house

    yield open_one
    for house in houses:
        house.close()
