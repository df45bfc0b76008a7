"""A reply that was lost: the same request again is carried out once, and gets the first answer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import httpx
import pytest

from tests.api.given import Player, Sitting, Somebody, reason

Step = Callable[[Sitting], tuple[Somebody, str, str, dict[str, Any]]]


def _discard(table: Sitting, player: Player) -> dict[str, Any]:
    return {"age": 1, "turn": 1, "discard": player.view()["you"]["hand"][0]}


def choose(table: Sitting) -> tuple[Somebody, str, str, dict[str, Any]]:
    ada = table.people[0]
    return ada, "POST", "choices", _discard(table, ada)


def choose_last(table: Sitting) -> tuple[Somebody, str, str, dict[str, Any]]:
    """The choice that ends the turn: repeated, it is stale by the rules."""
    bo = table.people[1]
    assert bo.post(f"{table.path}/choices", _discard(table, bo)).status_code == 200
    return choose(table)


def withdraw(table: Sitting) -> tuple[Somebody, str, str, dict[str, Any]]:
    ada = table.people[0]
    assert ada.post(f"{table.path}/choices", _discard(table, ada)).status_code == 200
    return ada, "DELETE", "choices", {"age": 1, "turn": 1}


def choose_as_returning(table: Sitting) -> tuple[Somebody, str, str, dict[str, Any]]:
    assert table.people[0].post(f"{table.path}/seats/0/bot").status_code == 200
    return choose(table)


def call_bot(table: Sitting) -> tuple[Somebody, str, str, dict[str, Any]]:
    return table.people[0], "POST", "seats/0/bot", {"bot": "random"}


def reclaim(table: Sitting) -> tuple[Somebody, str, str, dict[str, Any]]:
    assert table.people[0].post(f"{table.path}/seats/0/bot").status_code == 200
    return table.people[0], "POST", "seats/0/reclaim", {}


def abort(table: Sitting) -> tuple[Somebody, str, str, dict[str, Any]]:
    return table.people[0], "POST", "abort", {}


def _again(table: Sitting, who: Somebody, method: str, path: str, body: dict[str, Any]) -> None:
    address, body = f"{table.path}/{path}".rstrip("/"), {"command_id": "lost", **body}
    first = who.send(method, address, body)
    assert first.status_code in (200, 201), first.text
    version = table.version
    for _ in range(2):
        again = who.send(method, address, body)
        assert (again.status_code, again.content) == (first.status_code, first.content)
    assert table.version == version


@pytest.mark.parametrize("step", [choose, choose_last, withdraw, choose_as_returning, call_bot, reclaim, abort])
def test_a_repeated_command_of_a_running_game(sitting: Sitting, step: Step) -> None:
    """Nothing is appended, whatever has happened in between."""
    _again(sitting, *step(sitting))


def test_repeated_commands_before_the_start(client: httpx.Client) -> None:
    """Opening, sitting down, bots, getting ready, beginning: each twice and thrice."""
    table = Sitting(client)
    nobody = Somebody(client)
    for _ in range(2):
        again = client.post("/games", json=table.opening)
        assert (again.status_code, again.json()["game"], again.json()["version"]) == (201, table.game, 1)
    ada = Player(client, "Ada", table.game)
    _again(table, nobody, "POST", "seats", ada.sitting())
    _again(table, table.host, "POST", "seats", {"fill": "random"})
    assert ada.ready().status_code == 200
    _again(table, table.host, "POST", "start", {})


def test_a_repeated_fill_finishes_what_a_lost_one_began(client: httpx.Client) -> None:
    """Each free seat is a command of its own: the second try fills what is left, once."""
    table = Sitting(client, 4)
    seats = f"{table.path}/seats"
    assert table.host.post(seats, command_id="fill:0", bot="random").status_code == 422
    first = table.host.post(seats, command_id="fill", fill="random")
    assert [seat["bot"] for seat in table.table["seats"]] == ["random"] * 4
    table.host.delete(f"{seats}/2")
    assert table.host.post(seats, command_id="fill", fill="random").content == first.content
    assert [seat["taken"] for seat in table.table["seats"]] == [True, True, False, True]


def test_leaving_is_repeated_by_somebody_who_is_nobody_now(client: httpx.Client) -> None:
    """The seat's secret is unknown once it has left: its own last request still gets its answer, also when the seat is taken
    again, and nothing else does."""
    table = Sitting(client).join("Ada")
    ada = table.people[0]
    _again(table, ada, "DELETE", "seats/0", {})
    table.join("Bo")
    first = ada.delete(f"{table.path}/seats/0", command_id="lost")
    assert first.status_code == 200
    assert table.table["seats"][0]["name"] == "Bo"
    assert reason(ada.delete(f"{table.path}/seats/0"), 401) == "unknown-token"
    assert reason(ada.delete(f"{table.path}/seats/1", command_id="lost"), 409) == "command-reused"


def test_removing_and_cancelling_are_repeated(client: httpx.Client) -> None:
    """The host's last words."""
    table = Sitting(client).join("Ada")
    _again(table, table.host, "DELETE", "seats/0", {})
    cancelled = table.host.delete(table.path, command_id="gone")
    assert table.host.delete(table.path, command_id="gone").content == cancelled.content


