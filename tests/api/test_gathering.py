"""Before the first turn, over HTTP: opening, sitting down, leaving, getting ready."""

from __future__ import annotations

import hashlib
from typing import Any

import httpx
import pytest

from tests.api.given import Player, Sitting, Somebody, fresh, reason, sha


def test_the_id_of_a_game_follows_from_its_host_and_command(client: httpx.Client) -> None:
    """So that nobody can take another's id, and a repeated request finds the first game."""
    table = Sitting(client)
    text = f"{table.opening['host']}\n{table.opening['command_id']}"
    assert table.game == hashlib.sha256(text.encode()).hexdigest()[:20]


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({}, {"turn_ms": None, "listed": True, "boards": "dealt", "edifice_tokens": "cities-1"}),
        ({"rules": "publisher"}, {"edifice_tokens": "printed", "edifice_reward": "at-once", "free_city_control": "turn"}),
        ({"rules": {"edifice_reward": "at-once"}}, {"edifice_tokens": "cities-1", "edifice_reward": "at-once"}),
        ({"turn_seconds": 90, "listed": False}, {"turn_ms": 90_000, "listed": False}),
        ({"players": 2, "free_city": {"wonder": "rhodos", "side": "night"}}, {"free_city": ["rhodos", "night"]}),
    ],
)
def test_options_are_recorded_as_asked(client: httpx.Client, options: dict[str, Any], expected: dict[str, Any]) -> None:
    """What the host asked for stands in the table's view; the rest is the booklet's."""
    recorded = Sitting(client, **{"players": 3, **options}).table["ruleset"]["options"]
    assert {name: recorded[name] for name in expected} == expected


def test_ur_comes_only_with_the_edifice(client: httpx.Client) -> None:
    """R2: Ur is dealt with the expansion only; Carthage always may be."""
    plain = Sitting(client).table["ruleset"]["options"]["wonders"]
    whole = Sitting(client, edifice=True).table["ruleset"]["options"]["wonders"]
    assert set(whole) - set(plain) == {"ur"}
    assert "carthage" in plain
    assert len(plain) == 8


def test_late_joins_fill_the_first_free_seat(client: httpx.Client) -> None:
    """People come one after the other, bots at any time before the start; when all sit, nobody else can."""
    table = Sitting(client, 4).join("Ada")
    assert table.host.post(f"{table.path}/seats", bot="random", seat=2).status_code == 201
    table.join("Bo", "Cy")
    assert [player.seat for player in table.people] == [0, 1, 3]
    assert reason(Player(client, "Di", table.game).sit(), 409) == "table-full"
    assert reason(Player(client, "Di", table.game).sit(seat=1), 409) == "seat-taken"
    assert reason(table.fill(), 409) == "table-full"
    assert table.start().table["phase"] == "choose"
    assert reason(Player(client, "Di", table.game).sit(), 409) == "already-started"


def test_the_same_name_twice_is_refused(client: httpx.Client) -> None:
    """Also when it is written in another case."""
    table = Sitting(client).join("Ada")
    assert reason(Player(client, "ADA", table.game).sit(), 409) == "name-taken"
    assert table.table["seats"][1]["taken"] is False


def test_a_secret_opens_one_chair_only(client: httpx.Client) -> None:
    """Hashes of secrets are public: nobody can sit down with somebody else's, or with the host's."""
    table = Sitting(client).join("Ada")
    assert table.host.secret is not None
    thief = Player(client, "Eve", table.game)
    for stolen in (table.people[0].secret, table.host.secret):
        assert stolen is not None
        assert reason(thief.sit(token=sha(stolen)), 409) == "seat-taken"
    assert table.people[0].view()["you"]["seat"] == 0


def test_seats_choose_their_boards_where_the_host_allows_it(client: httpx.Client) -> None:
    """A board is chosen once; where boards are dealt nobody chooses."""
    table = Sitting(client, 3, boards="chosen")
    assert Player(client, "Ada", table.game).sit(wonder="gizah", side="day").status_code == 201
    assert reason(Player(client, "Bo", table.game).sit(wonder="gizah"), 409) == "wonder-taken"
    assert reason(Player(client, "Bo", table.game).sit(wonder="atlantis"), 422) == "unknown-wonder"
    assert table.table["seats"][0]["wonder"] == "gizah"
    assert reason(Player(client, "Ada", Sitting(client).game).sit(wonder="gizah"), 422) == "bad-options"


def test_somebody_leaves_and_another_comes(client: httpx.Client) -> None:
    """A seat is left by its owner or cleared by the host; a stranger and another seat cannot; the old secret is then nobody's."""
    table = Sitting(client).join("Ada", "Bo")
    ada, bo = table.people
    assert reason(bo.delete(f"{table.path}/seats/0"), 403) == "not-yours"
    assert reason(Somebody(client, "a stranger").delete(f"{table.path}/seats/0"), 401) == "unknown-token"
    assert reason(Somebody(client).delete(f"{table.path}/seats/0"), 403) == "not-yours"
    assert ada.delete(f"{table.path}/seats/0").status_code == 200
    assert table.host.delete(f"{table.path}/seats/1").status_code == 200
    assert [seat["taken"] for seat in table.table["seats"]] == [False, False, False]
    assert reason(ada.get(table.path), 401) == "unknown-token"
    assert reason(bo.ready(), 401) == "unknown-token"
    assert reason(table.host.delete(f"{table.path}/seats/1"), 404) == "unknown-seat"


