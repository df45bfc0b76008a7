"""A seat moves to another device: by a link or a typed code, once, and the house never sees what moves."""

from __future__ import annotations

import hashlib
import hmac
import json
import re
from collections.abc import Callable

import httpx
import pytest
from playwright.sync_api import expect

from events.store.memory import wall_clock
from tests.web.guests import Guest
from tests.web.house import OpenHouse
from tests.web.moving import seat_code

pytestmark = pytest.mark.browser
Guests = Callable[..., Guest]
MOVED = ("seat", "host", "sign", "name")


def begin(guest: Guest) -> Guest:
    """A game against bots, at its first choice."""
    guest.go("/")
    guest.page.locator(".quick .big").click()
    expect(guest.page.locator(".fan .card")).to_have_count(7)
    guest.keys()
    return guest


def refused(guest: Guest, words: str) -> None:
    """The page says why, and nobody sits here."""
    expect(guest.page.locator(".toast.error").filter(has_text=words)).to_be_visible()
    assert guest.keys() == {}


def test_a_seat_moves_by_its_link_once(guests: Guests, opened: OpenHouse) -> None:
    """The other device plays on with all that belongs to the seat; the first one hears of it and forgets; a third gets nothing."""
    ada = begin(guests(opened.url))
    game, held, hand = ada.game, ada.keys()[ada.game], ada.known_cards()
    link, code = seat_code(ada)
    assert re.fullmatch("[0-9A-HJKMNP-TV-Z]{4}(-[0-9A-HJKMNP-TV-Z]{4}){2}", code)
    assert link == f"{opened.url}/table/{game}#move={code.replace('-', '')}"
    assert not [secret for secret in ada.secrets if secret in link]
    phone = guests(opened.url, viewport={"width": 360, "height": 740})
    phone.page.goto(link)
    expect(phone.page.locator(".fan .card")).to_have_count(7)
    assert "#" not in phone.page.url
    assert phone.known_cards() == hand
    assert phone.keys()[game] == {name: secret for name, secret in held.items() if name in MOVED or name == "entropy"}
    expect(ada.page.get_by_role("heading", name="Your seat has moved")).to_be_visible()
    expect(ada.page.get_by_role("button", name="Forget the seat here")).to_be_focused()
    third = guests(opened.url)
    third.page.goto(link)
    refused(third, "This code has been used")
    ada.page.keyboard.press("Enter")
    expect(ada.page.locator(".watching")).to_be_visible()
    assert ada.keys() == {}
    phone.answer()
    ada.awaits("doc.turn === 2")
    sent = [url.partition("#")[0] for one in (ada, phone, third) for url in one.asked]
    assert not [url for url in sent if code.replace("-", "") in url]


