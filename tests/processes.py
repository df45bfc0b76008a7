"""Who runs on this machine: asked of /proc, since a small machine has no `ps`; of `ps` where there is no /proc."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

PROC = Path("/proc")


def running() -> Iterator[tuple[int, int]]:
    """(process, its parent) of all that live; one that has ended and was not yet buried does not."""
    for pid, parent, state in _in_proc() if (PROC / "self" / "stat").exists() else _in_ps():
        if not state.startswith("Z"):
            yield pid, parent


def children(parent: int) -> list[int]:
    """The living processes that a process has started itself."""
    return [pid for pid, above in running() if above == parent]


def descendants(parent: int) -> list[int]:
    """Those, theirs, and so on."""
    own = children(parent)
    return own + [pid for child in own for pid in descendants(child)]


def alive(pid: int) -> bool:
    """Whether a process still runs."""
    return any(pid == one for one, _ in running())


def _in_proc() -> Iterator[tuple[int, int, str]]:
    for place in PROC.glob("[0-9]*/stat"):
        with suppress(FileNotFoundError, ProcessLookupError):  # it has ended since it was listed
            state, parent, *_ = place.read_text().rpartition(")")[2].split()  # a program's name may hold spaces and brackets
            yield int(place.parent.name), int(parent), state


def _in_ps() -> Iterator[tuple[int, int, str]]:
    told = subprocess.run(["ps", "-A", "-o", "pid=,ppid=,stat="], capture_output=True, text=True, check=True).stdout
    for pid, parent, state in map(str.split, told.splitlines()):
        yield int(pid), int(parent), state
