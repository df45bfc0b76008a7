"""The README's lines of shell prove a bundle, and notice one that was changed."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from events.codec import SPECTATOR
from projections.archive import pack, unpack
from tests.audit.given import part_of_a_game, whole_game
from tests.frame.repository import ROOT


def lines() -> str:
    """The shell lines that stand in the README, exactly."""
    section = (ROOT / "README.md").read_text().partition("## Check a bundle yourself")[2].partition("\n## ")[0]
    shown = re.findall(r"```bash\n(.*?)```", section, re.S)
    assert len(shown) == 1
    return str(shown[0])


def run(folder: Path, raw: bytes) -> subprocess.CompletedProcess[str]:
    """What they say about a bundle."""
    (folder / "game.zip").write_bytes(raw)
    return subprocess.run(["bash", "-c", lines()], cwd=folder, capture_output=True, text=True)


def test_the_readmes_lines_prove_a_bundle(tmp_path: Path) -> None:
    """They end well, with the head that the log has."""
    played = whole_game(11, 2, players=2, edifice=False)
    done = run(tmp_path, played.bundle())
    assert done.returncode == 0, done.stdout + done.stderr
    head = played.store.head(played.game)
    assert head is not None
    assert done.stdout == f"the log of {played.game} is whole: {head[1].hex()}\n"


def short() -> bytes:
    """A table in its second turn: some thirty events."""
    return part_of_a_game(31, 1, lambda kept: kept.game.turn == 2, players=3, edifice=False).bundle(SPECTATOR)


@pytest.mark.parametrize("member", ["events.jsonl", "links.txt", "manifest.json", "catalogue.json"])
def test_the_readmes_lines_notice_a_change(tmp_path: Path, member: str) -> None:
    """One character of a member is another one, or its last line is gone."""
    members = unpack(short())
    content = members[member]
    at = content.index(b"link") + 9 if member == "manifest.json" else 30
    flipped = content[:at] + bytes([content[at] ^ 1]) + content[at + 1 :]
    assert run(tmp_path, pack({**members, member: flipped})).returncode == 1


def test_the_readmes_lines_notice_a_missing_line(tmp_path: Path) -> None:
    """The last event is cut off, with its link or without."""
    members = unpack(short())
    for names in (("events.jsonl",), ("events.jsonl", "links.txt")):
        cut = {name: b"".join(members[name].splitlines(keepends=True)[:-1]) for name in names}
        (tmp_path / names[-1]).mkdir()
        assert run(tmp_path / names[-1], pack({**members, **cut})).returncode == 1
