"""One sheet answers what people ask about a turn, and tells nobody what still lies face down."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from events.codec import EVERYTHING, SPECTATOR
from events.facts import CoinsPaid
from events.refusals import Refusal
from projections.dispute import dispute
from projections.dispute_sheet import DisputeDoc, QuestionSheet
from tests.audit.given import Played, part_of_a_game, whole_game
from tests.audit.test_bundles import face_down, half_way
from tests.rules.driver import PUBLISHER


def sheet(played: Played, age: int, turn: int, seat: int, viewer: int = EVERYTHING) -> DisputeDoc:
    """A turn's sheet."""
    return dispute(played.store.read(played.game), played.store.names(played.game), viewer, age, turn, seat)


def every(played: Played) -> list[DisputeDoc]:
    """All sheets of a finished game."""
    people = range(len(played.table.load(played.game).game.people))
    return [sheet(played, age, turn, seat) for age in (1, 2, 3) for turn in range(1, 7) for seat in people]


def questions(played: Played) -> list[QuestionSheet]:
    """All questions of all sheets."""
    return [one for document in every(played) for one in document.questions]


@pytest.fixture(scope="module")
def signed() -> Played:
    """Three people, two with keys, who fall asleep now and then."""
    return whole_game(13, 3, players=3, edifice=True, asleep=0.15)


def test_every_choice_of_a_game_stands_on_one_sheet(signed: Played) -> None:
    """Each once, with its version and link, and one that counted in each question."""
    entries = signed.store.read(signed.game)
    recorded = {version for version, entry in entries if b'"type":"ActionChosen"' in entry.e or b'"type":"SeatTimedOut"' in entry.e}
    links = {version: entry.l.hex() for version, entry in entries}
    shown = [choice for one in questions(signed) for choice in one.choices]
    assert recorded <= {choice.version for choice in shown}
    assert len({choice.version for choice in shown}) == len(shown)
    assert all(choice.link == links[choice.version] for choice in shown)
    assert all([choice.fate for choice in one.choices].count("counted") == 1 for one in questions(signed))


def test_what_was_paid_is_what_the_price_says(signed: Played) -> None:
    """Coins to the neighbours, the bank and the project, as the events record them."""
    priced = 0
    for one in questions(signed):
        if one.price is not None:
            assert (one.price.left, one.price.right) in one.price.ways
            paid = sum(amount_of(signed, step.version, one.city) for step in one.followed if step.type == "CoinsPaid")
            assert paid == one.price.left + one.price.right + one.price.bank + one.price.project
            assert {"R18", "R30", "R31", "R10"} & set(one.rulings)
            priced += 1
    assert priced > 20


def amount_of(played: Played, version: int, city: int) -> int:
    """What a city paid by an event."""
    event = msgspec.json.decode(played.store.read(played.game, version - 1, 1)[0][1].e)
    assert event["type"] == CoinsPaid.__name__
    return int(event["amount"]) if event["city"] == city else 0


def test_the_sheet_says_who_signed(signed: Played) -> None:
    """Signed seats' own moves, the host's for them, and seats without a key."""
    for document in every(signed):
        for one in document.questions:
            for choice in one.choices:
                host = choice.timed_out or choice.by == "game"
                expected = "by the host" if host else "signed" if document.key else "no key"
                assert choice.signature == expected
    found = {choice.signature for one in questions(signed) for choice in one.choices}
    assert found == {"by the host", "signed", "no key"}


def test_choices_that_were_taken_back_are_shown(signed: Played) -> None:
    """With their numbers, and that they did not count."""
    back = [one for one in questions(signed) if one.taken_back]
    assert back
    for one in back:
        assert any(choice.fate == "taken back" for choice in one.choices)
        assert all(taken.signature in ("signed", "no key", "by the host") for taken in one.taken_back)


def test_the_free_city_has_its_own_question() -> None:
    """The holder's sheet has both, with the drawn card and the Free City's rulings."""
    played = whole_game(12, 1, players=2, edifice=True, **PUBLISHER)
    both = [one for one in questions(played) if one.city == 2 and one.question == "choose"]
    assert len(both) == 18
    assert all({"R91", "R94"} <= set(one.rulings) and one.offer.cards for one in both)


def test_a_spectator_sees_what_was_turned_over(signed: Played) -> None:
    """The card where it was built, the act always, a hand never."""
    for turn in range(1, 7):
        for one in sheet(signed, 1, turn, 0, SPECTATOR).questions:
            counted = next(choice for choice in one.choices if choice.fate == "counted")
            assert counted.act is not None
            assert (counted.card is not None) == (counted.act.kind in ("build", "pick", "lose"))
            assert one.offer.cards is None or one.question == "lose"


def test_a_running_turn_shows_others_nothing() -> None:
    """Two tables that differ in a card that lies face down have the same sheet for everybody else."""
    one, other = face_down(0), face_down(1)
    for viewer in (SPECTATOR, 1, 2):
        left, right = (plain(sheet(played, 1, 1, 0, viewer)) for played in (one, other))
        assert left == right
    assert plain(sheet(one, 1, 1, 0, 0)) != plain(sheet(other, 1, 1, 0, 0))
    choice = sheet(one, 1, 1, 0, 1).questions[0].choices[0]
    assert (choice.act, choice.card, choice.fate) == (None, None, "open")


def plain(document: DisputeDoc) -> Any:
    """As data, without links: they hash the seals."""
    found = msgspec.to_builtins(document)
    for question in found["questions"]:
        for choice in question["choices"]:
            choice.pop("link")
    return found


def test_a_turn_that_was_not_played_is_refused() -> None:
    """Also a seat that there is not."""
    played = part_of_a_game(71, 2, half_way, players=3, edifice=False)
    for age, turn, seat in ((2, 1, 0), (1, 4, 0), (1, 1, 3)):
        with pytest.raises(Refusal):
            sheet(played, age, turn, seat)
