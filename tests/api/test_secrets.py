"""Nobody gets to see, by any address, header, log line or length, what they may not know."""

from __future__ import annotations

import json
import re
from typing import Any

import httpx
import msgspec
import pytest
import structlog

from events import codec
from events.codec import SPECTATOR
from events.facts import AnyEvent
from events.sealed import Opening, Sealed, opens
from tests.api.conftest import OPERATOR
from tests.api.given import ProjectingStore, Sitting, Somebody, as_body, reason


def opened(table: Sitting, who: Somebody, **query: Any) -> list[AnyEvent]:
    """Somebody's stream as a client reads it: the public bytes with the openings, each seal checked."""
    found = []
    for line in who.get(f"{table.path}/events", **query).json():
        event = codec.parse(json.dumps(line["event"]).encode())
        openings = msgspec.convert(line["openings"], tuple[Opening, ...])
        for one in openings:
            name, _, place = one.path.partition("/")
            sealed = getattr(event, name)
            assert opens(one, table.game, (sealed[int(place)] if place else sealed).seal)
        found.append(codec.with_openings(event, openings))
    return found


def known(events: list[AnyEvent]) -> list[tuple[int, str, object]]:
    """(version, path, value) of every seal that stands open."""
    return [
        (version, path, sealed.value)
        for version, event in enumerate(events, 1)
        for path, sealed in codec.seals(event)
        if not isinstance(sealed.value, msgspec.UnsetType)
    ]


def readers(events: list[AnyEvent]) -> dict[tuple[int, str], Sealed[Any]]:
    return {(version, path): sealed for version, event in enumerate(events, 1) for path, sealed in codec.seals(event)}


def test_a_stream_opens_ones_own_seals_and_no_others(sitting: Sitting, store: ProjectingStore) -> None:
    """Two seats and a spectator read the same public bytes; each opens exactly what it is a reader of, though a game is played."""
    for number, (player, question, view) in enumerate(sitting.moves()):
        if view["age"] == 2:
            break
        assert player.play(question, view, number).status_code == 200
    viewers = {0: sitting.people[0], 1: sitting.people[1], SPECTATOR: sitting.spectator, -9: sitting.host}
    streams = {viewer: opened(sitting, who) for viewer, who in viewers.items()}
    seals = readers(streams[SPECTATOR])
    assert len(seals) > 60
    for viewer, stream in streams.items():
        mine = {(version, path) for version, path, _ in known(stream)}
        assert mine == {place for place, sealed in seals.items() if viewer in sealed.readers}
    raw = [sitting.spectator.get(f"{sitting.path}/events").json(), sitting.people[0].get(f"{sitting.path}/events").json()]
    assert [line["event"] for line in raw[0]] == [line["event"] for line in raw[1]]
    assert [entry.e for _, entry in store.read(sitting.game)] == [
        part.split(b',"link":')[0] for part in sitting.spectator.get(f"{sitting.path}/events").content.split(b'"event":')[1:]
    ]


def test_the_stream_holds_what_the_chain_says(sitting: Sitting) -> None:
    """Each link follows from the one before and the bytes of the event, as anyone can check."""
    link = codec.first_link(sitting.game)
    body = sitting.spectator.get(f"{sitting.path}/events").content
    for line in msgspec.json.decode(body, type=list[dict[str, msgspec.Raw]]):
        link = codec.next_link(link, bytes(line["event"]))
        assert bytes(line["link"]).decode() == f'"{link.hex()}"'


def test_a_view_shows_the_own_hand_only(sitting: Sitting) -> None:
    """Each sees other cards; the spectator, the host and a stranger's view see none."""
    ada, bo = sitting.people
    assert ada.view()["you"]["hand"] != bo.view()["you"]["hand"]
    for who in (sitting.spectator, sitting.host):
        assert "you" not in who.get(sitting.path).json()


