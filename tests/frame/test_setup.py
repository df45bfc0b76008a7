"""Laying the table on a machine that lacks something: a plain word about what to install, and no half-made environment."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.frame.repository import ROOT

TOOLS = ["sh", "cat", "cksum", "dirname", "rm", "grep"]

# An interpreter as far as the script asks it: its age, whether it has venv, its version.
STAND_IN = """#!/bin/sh
case "$*" in
    *'version_info < (3, 11)'*) exit {too_old} ;;
    *'import ensurepip, venv'*) exit {lacks_venv} ;;
    *version_info*) echo {version} ;;
    --version) echo Python {version}.4 ;;
    *) echo "unexpected: $*" >&2; exit 9 ;;
esac
"""


@pytest.fixture
def bare(tmp_path: Path) -> Path:
    """A checkout on a machine with a shell and its tools only: `bin` is all of PATH."""
    (tmp_path / "bin").mkdir()
    (tmp_path / "deploy").mkdir()
    for tool in TOOLS:
        (tmp_path / "bin" / tool).symlink_to(shutil.which(tool) or tool)
    for file in ["deploy/setup.sh", "pyproject.toml", "requirements.lock", "requirements-dev.lock"]:
        shutil.copy(ROOT / file, tmp_path / file)
    return tmp_path


def stand_in(bare: Path, name: str, version: str, *, too_old: bool = False, lacks_venv: bool = False) -> None:
    """Put an interpreter on PATH."""
    path = bare / "bin" / name
    path.write_text(STAND_IN.format(version=version, too_old=int(too_old), lacks_venv=int(lacks_venv)))
    path.chmod(0o755)


def setup(bare: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run the script there."""
    return subprocess.run(
        [bare / "bin" / "sh", "deploy/setup.sh", "play"],
        cwd=bare, env={"PATH": str(bare / "bin"), **environment}, capture_output=True, text=True,
    )  # fmt: skip


def test_no_python_at_all(bare: Path) -> None:
    """The version that is needed is named."""
    done = setup(bare)
    assert done.returncode == 1
    assert "needs Python 3.11 or newer" in done.stderr
    assert not (bare / ".venv").exists()


def test_a_python_that_is_too_old(bare: Path) -> None:
    """The version that was found is named, and how to name another."""
    stand_in(bare, "python3", "3.9", too_old=True)
    done = setup(bare)
    assert done.returncode == 1
    assert "python3 is Python 3.9.4" in done.stderr
    assert "make setup PYTHON=" in done.stderr
    assert not (bare / ".venv").exists()


def test_debians_python_without_venv(bare: Path) -> None:
    """The very package that is missing is named."""
    stand_in(bare, "python3", "3.12", lacks_venv=True)
    done = setup(bare)
    assert done.returncode == 1
    assert "apt-get install python3.12-venv" in done.stderr
    assert not (bare / ".venv").exists()


def test_one_that_can_make_an_environment_is_preferred(bare: Path) -> None:
    """A newer Python without venv is passed over for an older one that has it."""
    stand_in(bare, "python3.13", "3.13", lacks_venv=True)
    stand_in(bare, "python3.11", "3.11")
    done = setup(bare)
    assert "making .venv with Python 3.11.4" in done.stderr
    assert "unexpected: -m venv --clear .venv" in done.stderr


def test_a_named_python_is_the_only_one_asked(bare: Path) -> None:
    """PYTHON=... is not silently replaced by another."""
    stand_in(bare, "python3", "3.12")
    done = setup(bare, PYTHON="/no/such/python")
    assert done.returncode == 1
    assert "found none among: /no/such/python" in done.stderr


@pytest.mark.slow
def test_a_fresh_clone_is_laid_healed_and_left_alone(tmp_path: Path) -> None:
    """One command in a fresh clone makes the command line work; a broken environment is made anew; a whole one is not touched."""
    clone = tmp_path / "clone"
    subprocess.run(["git", "clone", "--quiet", ROOT, clone], check=True)

    def make_setup() -> str:
        done = subprocess.run(["make", "setup"], cwd=clone, env=environment, capture_output=True, text=True, timeout=300)
        assert done.returncode == 0, done.stderr
        return done.stderr

    def helps() -> bool:
        return "serve" in subprocess.run([clone / ".venv/bin/wonderlog", "--help"], capture_output=True, text=True).stdout

    environment = {key: value for key, value in os.environ.items() if key not in ("VIRTUAL_ENV", "PYTHONPATH", "MAKEFLAGS")}
    assert "is ready" in make_setup()
    assert helps()
    assert make_setup() == ""

    shutil.rmtree(next((clone / ".venv").glob("lib/python*/site-packages/msgspec")))
    (clone / ".venv/.ready-play").unlink()  # as a kill in the middle of an install leaves it
    assert "left half full" in make_setup()
    assert helps()

    for python in (clone / ".venv/bin").glob("python*"):
        python.unlink()
    (clone / ".venv/bin/python").symlink_to("/no/such/python")  # as an upgrade of the system's Python leaves it
    assert "making .venv" in make_setup()
    assert helps()
