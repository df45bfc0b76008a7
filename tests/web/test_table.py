"""At the table in a browser: whole games by clicking, payments, projects, extras, changes of mind, and broken lines."""

from __future__ import annotations

import re
from collections.abc import Callable

import httpx
import pytest
from playwright.sync_api import expect

from events.commands import TimeOut
from events.rules import Game
from events.rules.state import Choosing, Extra, Over
from events.store.memory import wall_clock
from tests.games import options
from tests.web.doors import reopening_house
from tests.web.guests import Guest
from tests.web.house import OpenHouse
from tests.web.seats import Seats, asked, found, last_to_choose, plays
from workers.handlers import advance

pytestmark = pytest.mark.browser

Guests = Callable[..., Guest]


def newcomer(guests: Guests, opened: OpenHouse, edifice: bool = False, players: int = 3, **context: object) -> Guest:
    """Somebody who opens the address and plays against bots; with two players the newcomer holds the Free City's card."""
    guest = guests(opened.url, **context)
    guest.go("/")
    form = guest.page.locator("form.quick")
    form.get_by_role("button", name=str(players), exact=True).click()
    with_edifice = form.get_by_label("With the Edifice expansion")
    expect(with_edifice).to_be_checked()  # unless somebody wants the base game
    with_edifice.set_checked(edifice)
    form.get_by_role("button", name="Play now").click()
    guest.page.wait_for_url(re.compile("/table/[0-9a-f]{20}$"))
    expect(guest.page.locator(".fan .card")).to_have_count(7 if players > 2 else 8)  # with the card that the holder has drawn
    guest.keys()
    return guest


def test_a_newcomer_plays_a_whole_game(guests: Guests, opened: OpenHouse) -> None:
    """Within three clicks a newcomer sits in a game against two bots, and plays it to the score sheet; a reload changes nothing."""
    guest = newcomer(guests, opened, edifice=True)
    answers = 0
    while guest.until_asked_or_over():
        guest.answer()
        answers += 1
        if answers == 4:
            before = guest.doc()
            guest.page.reload()
            guest.awaits("doc.version >= wanted", before["version"])
            assert guest.doc()["you"]["hand"] == before["you"]["hand"]
    assert answers >= 18
    expect(guest.page.locator(".ending .score tfoot td")).to_have_count(3)
    totals = [int(text) for text in guest.page.locator(".ending .score tfoot td").all_inner_texts()]
    phase = opened.house.table.load(guest.game).game.phase
    assert isinstance(phase, Over)
    assert totals == [phase.sheets[seat].total for place in phase.places for seat in place]
    expect(guest.page.get_by_role("button", name="Rematch")).to_be_visible()


def test_a_figure_of_the_score_sheet_unfolds(guests: Guests, opened: OpenHouse) -> None:
    """A click on a figure shows where its points come from, and they add up."""
    game = opened.finished(3)
    guest = guests(opened.url)
    guest.go(f"/table/{game}")
    cell = guest.page.locator(".score td button").first
    points = int(cell.inner_text())
    cell.click()
    lines = guest.page.locator(".origins li b").all_inner_texts()
    assert lines
    assert sum(int(line) for line in lines) == points


def test_the_game_after_the_game(guests: Guests, opened: OpenHouse) -> None:
    """A rematch against bots is dealt at one click."""
    sitting = Seats(opened.sitting(3, False).rules, 8, bots=(1, 2), store=opened.house.store, name="8" * 20)
    sitting.play()
    guest = guests(opened.url)
    sitting.welcome(guest, 0)
    guest.page.get_by_role("button", name="Rematch").click()
    guest.page.wait_for_url(lambda url: not url.endswith(sitting.id))
    expect(guest.page.locator(".fan .card")).to_have_count(7)
    assert guest.doc()["rematch_of"] == sitting.id


def test_a_rematch_by_link_only_is_offered_to_all_who_look(guests: Guests, opened: OpenHouse) -> None:
    """Who sat there and who watches see it without a reload, though no lobby lists it."""
    sitting = Seats(options(3, False, listed=False), 9, store=opened.house.store, name="9" * 20)
    sitting.play()
    ada, bo, watcher = (guests(opened.url) for _ in range(3))
    sitting.welcome(bo, 1)
    watcher.go(f"/table/{sitting.id}")
    for one in (bo, watcher):
        expect(one.page.locator(".ending .score")).to_be_visible()
        expect(one.page.get_by_role("link", name="Join the rematch")).to_have_count(0)
    sitting.welcome(ada, 0)
    ada.page.get_by_role("button", name="Rematch").click()
    ada.page.wait_for_url(lambda url: not url.endswith(sitting.id))
    for one in (bo, watcher):
        one.page.get_by_role("link", name="Join the rematch").click()
        one.page.wait_for_url(f"**/table/{ada.game}")
    assert ada.game not in httpx.get(f"{opened.url}/lobby").text


