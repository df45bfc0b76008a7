"""The store goes away and comes back: nothing is lost, everybody is told, and nobody has to be started again."""

from __future__ import annotations

import threading
from typing import Any

import httpx
import pytest

from events.store.protocol import Accepted, Append, NotReplicated, StoreUnavailable
from tests.api.conftest import at_the_door
from tests.api.doors import served, watching
from tests.api.given import ProjectingStore, Sitting, Somebody, reason
from workers.wiring import House


def test_everything_is_a_503_while_the_store_is_away(sitting: Sitting, store: ProjectingStore) -> None:
    """With a reason and when to try again; the process itself is alive, but not ready; then all is as before."""
    ada = sitting.people[0]
    body = {"command_id": "patience", "age": 1, "turn": 1, "discard": ada.view()["you"]["hand"][0]}
    before = sitting.spectator.get(f"{sitting.path}/events").content
    store.away = True
    for path in ("", "/events", "/live", "/legal", "/score", "/chronicle", "/replay?at=3", "/moments"):
        answer = ada.get(sitting.path + path)
        assert reason(answer, 503) == "store-away"
        assert answer.headers["retry-after"] == "1"
    assert reason(ada.post(f"{sitting.path}/choices", body), 503) == "store-away"
    assert reason(sitting.client.post("/games", json=sitting.opening), 503) == "store-away"
    assert reason(sitting.client.get("/lobby"), 503) == "store-away"
    assert reason(sitting.client.get("/readyz"), 503) == "store-away"
    assert sitting.client.get("/healthz").status_code == 200
    assert "wonderlog_requests" in sitting.client.get("/metrics").text
    store.away = False
    assert sitting.spectator.get(f"{sitting.path}/events").content == before
    assert sitting.client.get("/readyz").json() == {"status": "ok"}
    assert ada.post(f"{sitting.path}/choices", body).status_code == 200
    assert "wonderlog_waking_games" in sitting.client.get("/metrics").text


def test_a_reply_that_the_outage_swallowed_is_asked_for_again(
    sitting: Sitting, store: ProjectingStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The append happened, its answer did not come: 503; the same request again gets the answer, and nothing is appended twice."""
    plain = ProjectingStore.append

    def swallowed(self: ProjectingStore, request: Append) -> Accepted:
        plain(self, request)
        raise StoreUnavailable("the connection broke before the answer")

    ada = sitting.people[0]
    body = {"command_id": "once", "age": 1, "turn": 1, "discard": ada.view()["you"]["hand"][0]}
    version = sitting.version
    with monkeypatch.context() as broken:
        broken.setattr(ProjectingStore, "append", swallowed)
        assert reason(ada.post(f"{sitting.path}/choices", body), 503) == "store-away"
    answer = ada.post(f"{sitting.path}/choices", body)
    assert (answer.status_code, answer.json()["version"]) == (200, version + 1)
    assert sitting.version == version + 1


def test_not_yet_replicated_is_said_so(sitting: Sitting, monkeypatch: pytest.MonkeyPatch) -> None:
    """Written here but not on enough replicas: the same request again, with the same id."""

    def alone(self: ProjectingStore, request: Append) -> Accepted:
        raise NotReplicated("0 of 1 replicas")

    monkeypatch.setattr(ProjectingStore, "append", alone)
    ada = sitting.people[0]
    answer = ada.post(f"{sitting.path}/choices", {"age": 1, "turn": 1, "discard": ada.view()["you"]["hand"][0]})
    assert reason(answer, 503) == "not-yet-replicated"
    assert answer.headers["retry-after"] == "1"


def test_an_archived_game_is_gone(sitting: Sitting, store: ProjectingStore, house: House) -> None:
    """Its id cannot be opened again either."""
    store.archive(sitting.game)
    house.table.forget(sitting.game)
    assert reason(sitting.spectator.get(sitting.path), 404) == "unknown-game"
    assert reason(sitting.client.post("/games", json=sitting.opening), 410) == "archived"


def test_a_live_stream_outlasts_an_outage(house: House, store: ProjectingStore) -> None:
    """The stream stays open, says why it is silent, and goes on with what happened in between: nothing missed, nothing twice."""
    with served(house) as client:
        table = Sitting(client).join("Ada", "Bo")
        with watching(client, table.path, after=3) as stream:
            store.away = True
            stream.until_comment("the store is away")
            store.away = False
            table.join("Cy").start()
            seen = stream.next(5)
            assert [line["version"] for line in seen] == list(range(4, 4 + len(seen)))
            assert seen[0]["event"]["type"] == "SeatTaken"


def test_a_view_is_made_from_the_log_when_nobody_projects() -> None:
    """The projector may be away too: people see their table all the same, and no later than a moment."""
    from events.store.memory import MemoryStore

    house = House.on(MemoryStore())
    with at_the_door(house) as client:
        table = Sitting(client).join("Ada")
        table.fill()
        table.start()
        ada = table.people[0]
        assert house.store.load_view(table.game, "table") is None
        view = ada.view(version=table.version)
        assert len(view["you"]["hand"]) == 7
        assert client.get(f"{table.path}/score").json()["final"] is False
        assert client.get(f"{table.path}/chronicle").json()["chapters"][0]["part"] == "gathering"
    house.close()


def test_many_people_choose_at_once(client: httpx.Client) -> None:
    """Seven choices in the same moment: each is accepted once, none is lost, and the turn is played."""
    table = Sitting(client, 7).join("Ada", "Bo", "Cy", "Di", "Ed", "Flo", "Gus").start()
    bodies = [{"age": 1, "turn": 1, "discard": player.view()["you"]["hand"][0]} for player in table.people]
    answers: list[Any] = [None] * 7

    def choose(seat: int, who: Somebody) -> None:
        answers[seat] = who.post(f"{table.path}/choices", bodies[seat])

    threads = [threading.Thread(target=choose, args=pair) for pair in enumerate(table.people)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [answer.status_code for answer in answers] == [200] * 7
    assert len({answer.json()["version"] for answer in answers}) == 7
    assert table.table["turn"] == 2
