"""A house in memory whose games are advanced and projected in step, and a client at its door."""

from __future__ import annotations

import logging
from collections.abc import Iterator

import httpx
import pytest
import structlog
from litestar import Litestar
from litestar.testing import TestClient

from services.api import create_app, hub
from tests.api.given import ProjectingStore, Sitting, sha
from workers.wiring import House

OPERATOR = "the operator's own secret"


@pytest.fixture(autouse=True)
def quiet(monkeypatch: pytest.MonkeyPatch) -> None:
    """The diary is kept, but not printed; leaving a house is quick."""
    structlog.configure(
        wrapper_class=structlog.make_filtering_bound_logger(logging.INFO), logger_factory=structlog.ReturnLoggerFactory()
    )
    monkeypatch.setattr(hub, "LISTEN_MS", 20)


@pytest.fixture
def house() -> Iterator[House]:
    house = House.on(ProjectingStore())
    yield house
    house.close()


@pytest.fixture
def store(house: House) -> ProjectingStore:
    assert isinstance(house.store, ProjectingStore)
    return house.store


@pytest.fixture
def client(house: House) -> Iterator[httpx.Client]:
    with at_the_door(house) as client:
        yield client


def at_the_door(house: House) -> TestClient[Litestar]:
    """A client of this house's application."""
    return TestClient(create_app(house, operator=sha(OPERATOR), patience=0.3))


@pytest.fixture
def sitting(client: httpx.Client) -> Sitting:
    return first_turn(client)


def first_turn(client: httpx.Client) -> Sitting:
    """Two people and a bot, in the first turn."""
    table = Sitting(client)
    table.join("Ada", "Bo").fill()
    return table.start()