def test_each_way_to_pay_is_a_choice(guests: Guests, opened: OpenHouse) -> None:
    """The cheapest payment stands first; another one is played as it was shown."""

    def costly(game: Game) -> bool:
        return last_to_choose(game, 2) and any(play.kind == "build" and len(play.payments) > 1 for play in plays(game, 2))

    sitting = found(opened, costly)
    play = next(play for play in plays(sitting.game, 2) if play.kind == "build" and len(play.payments) > 1)
    guest = guests(opened.url)
    sitting.welcome(guest, 2)
    guest.open_card(play.card)
    ways = guest.page.locator(".actions .ledger[data-kind='build']")
    shown = [(int(way.get_attribute("data-left") or ""), int(way.get_attribute("data-right") or "")) for way in ways.all()]
    assert set(shown) <= set(play.payments)
    assert [sum(way) for way in shown] == sorted(sum(way) for way in shown)
    turn = sitting.game.turn
    ways.nth(1).click()
    guest.awaits("doc.turn !== wanted || doc.phase !== 'choose'", turn)
    paid = [event for event in sitting.events if type(event).__name__ == "CoinsPaid" and event.city == 2 and event.why == "trade"]
    left, right = shown[1]
    assert sum(event.amount for event in paid[-((left > 0) + (right > 0)) :]) == left + right


def test_joining_the_project(guests: Guests, opened: OpenHouse) -> None:
    """A stage may join the Age's project for its coins; the table then shows the token's holder."""

    def joinable(game: Game) -> bool:
        return last_to_choose(game, 2) and any(play.joinable for play in plays(game, 2))

    sitting = found(opened, joinable, edifice=True)
    play = next(play for play in plays(sitting.game, 2) if play.joinable)
    guest = guests(opened.url)
    sitting.welcome(guest, 2)
    age, version = sitting.game.age, sitting.game.version
    guest.open_card(play.card)
    guest.page.locator(".actions .join input").check()
    guest.play("stage")
    guest.awaits("doc.version > wanted[0] + 1 && doc.edifice[wanted[1] - 1].holders.includes(2)", [version, age])
    assert age in sitting.game.cities[2].participates


@pytest.mark.parametrize("question", ["last-card", "pick", "lose"])
def test_an_extra_question_is_answered(guests: Guests, opened: OpenHouse, question: str) -> None:
    """The last card, a card of the discard pile, a building to lose: asked, answered by clicking, and the game goes on."""
    sitting = found(opened, lambda game: asked(game, question), edifice=True)
    phase = sitting.game.phase
    assert isinstance(phase, Extra)
    seat = phase.seats[0]
    guest = guests(opened.url)
    sitting.welcome(guest, seat)
    assert guest.answer() == question
    guest.awaits("!doc.you.questions.some(one => one.kind === wanted && !one.chosen)", question)
    now = sitting.game.phase
    assert not isinstance(now, Extra) or now.question != question or seat not in now.seats or now.answers[now.seats.index(seat)]


def two_at_the_table(guests: Guests, opened: OpenHouse) -> tuple[Guest, Guest]:
    """Two people on two devices, and a bot; in the first turn."""
    ada, bo = guests(opened.url), guests(opened.url)
    ada.go("/new")
    form = ada.page.locator("form.new-form")
    form.get_by_label("Your name").fill("Ada")
    form.get_by_role("group", name="Players, bots included").get_by_role("button", name="3").click()
    form.get_by_role("group", name="Seats for bots").get_by_role("button", name="1").click()
    form.get_by_role("button", name="Open the table").click()
    ada.page.wait_for_url(re.compile("/table/[0-9a-f]{20}$"))
    bo.go(f"/table/{ada.game}")
    bo.sits_down("Bo <img src=x onerror=alert(1)>")
    ada.page.get_by_role("button", name="Begin").click()
    for guest in (ada, bo):
        expect(guest.page.locator(".fan .card")).to_have_count(7)
        guest.keys()
    return ada, bo


