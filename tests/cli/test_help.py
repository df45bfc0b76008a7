"""Every command explains itself, and says no in words that help."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from services.cli.app import COMMANDS, main

ROOT = Path(__file__).parent.parent.parent
NAMES = [name for _, name, _, _ in COMMANDS]


@pytest.mark.parametrize("name", NAMES)
def test_a_command_explains_itself(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """What it does, every option with a word about it, and examples; and --json for programs."""
    assert main([name, "--help"]) == 0
    out = capsys.readouterr().out
    assert "Examples:" in out
    assert f"wonderlog {name}" in out.partition("Examples:")[2]
    assert "--json" in out


def test_the_whole_explains_itself(capsys: pytest.CaptureFixture[str]) -> None:
    """Every command with one line."""
    assert main(["--help"]) == 0
    out = capsys.readouterr().out
    for name in NAMES:
        assert re.search(rf"^\W*{name}\s+\w", out, re.MULTILINE), name


def test_help_imports_no_command() -> None:
    """`wonderlog --help` is fast because it imports neither the store, nor the queue, nor the API, nor the rules."""
    code = (
        "import sys; from services.cli.app import main; main(['--help']);"
        "print([name for name in ('redis', 'rq', 'litestar', 'uvicorn', 'structlog', 'events.rules') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT, timeout=30)
    assert done.stdout.splitlines()[-1] == "[]"


@pytest.mark.parametrize(
    ("asked", "reason"),
    [
        (["simulate", "--games", "0"], "usage"),
        (["simulate", "--players", "8"], "bad-options"),
        (["simulate", "--data", "somewhere"], "usage"),
        (["simulate", "--bot", "clever"], "usage"),
        (["nonsense"], "usage"),
        (["replay", "0" * 20], "unknown-game"),
        (["replay", "../../etc/passwd"], "unknown-game"),
        (["rebuild", "0" * 20], "unknown-game"),
        (["archive", "0" * 20], "unknown-game"),
        (["archive", "--older-than", "-1"], "usage"),
        (["new", "--players", "4", "--people", "5", "--bots", "builder"], "usage"),
        (["new", "--data", "somewhere"], "usage"),
        (["play", "--last"], "usage"),
        (["play", "--url", "ftp://somewhere"], "usage"),
        (["serve", "--workers", "0"], "usage"),
        (["serve", "--port", "70000"], "usage"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else value,
)
def test_a_request_that_cannot_be_granted_ends_with_2(
    asked: list[str], reason: str, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Programs get a reason; people a sentence and advice, on standard error."""
    monkeypatch.chdir(tmp_path)
    assert main([*asked, "--json"]) == 2
    assert json.loads(capsys.readouterr().out)["error"]["reason"] == reason
    assert main(asked) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.strip()


@pytest.mark.parametrize("asked", [["status"], ["rebuild"], ["simulate", "--through", "store"], ["replay", "0" * 20]], ids=" ".join)
def test_a_store_that_is_away_ends_with_1(asked: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """Nobody listens on port 1."""
    assert main([*asked, "--store", "redis://127.0.0.1:1/0", "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["error"]["reason"] == "store-unavailable"
