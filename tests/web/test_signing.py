"""A seat's key in the browser: moves go out signed where it can be, and unsigned, said openly, where it cannot."""

from __future__ import annotations

import re
from collections.abc import Callable

import httpx
import pytest
from playwright.sync_api import expect

from tests.web.guests import Guest
from tests.web.house import OpenHouse
from tests.web.moving import seat_code

pytestmark = pytest.mark.browser
Guests = Callable[..., Guest]


def begin(guest: Guest) -> str:
    """A game against bots, at its first choice."""
    guest.go("/")
    guest.page.locator(".quick .big").click()
    guest.page.locator(".fan .slot").first.wait_for()
    guest.keys()
    return guest.game


def report(opened: OpenHouse, guest: Guest, game: str) -> dict[str, list[int]]:
    """The house's audit, with the seat's eyes."""
    token = guest.keys()[game]["seat"]
    answer = httpx.get(f"{opened.url}/games/{game}/audit", headers={"Authorization": f"Bearer {token}"})
    assert answer.status_code == 200
    return dict(answer.json())


def test_choices_go_out_signed(guests: Guests, opened: OpenHouse) -> None:
    """A new seat has a key; a choice, its change and a withdrawal are signed, and the house's audit finds nothing."""
    guest = guests(opened.url)
    game = begin(guest)
    assert re.fullmatch("[0-9a-f]{64}", guest.keys()[game]["sign"])
    for _ in range(3):
        assert guest.until_asked_or_over()
        guest.answer()
    found = report(opened, guest, game)
    assert found["signed"] == [0]
    assert found["unsigned"] == []
    assert found["checked"]["signatures"] >= 6  # type: ignore[call-overload]
    assert found["findings"] == []
    assert guest.keys()[game]["sign"] not in "".join([*guest.heard, *guest.asked])
    guest.page.get_by_role("button", name="This table").click()
    expect(guest.page.locator("dialog")).to_contain_text("Your moves are signed")


def test_the_key_moves_with_the_seat(guests: Guests, opened: OpenHouse) -> None:
    """The other device signs as well."""
    guest = guests(opened.url)
    game = begin(guest)
    other = guests(opened.url)
    other.page.goto(seat_code(guest)[0])
    other.awaits("doc.you?.seat === 0")
    assert other.keys()[game]["sign"] == guest.keys()[game]["sign"]
    assert other.until_asked_or_over()
    other.answer()
    assert report(opened, other, game)["findings"] == []


def test_without_https_a_seat_plays_unsigned_and_is_told(guests: Guests, opened: OpenHouse) -> None:
    """On a friend's local network the browser has no cryptography of its own: all works, and the page says what is missing."""
    guest = guests(opened.strange)
    game = begin(guest)
    assert not guest.page.evaluate("Boolean(crypto.subtle)")
    expect(guest.page.locator(".toast")).to_contain_text("choices are not signed here")
    assert "sign" not in guest.keys()[game]
    for _ in range(2):
        assert guest.until_asked_or_over()
        guest.answer()
    found = report(opened, guest, game)
    assert found["unsigned"] == [0]
    assert found["findings"] == []
    guest.go(f"/audit/{game}")
    expect(guest.page.locator(".verdict.is-holds")).to_contain_text("This address has no HTTPS")
