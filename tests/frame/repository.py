"""Where the files of the repository lie, for the tests that look at the house from outside."""

from __future__ import annotations

import subprocess
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("events", "projections", "workers", "services")  # no arrow here: only their names


@cache
def tracked() -> tuple[Path, ...]:
    """Every file that a clone would have, and that is still there."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    return tuple(path for name in listed.split("\0") if name and (path := ROOT / name).is_file())


@cache
def modules() -> tuple[Path, ...]:
    """Every Python module of the four packages."""
    return tuple(sorted(path for package in PACKAGES for path in (ROOT / package).rglob("*.py")))


def name(path: Path) -> str:
    """A path as people write it, from the root."""
    return path.relative_to(ROOT).as_posix()
