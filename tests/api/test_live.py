"""Watching live: every event once and in order, also over a broken line, and with one's own eyes."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack

import httpx
import pytest

from services.api import live
from tests.api.doors import served, watching
from tests.api.given import Sitting, Somebody, reason
from workers.wiring import House


@pytest.fixture
def client(house: House) -> Iterator[httpx.Client]:
    with served(house, patience=5.0, most_watching=6) as client:
        yield client


def versions(lines: list[dict[str, object]]) -> list[object]:
    return [line["version"] for line in lines]


def discard(sitting: Sitting, seat: int) -> int:
    """A person discards; the version of the choice."""
    player = sitting.people[seat]
    view = player.view()
    card = view["you"]["hand"][0]
    body = {"age": view["age"], "turn": view["turn"], "discard": card}
    return int(player.post(f"{sitting.path}/choices", body).json()["version"])


def test_events_come_as_they_happen(sitting: Sitting) -> None:
    """First what was, then what comes; the same lines as the stream that is read at once."""
    start = sitting.version
    with watching(sitting.client, sitting.path) as stream:
        seen = stream.next(start)
        assert versions(seen) == list(range(1, start + 1))
        discard(sitting, 0)
        seen += stream.next(1)
        discard(sitting, 1)
        seen += stream.next(sitting.version - start - 1)
    assert seen == sitting.spectator.get(f"{sitting.path}/events").json()


def test_a_broken_line_is_resumed_where_it_broke(sitting: Sitting) -> None:
    """Last-Event-ID goes before `after`: nothing is missed, nothing comes twice."""
    with watching(sitting.client, sitting.path) as stream:
        seen = stream.next(4)[:4]
    discard(sitting, 0)
    with watching(sitting.client, sitting.path, {"Last-Event-ID": "4"}, after=1) as stream:
        seen += stream.next(sitting.version - 4)
    discard(sitting, 1)
    with watching(sitting.client, sitting.path, after=len(seen)) as stream:
        seen += stream.next(sitting.version - len(seen))
    assert seen == sitting.spectator.get(f"{sitting.path}/events").json()


def test_each_watches_with_their_own_eyes(sitting: Sitting) -> None:
    """The same events for two seats; only one's own openings."""
    ada, bo = sitting.people
    streams = {}
    for player in (ada, bo):
        with watching(sitting.client, sitting.path, player.headers) as stream:
            streams[player.name] = stream.next(sitting.version)
        assert streams[player.name] == player.get(f"{sitting.path}/events").json()
    hands = {name: next(line for line in lines if line["event"]["type"] == "AgeDealt") for name, lines in streams.items()}
    assert hands["Ada"]["event"] == hands["Bo"]["event"]
    assert [opening["path"] for opening in hands["Ada"]["openings"]] == ["hands/0"]
    assert [opening["path"] for opening in hands["Bo"]["openings"]] == ["hands/1"]


def test_a_stream_ends_with_the_game(sitting: Sitting) -> None:
    """After the last event it closes; whoever comes back having seen it is told not to."""
    with watching(sitting.client, sitting.path, after=sitting.version) as stream:
        for player in sitting.people:
            player.post(f"{sitting.path}/abort")
        seen = stream.rest()
    assert [line["event"]["type"] for line in seen] == ["AbortAgreed", "AbortAgreed", "GameClosed"]
    last = str(seen[-1]["version"])
    assert sitting.client.get(f"{sitting.path}/live", headers={"Last-Event-ID": last}).status_code == 204
    with watching(sitting.client, sitting.path, {"Last-Event-ID": str(int(last) - 1)}) as stream:
        assert versions(stream.rest()) == [int(last)]


def test_a_seat_that_leaves_loses_its_stream(client: httpx.Client) -> None:
    """Its chair may be another's soon, with another's hand; a spectator's stream goes on, and so does the newcomer's, who
    also reads of the one before."""
    table = Sitting(client).join("Ada", "Bo")
    ada = table.people[0]
    with watching(client, table.path, ada.headers) as hers, watching(client, table.path, after=3) as everybodys:
        assert table.host.delete(f"{table.path}/seats/0").status_code == 200
        assert hers.rest()[-1]["event"]["type"] == "SeatLeft"
        assert everybodys.next(1)[0]["event"]["type"] == "SeatLeft"
        assert reason(client.get(f"{table.path}/live", headers=ada.headers), 401) == "unknown-token"
        table.join("Cy")
        assert everybodys.next(1)[0]["event"]["type"] == "SeatTaken"
    with watching(client, table.path, table.people[-1].headers) as newcomers:
        assert versions(newcomers.next(5)) == [1, 2, 3, 4, 5]
        table.host.delete(f"{table.path}/seats/0")
        assert newcomers.rest()[-1]["version"] == 6


def test_heartbeats_keep_a_quiet_stream_open(sitting: Sitting, monkeypatch: pytest.MonkeyPatch) -> None:
    """A comment comes when nothing else does, and afterwards events as before."""
    monkeypatch.setattr(live, "HEARTBEAT", 0.05)
    with watching(sitting.client, sitting.path, after=sitting.version) as stream:
        stream.until_comment("nothing new")
        version = discard(sitting, 0)
        assert versions(stream.next(1)) == [version]


def test_only_so_many_watch_at_once(sitting: Sitting) -> None:
    """A bounded number of streams; whoever leaves makes room."""
    with ExitStack() as streams:
        watchers = [streams.enter_context(watching(sitting.client, sitting.path)) for _ in range(6)]
        assert all(stream.next(1) for stream in watchers)
        answer = sitting.client.get(f"{sitting.path}/live")
        assert reason(answer, 503) == "too-many-streams"
        assert answer.headers["retry-after"] == "1"
    for player in sitting.people:
        player.post(f"{sitting.path}/abort")
    deadline = time.monotonic() + 5
    while sitting.client.get(f"{sitting.path}/live").status_code == 503:
        assert time.monotonic() < deadline, "those who have left still count"


def test_a_view_is_waited_for(sitting: Sitting) -> None:
    """`version` holds the reply back until the table has come so far; the other's choice lets it go."""
    ada = sitting.people[0]
    discard(sitting, 0)
    wanted, found = sitting.version + 3, []
    waiting = threading.Thread(target=lambda: found.append(ada.view(version=wanted)))
    waiting.start()
    discard(sitting, 1)
    waiting.join(5)
    assert found[0]["version"] >= wanted
    assert found[0]["seats"][0]["name"] == "Ada"


def test_a_waiting_seat_that_is_removed_gets_nothing(client: httpx.Client) -> None:
    """Who is asked for is looked at again when the view is there."""
    table = Sitting(client).join("Ada", "Bo")
    ada, found = table.people[0], []
    waiting = threading.Thread(target=lambda: found.append(Somebody(client, ada.secret).get(table.path, version=table.version + 1)))
    waiting.start()
    table.host.delete(f"{table.path}/seats/0")
    waiting.join(5)
    assert reason(found[0], 401) == "unknown-token"
