"""Houses to move games on in: in memory, on fakeredis and on the embedded Valkey."""

from __future__ import annotations

from collections.abc import Iterator

import fakeredis
import pytest
import redis
from structlog.typing import EventDict

from events.store.embedded import EmbeddedServer
from events.store.memory import MemoryStore
from events.store.protocol import EventStore
from events.store.streams import StreamStore
from tests import diaries
from tests.workers.given import Silent
from workers.wiring import House


@pytest.fixture(scope="session")
def valkey(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of an embedded Valkey for the whole run."""
    server = EmbeddedServer(tmp_path_factory.mktemp("valkey"))
    yield server.url
    server.close()


@pytest.fixture(params=["memory", "fakeredis", "valkey"])
def store(request: pytest.FixtureRequest) -> Iterator[EventStore]:
    made: EventStore
    match request.param:
        case "memory":
            made = MemoryStore(partitions=4)
        case "fakeredis":
            made = StreamStore(fakeredis.FakeRedis(server=fakeredis.FakeServer(version=(7,)), protocol=3))
        case _:
            url = request.getfixturevalue("valkey")
            with redis.Redis.from_url(url) as client:
                client.flushall()
            made = StreamStore(url)
    yield made
    made.close()


@pytest.fixture
def house(store: EventStore) -> House:
    """A house whose knocks are only noted: a test advances games itself."""
    return House.on(store, Silent())


@pytest.fixture(autouse=True)
def diary() -> Iterator[list[EventDict]]:
    """The lines that are written while a test runs."""
    with diaries.noted() as lines:
        yield lines
