"""Whole games over HTTP, from the opening of the table to the score."""

from __future__ import annotations

import httpx
import pytest

from tests.api.given import Sitting, as_body


@pytest.mark.parametrize(
    ("players", "people", "options"),
    [
        (3, 2, {}),
        (3, 3, {"edifice": True, "rules": "publisher"}),
        (2, 2, {}),
        (2, 1, {"edifice": True, "rules": {"free_city_control": "turn"}}),
        (7, 1, {"edifice": True, "boards": "chosen", "sides": "night"}),
    ],
)
def test_a_game_is_played_to_its_score(client: httpx.Client, players: int, people: int, options: dict[str, object]) -> None:
    """People play whatever their view lists, bots fill the rest; at the end there are places, points and a story."""
    table = Sitting(client, players, **options).join(*("Ada", "Bo", "Cy")[:people])
    if people < players:
        assert table.fill("builder").status_code == 201
    seen = table.start().finish()
    assert seen["closed"] == "finished"
    assert sorted(seat for place in seen["result"]["places"] for seat in place) == list(range(players))
    score = table.spectator.get(f"{table.path}/score").json()
    assert score["final"]
    assert [sheet["total"] for sheet in score["sheets"]][:players] == seen["result"]["totals"][:players]
    story = table.spectator.get(f"{table.path}/chronicle").json()
    assert [chapter["part"] for chapter in story["chapters"]].count("turn") == 18
    assert story["chapters"][-1]["part"] == "end"


def test_a_table_of_bots_plays_while_the_host_watches(client: httpx.Client) -> None:
    """A host may seat nothing but bots, and begin."""
    table = Sitting(client, 4, edifice=True)
    assert table.fill("random").status_code == 201
    table.start()
    assert table.table["closed"] == "finished"


def test_the_listed_plays_are_those_of_the_view(sitting: Sitting) -> None:
    """`legal` and the view say the same."""
    ada = sitting.people[0]
    answer = ada.get(f"{sitting.path}/legal")
    assert answer.status_code == 200
    assert answer.json() == ada.view()["you"]["questions"][0]["plays"]


def test_the_free_citys_plays_leave_out_the_own_card(client: httpx.Client) -> None:
    """The holder asks for the Free City's plays with the card that the own city uses (R91)."""
    table = Sitting(client, 2).join("Ada", "Bo").start()
    holder = table.people[table.table["free_city"]["holder"]]
    other = table.people[1 - holder.seat]
    own = holder.view()["you"]["questions"][0]["plays"][-1]["discard"]
    answer = holder.get(f"{table.path}/legal", own=own)
    assert answer.json() == holder.get(f"{table.path}/legal", city=2, own=own).json()
    cards = [play.get("build") or play.get("stage") or play.get("discard") for play in answer.json()]
    hand = [*holder.view()["you"]["hand"], holder.view()["you"]["drawn"]]
    assert cards
    assert hand.count(own) > 1 or own not in cards
    assert other.get(f"{table.path}/legal", city=2).json()["reason"] == "not-awaited"
    assert other.get(f"{table.path}/legal", own=own).json()["reason"] == "not-awaited"
    stranger = next(
        card for card in ("altar", "theater", "baths", "stockade", "barracks", "loom-1", "press-1", "tavern") if card not in hand
    )
    assert holder.get(f"{table.path}/legal", own=stranger).json()["reason"] == "not-in-hand"


def test_the_free_citys_list_is_what_is_accepted_and_says_why_it_has_no_discard(client: httpx.Client) -> None:
    """With the own card named, or laid face down: each listed play is accepted, a discard not listed is refused alike (R94)."""
    table = Sitting(client, 2).join("Ada", "Bo").start()
    holder = table.people[table.table["free_city"]["holder"]]
    own = holder.view()["you"]["questions"][0]["plays"][-1]["discard"]
    answer = holder.get(f"{table.path}/legal", own=own)
    plays = answer.json()
    assert holder.post(f"{table.path}/choices", age=1, turn=1, discard=own).status_code == 200
    assert holder.get(f"{table.path}/legal", city=2).json() == plays == holder.view()["you"]["questions"][1]["plays"]
    view = holder.view()
    question = view["you"]["questions"][1]
    for play in plays:
        assert holder.post(f"{table.path}/choices", as_body(question, view, play)).status_code == 200
    tried = holder.post(f"{table.path}/choices", age=1, turn=1, city=2, discard=question["cards"][0])
    if any("discard" in play for play in plays):
        assert tried.status_code == 200
        assert "discard-refused" not in answer.headers
    else:
        refusal = tried.json()
        assert refusal["reason"] == "free-city-must-build"
        assert answer.headers["discard-refused"] == f"free-city-must-build; {refusal['detail']}"


def test_a_changed_own_choice_takes_the_free_citys_back_and_says_so(client: httpx.Client) -> None:
    """R91: the own city takes the card that lay there for the Free City; the holder is asked again, and the story tells why."""
    table = Sitting(client, 2).join("Ada", "Bo").start()
    holder = table.people[table.table["free_city"]["holder"]]
    path, moment = f"{table.path}/choices", {"age": 1, "turn": 1}
    assert holder.post(path, {**moment, "discard": holder.view()["you"]["questions"][0]["cards"][0]}).status_code == 200
    view = holder.view()
    question = view["you"]["questions"][1]
    laid = as_body(question, view, question["plays"][-1])
    assert holder.post(path, laid).status_code == 200
    card = holder.view()["you"]["questions"][1]["chosen"]["card"]
    assert holder.post(path, {**moment, "discard": card}).status_code == 200
    after = holder.view()
    assert [one["chosen"] and one["chosen"]["card"] for one in after["you"]["questions"]] == [card, None]
    told = table.spectator.get(f"{table.path}/moments").json()
    assert "the one for the Free City no longer fits and is taken back" in str(told)
    assert holder.post(path, laid).json()["reason"] == "not-in-hand"


def test_a_rematch_is_the_same_table_again(client: httpx.Client) -> None:
    """Who sat at a finished game may open the next one, which says what it follows; others and running games may not."""
    table = Sitting(client, 3, edifice=True, listed=False).join("Ada")
    table.fill()
    table.start()
    ada, body = table.people[0], {"host": "ab" * 32}
    assert ada.post(f"{table.path}/rematch", body).json()["reason"] == "not-over"
    table.finish()
    assert table.spectator.post(f"{table.path}/rematch", body).json()["reason"] == "not-yours"
    answer = ada.post(f"{table.path}/rematch", body)
    assert answer.status_code == 201
    again = table.spectator.get(f"/games/{answer.json()['game']}").json()
    assert again["rematch_of"] == table.game
    assert again["ruleset"] == table.table["ruleset"]
    assert again["phase"] == "gathering"
    assert table.spectator.get(f"{table.path}/rematch").json()["rematch"] == again["game"]
