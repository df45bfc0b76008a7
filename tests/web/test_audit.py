"""The ledger in the browser: it holds for a good game, breaks where bytes were changed, and needs no HTTPS."""

from __future__ import annotations

import itertools
import json
import zlib
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Locator, expect

from projections.archive import pack, unpack
from projections.audit_kinds import Kind, Unproved
from services.web.words import words as spoken
from tests.web.guests import Guest
from tests.web.house import OpenHouse

pytestmark = pytest.mark.browser
Guests = Callable[..., Guest]


def auditing(guests: Guests, url: str, path: str = "/audit") -> Guest:
    guest = guests(url, accept_downloads=True)
    guest.go(path)
    return guest


def verdict(guest: Guest, state: str) -> Locator:
    """The banner, once the checking is done."""
    expect(guest.page.locator(f".verdict.is-{state}")).to_be_visible(timeout=30_000)
    return guest.page.locator(".verdict")


def bring(guest: Guest, raw: bytes, name: str = "game.zip") -> None:
    """Opens a file."""
    guest.page.locator("#bundle-file").set_input_files({"name": name, "mimeType": "application/zip", "buffer": raw})


def bundle(opened: OpenHouse, game: str) -> bytes:
    return httpx.get(f"{opened.url}/games/{game}/bundle").content


def changed(raw: bytes, member: str, before: bytes, after: bytes) -> bytes:
    """The same bundle with some bytes of a member changed, neatly packed again."""
    members = unpack(raw)
    assert members[member].count(before) >= 1
    members[member] = members[member].replace(before, after, 1)
    return pack(members)


def built(raw: bytes) -> tuple[int, str]:
    """The first building of a bundle: its version and card."""
    for version, line in enumerate(unpack(raw)["events.jsonl"].splitlines(), 1):
        event = json.loads(line)
        if event["type"] == "CardBuilt":
            return version, event["card"]
    raise AssertionError("nothing was built")


def test_a_good_game_holds(guests: Guests, opened: OpenHouse) -> None:
    """Every event has its line, its link and a whole thread; what the house found stands beside it; the bundle is the house's."""
    game = opened.finished(4)
    guest = auditing(guests, opened.url, f"/audit/{game}")
    members = unpack(bundle(opened, game))
    events, links = members["events.jsonl"].splitlines(), members["links.txt"].decode().split()
    expect(verdict(guest, "holds")).to_contain_text("Everything holds.")
    expect(verdict(guest, "holds")).to_contain_text(f"{len(events)} links")
    expect(verdict(guest, "holds")).to_contain_text(f"{len(members['heads.jsonl'].splitlines())} heads signed by the host")
    lines = guest.page.locator(".entry")
    assert lines.count() == len(events)
    assert guest.page.locator(".entry.is-holds").count() == len(events)
    assert guest.page.locator(".entry .link-code").all_text_contents() == [link[:12] for link in links]
    expect(guest.page.locator(".audit-side")).to_contain_text("nothing differs")
    guest.page.locator("#v1 summary").click()
    expect(guest.page.locator("#v1 .inside")).to_contain_text(links[0])
    with guest.page.expect_download() as download:
        guest.page.get_by_role("button", name="Download the bundle").click()
    assert Path(download.value.path()).read_bytes() == bundle(opened, game)
    assert download.value.suggested_filename == f"{game}.zip"


@pytest.mark.parametrize("where", ["url", "strange"])
def test_a_changed_event_breaks_the_thread(guests: Guests, opened: OpenHouse, where: str) -> None:
    """A building exchanged in a bundle: its line breaks with a sentence, what follows hangs on it; with HTTPS and without."""
    raw = bundle(opened, opened.finished(4))
    version, card = built(raw)
    other = "baths" if card != "baths" else "altar"
    guest = auditing(guests, getattr(opened, where))
    secure = guest.page.evaluate("Boolean(crypto.subtle)")
    assert secure == (where == "url")
    bring(guest, raw)
    expect(verdict(guest, "holds")).to_contain_text("Everything holds.")
    assert ("This address has no HTTPS" in verdict(guest, "holds").inner_text()) == (not secure)
    bring(guest, changed(raw, "events.jsonl", f'"card":"{card}"'.encode(), f'"card":"{other}"'.encode()), "forged.zip")
    expect(verdict(guest, "broken")).to_contain_text("1 thing does not hold.")
    expect(verdict(guest, "broken")).to_contain_text("forged.zip")
    broken = guest.page.locator(".entry.is-broken")
    expect(broken).to_have_count(1)
    expect(broken).to_have_id(f"v{version}")
    expect(broken.locator(".fault")).to_contain_text("this event was changed")
    assert guest.page.locator(".entry.is-holds").count() == version - 1
    assert guest.page.locator(".entry.is-after").count() == len(unpack(raw)["links.txt"].split()) - version
    guest.page.locator(".verdict .to-event").click()
    expect(broken).to_have_attribute("open", "")