def test_two_people_and_what_they_may_know(guests: Guests, opened: OpenHouse) -> None:
    """A choice is changed and taken back until the other has chosen; and nobody's page ever holds the other's cards."""
    ada, bo = two_at_the_table(guests, opened)
    hands = [set(guest.known_cards()) for guest in (ada, bo)]
    ada.open_card()
    ada.play("discard")
    expect(ada.page.locator(".laid-what")).to_contain_text("to be discarded")
    bo.awaits("doc.awaiting.find(one => one.seat === 0).chosen")
    ada.page.get_by_role("button", name="change").click()
    other = ada.page.locator(".fan .slot:not(.unable) button.card").last
    chosen = other.get_attribute("data-card")
    other.click()
    ada.play("build")
    ada.awaits("doc.you.questions[0].chosen?.kind === 'build'")
    ada.page.get_by_role("button", name="take back").click()
    ada.awaits("!doc.you.questions[0].chosen")
    bo.awaits("!doc.awaiting.find(one => one.seat === 0).chosen")
    ada.open_card(chosen)
    ada.play("build")
    ada.awaits("doc.you.questions[0].chosen?.card === wanted", chosen)

    # Whatever came to each page by now: the other's hand is in none of it.
    for guest, own, theirs in ((ada, hands[0], hands[1]), (bo, hands[1], hands[0])):
        secret = theirs - own
        assert secret
        everything = "\n".join([*guest.heard, guest.text()])
        assert not [card for card in secret if f'"{card}"' in everything]
        assert "onerror=alert(1)" in guest.text()
        assert guest.page.locator("img").count() == 0

    bo.open_card()
    bo.play()
    for guest in (ada, bo):
        guest.awaits("doc.turn === 2")
    assert chosen in ada.doc()["cities"][0]["built"]
    assert ada.page.title().startswith("● Your turn")


def test_a_lost_connection_mends_itself(guests: Guests, opened: OpenHouse) -> None:
    """Cut off, a page says so; back again, it is right without a reload, and what was chosen meanwhile is played once."""
    ada, bo = two_at_the_table(guests, opened)
    ada.page.evaluate("document.querySelector('wl-table').sitting.live.connection.abort()")
    ada.context.set_offline(True)
    expect(ada.page.locator(".line-state.is-lost")).to_be_visible()
    bo.open_card()
    bo.play()
    bo.awaits("doc.you.questions[0].chosen")
    ada.open_card()
    ada.play()
    expect(ada.page.locator(".fan.sending")).to_be_visible()
    ada.context.set_offline(False)
    for guest in (ada, bo):
        guest.awaits("doc.turn === 2")
    sitting = [entry.e for _, entry in opened.house.store.read(ada.game)]
    assert sum(b'"type":"ActionChosen"' in event and b'"seat":0' in event and b'"turn":1' in event for event in sitting) == 1


def test_a_choice_survives_a_closed_page(guests: Guests, opened: OpenHouse) -> None:
    """A choice that could not be sent is sent when the page is opened again, and counts once."""
    ada, bo = two_at_the_table(guests, opened)
    bo.open_card()
    bo.play()
    ada.awaits("doc.awaiting.find(one => one.seat === 1).chosen")
    ada.page.route("**/choices", lambda route: route.abort())
    ada.open_card()
    ada.play()
    expect(ada.page.locator(".fan.sending")).to_be_visible()
    ada.page.unroute("**/choices")
    ada.page.reload()
    ada.awaits("doc.turn === 2")
    phase = opened.house.table.load(ada.game).game.phase
    assert isinstance(phase, Choosing)


def test_the_house_closes_and_opens_again(guests: Guests) -> None:
    """While the house is away a page says so and keeps what was chosen; when it opens again all goes on without a reload."""
    with reopening_house() as (opened, doors):
        ada, bo = two_at_the_table(guests, opened)
        doors.close()
        expect(ada.page.locator(".line-state.is-lost")).to_be_visible()
        ada.open_card()
        ada.play()
        expect(ada.page.locator(".fan.sending")).to_be_visible()
        doors.open()
        ada.awaits("doc.you.questions[0].chosen")
        bo.awaits("doc.awaiting.find(one => one.seat === 0).chosen")
        bo.open_card()
        bo.play()
        for guest in (ada, bo):
            guest.awaits("doc.turn === 2")


def test_a_bot_plays_until_the_person_returns(guests: Guests, opened: OpenHouse) -> None:
    """Whoever leaves lets a bot play on; the others see it, and a click takes the seat back."""
    ada, bo = two_at_the_table(guests, opened)
    ada.page.get_by_role("button", name="This table").click()
    ada.page.get_by_role("button", name="Let a bot play on for me").click()
    ada.page.get_by_role("button", name="Close").click()
    expect(ada.page.get_by_text("A bot is playing for you.")).to_be_visible()
    expect(bo.page.get_by_text("a bot plays", exact=True)).to_be_visible()
    ada.page.get_by_role("button", name="I am back").click()
    expect(ada.page.get_by_text("A bot is playing for you.")).to_have_count(0)
    bo.awaits("doc.seats[0].stand_in === null")


