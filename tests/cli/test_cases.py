"""Positions whose outcome was computed by hand from the rules, before there was an engine: one test a file."""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

from services.cli.app import main

CASES = sorted((Path(__file__).parent.parent / "cases").glob("*.toml"))
WONDERLOG = str(Path(sys.executable).with_name("wonderlog"))


def differences(expected: Any, got: Any, at: str = "output") -> list[str]:
    """Tables key by key, only the keys expected; everything else, lists included, whole and of the same type."""
    if isinstance(expected, dict):
        if not isinstance(got, dict):
            return [f"{at}: expected a table, got {got!r}"]
        missing = [f"{at}.{key}: expected {value!r}, got nothing" for key, value in expected.items() if key not in got]
        inside = [differences(value, got[key], f"{at}.{key}") for key, value in expected.items() if key in got]
        return [*missing, *(line for lines in inside for line in lines)]
    same = type(expected) is type(got) and expected == got
    return [] if same else [f"{at}: expected {expected!r}, got {got!r}"]


def misplayed(wanted: dict[str, Any], plays: list[dict[str, Any]]) -> list[str]:
    """What a list of legal plays should hold and does not, and what it should not and does."""
    found = [
        f"no play like {want!r} in {plays!r}"
        for want in wanted.get("contains", ())
        if all(differences(want, play) for play in plays)
    ]
    return found + [
        f"{play!r} is like {want!r}" for want in wanted.get("lacks", ()) for play in plays if not differences(want, play)
    ]


def split(path: Path) -> tuple[dict[str, Any], dict[str, Any]]:
    """The position of a case, and what is expected of it."""
    plain = tomllib.loads(path.read_text(encoding="utf-8"))
    return plain, plain.pop("expect")


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_the_case_comes_out_as_computed_by_hand(path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`wonderlog position` and `wonderlog legal` give what the case expects, with its exit status."""
    plain, expect = split(path)
    file = tmp_path / "position.json"
    file.write_text(json.dumps(plain), encoding="utf-8")
    plays = expect.pop("legal", [])
    assert expect or plays, "the case expects nothing"
    if expect:
        status = main(["position", str(file), "--json"])
        answer = json.loads(capsys.readouterr().out)
        assert not differences(expect, answer)
        assert status == (2 if "error" in expect else 0)
    for wanted in plays:
        status = main(["legal", str(file), "--seat", wanted["seat"], "--json"])
        assert status == 0
        assert not misplayed(wanted, json.loads(capsys.readouterr().out))


def test_there_are_cases() -> None:
    """The project keeps its own copy of the cases: 34 that were given, and its own from 101 on."""
    assert len(CASES) >= 68


@pytest.mark.parametrize("name", ["005-every-payment", "025-money-changer-fails"])
def test_the_command_itself_reads_standard_input(name: str) -> None:
    """The same through a real process, the position as JSON on standard input."""
    plain, expect = split(Path(__file__).parent.parent / "cases" / f"{name}.toml")
    document = json.dumps(plain)
    expect.pop("legal", None)
    done = subprocess.run(
        [WONDERLOG, "position", "-", "--json"], input=document, capture_output=True, text=True, timeout=30, check=False
    )
    assert done.returncode == 0
    assert done.stderr == ""
    assert not differences(expect, json.loads(done.stdout))


def test_a_refused_play_ends_the_process_with_2() -> None:
    """The document that is no position is refused with the same shape as a refused play."""
    done = subprocess.run(
        [WONDERLOG, "position", "-", "--json"], input="age = 9", capture_output=True, text=True, timeout=30, check=False
    )
    assert done.returncode == 2
    error = json.loads(done.stdout)["error"]
    assert (error["play"], error["reason"]) == (0, "bad-position")


def test_the_comparison_can_fail() -> None:
    """A list is compared whole, a table by its expected keys, True is not 1."""
    assert differences({"a": [1]}, {"a": [1, 2]})
    assert differences({"a": 1}, {"a": True})
    assert differences({"a": {"b": 1}}, {"a": {}})
    assert not differences({"a": {"b": 1}}, {"a": {"b": 1, "c": 2}, "d": 3})
    assert misplayed({"contains": [{"build": "baths"}]}, [{"build": "altar"}])
    assert misplayed({"lacks": [{"build": "baths"}]}, [{"build": "baths", "free": None}])
