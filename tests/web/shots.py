"""Pictures of every page for docs/screenshots, of the same games each time: `make screenshots`."""

from __future__ import annotations

import logging
import random
import sys
from collections.abc import Callable
from pathlib import Path

import httpx
import structlog
from playwright.sync_api import Browser, Page, sync_playwright

from events.facts import ActValue
from events.rules import Game, legal
from tests.games import options
from tests.web.house import OpenHouse, browser_arguments, open_house
from tests.web.seats import Seats
from tests.web.test_audit import built, changed
from workers.bots import choose

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "screenshots"
LARGEST = 300_000
"""Bytes of one picture."""
DESKTOP, TALL, PHONE = {"width": 1440, "height": 900}, {"width": 1440, "height": 1040}, {"width": 360, "height": 740}


def builder(game: Game, city: int, luck: random.Random) -> tuple[ActValue, str | None]:
    """What the builder bot would choose: its games look like those of people."""
    return choose("builder", game, game.answerer(city), city)


def play(opened: OpenHouse, players: int, seed: int, until: Callable[[Game], bool] = lambda game: False) -> Seats:
    """A game of builders up to a moment."""
    sitting = Seats(options(players, True), seed, store=opened.house.store, name=f"{players}{seed:019x}")
    sitting.play(until=until, taste=builder)
    return sitting


def worth_showing(sitting: Seats) -> bool:
    """Whether the first hand has something to build, of several kinds."""
    game = sitting.game
    able = {play.card for play in legal(game, 0) if play.kind == "build"}
    return len({game.box.cards[card].type for card in able if card}) >= 3


def shown(opened: OpenHouse, players: int, age: int, turn: int) -> Seats:
    """The first of some games whose hand is worth showing."""
    for seed in range(1, 40):
        trial = Seats(options(players, True), seed).play(until=lambda game: game.age == age and game.turn == turn, taste=builder)
        if worth_showing(trial):  # type: ignore[arg-type]
            return play(opened, players, seed, until=lambda game: game.age == age and game.turn == turn)
    raise AssertionError("no such game was found")


class Album:
    """Takes the pictures.  only: names of those that are wanted, all of them where it is empty."""

    def __init__(self, browser: Browser, opened: OpenHouse, only: list[str]) -> None:
        self.browser, self.opened, self.only = browser, opened, only

    def take(
        self,
        name: str,
        path: str,
        arrange: Callable[[Page], None],
        *,
        size: dict[str, int] = DESKTOP,
        theme: str = "light",
        seat: str = "",
    ) -> None:
        """One picture.  seat: what the device holds, as JSON for localStorage."""
        if self.only and name not in self.only:
            return
        small = size is PHONE
        context = self.browser.new_context(
            viewport=size,
            color_scheme=theme,
            reduced_motion="reduce",
            locale="en-GB",
            device_scale_factor=2 if small else 1,
            has_touch=small,
        )
        if seat:
            context.add_init_script(f"localStorage.setItem('wonderlog.keys', {seat!r})")
        page = context.new_page()
        page.goto(self.opened.url + path)
        arrange(page)
        page.evaluate("document.fonts.ready")
        page.evaluate("document.querySelectorAll('.toast').forEach(one => one.remove())")
        place = FOLDER / f"{name}.png"
        page.screenshot(path=place)
        context.close()
        assert place.stat().st_size < LARGEST, f"{name} has {place.stat().st_size} bytes"
        print(f"{name}: {place.stat().st_size // 1024} KiB")


def held(sitting: Seats, seat: int = 0) -> str:
    """What the device of a seat holds."""
    return f'{{"{sitting.id}": {{"seat": "{sitting.token(seat)}", "name": "Ada"}}}}'


def hand(page: Page) -> None:
    page.locator(".fan .slot").first.wait_for()


def lifted(page: Page) -> None:
    """With a card lifted that can be built for coins, or else any that can be built."""
    hand(page)
    page.locator(".fan .slot:not(.unable) button.card").nth(1).click()
    page.locator(".actions").wait_for()


def lobby(album: Album) -> None:
    """Tables that wait, and tables at play."""
    opened = album.opened
    for players, seed, seats in ((4, 11, 2), (3, 12, 1), (7, 13, 4)):
        waiting = Seats(options(players, players != 3), seed, store=opened.house.store, name=f"{players}{seed:019x}")
        for seat in range(seats):
            waiting.sit(seat)
    for players, seed, age in ((4, 14, 2), (2, 15, 1)):
        play(opened, players, seed, until=lambda game, age=age: game.age == age and game.turn == 3)  # type: ignore[misc]
    album.take("lobby", "/", lambda page: page.locator(".table-row").nth(3).wait_for())


def tables(album: Album) -> None:
    """Two, four and seven at the table, by day and by night, and on a phone."""
    four = shown(album.opened, 4, 2, 3)
    album.take("table", f"/table/{four.id}", lifted, seat=held(four))
    album.take("table-dark", f"/table/{four.id}", lifted, seat=held(four), theme="dark")
    album.take("phone", f"/table/{four.id}", hand, seat=held(four), size=PHONE)
    two = shown(album.opened, 2, 2, 4)
    album.take("table-2", f"/table/{two.id}", hand, seat=held(two))
    seven = shown(album.opened, 7, 3, 2)
    album.take("table-7", f"/table/{seven.id}", hand, seat=held(seven))


def afterwards(album: Album) -> None:
    """The score, the replay and the audit of a finished game."""
    game = play(album.opened, 4, 9)

    def unfolded(page: Page) -> None:
        page.locator(".score td button").nth(9).click()
        page.locator(".unfolded").wait_for()

    album.take("score", f"/table/{game.id}", unfolded)
    album.take("replay", f"/replay/{game.id}#age=2&turn=2&as=2", lambda page: page.locator(".seen .slot").first.wait_for())
    album.take(
        "replay-open",
        f"/replay/{game.id}#age=3&turn=3&event=4&as=all",
        lambda page: page.locator(".open-hands .building").first.wait_for(),
        theme="dark",
    )
    album.take("audit", f"/audit/{game.id}", lambda page: page.locator(".verdict.is-holds").wait_for())
    raw = httpx.get(f"{album.opened.url}/games/{game.id}/bundle").content
    version, card = built(raw)
    forged = changed(raw, "events.jsonl", f'"card":"{card}"'.encode(), b'"card":"palace"')

    def broken(page: Page) -> None:
        page.locator(".verdict.is-holds").wait_for()
        page.locator("#bundle-file").set_input_files({"name": "from-a-friend.zip", "mimeType": "application/zip", "buffer": forged})
        page.locator(".verdict.is-broken").wait_for()
        page.locator(f"#v{version}").wait_for()

    album.take("audit-broken", f"/audit/{game.id}", broken, size=TALL)


def main(only: list[str]) -> None:
    """All pictures, or those that are named."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))
    FOLDER.mkdir(parents=True, exist_ok=True)
    with open_house() as opened, sync_playwright() as playwright:
        browser = playwright.chromium.launch(**browser_arguments())
        album = Album(browser, opened, only)
        lobby(album)
        tables(album)
        afterwards(album)
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1:])
