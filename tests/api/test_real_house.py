"""A game over HTTP in a whole house: its own store, workers, ticker and projector, each a process of its own."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.api.doors import watching
from tests.api.given import Player, Sitting
from tests.cli.houses import house


def played(table: Sitting, player: Player) -> bool:
    """Answers the first open question of a player, if there is one; the answer is the version to read on from."""
    view = player.view()
    for question in view["you"]["questions"]:
        if question["chosen"] is None and question["changeable"]:
            answer = player.play(question, view, view["version"])
            if answer.status_code == 409:  # a bot, or the clock, was faster: the view says so in a moment
                return False
            assert answer.status_code == 200, answer.text
            assert player.view(version=answer.json()["version"])["version"] >= answer.json()["version"]
            return True
    return False


@pytest.mark.slow
def test_a_game_in_a_whole_house(tmp_path: Path) -> None:
    """Two people and two bots play to the end; somebody watches live and sees every event once, as the log has them."""
    with house(tmp_path / "data") as (ready, _), httpx.Client(base_url=ready["url"], timeout=30) as client:
        table = Sitting(client, 4, edifice=True).join("Ada", "Bo")
        assert table.fill("builder").status_code == 201
        seen: list[dict[str, Any]] = []
        started = threading.Event()

        def watch() -> None:
            with watching(client, table.path, table.people[0].headers) as stream:
                started.set()
                seen.extend(stream.rest())

        watcher = threading.Thread(target=watch)
        watcher.start()
        assert started.wait(10)
        table.start()
        while table.table["closed"] is None:
            if not any(played(table, player) for player in table.people):
                client.get(table.path, params={"version": table.version + 1})  # waits until something has happened
        watcher.join(30)
        assert not watcher.is_alive()
        stream = table.people[0].get(f"{table.path}/events").json()
        assert [line["version"] for line in stream] == list(range(1, len(stream) + 1))
        assert [line for line in seen if "event" in line] == stream
        assert table.table["closed"] == "finished"
        assert client.get(f"{table.path}/score").json()["final"]
        assert all(row["game"] != table.game for row in client.get("/lobby").json())
        assert client.get("/readyz").status_code == 200


@pytest.mark.slow
def test_a_seat_moves_in_a_whole_house(tmp_path: Path) -> None:
    """The store that keeps moves keeps a seat's parcel too, gives it away once, and leaves nothing of it in the log."""
    ticket, sealed = "0f" * 32, "ab" * 200
    with house(tmp_path / "data") as (ready, _), httpx.Client(base_url=ready["url"], timeout=30) as client:
        table = Sitting(client).join("Ada")
        ada, log = table.people[0], table.spectator.get(f"{table.path}/events").json()
        laid = ada.post(f"{table.path}/handovers", ticket=ticket, sealed=sealed)
        assert laid.json()["state"] == "open"
        assert client.post("/handovers/find", json={"ticket": ticket}).json() == {"game": table.game}
        claim = f"{table.path}/handovers/claim"
        first = table.spectator.post(claim, command_id="mine", ticket=ticket)
        assert first.json()["sealed"] == sealed
        assert table.spectator.post(claim, command_id="mine", ticket=ticket).content == first.content
        assert table.spectator.post(claim, ticket=ticket).json()["reason"] == "code-used"
        assert table.spectator.post(claim, ticket="00" * 32).json()["reason"] == "unknown-code"
        assert ada.get(f"{table.path}/handovers").json()["state"] == "taken"
        assert table.spectator.get(f"{table.path}/events").json() == log
        assert [line["event"]["type"] for line in log] == ["GameOpened", "SeatTaken"]
