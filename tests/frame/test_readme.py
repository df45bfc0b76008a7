"""What the README, the runbook and the make targets promise is there."""

from __future__ import annotations

import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from tests.frame.repository import ROOT

PROSE = ["README.md", "CHANGELOG.md", "deploy/runbook.md", "docs/decisions.md"]


def make(*arguments: str) -> str:
    """What make prints."""
    return subprocess.run(["make", *arguments], cwd=ROOT, check=True, capture_output=True, text=True).stdout


@cache
def told(*command: str) -> str:
    """What `wonderlog COMMAND --help` prints; for a command that there is not, that is the help of the whole house, or an error."""
    wonderlog = Path(sys.executable).with_name("wonderlog")
    return subprocess.run([wonderlog, *command, "--help"], capture_output=True, text=True, stdin=subprocess.DEVNULL).stdout


def unknown(commands: set[str]) -> list[str]:
    """Those that the command line does not know."""
    house = told()
    assert "serve" in house
    return sorted(command for command in commands if told(command) in ("", house))


@pytest.mark.parametrize("file", PROSE)
def test_the_make_targets_exist(file: str) -> None:
    """Every `make something` in the prose is a target that `make` lists."""
    listed = set(re.findall(r"^  make (\S+)", make("help"), re.M))
    assert {"setup", "serve", "test", "check", "bench"} <= listed
    named = set(re.findall(r"(?:^|`)make ([a-z-]+)", (ROOT / file).read_text(), re.M))
    assert named <= listed


def test_make_alone_helps() -> None:
    """A newcomer who types `make` changes nothing and is told what there is."""
    assert make() == make("help")


@pytest.mark.parametrize("file", PROSE)
def test_the_commands_exist(file: str) -> None:
    """Every `wonderlog something` in the prose is a command."""
    named = set(re.findall(r"(?:`|/|^ *|\s)wonderlog ([a-z]+)", (ROOT / file).read_text(), re.M))
    assert unknown(named) == []


def test_a_command_that_is_not_there_would_be_noticed() -> None:
    """The test above can fail."""
    assert unknown({"nonsense", "serve"}) == ["nonsense"]


@pytest.mark.parametrize("file", PROSE)
def test_the_links_lead_somewhere(file: str) -> None:
    """Every relative link in the prose leads to a file of the repository."""
    targets = re.findall(r"\]\((?!https?:|#)([^)#]+)", (ROOT / file).read_text())
    assert [target for target in targets if not ((ROOT / file).parent / target).exists()] == []


def test_the_places_to_look_at_exist() -> None:
    """Every path in the README's table of places is there."""
    table = (ROOT / "README.md").read_text().partition("## Where to look first")[2].partition("\n## ")[0]
    places = re.findall(r"`([a-z_/]+(?:/|\.py))`", table)
    assert len(places) >= 5
    assert [place for place in places if not (ROOT / place).exists()] == []


def test_the_examination_runs_the_readmes_command() -> None:
    """`.ci/run` takes its test command from the README, so that the two cannot part."""
    shown = subprocess.run(["bash", ".ci/run", "--show"], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    assert shown == "make test\n"