def test_a_spectators_bytes_do_not_depend_on_a_hidden_choice(sitting: Sitting) -> None:
    """Whichever card Ada chooses and whatever she does with it: what others get is the same but for seals and links."""
    ada, bo = sitting.people
    view = ada.view()
    question = view["you"]["questions"][0]
    seen = []
    for play in (question["plays"][0], question["plays"][-1], next(one for one in question["plays"] if "stage" not in one)):
        version = ada.post(f"{sitting.path}/choices", as_body(question, view, play)).json()["version"]
        for who in (sitting.spectator, bo):
            text = who.get(f"{sitting.path}/events", after=version - 1).text
            table = who.get(sitting.path).json() | {"version": 0, "at": 0}
            seen.append((len(text), re.sub(r"[0-9a-f]{64}|[0-9]+", "#", text), table.pop("you", None) and "you", table))
    assert len(seen) == 6
    assert seen[0] == seen[2] == seen[4]
    assert seen[1] == seen[3] == seen[5]


def test_others_cards_are_open_only_once_the_game_is_closed(sitting: Sitting) -> None:
    """Replays with other eyes, and with all open, wait for the end; one's own and a spectator's are always there."""
    ada = sitting.people[0]
    for whose in ("1", "2", "all"):
        assert reason(ada.get(f"{sitting.path}/replay", at=9, **{"as": whose}), 403) == "not-open-yet"
        assert reason(ada.get(f"{sitting.path}/events", **{"as": whose}), 403) == "not-open-yet"
        assert reason(sitting.spectator.get(f"{sitting.path}/replay", at=9, **{"as": whose}), 403) == "not-open-yet"
    assert reason(ada.get(f"{sitting.path}/replay", at=9, **{"as": "6"}), 404) == "unknown-seat"
    own = ada.get(f"{sitting.path}/replay", at=9).json()
    assert own == ada.get(f"{sitting.path}/replay", at=9, **{"as": "0"}).json()
    assert "you" not in ada.get(f"{sitting.path}/replay", at=9, **{"as": "table"}).json()
    for player in sitting.people:
        assert player.post(f"{sitting.path}/abort").status_code == 200
    everything = sitting.spectator.get(f"{sitting.path}/replay", at=9, **{"as": "all"}).json()
    assert everything["open"]["hands"][0] == own["you"]["hand"]
    assert sitting.spectator.get(f"{sitting.path}/replay", at=9, **{"as": "0"}).json() == own
    every = opened(sitting, sitting.spectator, **{"as": "all"})
    assert len(known(every)) == len(readers(every))


def test_a_viewers_stream_never_changes_afterwards(sitting: Sitting) -> None:
    """Also when the game is closed and its key is out."""
    ada = sitting.people[0]
    before = {who: who.get(f"{sitting.path}/events").content for who in (ada, sitting.spectator)}
    for player in sitting.people:
        assert player.post(f"{sitting.path}/abort").status_code == 200
    for who, stream in before.items():
        assert who.get(f"{sitting.path}/events").content.startswith(stream.removesuffix(b"]"))


def test_a_seat_that_was_removed_sees_no_hand(client: httpx.Client) -> None:
    """Its chair is another's: the old secret opens nothing."""
    table = Sitting(client).join("Ada", "Bo", "Cy")
    cy = table.people.pop()
    assert table.host.delete(f"{table.path}/seats/2").status_code == 200
    table.join("Di").start()
    for path in ("", "/events", "/legal", "/live"):
        assert reason(cy.get(table.path + path), 401) == "unknown-token"


def test_no_reply_carries_a_secret_or_the_key(sitting: Sitting, store: ProjectingStore) -> None:
    """Nor the nonce of a seal that is not the reader's."""
    key = store.key(sitting.game)
    assert key is not None
    paths = ("", "/events", "/score", "/chronicle", "/moments", "/replay?at=5")
    ada = sitting.people[0]
    for who in (sitting.spectator, sitting.host, *sitting.people):
        everything = b"".join(who.get(sitting.path + path).content for path in paths)
        for secret in (ada.secret, sitting.host.secret, key.hex()):
            assert secret is not None
            assert secret.encode() not in everything


