"""A turn over HTTP: choosing, changing one's mind, taking it back, and what is too late or not one's own."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from tests.api.given import Player, Sitting, Somebody, as_body, reason


def discards(player: Player) -> list[dict[str, Any]]:
    """The discards that a player may choose now, as requests."""
    view = player.view()
    question = view["you"]["questions"][0]
    return [as_body(question, view, play) for play in question["plays"] if "discard" in play]


def test_a_choice_is_changed_and_withdrawn_before_the_reveal(sitting: Sitting) -> None:
    """R7: the last choice counts; a withdrawn one is none."""
    ada, bo = sitting.people
    first, second = discards(ada)[:2]
    for body in (first, second):
        assert ada.post(f"{sitting.path}/choices", body).status_code == 200
    chosen = ada.view()["you"]["questions"][0]["chosen"]
    assert (chosen["kind"], chosen["card"], chosen["number"]) == ("discard", second["discard"], 2)
    withdrawn = {"age": 1, "turn": 1}
    assert ada.delete(f"{sitting.path}/choices", withdrawn).status_code == 200
    assert ada.view()["you"]["questions"][0]["chosen"] is None
    assert reason(ada.delete(f"{sitting.path}/choices", withdrawn), 409) == "nothing-to-withdraw"
    assert bo.post(f"{sitting.path}/choices", discards(bo)[0]).status_code == 200
    assert sitting.table["turn"] == 1
    assert ada.post(f"{sitting.path}/choices", first).status_code == 200
    assert sitting.table["turn"] == 2
    assert ada.view()["you"]["discard"] == [first["discard"]]


def test_a_turn_that_is_over_takes_no_choice(sitting: Sitting) -> None:
    """Stale is stale, for a choice and for taking one back."""
    ada, bo = sitting.people
    body = discards(ada)[0]
    for player in (ada, bo):
        assert player.post(f"{sitting.path}/choices", discards(player)[0]).status_code == 200
    before = sitting.version
    assert reason(ada.post(f"{sitting.path}/choices", body), 409) == "stale-choice"
    assert reason(ada.delete(f"{sitting.path}/choices", {"age": 1, "turn": 1}), 409) == "stale-choice"
    assert reason(ada.post(f"{sitting.path}/choices", {**body, "age": 3, "turn": 6}), 409) == "stale-choice"
    assert sitting.version == before


def test_numbers_rise_within_a_question(sitting: Sitting) -> None:
    """The client may number its choices: an old one that arrives late does not replace a newer one."""
    ada = sitting.people[0]
    first, second = discards(ada)[:2]
    assert ada.post(f"{sitting.path}/choices", first, number=5).status_code == 200
    assert reason(ada.post(f"{sitting.path}/choices", second, number=5), 409) == "stale-number"
    assert ada.post(f"{sitting.path}/choices", second, number=6).status_code == 200
    assert ada.view()["you"]["questions"][0]["chosen"]["number"] == 6


def test_what_the_player_saw_is_recorded(sitting: Sitting) -> None:
    """The head of the log that was seen stands in the event."""
    ada = sitting.people[0]
    head = ada.get(f"{sitting.path}/events").json()[-1]
    seen = {"version": head["version"], "link": head["link"]}
    answer = ada.post(f"{sitting.path}/choices", discards(ada)[0], seen=seen)
    event = ada.get(f"{sitting.path}/events", after=answer.json()["version"] - 1).json()[0]["event"]
    assert event["type"] == "ActionChosen"
    assert event["seen"] == seen


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ({"build": "no-such-card"}, "not-in-hand"),
        ({"build": "palace"}, "not-in-hand"),
        ({"discard": "palace"}, "not-in-hand"),
        ({"stage": "palace"}, "not-in-hand"),
    ],
)
def test_a_card_that_is_not_in_hand_is_refused(sitting: Sitting, body: dict[str, Any], expected: str) -> None:
    """Unknown to the box or only to this hand: the same answer."""
    before = sitting.version
    answer = sitting.people[0].post(f"{sitting.path}/choices", {"age": 1, "turn": 1, **body})
    assert reason(answer, 422) == expected
    assert answer.json()["city"] == 0
    assert sitting.version == before


def test_a_wrong_payment_is_refused_with_the_right_ones(sitting: Sitting) -> None:
    """Nothing is taken on trust, neither too little nor too much."""
    ada = sitting.people[0]
    view = ada.view()
    question = view["you"]["questions"][0]
    build = next(play for play in question["plays"] if "build" in play)
    answer = ada.post(f"{sitting.path}/choices", {**as_body(question, view, build), "left": 1})
    assert reason(answer, 422) == "wrong-payment"
    assert ada.view() == view


def test_a_city_that_is_not_ones_own_is_refused(sitting: Sitting) -> None:
    """Neither a neighbour's nor one that is not there; the answer is the same."""
    ada = sitting.people[0]
    for city in (1, 6):
        answer = ada.post(f"{sitting.path}/choices", {**discards(ada)[0], "city": city})
        assert reason(answer, 409) == "not-awaited"


