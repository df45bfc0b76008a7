"""Whatever is sent, the answer is a clear 4xx with its reason, and nothing has changed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from tests.api.conftest import at_the_door, first_turn
from tests.api.given import ProjectingStore, Sitting, Somebody, fresh, reason
from workers.wiring import House

JSON = {"Content-Type": "application/json"}
OPENING: dict[str, Any] = {"command_id": "one", "host": "ab" * 32, "players": 3, "edifice": True}


@pytest.fixture(scope="module")
def client() -> Iterator[httpx.Client]:
    """One house for all of this: nothing that is refused may change it."""
    house = House.on(ProjectingStore())
    with at_the_door(house) as client:
        yield client
    house.close()


@pytest.fixture(scope="module")
def sitting(client: httpx.Client) -> Sitting:
    return first_turn(client)


@pytest.fixture(autouse=True)
def nothing_changes(client: httpx.Client, sitting: Sitting) -> Iterator[None]:
    """Whatever a test sends, the table in its first turn stays as it is."""
    before = sitting.spectator.get(f"{sitting.path}/events").content
    yield
    assert sitting.spectator.get(f"{sitting.path}/events").content == before


def tables(client: httpx.Client) -> list[str]:
    """Every listed table."""
    return [row["game"] for row in client.get("/lobby").json()]


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        (b"", "malformed-json"),
        (b"{", "malformed-json"),
        (b'{"command_id": "a"} x', "malformed-json"),
        (b'{"command_id": "\xff\xfe"}', "malformed-json"),
        ('{"command_id": "a"}'.encode("utf-16"), "malformed-json"),
        (b'\xef\xbb\xbf{"command_id": "a"}', "malformed-json"),
        (b'{"command_id": "\\ud800"}', "malformed-json"),
        (b"[" * 30_000, "malformed-json"),
        (b'{"a":' * 9_000 + b"1" + b"}" * 9_000, "malformed-json"),
        (b'{"command_id": "a", "command_id": "a"}', "malformed-json"),
        (b'{"command_id": NaN}', "malformed-json"),
        (b'{"players": ' + b"9" * 5000 + b"}", "malformed-json"),
    ],
    ids=["empty", "cut", "trailing", "not-utf8", "utf16", "bom", "half-pair", "deep", "deep-objects", "twice", "nan", "long"],
)
def test_bytes_that_are_no_json(client: httpx.Client, raw: bytes, expected: str) -> None:
    """Each is refused before anything is looked at."""
    before = tables(client)
    assert reason(client.post("/games", content=raw, headers=JSON), 400) == expected
    assert tables(client) == before


@pytest.mark.parametrize("raw", [b"[]", b"null", b"3", b'"x"', b"[" * 500 + b"]" * 500])
def test_json_that_is_no_request(client: httpx.Client, raw: bytes) -> None:
    """A request is an object."""
    assert reason(client.post("/games", content=raw, headers=JSON), 422) == "invalid-body"


def test_an_oversized_request(client: httpx.Client, sitting: Sitting) -> None:
    """64 KiB and no more, whether it says its length or not."""
    big = json.dumps({**OPENING, "wonders": ["x" * 70_000]}).encode()
    assert reason(client.post("/games", content=big, headers=JSON), 413) == "too-large"
    chunks = (big[at : at + 1000] for at in range(0, len(big), 1000))
    assert reason(client.post("/games", content=chunks, headers=JSON), 413) == "too-large"
    before = sitting.version
    assert reason(client.post(f"{sitting.path}/choices", content=big, headers=JSON), 413) == "too-large"
    assert sitting.version == before


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""])
def test_another_content_type(client: httpx.Client, kind: str) -> None:
    """JSON that does not say so is not guessed: a page elsewhere cannot send a form here."""
    headers = {"Content-Type": kind} if kind else {}
    assert reason(client.post("/games", content=json.dumps(OPENING).encode(), headers=headers), 415) == "not-json"


@pytest.mark.parametrize(
    ("change", "status", "expected", "words"),
    [
        ({"players": 1}, 422, "bad-options", "2 to 7 players"),
        ({"players": 8}, 422, "bad-options", "2 to 7 players"),
        ({"players": 10**30}, 422, "bad-options", "2 to 7 players"),
        ({"players": "3"}, 422, "invalid-body", "players"),
        ({"players": True}, 422, "invalid-body", "players"),
        ({"players": 3.5}, 422, "invalid-body", "players"),
        ({"edifice": None}, 422, "invalid-body", "edifice"),
        ({"edifice": 1}, 422, "invalid-body", "edifice"),
        ({"host": "AB" * 32}, 422, "invalid-body", "host"),
        ({"host": "ab" * 32 + "\n"}, 422, "invalid-body", "host"),
        ({"command_id": ""}, 422, "invalid-body", "command_id"),
        ({"command_id": "a:b"}, 422, "invalid-body", "command_id"),
        ({"command_id": "x" * 65}, 422, "invalid-body", "command_id"),
        ({"rules": "house"}, 422, "invalid-body", "rules"),
        ({"rules": {"edifice_tokens": "many"}}, 422, "invalid-body", "rules.edifice_tokens"),
        ({"rules": {"dice": 2}}, 422, "invalid-body", "dice"),
        ({"wonders": ["gizah", "gizah", "rhodos"]}, 422, "bad-options", "twice"),
        ({"wonders": ["gizah"]}, 422, "bad-options", "3 cities"),
        ({"wonders": ["gizah", "rhodos", "atlantis"]}, 422, "unknown-wonder", "atlantis"),
        ({"wonders": ["gizah", "rhodos", "ur"], "edifice": False}, 422, "bad-options", "Edifice"),
        ({"free_city": {"wonder": "gizah", "side": "day"}}, 422, "bad-options", "two-player"),
        ({"turn_seconds": 9}, 422, "bad-options", "10 seconds"),
        ({"turn_seconds": 10**20}, 422, "bad-options", "7 days"),
        ({"sides": "dusk"}, 422, "invalid-body", "sides"),
        ({"surprise": 1}, 422, "invalid-body", "surprise"),
    ],
)
def test_a_table_that_cannot_be(client: httpx.Client, change: dict[str, Any], status: int, expected: str, words: str) -> None:
    """The reason names the fault, the sentence where it is."""
    before = tables(client)
    answer = client.post("/games", json={**OPENING, **change})
    assert reason(answer, status) == expected
    assert words in answer.json()["detail"]
    assert tables(client) == before


@pytest.mark.parametrize("missing", ["command_id", "host", "players", "edifice"])
def test_a_table_that_leaves_something_open(client: httpx.Client, missing: str) -> None:
    """Whether the Edifice is played is said by each table; nothing that is needed is guessed."""
    answer = client.post("/games", json={key: value for key, value in OPENING.items() if key != missing})
    assert reason(answer, 422) == "invalid-body"
    assert missing in answer.json()["detail"]


@pytest.mark.parametrize(
    "change",
    [
        {"build": "altar", "discard": "altar"},
        {"build": "altar", "stage": "altar"},
        {},
        {"build": "altar", "option": "shield"},
        {"discard": "altar", "left": 0},
        {"discard": "altar", "participate": False},
        {"discard": "altar", "seen": {"version": 1}},
        {"discard": "altar", "city": -1},
        {"discard": "altar", "city": 7},
        {"discard": "altar", "turn": None},
        {"discard": ["altar"]},
        {"discard": ""},
        {"pick": "altar"},
        {"decline": True},
    ],
)
def test_a_choice_that_says_too_much_or_too_little(sitting: Sitting, change: dict[str, Any]) -> None:
    """Two choices at once, none, or a key that this action does not have."""
    before = sitting.version
    answer = sitting.people[0].post(f"{sitting.path}/choices", {"age": 1, "turn": 1, **change})
    assert reason(answer, 422) == "invalid-body"
    assert sitting.version == before


@pytest.mark.parametrize(
    "change",
    [
        {"name": ""},
        {"name": " \t "},
        {"name": "x" * 41},
        {"name": "a\u0000b"},
        {"name": "a\u202eb"},
        {"token": None},
        {"entropy": "00"},
        {"seat": -1},
        {"seat": 7},
        {"bot": "random"},
        {"side": "dusk"},
    ],
)
def test_a_seat_that_cannot_be_taken(client: httpx.Client, change: dict[str, Any]) -> None:
    """Names are for people to read, hashes are hashes, chairs are where they are; a person is no bot."""
    table = Sitting(client)
    body = {"command_id": fresh(), "name": "Ada", "token": "ab" * 32, "entropy": "cd" * 32, **change}
    answer = client.post(f"{table.path}/seats", json=body)
    assert reason(answer, 422) in ("invalid-body", "bad-options")
    assert not any(seat["taken"] for seat in table.table["seats"])


def test_a_seat_beyond_the_table(client: httpx.Client) -> None:
    """A table of three has no seat 4."""
    table = Sitting(client)
    body = {"command_id": fresh(), "name": "Ada", "token": "ab" * 32, "entropy": "cd" * 32, "seat": 3}
    assert reason(client.post(f"{table.path}/seats", json=body), 404) == "unknown-seat"
    assert reason(table.host.delete(f"{table.path}/seats/6"), 404) == "unknown-seat"
    assert reason(table.host.delete(f"{table.path}/seats/{10**30}"), 404) == "unknown-seat"


@pytest.mark.parametrize("game", ["0" * 20, "x", "A" * 20, "0" * 19, "0" * 4000, "%00", "..%2f..", "a b", "{game}", "é"])
def test_a_game_that_is_not_there(client: httpx.Client, game: str) -> None:
    """Whatever the id looks like, there is no such table: for reading, choosing, and watching."""
    for path in ("", "/events", "/live", "/legal", "/replay?at=1", "/score", "/chronicle", "/moments", "/rematch"):
        assert reason(client.get(f"/games/{game}{path}"), 404) in ("unknown-game", "not-found")
    body = {"command_id": "a", "age": 1, "turn": 1, "discard": "altar"}
    assert reason(client.post(f"/games/{game}/choices", json=body), 404) in ("unknown-game", "not-found")


@pytest.mark.parametrize(
    "query",
    ["version=0", "version=-1", "version=x", "version=1.5", "version=" + "9" * 30, "versoin=3", "version=1&version=2", "version="],
)
def test_a_parameter_that_is_not_understood(sitting: Sitting, query: str) -> None:
    """Misspelt, out of range or twice: said, not ignored."""
    assert reason(sitting.client.get(f"{sitting.path}?{query}"), 400) == "invalid-parameter"


@pytest.mark.parametrize(
    "path", ["events?after=-1", "events?limit=0", "events?limit=1001", "replay", "replay?at=0", "replay?at=1&as=9"]
)
def test_other_parameters_out_of_range(sitting: Sitting, path: str) -> None:
    """The same for streams and replays."""
    assert reason(sitting.client.get(f"{sitting.path}/{path}"), 400) == "invalid-parameter"


@pytest.mark.parametrize("header", ["x", "-1", "1.5", "", "9" * 20, "٣"])
def test_an_event_id_that_is_none(sitting: Sitting, header: str) -> None:
    """Said, not guessed."""
    headers = {b"Last-Event-ID": header.encode()}
    assert reason(sitting.client.get(f"{sitting.path}/live", headers=headers), 400) == "invalid-parameter"


def test_moments_that_have_not_come(sitting: Sitting) -> None:
    """A version beyond the log: not yet for the present view, unknown for a replay, nothing for a stream."""
    beyond = sitting.version + 1
    assert reason(sitting.spectator.get(sitting.path, version=beyond), 409) == "not-there-yet"
    assert reason(sitting.spectator.get(f"{sitting.path}/replay", at=beyond), 404) == "unknown-version"
    assert sitting.spectator.get(f"{sitting.path}/events", after=beyond).json() == []


@pytest.mark.parametrize(
    "header",
    ["", "Bearer", "Bearer ", "Basic QWRhOnNlY3JldA==", "Bearer a b", f"Bearer {'x' * 300}", "Bearer nobody", "bearer \xe9"],
)
def test_a_strangers_token(sitting: Sitting, header: str) -> None:
    """All strangers hear the same words, on every address of a table."""
    words = {"title": "Unauthorized", "status": 401, "reason": "unknown-token", "detail": "This token belongs to nobody here."}
    headers = {b"Authorization": header.encode("latin-1")}
    for path in ("", "/events", "/live", "/legal", "/score"):
        answer = sitting.client.get(sitting.path + path, headers=headers)
        assert reason(answer, 401) == "unknown-token"
        assert answer.json() == words
        assert answer.headers["www-authenticate"].startswith("Bearer")


def test_addresses_and_methods_that_are_not_there(client: httpx.Client) -> None:
    """The same shape of refusal; a wrong method says which are right."""
    assert reason(client.get("/nowhere"), 404) == "not-found"
    assert reason(client.get("/schema/nowhere"), 404) == "not-found"
    answer = client.put("/games", json={})
    assert reason(answer, 405) == "method-not-allowed"
    assert "POST" in answer.headers["allow"]


def test_a_token_of_another_table(sitting: Sitting) -> None:
    """A seat's secret is nobody's elsewhere."""
    other = Sitting(sitting.client)
    ada = Somebody(sitting.client, sitting.people[0].secret)
    assert reason(ada.get(other.path), 401) == "unknown-token"