def test_the_clock_runs_and_a_late_choice_is_made(guests: Guests, opened: OpenHouse, monkeypatch: pytest.MonkeyPatch) -> None:
    """The time that is left is shown; when it is over the written default is played, and the page says who was late."""
    sitting = Seats(options(3, turn_ms=600_000), 5, store=opened.house.store, name="5" * 20)
    sitting.start()
    guest = guests(opened.url)
    sitting.welcome(guest, 1)
    expect(guest.page.get_by_role("timer")).to_contain_text("10 min")
    monkeypatch.setattr(opened.house.store, "_clock", lambda: wall_clock() + 601_000)
    for seat in range(3):
        sitting.send(TimeOut(seat=seat, city=seat))  # as the house does for whoever is late
    advance(opened.house, sitting.id)
    guest.awaits("doc.turn === 2 && doc.seats[1].missed === 1")
    expect(guest.page.get_by_text("Choices missed in a row: 1.")).to_be_visible()
    expect(guest.page.locator(".chronicle")).to_contain_text("Time is over for Bo")


def test_the_free_city_between_two(guests: Guests, opened: OpenHouse) -> None:
    """The holder chooses for the own city first, then for the Free City; a whole Age of it goes by clicking."""
    guest = newcomer(guests, opened, players=2)
    guest.until_asked_or_over()
    free = False
    for _ in range(14):
        asked_for = guest.question()
        assert asked_for is not None
        free = free or asked_for["city"] == 2
        if asked_for["city"] == 2:
            expect(guest.page.get_by_text("Now choose for the Free City.")).to_be_visible()
        guest.answer()
        guest.until_asked_or_over()
    assert free
    assert len(guest.doc()["cities"][2]["built"]) + guest.doc()["cities"][2]["stages"] > 0


def test_a_game_by_keyboard(guests: Guests, opened: OpenHouse) -> None:
    """Arrows go through the hand, Enter lifts a card, Tab and Enter choose, Escape lays it back."""
    guest = newcomer(guests, opened)
    keys = guest.page.keyboard
    guest.page.locator(".fan .slot button.card").first.focus()
    keys.press("End")
    assert guest.page.evaluate("[...document.querySelectorAll('.fan .slot > button.card')].at(-1) === document.activeElement")
    keys.press("Enter")
    expect(guest.page.locator(".slot.open .actions")).to_be_visible()
    keys.press("Escape")
    expect(guest.page.locator(".slot.open")).to_have_count(0)
    keys.press("Home")
    keys.press("Enter")
    keys.press("Tab")
    assert guest.page.evaluate("document.activeElement.matches('.ledger, .chip, .join input, .more, .close')")
    while guest.page.evaluate("!document.activeElement.matches('.ledger[data-kind=discard]')"):
        keys.press("Tab")
    keys.press("Enter")
    guest.awaits("doc.turn === 2")


def test_the_reveal_moves_and_can_be_skipped(guests: Guests, opened: OpenHouse) -> None:
    """With motion the cards turn over on a ring of their own, which a key takes away; the end state is the same."""
    guest = newcomer(guests, opened, reduced_motion="no-preference")
    guest.open_card()
    guest.play()
    expect(guest.page.locator(".reveal .flip")).to_have_count(3)
    guest.page.keyboard.press("Escape")
    expect(guest.page.locator(".reveal")).to_have_count(0)
    guest.awaits("doc.turn === 2")


def test_a_table_for_two_with_a_fixed_free_city(guests: Guests, opened: OpenHouse) -> None:
    """Every option that the page offers reaches the table: clock, rules one by one, boards, the Free City's board."""
    guest = guests(opened.url)
    guest.go("/new")
    form = guest.page.locator("form.new-form")
    form.get_by_role("group", name="Players, bots included").get_by_role("button", name="2").click()
    expect(form.get_by_label("With the Edifice expansion")).to_be_checked()
    form.get_by_label("5 min").check()
    form.get_by_text("Single options").click()
    form.get_by_label("As printed on the cards").check()
    form.get_by_label("Board of the Free City").select_option("gizah.night")
    form.get_by_role("checkbox", name="Rhodos").uncheck()
    form.get_by_label("Show in the lobby").uncheck()
    form.get_by_role("button", name="Open the table").click()
    guest.page.wait_for_url(re.compile("/table/[0-9a-f]{20}$"))
    expect(guest.page.locator(".chair.mine")).to_be_visible()
    ruleset = guest.doc()["ruleset"]
    options = ruleset["options"]
    assert ruleset["preset"] == "custom"
    assert (options["players"], options["edifice"], options["turn_ms"], options["listed"]) == (2, True, 300_000, False)
    assert (options["edifice_tokens"], options["edifice_reward"]) == ("printed", "age-end")
    assert options["free_city"] == ["gizah", "night"]
    assert "rhodos" not in options["wonders"]
    assert "ur" in options["wonders"]
    guest.keys()