def test_the_log_tells_who_did_what_and_no_more(
    client: httpx.Client, store: ProjectingStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One line a request, with game, version, role and command; never a card, a name, a secret, a hash or an entropy."""
    monkeypatch.setattr("services.api.edge.diary", lambda name: structlog.get_logger(name))
    with structlog.testing.capture_logs() as found:
        table = Sitting(client).join("Adalbert", "Bonifatius")
        table.fill()
        table.start()
        ada = table.people[0]
        hand = ada.view()["you"]["hand"]
        ada.post(f"{table.path}/choices", {"age": 1, "turn": 1, "discard": hand[0]})
        ada.post(f"{table.path}/choices", {"age": 1, "turn": 1, "build": "palace"})
        Somebody(client, "a stranger's secret").get(table.path)
    requests = [line for line in found if line["event"] == "request"]
    chosen = next(line for line in requests if line.get("command") == "ChooseAction")
    assert chosen["game"] == table.game
    assert (chosen["role"], chosen["route"], chosen["status"]) == ("seat:0", "/games/{game}/choices", 200)
    assert chosen["ms"] > 0
    assert [line["reason"] for line in requests if line.get("reason")] == ["not-in-hand", "unknown-token"]
    text = json.dumps(found, default=str)
    secrets = [player.secret for player in table.people] + [table.host.secret, "a stranger's secret", *hand]
    hashes = [player.sitting()["token"] for player in table.people] + [player.entropy for player in table.people]
    for word in [*secrets, *hashes, "Adalbert", "Bonifatius", "palace"]:
        assert word is not None
        assert word not in text


def test_a_fault_of_the_house_tells_nothing(
    sitting: Sitting, client: httpx.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An error's message may hold somebody's cards: neither the reply nor the log repeats it."""

    def broken(*given: object) -> None:
        raise KeyError("the hand of Ada: palace, senate")

    monkeypatch.setattr("services.api.views.document_at", broken)
    with structlog.testing.capture_logs() as found:
        answer = sitting.spectator.get(f"{sitting.path}/replay", at=3)
    assert reason(answer, 500) == "internal"
    assert "palace" not in answer.text + json.dumps(found, default=str)
    assert any(line.get("error") == "KeyError" for line in found)


def test_replies_are_not_kept_or_guessed(sitting: Sitting) -> None:
    """Safe headers on views, refusals and unknown addresses alike; no other site may read."""
    for path in (sitting.path, "/lobby", "/nowhere", "/healthz", f"{sitting.path}/events", "/schema"):
        headers = sitting.client.get(path, headers={"Origin": "https://elsewhere.example"}).headers
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["cache-control"] == "no-store"
        assert headers["referrer-policy"] == "no-referrer"
        assert not [name for name in headers if name.startswith("access-control")]


# ---- names --------------------------------------------------------------------------------------------------------------
def erase(who: Somebody, table: Sitting, seat: int) -> httpx.Response:
    return who.client.delete(f"{table.path}/seats/{seat}/name", headers=who.headers)


def test_a_name_is_erased_by_its_bearer(sitting: Sitting, store: ProjectingStore) -> None:
    """It is gone from views, streams and the story; the links stay; again it is nothing new."""
    ada, bo = sitting.people
    before = [line["link"] for line in sitting.spectator.get(f"{sitting.path}/events").json()]
    assert reason(erase(bo, sitting, 0), 403) == "not-yours"
    assert reason(erase(sitting.host, sitting, 0), 403) == "not-yours"
    assert reason(erase(sitting.spectator, sitting, 0), 403) == "not-yours"
    assert erase(ada, sitting, 0).json() == {"game": sitting.game, "seat": 0, "erased": 1}
    assert erase(ada, sitting, 0).json()["erased"] == 0
    for path in ("", "/events", "/chronicle", "/moments", "/score", "/replay?at=4"):
        assert "Ada" not in bo.get(sitting.path + path).text
    assert "Bo" in bo.get(sitting.path).text
    assert [line["link"] for line in sitting.spectator.get(f"{sitting.path}/events").json()] == before


def test_the_operator_erases_every_name_that_a_seat_had(client: httpx.Client) -> None:
    """Also of somebody who has left; and an unknown seat is none."""
    table = Sitting(client).join("Ada")
    assert table.people[0].delete(f"{table.path}/seats/0").status_code == 200
    table.join("Bo")
    operator = Somebody(client, OPERATOR)
    assert erase(operator, table, 0).json()["erased"] == 2
    for path in ("", "/events", "/chronicle", "/moments"):
        assert not {"Ada", "Bo"} & set(table.spectator.get(table.path + path).text.replace('"', " ").split())
    assert reason(erase(operator, table, 5), 404) == "unknown-seat"
