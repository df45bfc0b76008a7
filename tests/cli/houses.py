"""Opens a whole house for tests, in processes of its own, and talks to a player's terminal."""

from __future__ import annotations

import json
import os
import queue
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

WONDERLOG = str(Path(sys.executable).with_name("wonderlog"))
SECONDS = 60.0


def environment(home: Path) -> dict[str, str]:
    """That of whoever runs the tests, without their settings, and with a drawer of its own."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("WONDERLOG_") and name != "REDIS_URL"}
    return {**kept, "XDG_CONFIG_HOME": str(home), "COLUMNS": "110", "PYTHONUNBUFFERED": "1"}


@contextmanager
def house(data: Path, *options: str) -> Iterator[tuple[dict[str, Any], subprocess.Popen[str]]]:
    """(what `serve --json` says when it is ready, its process); closed by Ctrl-C, if the test has not done so."""
    command = [WONDERLOG, "serve", "--port", "0", "--data", str(data), "--workers", "1", "--json", "--quiet", *options]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment(data))
    try:
        assert process.stdout is not None
        yield json.loads(process.stdout.readline()), process
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGINT)
        process.wait(SECONDS)
        process.stdout.close()


def wonderlog(home: Path, *arguments: str, lines: Sequence[str] = (), status: int = 0) -> str:
    """Runs a command to its end; what it prints."""
    told = "".join(f"{line}\n" for line in lines)
    command = [WONDERLOG, *arguments]
    done = subprocess.run(
        command, input=told, capture_output=True, text=True, timeout=SECONDS, env=environment(home), check=False, encoding="utf-8"
    )
    assert done.returncode == status, done.stdout[-2000:] + done.stderr[-2000:]
    return done.stdout


class Terminal:
    """A command with which one talks."""

    def __init__(self, home: Path, *arguments: str) -> None:
        self.process = subprocess.Popen(
            [WONDERLOG, *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env=environment(home),
        )
        self.heard = ""
        self._parts: queue.Queue[str | None] = queue.Queue()
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        assert self.process.stdout is not None
        while part := os.read(self.process.stdout.fileno(), 65536):
            self._parts.put(part.decode("utf-8", errors="replace"))
        self._parts.put(None)

    def until(self, words: str) -> str:
        """Everything up to these words; what comes after them is kept for the next time."""
        end = time.monotonic() + SECONDS
        while words not in self.heard:
            part = self._parts.get(timeout=max(0.1, end - time.monotonic()))
            assert part is not None, f"it ended before it said {words!r}: {self.heard[-2000:]}"
            self.heard += part
        before, _, self.heard = self.heard.partition(words)
        return before + words

    def say(self, *lines: str) -> None:
        """Types some lines."""
        assert self.process.stdin is not None
        self.process.stdin.write("".join(f"{line}\n" for line in lines).encode())
        self.process.stdin.flush()

    def end(self) -> str:
        """Nobody types any more; everything up to the end, which must be a good one."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        while (part := self._parts.get(timeout=SECONDS)) is not None:
            self.heard += part
        assert self.process.wait(SECONDS) == 0, self.heard[-2000:]
        assert self.process.stdout is not None
        self.process.stdout.close()
        return self.heard
