"""Full tables in low windows: the hand covers nobody's city, the ruler no hand, and nothing is wider than the window."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from events.facts import ActValue
from events.rules import Game
from tests.games import options
from tests.web.guests import Guest
from tests.web.house import OpenHouse
from tests.web.seats import Seats
from workers.bots import choose

pytestmark = pytest.mark.browser
Guests = Callable[..., Guest]

LAPTOPS = [(1440, 900), (1440, 800), (1366, 768)]
EDGE = "(which, side) => Math.max(...[...document.querySelectorAll(which)].map(one => one.getBoundingClientRect()[side]))"
WIDE = "document.documentElement.scrollWidth"


def edge(guest: Guest, which: str, side: str = "bottom") -> float:
    """Where the lowest of these elements ends (or begins), in pixels of the window."""
    return float(guest.page.evaluate(f"([which, side]) => ({EDGE})(which, side)", [which, side]))


def builder(game: Game, city: int, luck: random.Random) -> tuple[ActValue, str | None]:
    """What the builder bot would choose: it fills a table."""
    return choose("builder", game, game.answerer(city), city)


@pytest.mark.parametrize("players", [4, 7])
def test_the_hand_covers_nobody_s_city(guests: Guests, opened: OpenHouse, players: int) -> None:
    """In the last turn, when the most stands there, on the screens of laptops and, sideways, of a phone."""
    sitting = Seats(options(players, True), 21, store=opened.house.store, name=f"{players}{'e' * 19}")
    sitting.play(until=lambda game: game.age == 3 and game.turn == 6, taste=builder)
    guest = guests(opened.url)
    sitting.welcome(guest, 0)
    guest.page.locator(".fan .slot").first.wait_for()
    for width, height in LAPTOPS:
        guest.page.set_viewport_size({"width": width, "height": height})
        guest.page.wait_for_function("wanted => innerHeight === wanted && document.body.classList.contains('tight')", arg=height)
        assert edge(guest, ".is-own .building") <= edge(guest, ".hand-line", "top"), (width, height)
        assert edge(guest, ".fan .card") <= height, (width, height)
    for width in (360, 1024, 1440):
        guest.page.set_viewport_size({"width": width, "height": 1100})
        guest.page.wait_for_function(
            "wanted => innerWidth === wanted && !document.body.classList.contains('tight')", arg=width
        )
        assert guest.page.evaluate(WIDE) <= width


def test_the_ruler_covers_no_hand(guests: Guests, opened: OpenHouse) -> None:
    """A replayed seat's hand for seven, and all hands at once, above the ruler of a window of 900 pixels."""
    sitting = Seats(options(7, True), 9, store=opened.house.store, name=f"7{'f' * 19}")
    sitting.play(taste=builder)
    guest = guests(opened.url, viewport={"width": 1440, "height": 900})
    for whose, cards in (("2", ".seen .card"), ("all", ".open-hands .building")):
        guest.go(f"/replay/{sitting.id}#age=3&turn=4&as={whose}")
        guest.page.reload()
        guest.page.locator(cards).first.wait_for()
        assert edge(guest, cards) <= edge(guest, ".replay-panel", "top")
        assert guest.page.evaluate(WIDE) <= 1440
