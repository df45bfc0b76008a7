"""A house in memory whose games are advanced and projected in step, and a client at its door."""

from __future__ import annotations

import logging
from collections.abc import Iterator

import httpx
import pytest
import structlog
from litestar.testing import TestClient

from services.api import create_app, hub
from tests.api.given import ProjectingStore, Sitting, sha
from workers.wiring import House

OPERATOR = "the operator's own secret"


@pytest.fixture
def house() -> Iterator[House]:
    structlog.configure(
        wrapper_class=structlog.make_filtering_bound_logger(logging.INFO), logger_factory=structlog.ReturnLoggerFactory()
    )
    house = House.on(ProjectingStore())
    yield house
    house.close()


@pytest.fixture
def store(house: House) -> ProjectingStore:
    assert isinstance(house.store, ProjectingStore)
    return house.store


@pytest.fixture
def client(house: House, monkeypatch: pytest.MonkeyPatch) -> Iterator[httpx.Client]:
    monkeypatch.setattr(hub, "LISTEN_MS", 20)
    app = create_app(house, operator=sha(OPERATOR), patience=0.3)
    with TestClient(app) as client:
        yield client


@pytest.fixture
def sitting(client: httpx.Client) -> Sitting:
    """Two people and a bot, in the first turn."""
    table = Sitting(client)
    table.join("Ada", "Bo").fill()
    return table.start()
