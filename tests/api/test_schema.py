"""The house keeps what its own description says: whatever is sent, valid or not, the answer is one of those described."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, settings
from litestar.routes import HTTPRoute
from schemathesis import Case
from schemathesis.checks import CheckContext
from schemathesis.core.transport import Response
from schemathesis.specs.openapi.checks import negative_data_rejection, positive_data_acceptance

from services.api import create_app, openapi
from tests.api.conftest import first_turn
from tests.api.doors import served
from tests.api.given import ProjectingStore, Sitting, Somebody
from workers.wiring import House


@pytest.fixture(scope="module")
def door() -> Iterator[httpx.Client]:
    """A house in memory behind a real server."""
    house = House.on(ProjectingStore())
    with served(house, patience=0.02) as client:
        yield client
    house.close()


def description() -> dict[str, Any]:
    """What a house says of itself, as /schema/openapi.json does."""
    app = create_app(House.on(ProjectingStore()))
    return openapi.overlaid(app, app.openapi_schema.to_schema())


# Streams that stay open have tests of their own.
anywhere = schemathesis.openapi.from_dict(description()).exclude(path="/games/{game}/live", method="GET")
at_tables = anywhere.include(path_regex=r"\{game\}")

SHAPE = ("invalid-body", "malformed-json", "invalid-parameter", "not-json")
FAST = settings(max_examples=3, deadline=None, phases=[Phase.generate], suppress_health_check=list(HealthCheck))
WHOLE = settings(max_examples=5, deadline=None, suppress_health_check=list(HealthCheck))


def well_formed_is_understood(ctx: CheckContext, response: Response, case: Case[Any]) -> None:
    """What fits the description is refused for the rules' reasons only, never for its shape.  (Schemathesis' own check expects
    any request that fits to succeed, which no schema of a game can promise.)"""
    mode = case.meta.generation.mode if case.meta else None
    if mode is not None and mode.is_positive and response.status_code in (400, 415, 422):
        assert response.json()["reason"] not in SHAPE, response.json()


_standing: dict[httpx.Client, tuple[Sitting, int]] = {}


def in_its_first_turn(door: httpx.Client) -> Sitting:
    """The table of the request before, unless that one changed it."""
    table, version = _standing.get(door, (None, 0))
    if table is None or table.version != version:
        table = first_turn(door)
        _standing[door] = table, table.version
    return table


def at_a_real_table(case: Case[Any], door: httpx.Client, who: str) -> None:
    """The same request at a table in its first turn, from somebody who sits there, or its host."""
    table = in_its_first_turn(door)
    somebody: Somebody = table.host if who == "host" else table.people[0]
    case.path_parameters["game"] = table.game
    response = case.call(base_url=str(door.base_url), headers=somebody.headers)
    # Whether the other parts of the request are still bad, once the path is good, is not known here.
    excluded: list[Any] = [positive_data_acceptance, negative_data_rejection]
    case.validate_response(response, additional_checks=[well_formed_is_understood], excluded_checks=excluded)


@anywhere.parametrize()
@FAST
def test_every_address_answers_as_described(case: Case[Any], door: httpx.Client) -> None:
    """A few requests of each kind, at tables that are not there."""
    case.call_and_validate(base_url=str(door.base_url))


@at_tables.parametrize()
@FAST
def test_every_address_of_a_table_answers_as_described(case: Case[Any], door: httpx.Client) -> None:
    """A few requests of each kind, from a seat at a table in its first turn."""
    at_a_real_table(case, door, "seat")


@pytest.mark.slow
@anywhere.parametrize()
@WHOLE
def test_whatever_can_be_sent_is_answered_as_described(case: Case[Any], door: httpx.Client) -> None:
    """Every boundary of every description, and many requests beside."""
    case.call_and_validate(base_url=str(door.base_url))


@pytest.mark.slow
@at_tables.parametrize()
@WHOLE
def test_whatever_a_seat_can_send_is_answered_as_described(case: Case[Any], door: httpx.Client) -> None:
    """The same at a table in its first turn."""
    at_a_real_table(case, door, "seat")


@pytest.mark.slow
@at_tables.parametrize()
@WHOLE
def test_whatever_a_host_can_send_is_answered_as_described(case: Case[Any], door: httpx.Client) -> None:
    """The same from the host."""
    at_a_real_table(case, door, "host")


def test_the_description_names_every_address(house: House, door: httpx.Client) -> None:
    """No route is left out, every refusal has the one shape, and what is served is what is tested here."""
    app, document = create_app(house), description()
    assert door.get("/schema/openapi.json").json() == json.loads(json.dumps(document)) == door.get("/schema").json()
    described = {(method.upper(), path) for path, item in document["paths"].items() for method in item}
    routes = {
        (method, route.path_format)
        for route in app.routes
        if isinstance(route, HTTPRoute) and not route.path.startswith("/schema")
        for method in route.methods
        if method != "OPTIONS"
    }
    assert described == routes
    for item in document["paths"].values():
        for operation in item.values():
            assert operation["responses"]["404"]["content"] == {
                "application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}
            }
    assert document["components"]["schemas"]["OpenTable"]["additionalProperties"] is False


def test_the_page_for_programs_names_every_address() -> None:
    """docs/api.md leaves none out."""
    page = (Path(__file__).parents[2] / "docs" / "api.md").read_text()
    tails = [path.replace("{game}", "{id}").removeprefix("/games/{id}") or "/games/{id}" for path in description()["paths"]]
    assert len(tails) > 20
    assert [tail for tail in tails if not re.search(rf"{re.escape(tail)}[`?]", page)] == []