def test_the_house_carries_what_it_cannot_read(guests: Guests, opened: OpenHouse) -> None:
    """What lies in the store is what docs/api.md says follows from the code, and holds no secret in the clear."""
    ada = begin(guests(opened.url))
    game = ada.game
    _, shown = seat_code(ada)
    code = shown.replace("-", "").encode()
    slips = opened.house.store._slips  # type: ignore[attr-defined]
    assert not [secret for secret in ada.secrets if any(secret.encode() in slip for _, slip in slips.values())]
    assert not any(code in slip for _, slip in slips.values())
    root = hashlib.pbkdf2_hmac("sha256", code, b"wonderlog/1 seat code", 8192)
    ticket, seal, tag = (hmac.digest(root, name, "sha256") for name in (b"ticket", b"seal", b"tag"))
    claimed = httpx.post(f"{opened.url}/games/{game}/handovers/claim", json={"command_id": "c", "ticket": ticket.hex()})
    sealed = bytes.fromhex(claimed.json()["sealed"])
    assert hmac.digest(tag, game.encode() + b"\n" + sealed[32:], "sha256") == sealed[:32]
    stream = b"".join(hmac.digest(seal, str(block).encode(), "sha256") for block in range(len(sealed) // 32 + 1))
    text = bytes(one ^ other for one, other in zip(sealed[32:], stream, strict=False))
    assert json.loads(text) == {name: secret for name, secret in ada.keys()[game].items() if name in (*MOVED, "entropy")}


@pytest.mark.parametrize("where", ["lobby", "table"])
def test_a_typed_code_works_without_https(guests: Guests, opened: OpenHouse, where: str) -> None:
    """On a friend's local network, typed in small letters with look-alikes and spaces: in the lobby, which finds the table, or at
    the table itself; the first device may keep the seat."""
    ada = begin(guests(opened.strange))
    assert not ada.page.evaluate("Boolean(crypto.subtle)")
    _, code = seat_code(ada)
    typed = code.lower().replace("0", "o").replace("1", "l").replace("-", " ")
    bo = guests(opened.strange)
    if where == "lobby":
        bo.go("/")
        bo.page.get_by_label("Table or seat").fill(typed)
        bo.page.locator(".by-code button").click()
        bo.page.wait_for_url(f"**/table/{ada.game}")
    else:
        bo.go(f"/table/{ada.game}")
        bo.page.get_by_role("button", name="This table").click()
        bo.page.get_by_label("Your seat's code").fill(typed)
        bo.page.get_by_role("button", name="Take the seat").click()
    expect(bo.page.locator(".fan .card")).to_have_count(7)
    assert bo.keys()[bo.game]["seat"] == ada.keys()[ada.game]["seat"]
    ada.page.get_by_role("button", name="Keep it here, too").click()
    expect(ada.page.locator(".fan .card")).to_have_count(7)
    assert bo.keys() == ada.keys()


def test_a_code_that_is_no_good(guests: Guests, opened: OpenHouse, monkeypatch: pytest.MonkeyPatch) -> None:
    """Taken back, replaced, run out, mistyped or never made: the page says so, and the code is out of the address."""
    ada = begin(guests(opened.url))
    first, _ = seat_code(ada)
    ada.page.get_by_role("button", name="Take the code back").click()
    ada.page.get_by_role("button", name="Make a code").wait_for()
    bo = guests(opened.url)
    bo.page.goto(first)
    refused(bo, "This code is not known, or has run out")
    assert "#" not in bo.page.url
    bo.page.locator(".own-words summary").click()
    expect(bo.page.locator(".own-words [lang=en]")).to_be_visible()
    second, _ = seat_code(ada)
    bo.page.goto(f"{opened.url}/table/{ada.game}#move=SHORT")
    refused(bo, "twelve letters and digits")
    monkeypatch.setattr(opened.house.store, "_clock", lambda: wall_clock() + 600_001)
    bo.page.goto(second)
    refused(bo, "This code is not known, or has run out")
    ada.page.get_by_role("button", name="Make a code").wait_for()
    bo.go("/")
    bo.page.get_by_label("Table or seat").fill("0000-0000-0000")
    bo.page.locator(".by-code button").click()
    refused(bo, "This code is not known, or has run out")


def test_a_page_that_is_loaded_anew_still_hears_of_it(guests: Guests, opened: OpenHouse) -> None:
    """The code is shown again, can be used, and then the page says that the seat has moved; forgotten, nothing of it stays."""
    ada = begin(guests(opened.url))
    link, code = seat_code(ada)
    ada.page.reload()
    expect(ada.page.locator(".fan .card")).to_have_count(7)
    ada.page.get_by_role("button", name="This table").click()
    ada.page.get_by_text("Move my seat to another device").click()
    expect(ada.page.locator(".seat-code")).to_have_text(code)
    ada.page.keyboard.press("Escape")
    bo = guests(opened.url)
    bo.page.goto(link)
    bo.awaits("doc.you?.seat === 0")
    ada.page.get_by_role("button", name="Forget the seat here").click()
    expect(ada.page.locator(".watching")).to_be_visible()
    assert ada.page.evaluate("Object.keys(sessionStorage).length") == 0


def test_a_lost_answer_loses_no_seat(guests: Guests, opened: OpenHouse) -> None:
    """The claim was carried out and its answer lost, and then the page was reloaded: the same link still leads to the seat."""
    ada = begin(guests(opened.url))
    link, _ = seat_code(ada)
    bo = guests(opened.url)
    lost: list[int] = []

    def lose(route: object) -> None:
        lost.append(route.fetch().status)  # type: ignore[attr-defined]
        route.abort()  # type: ignore[attr-defined]

    bo.page.route("**/handovers/claim", lose)
    bo.page.goto(link)
    bo.page.wait_for_function("() => Object.keys(sessionStorage).some(key => key.startsWith('wonderlog.claim'))")
    expect(ada.page.get_by_role("heading", name="Your seat has moved")).to_be_visible()
    bo.page.unroute("**/handovers/claim")
    bo.page.goto("about:blank")
    bo.page.goto(link)
    bo.awaits("doc.you?.seat === 0")
    assert lost
    assert set(lost) == {200}
    assert bo.keys()[ada.game]["seat"] == ada.keys()[ada.game]["seat"]