def _flip(raw: bytes, member: str) -> bytes:
    """One digit changed in a member."""
    content = unpack(raw)[member]
    place = next(place for place in range(len(content) // 2, len(content)) if content[place : place + 1].isdigit())
    members = {
        **unpack(raw),
        member: content[:place] + (b"1" if content[place : place + 1] != b"1" else b"2") + content[place + 1 :],
    }
    return pack(members)


@pytest.mark.parametrize(
    "member", ["events.jsonl", "links.txt", "openings.jsonl", "heads.jsonl", "catalogue.json", "manifest.json"]
)
def test_no_member_can_be_changed(guests: Guests, opened: OpenHouse, member: str) -> None:
    """One digit in the middle of any member, and the page says that something does not hold."""
    raw = _flip(bundle(opened, opened.finished(4)), member)
    assert raw != bundle(opened, opened.finished(4))
    guest = auditing(guests, opened.url)
    bring(guest, raw)
    assert verdict(guest, "broken").locator(".faults li").count() >= 1


def test_what_is_no_bundle(guests: Guests, opened: OpenHouse) -> None:
    """Any other file, a cut one, and one whose checksum does not fit, are named as such."""
    raw = bundle(opened, opened.finished(4))
    place = raw.index(b"GameOpened")
    assert zlib.crc32(raw) != zlib.crc32(raw[:place] + b"Gamf" + raw[place + 4 :])
    guest = auditing(guests, opened.url)
    for file, words in (
        (b"no zip at all", "The file is no zip."),
        (raw[:-30], "The file is no zip."),
        (raw[:place] + b"Gamf" + raw[place + 4 :], "The checksum of events.jsonl does not fit"),
        (pack({"a.txt": b"Alexandria"}), "manifest.json is missing"),
    ):
        bring(guest, file)
        expect(verdict(guest, "broken")).to_contain_text(words)


def test_receipts_find_a_log_that_was_changed_behind_them(guests: Guests, opened: OpenHouse) -> None:
    """This device keeps the house's receipts; another log of the same game, good in itself, does not fit them."""
    guest = auditing(guests, opened.url, "/")
    guest.page.get_by_role("button", name="Play now").click()
    guest.page.locator(".fan .slot").first.wait_for()
    game = guest.game
    guest.keys()
    guest.go(f"/audit/{game}")
    expect(verdict(guest, "holds")).to_contain_text("receipts")
    expect(guest.page.locator(".audit-side")).to_contain_text("The house signed each of them")
    forged = f"JSON.parse(localStorage.getItem('wonderlog.receipts.{game}')).map(one => ({{...one, link: '0'.repeat(64)}}))"
    guest.page.evaluate(f"localStorage.setItem('wonderlog.receipts.{game}', JSON.stringify({forged}))")
    guest.page.reload()
    expect(verdict(guest, "broken")).to_contain_text("The signature on this device's receipt is not this host's.")


def test_a_disputed_turn_is_laid_open(guests: Guests, opened: OpenHouse) -> None:
    """What was offered, chosen and followed; its versions lead into the ledger; a turn that was not played is said."""
    game = opened.finished(4)
    guest = auditing(guests, opened.url, f"/audit/{game}")
    verdict(guest, "holds")
    guest.page.locator("select[name=age]").select_option("2")
    guest.page.locator("select[name=turn]").select_option("3")
    guest.page.locator("select[name=seat]").select_option(label="Bo")
    guest.page.get_by_role("button", name="Lay it open").click()
    sheet = httpx.get(f"{opened.url}/games/{game}/disputes/2/3/1").json()["questions"][0]
    shown = guest.page.locator(".dispute-sheet")
    expect(shown).to_contain_text("counted")
    expect(shown).to_contain_text(f"event {sheet['choices'][-1]['version']}")
    expect(shown).to_contain_text(sheet["followed"][0]["text"][0])
    shown.locator(".to-event").first.click()
    expect(guest.page.locator(f"#v{sheet['offer']['version']}")).to_have_attribute("open", "")


@pytest.mark.parametrize("language", ["fr", "nl"])
def test_the_audit_speaks_the_reader_s_language(guests: Guests, opened: OpenHouse, language: str) -> None:
    """Findings of every kind, what is not proved, a price and rulings: nothing is left in English but the house's own words, which
    are unfolded on demand."""
    game = opened.finished(4)
    report = httpx.get(f"{opened.url}/games/{game}/audit").json()
    report |= {"clean": False, "not_proved": [*Unproved], "unproved": [*Unproved]}
    report["findings"] = [
        {"kind": kind, "version": 5, "field": "coins", "recorded": 3, "recomputed": "cannot-pay", "sentence": f"English {kind}"}
        for kind in Kind
    ]
    guest = guests(opened.url, locale=f"{language}-BE")
    guest.page.route("**/audit", lambda route: route.fulfill(json=report) if "/games/" in route.request.url else route.continue_())
    guest.go(f"/audit/{game}")
    verdict(guest, "holds")
    mine, english = spoken(language).words, spoken("en").words
    found = guest.page.locator(".audit-side .faults > li")
    expect(found).to_have_count(len(Kind))
    for place, kind in enumerate(Kind):
        start, sentence = mine[f"finding.{kind}"].partition("{")[0], found.nth(place)
        expect(sentence).to_contain_text(start or "coins")
        expect(sentence.get_by_text(f"English {kind}")).to_be_hidden()
    sentence.locator("summary").click()
    expect(sentence.get_by_text(f"English {kind}")).to_be_visible()
    lie_open(guest, 1, 1, 0)
    sheet = httpx.get(f"{opened.url}/games/{game}/disputes/1/1/0").json()["questions"][0]
    shown = guest.page.locator(".dispute-sheet")
    for number in sheet["rulings"]:
        expect(shown).to_contain_text(mine[f"ruling.{number}"])
    assert [ruling for ruling in sheet["rulings"].values() if ruling in shown.inner_text()] == []
    assert [text for step in sheet["followed"] for text in step["text"] if text in shown.inner_text()] == []
    assert [key for key in Unproved if english[f"unproved.{key}"] in guest.page.locator(".audit-side").inner_text()] == []


def test_a_price_is_told_by_its_parts(guests: Guests, opened: OpenHouse) -> None:
    """What a build or a stage cost, what it was paid with, and every other way, in the page's own words."""
    game = opened.finished(4)
    guest = auditing(guests, opened.url, f"/audit/{game}")
    verdict(guest, "holds")
    told = []
    for age, turn, seat in itertools.product((1, 2, 3), (1, 4), (0, 1)):
        sheet = httpx.get(f"{opened.url}/games/{game}/disputes/{age}/{turn}/{seat}").json()["questions"][0]
        if sheet["price"] is None:
            continue
        lie_open(guest, age, turn, seat)
        shown = guest.page.locator(".dispute-sheet section").first
        expect(shown).to_contain_text(f"{sheet['price']['held']} coin")
        expect(shown).to_contain_text("when the turn began")
        for left, right in sheet["price"]["ways"] if sheet["price"]["ways"] != [[0, 0]] else []:
            expect(shown).to_contain_text(f"{left} left and {right} right")
        told.append(sheet["price"])
    assert len(told) > 3
    assert any(price["ways"] not in ([], [[0, 0]]) for price in told)


def lie_open(guest: Guest, age: int, turn: int, seat: int) -> None:
    """The sheet of this turn of this seat, whatever the language."""
    for name, value in (("age", age), ("turn", turn), ("seat", seat)):
        guest.page.locator(f"select[name={name}]").select_option(str(value))
    with guest.page.expect_response(f"**/disputes/{age}/{turn}/{seat}"):
        guest.page.locator("[data-act=lay-open]").click()
    guest.page.locator(".dispute-sheet").wait_for()


def test_a_running_game_is_checked_as_far_as_one_may_know(guests: Guests, opened: OpenHouse) -> None:
    """A spectator sees links that hold and no hidden card."""
    sitting = opened.sitting(3, False, seed=11).play(until=lambda game: game.age == 1 and game.turn == 3)
    guest = auditing(guests, opened.url, f"/audit/{sitting.id}")
    verdict(guest, "holds")
    expect(guest.page.locator(".audit-side")).to_contain_text("What is still face down")
    hidden = {card for city in sitting.game.cities for card in city.hand} - {
        card for city in sitting.game.cities for card in city.built
    }
    assert hidden
    page = guest.text()
    assert not [card for card in hidden if f'"{card}"' in page]
