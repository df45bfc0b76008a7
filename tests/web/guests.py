"""What a guest does at the table with a mouse, and everything that came over the network while doing it."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import BrowserContext, Page, Request, Response, expect

DEAR = 20_000
"""Milliseconds after which something that should show itself has failed."""
STORED = "JSON.parse(localStorage.getItem('wonderlog.keys') ?? '{}')"
OPEN = "one => !one.chosen && one.plays.length"
DOC = "document.querySelector('wl-table').doc"


class Guest:
    """One person with a device.  complaints: errors and warnings of its pages; heard: bodies of all that the API answered."""

    def __init__(self, context: BrowserContext, url: str) -> None:
        self.context, self.url = context, url
        self.page: Page = context.new_page()
        self.complaints: list[str] = []
        self.heard: list[str] = []
        self.asked: list[str] = []
        self.secrets: set[str] = set()
        self.page.set_default_timeout(DEAR)
        self.page.on("console", lambda said: said.type in ("error", "warning") and self._complain(said.text))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("request", self._ask)
        self.page.on("response", self._hear)

    def _complain(self, text: str) -> None:
        # What the browser itself writes about a lost connection, or about a page without HTTPS, is no fault of the page.
        if not text.startswith(("Failed to load resource", "The Cross-Origin-Opener-Policy header has been ignored")):
            self.complaints.append(text)

    def _ask(self, request: Request) -> None:
        self.asked.append(request.url)

    def _hear(self, response: Response) -> None:
        if "/live" not in response.url and "json" in response.headers.get("content-type", ""):
            place = response.url.removeprefix(self.url)
            if place.startswith(("/games", "/lobby")):
                try:
                    self.heard.append(response.text())
                except Exception as error:  # noqa: BLE001 - the page has moved on and dropped the body
                    self.heard.append(f"(not kept: {type(error).__name__})")

    # -- secrets ------------------------------------------------------------------------------------------------
    def keys(self) -> dict[str, dict[str, str]]:
        """What this device holds: by game its secrets."""
        found: dict[str, dict[str, str]] = self.page.evaluate(STORED)
        for held in found.values():
            self.secrets |= {held[name] for name in ("seat", "host", "sign") if name in held}
        return found

    def told_secrets(self) -> list[str]:
        """Addresses that were asked for with a secret in them."""
        return [url for url in self.asked if any(secret in url for secret in self.secrets)]

    # -- at the table -------------------------------------------------------------------------------------------
    def go(self, path: str) -> None:
        self.page.goto(self.url + path)

    def doc(self) -> dict[str, Any]:
        """The table as this page shows it."""
        return dict(self.page.evaluate(DOC))

    @property
    def game(self) -> str:
        return self.page.url.split("#")[0].rsplit("/", 1)[1]

    def awaits(self, condition: str, argument: Any = None) -> None:
        """Until an expression about `doc` (the document) holds; `wanted` is the argument."""
        self.page.wait_for_function(f"wanted => {{ const doc = {DOC}; return Boolean(doc) && ({condition}); }}", arg=argument)

    def open_card(self, card: str | None = None) -> None:
        """Lifts a card: this one, else the first that can be built, else the first."""
        able = self.page.locator(".fan .slot:not(.unable) button.card")
        if card is not None:
            self.page.locator(f".fan button.card[data-card='{card}']").first.click()
        else:
            self.page.locator(".fan .slot button.card").first.wait_for()
            (able if able.count() else self.page.locator(".fan .slot button.card")).first.click()
        self.page.locator(".actions").wait_for()

    def play(self, kind: str | None = None) -> None:
        """The first way on the lifted card, or the first of this kind."""
        if self.page.locator(".actions .chip").count():
            self.page.locator(".actions .chip").first.click()
        which = f".actions .ledger[data-kind='{kind}']" if kind else ".actions .ledger"
        self.page.locator(which).first.click()

    def question(self) -> dict[str, Any] | None:
        """What this guest is asked and has not answered."""
        found: dict[str, Any] | None = self.page.evaluate(f"{DOC}.you.questions.find({OPEN}) ?? null")
        return found

    def answer(self) -> str:
        """Answers whatever is asked, somehow; returns its kind."""
        asked = self.question()
        assert asked is not None
        version = self.doc()["version"]
        if asked["kind"] == "pick" and not any("pick" in play for play in asked["plays"]):
            self.page.get_by_role("button", name="Build nothing").click()
        else:
            self.open_card()
            self.play()
        self.awaits("doc.version > wanted", version)
        return str(asked["kind"])

    def until_asked_or_over(self) -> bool:
        """Waits until there is something to answer; False when the game is over."""
        self.awaits(f"doc.phase === 'over' || (doc.you.questions.some({OPEN}) && !document.querySelector('.fan.sending'))")
        return bool(self.page.evaluate(f"{DOC}.phase !== 'over'"))

    def sits_down(self, name: str) -> None:
        form = self.page.locator("form.sit")
        form.get_by_label("Your name").fill(name)
        form.get_by_role("button", name="Sit down").click()
        expect(self.page.locator(".chair.mine")).to_be_visible()

    def text(self) -> str:
        """Every character of the document, attributes included."""
        return str(self.page.evaluate("document.documentElement.outerHTML"))

    def known_cards(self) -> set[str]:
        """The cards of this guest's hand."""
        return set(self.doc()["you"]["hand"])