def test_an_extra_that_nobody_asked_is_refused(sitting: Sitting) -> None:
    """An answer needs a question."""
    ada = sitting.people[0]
    for body in ({"pick": "altar"}, {"decline": True}, {"lose": "altar"}, {"discard": "altar"}):
        assert reason(ada.post(f"{sitting.path}/extras", {"age": 1, "turn": 1, **body}), 409) == "not-awaited"
    assert reason(ada.delete(f"{sitting.path}/extras", {"age": 1, "turn": 1}), 409) == "not-awaited"


def test_only_a_seat_chooses(sitting: Sitting) -> None:
    """Spectators and the host have no hand."""
    body = discards(sitting.people[0])[0]
    for who in (sitting.spectator, sitting.host):
        assert reason(who.post(f"{sitting.path}/choices", body), 403) == "not-yours"
        assert reason(who.get(f"{sitting.path}/legal"), 403) == "not-yours"
    stranger = Somebody(sitting.client, "nobody's secret")
    assert reason(stranger.post(f"{sitting.path}/choices", body), 401) == "unknown-token"


def test_nothing_is_chosen_before_the_start_or_after_the_end(client: httpx.Client) -> None:
    """Both are refused with their own reason."""
    table = Sitting(client).join("Ada", "Bo", "Cy")
    ada = table.people[0]
    body = {"age": 1, "turn": 1, "discard": "altar"}
    assert reason(ada.post(f"{table.path}/choices", body), 409) == "not-started"
    assert ada.get(f"{table.path}/legal").json() == []
    table.start()
    for player in table.people:
        assert player.post(f"{table.path}/abort").status_code == 200
    assert table.table["closed"] == "aborted"
    assert reason(ada.post(f"{table.path}/choices", body), 409) == "game-over"


def test_a_game_ends_early_only_when_all_people_agree(sitting: Sitting) -> None:
    """Bots need not be asked; agreeing twice is no second voice."""
    ada, bo = sitting.people
    assert ada.post(f"{sitting.path}/abort").status_code == 200
    assert reason(ada.post(f"{sitting.path}/abort"), 409) == "already-ready"
    assert sitting.table["closed"] is None
    assert bo.post(f"{sitting.path}/abort").status_code == 200
    assert sitting.table["closed"] == "aborted"


# ---- a bot plays for a person -------------------------------------------------------------------------------------------
def test_a_bot_plays_on_and_the_person_takes_the_seat_back(sitting: Sitting) -> None:
    """By asking for it, or by simply playing."""
    ada, bo = sitting.people
    assert reason(ada.post(f"{sitting.path}/seats/1/bot"), 403) == "not-yours"
    assert reason(ada.post(f"{sitting.path}/seats/0/reclaim"), 409) == "not-allowed"
    assert ada.post(f"{sitting.path}/seats/0/bot", bot="random").status_code == 200
    assert sitting.table["seats"][0]["stand_in"] == "random"
    assert ada.post(f"{sitting.path}/seats/0/reclaim").status_code == 200
    assert sitting.table["seats"][0]["stand_in"] is None
    assert ada.post(f"{sitting.path}/seats/0/bot").status_code == 200
    assert sitting.table["awaiting"][0]["chosen"]
    assert ada.post(f"{sitting.path}/choices", discards(ada)[0]).status_code == 200
    assert sitting.table["seats"][0]["stand_in"] is None
    assert bo.post(f"{sitting.path}/choices", discards(bo)[0]).status_code == 200
    assert [sitting.table["turn"], ada.questions()[0]["chosen"]] == [2, None]


def test_a_refused_play_does_not_take_the_seat_back(sitting: Sitting) -> None:
    """Bad input changes nothing at all."""
    ada = sitting.people[0]
    assert ada.post(f"{sitting.path}/seats/0/bot").status_code == 200
    before = sitting.version
    assert reason(ada.post(f"{sitting.path}/choices", {"age": 1, "turn": 1, "discard": "palace"}), 422) == "not-in-hand"
    assert sitting.version == before
    assert sitting.table["seats"][0]["stand_in"] == "builder"
