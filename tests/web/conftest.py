"""A browser, a house with its doors open, and guests who come in with a device each."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser

from tests.web.guests import Guest
from tests.web.house import OpenHouse, browser_arguments, open_house


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    return {**browser_type_launch_args, **browser_arguments()}


@pytest.fixture(scope="module")
def opened() -> Iterator[OpenHouse]:
    with open_house() as opened:
        yield opened


@pytest.fixture
def guests(browser: Browser) -> Iterator[Callable[..., Guest]]:
    """Makes guests; at the end none of their pages may have complained, nor shown a secret to a server."""
    came: list[Guest] = []

    def guest(url: str, **context: Any) -> Guest:
        came.append(Guest(browser.new_context(**{"reduced_motion": "reduce", "locale": "en-GB", **context}), url))
        return came[-1]

    yield guest
    for one in came:
        one.context.close()
    for one in came:
        assert one.complaints == [], one.complaints
        assert one.told_secrets() == []