def test_a_repeated_rematch_opens_one_table(sitting: Sitting) -> None:
    """The same host's hash and command id: the same game."""
    for player in sitting.people:
        player.post(f"{sitting.path}/abort")
    body = {"command_id": "again", "host": "cd" * 32}
    first, second = (sitting.people[0].post(f"{sitting.path}/rematch", body) for _ in range(2))
    assert first.status_code == 201
    assert second.content == first.content
    other = sitting.people[1].post(f"{sitting.path}/rematch", {**body, "host": "ef" * 32})
    assert other.json()["game"] != first.json()["game"]


def test_the_same_id_with_another_request_is_refused(sitting: Sitting) -> None:
    """Another card, another address, another method: 409, and nothing changes; spaces and the order of keys are no difference."""
    ada = sitting.people[0]
    hand = ada.view()["you"]["hand"]
    body = {"command_id": "once", "age": 1, "turn": 1, "discard": hand[0]}
    first = ada.post(f"{sitting.path}/choices", body)
    version = sitting.version
    assert reason(ada.post(f"{sitting.path}/choices", {**body, "discard": hand[-1]}), 409) == "command-reused"
    assert reason(ada.delete(f"{sitting.path}/choices", {"command_id": "once", "age": 1, "turn": 1}), 409) == "command-reused"
    assert reason(ada.post(f"{sitting.path}/abort", command_id="once"), 409) == "command-reused"
    raw = b'{ "turn":1,\n "discard": "%s", "age": 1, "command_id": "once" }' % hand[0].encode()
    again = sitting.client.post(
        f"{sitting.path}/choices", content=raw, headers={**ada.headers, "Content-Type": "application/json; charset=utf-8"}
    )
    assert again.content == first.content
    assert sitting.version == version


def test_another_opening_with_the_same_id_is_refused(client: httpx.Client) -> None:
    """The id names the game: it cannot be two."""
    table = Sitting(client)
    assert reason(client.post("/games", json={**table.opening, "players": 4}), 409) == "command-reused"
    assert table.table["ruleset"]["options"]["players"] == 3


def test_ids_belong_to_those_who_made_them(sitting: Sitting) -> None:
    """Two people may hit upon the same id."""
    for player in sitting.people:
        assert player.post(f"{sitting.path}/choices", _discard(sitting, player), command_id="mine").status_code == 200
    assert sitting.table["turn"] == 2


def test_a_refused_command_is_not_remembered(sitting: Sitting) -> None:
    """Corrected, it may go under the same id."""
    ada = sitting.people[0]
    body = {"command_id": "try", "age": 1, "turn": 1}
    assert reason(ada.post(f"{sitting.path}/choices", {**body, "discard": "palace"}), 422) == "not-in-hand"
    assert ada.post(f"{sitting.path}/choices", {**body, "discard": ada.view()["you"]["hand"][0]}).status_code == 200
