"""How long a person waits for the command line to answer."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import time
from pathlib import Path

from tests.bench import Figure, times

ROUNDS = 9
# A person's Python keeps what it has compiled; some build machines forbid that, and would measure the compiler.
ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


def seconds(rounds: int, *arguments: str) -> float:
    """The median wall time of a command, after one round that warms the disk's cache; a command that fails raises."""
    found = []
    for _ in range(rounds + 1):
        began = time.perf_counter()
        subprocess.run(arguments, check=True, stdout=subprocess.DEVNULL, stdin=subprocess.DEVNULL, env=ENVIRONMENT)
        found.append(time.perf_counter() - began)
    return statistics.median(found[1:])


def run(size: float) -> list[Figure]:
    rounds = times(ROUNDS, size)
    wonderlog = str(Path(sys.executable).with_name("wonderlog"))
    return [
        ("an empty Python, to compare", 1000 * seconds(rounds, sys.executable, "-c", "pass"), "ms"),
        ("wonderlog --help (aim: 300 ms at most)", 1000 * seconds(rounds, wonderlog, "--help"), "ms"),
    ]
