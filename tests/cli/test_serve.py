"""The whole house in one command: ready soon, closed cleanly, and all games are there when it is opened again."""

from __future__ import annotations

import asyncio
import json
import signal
import socket
import subprocess
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from events.store import open_store
from services.cli import door
from services.cli.client import Client, answers
from services.cli.voice import Stop
from tests.cli.houses import SECONDS, WONDERLOG, environment, house, wonderlog
from tests.processes import alive, descendants


def test_ctrl_c_closes_everything_and_all_games_are_there_again(tmp_path: Path) -> None:
    """Exit status 0, no process is left, the address is free; opened again, the finished game is shown."""
    with house(tmp_path) as (ready, process):
        parts = descendants(process.pid)
        assert len(parts) >= 3
        opened = json.loads(wonderlog(tmp_path, "new", "--url", ready["url"], "--bots", "random", "--watch", "--json"))
        assert opened["over"]
        process.send_signal(signal.SIGINT)
        assert process.wait(SECONDS) == 0
        end = time.monotonic() + SECONDS
        while any(alive(part) for part in parts):
            assert time.monotonic() < end, "a part has outlived the house"
            time.sleep(0.02)
        assert not answers(ready["url"])
    with house(tmp_path) as (ready, _), closing(Client(ready["url"])) as client:
        seen = client.read(f"/games/{opened['game']}")
    assert seen["phase"] == "over"
    assert seen["version"] == opened["version"]


def test_the_parts_together_are_a_house(tmp_path: Path) -> None:
    """API, worker, ticker and projector, each by its own command, on one store: a table of bots is played and shown."""
    parts: dict[str, subprocess.Popen[str]] = {}
    try:
        for part in ("project", "tick", "work", "api"):
            command = [WONDERLOG, part, "--data", str(tmp_path), "--json", *(("--port", "0") if part == "api" else ())]
            parts[part] = subprocess.Popen(
                command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=environment(tmp_path)
            )
        said: dict[str, Any] = {}
        for part, process in parts.items():
            assert process.stdout is not None
            said[part] = json.loads(process.stdout.readline())
        url = said["api"]["url"]
        mine = ("--data", str(tmp_path / "mine"))  # beside --url a folder is where one's own secrets are kept
        told = wonderlog(tmp_path, "new", "--url", url, *mine, "--bots", "random", "--players", "3", "--watch", "--json")
        opened = json.loads(told)
        assert (opened["over"], opened["url"]) == (True, url)
        assert [file.name for file in (tmp_path / "mine").rglob("*.*")] == [f"{opened['game']}.json"]
        with closing(Client(url)) as client:
            assert client.read(f"/games/{opened['game']}", version=opened["version"])["phase"] == "over"
    finally:
        for process in parts.values():
            process.send_signal(signal.SIGTERM)
        statuses = {part: process.wait(SECONDS) for part, process in parts.items()}
        for process in parts.values():
            if process.stdout is not None:
                process.stdout.close()
    assert statuses == dict.fromkeys(parts, 0)


def test_an_api_on_a_named_store_makes_the_folder_of_its_own_secrets(tmp_path: Path) -> None:
    """Told by its environment, as on many machines: the games lie in the store, the operator's token and the host's key here."""
    kept = tmp_path / "not" / "yet"
    with open_store(tmp_path / "store", environ={}) as opened:
        told = {"WONDERLOG_STORE_URL": opened.url, "WONDERLOG_DATA": str(kept)}
        process = subprocess.Popen(
            [WONDERLOG, "api", "--port", "0", "--json"], stdout=subprocess.PIPE, text=True, env={**environment(tmp_path), **told}
        )
        try:
            assert process.stdout is not None
            url = json.loads(process.stdout.readline())["url"]
            with closing(Client(url)) as client:
                assert client.read("/readyz") == {"status": "ok"}
        finally:
            process.send_signal(signal.SIGTERM)
            status = process.wait(SECONDS)
            assert process.stdout is not None
            process.stdout.close()
    assert status == 0
    assert {file.name: file.stat().st_mode & 0o777 for file in kept.iterdir()} == {"operator.token": 0o600, "host.key": 0o600}


def test_an_api_that_cannot_keep_its_secrets_says_so(tmp_path: Path) -> None:
    """A file stands where its folder should be: exit status 1, with a reason."""
    (tmp_path / "taken").write_text("")
    with open_store(tmp_path / "store", environ={}) as opened:
        process = subprocess.run(
            [WONDERLOG, "api", "--port", "0", "--json", "--store", opened.url, "--data", str(tmp_path / "taken")],
            capture_output=True, text=True, env=environment(tmp_path), timeout=SECONDS, check=False,
        )  # fmt: skip
    assert (process.returncode, json.loads(process.stdout)["error"]["reason"]) == (1, "data")
    assert "Traceback" not in process.stderr


def test_a_port_in_use_is_told_before_anything_is_started(tmp_path: Path) -> None:
    """Exit status 1 at once, with what to do."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        said = json.loads(wonderlog(tmp_path, "serve", "--port", str(port), "--data", str(tmp_path / "d"), "--json", status=1))
    assert said["error"]["reason"] == "port-in-use"
    assert not (tmp_path / "d").exists()


def test_the_address_to_share() -> None:
    """On this machine alone there is none; on all addresses it is the one of the local network."""
    assert door.shared("127.0.0.1", 8777) is None
    assert door.shared("localhost", 8777) is None
    assert door.shared("192.0.2.7", 8777) == "http://192.0.2.7:8777"
    everywhere = door.shared("0.0.0.0", 8777)
    assert everywhere is not None
    assert "0.0.0.0" not in everywhere
    assert door.url("::", 1) == "http://[::1]:1"


def test_an_address_that_is_not_ours_is_refused() -> None:
    """A documentation address belongs to no machine."""
    with pytest.raises(Stop, match="Nothing can listen"):
        door.bind("192.0.2.77", 0)


def test_a_small_reply_is_sent_at_once() -> None:
    """A connection that comes in by the door does not hold its last bytes back until the reader has acknowledged the first."""
    held: list[int] = []

    class Reply(asyncio.Protocol):
        def connection_made(self, transport: asyncio.BaseTransport) -> None:
            held.append(transport.get_extra_info("socket").getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
            transport.close()

    async def visit(place: socket.socket) -> None:
        async with await asyncio.get_running_loop().create_server(Reply, sock=place):
            reader, writer = await asyncio.open_connection(*place.getsockname())
            assert await reader.read() == b""
            writer.close()

    with door.bind("127.0.0.1", 0) as place:
        asyncio.run(visit(place))
    assert held == [1]
