"""How long a person waits for the command line to answer."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import time
from pathlib import Path

ROUNDS = 9
# A person's Python keeps what it has compiled; some build machines forbid that, and would measure the compiler.
ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


def seconds(*arguments: str) -> float:
    """The median wall time of a command, after one round that warms the disk's cache; a command that fails raises."""
    times = []
    for _ in range(ROUNDS + 1):
        began = time.perf_counter()
        subprocess.run(arguments, check=True, stdout=subprocess.DEVNULL, stdin=subprocess.DEVNULL, env=ENVIRONMENT)
        times.append(time.perf_counter() - began)
    return statistics.median(times[1:])


def run() -> list[tuple[str, float, str]]:
    wonderlog = str(Path(sys.executable).with_name("wonderlog"))
    return [
        ("an empty Python, to compare", 1000 * seconds(sys.executable, "-c", "pass"), "ms"),
        ("wonderlog --help (aim: 300 ms at most)", 1000 * seconds(wonderlog, "--help"), "ms"),
    ]
