"""Position documents as people and programs hand them in: whole, broken, or not there at all."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from services.cli.app import main

TOML = """
[[city]]
name = "Ada"
wonder = "rhodos"
side = "day"
hand = ["baths", "altar"]
coins = 2
[[city]]
name = "Bo"
wonder = "gizah"
side = "night"
hand = ["tavern", "theater"]
[[city]]
name = "Cy"
wonder = "olympia"
side = "day"
hand = ["clay-pool", "loom-1"]
"""


@pytest.fixture
def toml(tmp_path: Path) -> Path:
    file = tmp_path / "position.toml"
    file.write_text(TOML, encoding="utf-8")
    return file


def error_of(out: str) -> dict[str, Any]:
    error: dict[str, Any] = json.loads(out)["error"]
    return error


BROKEN = {
    "no-table.json": b"[1, 2]",
    "twice.json": b'{"age": 1, "age": 2}',
    "not-a-number.json": b'{"age": NaN}',
    "half.json": b'{"age": ',
    "half.toml": b"age = ",
    "latin.toml": "seed = 'é'".encode("latin-1"),
    "surrogate.json": b'{"seed": "\\ud800"}',
    "deep.json": b'{"seed": ' + b"[" * 200_000 + b"]" * 200_000 + b"}",
    "deep.toml": b"seed = " + b"[" * 20_000 + b"]" * 20_000,
    "unknown-key.toml": TOML.replace("coins = 2", "money = 2").encode(),
    "huge.toml": b"#" * (4 * 1024 * 1024 + 1),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_document_is_refused_in_the_shape_of_a_refused_play(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whatever is wrong: exit status 2, play 0, `bad-position`, and a message that says what."""
    file = tmp_path / name
    file.write_bytes(BROKEN[name])
    assert main(["position", str(file), "--json"]) == 2
    error = error_of(capsys.readouterr().out)
    assert (error["play"], error["reason"]) == (0, "bad-position")
    assert error["message"]


def test_a_missing_file_is_refused_and_the_others_are_still_answered(toml: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One line a file, in their order."""
    assert main(["position", str(toml.with_name("nowhere.toml")), str(toml), "--json"]) == 2
    first, second = capsys.readouterr().out.splitlines()
    assert "nowhere.toml" in error_of(first)["message"]
    assert json.loads(second)["awaiting"] == [{"city": name, "kind": "choose"} for name in ("Ada", "Bo", "Cy")]


@pytest.mark.parametrize("text", [TOML, "\ufeff" + TOML])
def test_standard_input_may_be_toml(text: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """`-` is read by its content, though a TOML document may begin with a bracket like a list."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    assert main(["position", "-", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["cities"]["Ada"]["hand"] == ["altar", "baths"]


def test_the_written_document_is_read_again(toml: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`--document` writes what `position` reads, and it is the same position."""
    assert main(["position", str(toml), "--document"]) == 0
    again = tmp_path / "again.json"
    again.write_text(capsys.readouterr().out, encoding="utf-8")
    assert main(["position", str(toml), str(again), "--json"]) == 0
    first, second = capsys.readouterr().out.splitlines()
    assert json.loads(first) == json.loads(second)


def test_strict_refuses_what_the_box_does_not_hold(toml: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Six cards in three hands are not the cards of a first turn."""
    assert main(["position", str(toml), "--json", "--strict"]) == 2
    assert error_of(capsys.readouterr().out)["reason"] == "bad-position"


def test_people_see_a_table(toml: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Names, boards, hands and scores; no JSON."""
    assert main(["position", str(toml)]) == 0
    out = capsys.readouterr().out
    for word in ("Age I, turn 1 of 6", "Ada", "Rhodos, day", "Gizah, night", "Baths", "If the game ended now"):
        assert word in out
    assert "{" not in out


def test_people_see_why_a_card_cannot_be_built(toml: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The hand with its prices: Baths cost stone, which Gizah's owner sells for two coins."""
    assert main(["legal", str(toml), "--seat", "Ada"]) == 0
    out = capsys.readouterr().out
    assert "2 to" not in out.split("Baths")[0]
    assert "Baths" in out
    assert "1 stone" in out


def test_an_unknown_seat_is_refused(toml: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Nobody is called Dee."""
    assert main(["legal", str(toml), "--seat", "Dee", "--json"]) == 2
    assert "Dee" in error_of(capsys.readouterr().out)["message"]


def test_a_wrong_option_is_a_usage_error(capsys: pytest.CaptureFixture[str]) -> None:
    """Exit status 2 and, for programs, an error document."""
    assert main(["position", "--bogus", "--json"]) == 2
    assert error_of(capsys.readouterr().out)["reason"] == "usage"
