"""A host opens a table in the terminal, friends come, and the host begins."""

from __future__ import annotations

import json
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.cli.houses import Terminal, house, wonderlog

AUTO = ("auto",) * 60


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """One house for all of these evenings."""
    with house(tmp_path_factory.mktemp("house")) as (ready, _):
        yield ready["url"]


@pytest.fixture
def homes(tmp_path: Path) -> tuple[Path, Path]:
    """The host's and a friend's machine."""
    return tmp_path / "host", tmp_path / "friend"


def told(home: Path, *arguments: str, status: int = 0) -> Any:
    return json.loads(wonderlog(home, *arguments, "--json", status=status))


def test_a_friend_comes_and_bots_fill_the_table(url: str, homes: tuple[Path, Path]) -> None:
    """`new` says how to go on; without the friend's like, `start` says who is missing; with bots it begins, and is played."""
    host, friend = homes
    said = wonderlog(host, "new", "--url", url, "--players", "3")
    game = said.split("Table ")[1].split()[0]
    assert f"wonderlog start {game}" in said
    ben = Terminal(friend, "play", game, "--url", url, "--name", "Ben")
    ben.until("2 seats are free")
    missing = told(host, "start", game, status=2)["error"]
    assert (missing["reason"], missing["message"]) == ("not-ready", "2 of 3 seats are free, so the table cannot begin yet.")
    begun = told(host, "start", game, "--fill", "builder")
    assert {key: begun[key] for key in ("game", "url", "players", "bots", "people", "started", "over")} == {
        "game": game, "url": url, "players": 3, "bots": 2, "people": 1, "started": True, "over": False,
    }  # fmt: skip
    ben.until("Age I, turn 1")
    again = wonderlog(host, "start", game, "--fill", "random")
    assert f"Table {game} has begun: Ben, 2 bots." in again
    ben.say(*AUTO)
    assert "Final score" in ben.end()
    assert told(host, "start", game)["over"]


def test_somebody_who_has_gone_home_is_named(url: str, homes: tuple[Path, Path]) -> None:
    """All seats are taken, but one terminal is closed: it is waited for, then named; when it is back, the table begins."""
    host, friend = homes
    game = told(host, "new", "--url", url, "--players", "3")["game"]
    ben = Terminal(friend, "play", game, "--url", url, "--name", "Ben")
    ben.until("2 seats are free")
    ben.process.send_signal(signal.SIGINT)
    ben.end()
    absent = told(host, "start", game, "--fill", "random", "--wait", "0.2", status=2)["error"]
    assert (absent["reason"], absent["message"]) == ("not-ready", "Not ready yet: Ben.")
    ben = Terminal(friend, "play", game)
    begun = told(host, "start", game, "--wait", "60")
    assert begun["started"]
    ben.until("Age I, turn 1")
    ben.say("q")
    ben.end()


def test_a_host_who_named_a_folder_begins_with_it(url: str, homes: tuple[Path, Path]) -> None:
    """The secret lies there, and the line that is printed says so."""
    host, _ = homes
    mine = str(host / "mine")
    said = wonderlog(host, "new", "--url", url, "--players", "3", "--data", mine)
    game = said.split("Table ")[1].split()[0]
    assert f"wonderlog start {game} --data {mine}" in said
    assert told(host, "start", game, "--fill", "random", status=2)["error"]["reason"] == "not-yours"
    begun = told(host, "start", game, "--fill", "random", "--data", mine, "--watch")
    assert (begun["bots"], begun["over"]) == (3, True)


def test_only_the_host_begins(url: str, homes: tuple[Path, Path]) -> None:
    """A friend has no secret of the host's, and no secret is printed."""
    host, friend = homes
    opened = told(host, "new", "--url", url, "--players", "3")
    refused = told(friend, "start", opened["game"], "--url", url, "--fill", "random", status=2)["error"]
    assert refused["reason"] == "not-yours"
    secret = json.loads(Path(opened["kept"]).read_text())["host"]
    told_all = wonderlog(host, "start", opened["game"], "--fill", "random") + json.dumps(refused) + json.dumps(opened)
    assert secret not in told_all


def test_what_is_no_table_cannot_begin(url: str, homes: tuple[Path, Path]) -> None:
    """Nor can anybody wait for ever."""
    host, _ = homes
    assert told(host, "start", "../../etc/passwd", status=2)["error"]["reason"] == "unknown-game"
    assert told(host, "start", "0" * 20, "--url", url, status=2)["error"]["reason"] == "not-yours"
    assert told(host, "start", "0" * 20, "--wait", "-1", status=2)["error"]["reason"] == "usage"