def test_whoever_leaves_during_the_reveals_makes_all_commit_anew(client: httpx.Client) -> None:
    """A newcomer must not answer to what was already shown."""
    table = Sitting(client).join("Ada", "Bo", "Cy")
    ada, bo, cy = table.people
    assert ada.ready().status_code == 200
    assert cy.delete(f"{table.path}/seats/2").status_code == 200
    assert table.table["gathering"]["recommit"]
    newcomer = Player(client, "Di", table.game)
    assert newcomer.sit().status_code == 201
    assert reason(bo.ready(), 409) == "not-ready"
    for player in (ada, bo):
        player.entropy = sha(f"another entropy of {player.name}")
        commitment = hashlib.sha256(bytes.fromhex(player.entropy)).hexdigest()
        assert player.post(f"{table.path}/ready", commitment=commitment).status_code == 200
    table.people[2] = newcomer
    assert table.start().table["phase"] == "choose"


def test_a_wrong_entropy_is_refused(client: httpx.Client) -> None:
    """Each seat opens exactly what it committed to, once."""
    table = Sitting(client).join("Ada", "Bo", "Cy")
    ada = table.people[0]
    assert reason(ada.post(f"{table.path}/ready", entropy="00" * 32), 422) == "wrong-entropy"
    assert reason(table.host.post(f"{table.path}/start"), 409) == "not-ready"
    assert ada.ready().status_code == 200
    assert reason(ada.ready(), 409) == "already-ready"


def test_only_the_host_seats_bots_begins_and_cancels(client: httpx.Client) -> None:
    """What is the host's is refused to seats and spectators."""
    table = Sitting(client).join("Ada")
    ada = table.people[0]
    for who in (ada, table.spectator):
        assert reason(who.post(f"{table.path}/seats", fill="random"), 403) == "not-yours"
        assert reason(who.post(f"{table.path}/start"), 403) == "not-yours"
        assert reason(who.delete(table.path), 403) == "not-yours"
    assert reason(table.host.post(f"{table.path}/ready", entropy="00" * 32), 403) == "not-yours"


def test_bots_get_names_that_nobody_has(client: httpx.Client) -> None:
    """A person may be called as a bot would be."""
    table = Sitting(client).join("Nitocris")
    assert table.fill().status_code == 201
    names = [seat["name"] for seat in table.table["seats"]]
    assert len({name.casefold() for name in names}) == 3
    assert [seat["bot"] for seat in table.table["seats"]] == [None, "random", "random"]
    assert table.host.post(f"{Sitting(client).path}/seats", bot="random").status_code == 401


def test_a_cancelled_table_is_closed(client: httpx.Client) -> None:
    """The host closes a table that has not begun; then nobody can sit down."""
    table = Sitting(client).join("Ada")
    assert table.host.delete(table.path).status_code == 200
    assert table.table["closed"] == "cancelled"
    assert reason(Player(client, "Bo", table.game).sit(), 409) == "game-over"
    assert reason(table.host.delete(table.path), 409) == "game-over"


def test_a_running_game_is_not_cancelled_by_its_host(sitting: Sitting) -> None:
    """It is ended by all its people together."""
    assert reason(sitting.host.delete(sitting.path), 409) == "not-allowed"


def test_the_lobby_shows_listed_tables_only(client: httpx.Client) -> None:
    """A table by link is found by those who have the link; a closed table is gone from the lobby."""
    listed, by_link = Sitting(client), Sitting(client, listed=False)
    rows = {row["game"]: row for row in client.get("/lobby").json()}
    assert rows[listed.game]["state"] == "open"
    assert by_link.game not in rows
    assert by_link.table["phase"] == "gathering"
    listed.host.delete(listed.path)
    assert client.get("/lobby").json() == []


def test_the_newest_table_is_first_in_the_lobby(client: httpx.Client, house: Any) -> None:
    """Opened later, listed earlier."""
    times = iter(range(1_000_000, 2_000_000, 1000))
    house.store._clock = lambda: next(times)
    tables = [Sitting(client).game for _ in range(3)]
    assert [row["game"] for row in client.get("/lobby").json()] == tables[::-1]


def test_an_opening_says_where_the_table_is(client: httpx.Client) -> None:
    """201 with the address."""
    answer = client.post("/games", json={"command_id": fresh(), "host": "ab" * 32, "players": 3, "edifice": False})
    assert answer.status_code == 201
    assert client.get(answer.headers["location"]).json()["game"] == answer.json()["game"]
    assert set(answer.json()) == {"game", "version", "link", "at", "signature"}
