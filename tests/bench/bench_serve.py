"""How long it takes to open the whole house, and to close it."""

from __future__ import annotations

import json
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.bench import Figure, times

ROUNDS = 3


def once(data: Path) -> tuple[float, float]:
    """(seconds from the command to its line that everything serves, seconds from Ctrl-C to its end)."""
    wonderlog = str(Path(sys.executable).with_name("wonderlog"))
    began = time.perf_counter()
    command = [wonderlog, "serve", "--port", "0", "--data", str(data), "--json", "--quiet"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as house:
        assert house.stdout is not None
        json.loads(house.stdout.readline())
        ready = time.perf_counter() - began
        began = time.perf_counter()
        house.send_signal(signal.SIGINT)
        if house.wait(60):
            raise RuntimeError("the house did not close cleanly")
    return ready, time.perf_counter() - began


def run(size: float) -> list[Figure]:
    with tempfile.TemporaryDirectory() as folder:
        if size:
            once(Path(folder))  # warms up
        figures = [once(Path(folder)) for _ in range(times(ROUNDS, size))]
    return [
        ("wonderlog serve is ready (aim: 3 s at most)", statistics.median(ready for ready, _ in figures), "s"),
        ("Ctrl-C to the end of every process", statistics.median(closed for _, closed in figures), "s"),
    ]
