"""Every page for everybody: three languages, a small phone, a screen reader, light and dark."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from importlib import resources
from typing import Any

import pytest
from playwright.sync_api import expect

from services.web import words
from tests.games import options
from tests.web.guests import Guest
from tests.web.house import OpenHouse
from tests.web.seats import Seats

pytestmark = pytest.mark.browser
Guests = Callable[..., Guest]
PAGES = ("lobby", "new", "gathering", "table", "hand", "seven", "over", "replay", "audit")
AXE = (resources.files("axe_playwright_python") / "axe.min.js").read_text(encoding="utf-8")


def open_page(guests: Guests, opened: OpenHouse, which: str, **context: Any) -> Guest:
    """A guest before a page, once all of it is there."""
    guest = guests(opened.url, **context)
    page = guest.page
    match which:
        case "lobby":
            _waiting(opened)
            guest.go("/")
            page.locator(".quick .big").wait_for()
            page.locator(".table-row").first.wait_for()
        case "new":
            guest.go("/new")
            page.locator(".form-end .button").wait_for()
        case "gathering":
            guest.go(f"/table/{_waiting(opened)}")
            page.locator("form.sit").wait_for()
        case "table":
            running = Seats(options(3, True), seed=21, store=opened.house.store, name=f"{_next():020x}")
            running.play(until=lambda game: game.age == 2 and game.turn == 2)
            guest.go(f"/table/{running.id}")
            page.locator(".is-own .building").first.wait_for()
        case "hand":
            _seat(opened, 4).welcome(guest, 0)
            page.locator(".fan .slot").first.wait_for()
            guest.open_card()
        case "seven":
            _seat(opened, 7).welcome(guest, 0)
            page.locator(".fan .slot").first.wait_for()
        case "over":
            guest.go(f"/table/{opened.finished(4)}")
            page.locator(".score td button").first.click()
            page.locator(".unfolded").wait_for()
            page.locator(".hidden-cards summary").click()
        case "replay":
            guest.go(f"/replay/{opened.finished(4)}#age=2&turn=4&as=all")
            page.locator(".open-hands .building").first.wait_for()
        case "audit":
            guest.go(f"/audit/{opened.finished(4)}")
            page.locator(".verdict.is-holds").wait_for()
            page.locator(".dispute-form .button").click()
            page.locator(".dispute-sheet").wait_for()
            page.locator("#v12 summary").click()
    return guest


_numbers = iter(range(1, 10_000))


def _waiting(opened: OpenHouse) -> str:
    """A table that waits for players, in the lobby."""
    return Seats(options(3, True), seed=77, store=opened.house.store, name=f"{_next():020x}").id


def _next() -> int:
    return next(_numbers)


def _seat(opened: OpenHouse, players: int) -> Seats:
    """A game in its second Age that waits for the first seat."""
    sitting = Seats(options(players, True), seed=5, store=opened.house.store, name=f"{_next():020x}")
    sitting.play(until=lambda game: game.age == 2 and game.turn == 3)
    return sitting


# ---- languages ----------------------------------------------------------------------------------------------------------
def speaks(guest: Guest, language: str) -> None:
    """No key shows itself, nothing of several words is left in English, and the page says what it is written in."""
    expect(guest.page.locator("html")).to_have_attribute("lang", language)
    text = guest.page.evaluate(SPOKEN)
    english, own = words.words("en").words, words.words(language).words
    assert [key for key in english if "." in key and re.search(rf"(?<![\w.-]){re.escape(key)}(?![\w.-])", text)] == []
    foreign = [value for key, value in english.items() if own[key] != value and len(value.split()) > 2 and "{" not in value]
    assert [value for value in foreign if value in text] == []
    assert len([value for value in own.values() if len(value) > 3 and value in text]) >= 10


SPOKEN = """() => {
  const found = [];
  const walk = node => {
    if (node.nodeType === Node.TEXT_NODE) found.push(node.nodeValue);
    if (node.nodeType !== Node.ELEMENT_NODE || (node.lang && node.lang !== document.documentElement.lang)) return;
    if (["SCRIPT", "STYLE", "CODE"].includes(node.tagName)) return;
    for (const name of ["aria-label", "title", "placeholder", "alt"]) found.push(node.getAttribute(name) ?? "");
    node.childNodes.forEach(walk);
  };
  walk(document.body);
  return found.join("\\n");
}"""
"""Everything that is said on a page, also to who only hears it; but what is marked as another language, and code."""


def test_the_switch_changes_the_language(guests: Guests, opened: OpenHouse) -> None:
    """At once, and for the pages to come."""
    guest = open_page(guests, opened, "lobby")
    guest.page.locator("#language").select_option("fr")
    expect(guest.page.locator("html")).to_have_attribute("lang", "fr")
    guest.go("/new")
    expect(guest.page.locator("h1")).to_have_text(words.words("fr").words["new.title"])


# ---- a small phone ------------------------------------------------------------------------------------------------------
OUTSIDE = """() => [...document.querySelectorAll("button, a[href], input, select, summary, label")].filter(node => {
  if (!node.checkVisibility({ visibilityProperty: true }) || node.closest(".sr-only, .skip-link")) return false;
  const box = node.getBoundingClientRect();
  if (box.width === 0 || (box.left >= -1 && box.right <= innerWidth + 1)) return false;
  for (let around = node.parentElement; around; around = around.parentElement) {
    if (["auto", "scroll"].includes(getComputedStyle(around).overflowX) && around.scrollWidth > around.clientWidth) return false;
  }
  return true;
}).map(node => node.outerHTML.slice(0, 120))"""
"""What could be pressed but lies beside the screen, where nothing scrolls to it."""


@pytest.mark.parametrize("which", PAGES)
def test_a_phone_shows_all_of_it_in_french(guests: Guests, opened: OpenHouse, which: str) -> None:
    """At 360 pixels no page scrolls sideways, and everything that can be pressed can be reached; French is the longest."""
    guest = open_page(guests, opened, which, viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True, locale="fr")
    speaks(guest, "fr")
    assert guest.page.evaluate("document.scrollingElement.scrollWidth") <= 360
    assert guest.page.evaluate("innerWidth") <= 360
    assert guest.page.evaluate(OUTSIDE) == []


# ---- axe ------------------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("which", PAGES)
def test_axe_finds_nothing_serious(guests: Guests, opened: OpenHouse, which: str) -> None:
    """Roles, labels, contrast, order: in light and in dark, and in Dutch."""
    guest = open_page(guests, opened, which, locale="nl", viewport={"width": 1280, "height": 860})
    speaks(guest, "nl")
    guest.page.evaluate(AXE)
    for theme in ("light", "dark"):
        guest.page.emulate_media(color_scheme=theme)
        told = json.loads(guest.page.evaluate("axe.run(document, {resultTypes: ['violations']}).then(JSON.stringify)"))
        assert told["passes"]
        serious = [
            f"{theme}: {one['id']} ({one['impact']}): {node['html'][:160]} | {' '.join(node['failureSummary'].split())[:260]}"
            for one in told["violations"]
            if one["impact"] in ("serious", "critical")
            for node in one["nodes"]
        ]
        assert serious == []
