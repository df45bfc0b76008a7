"""Finds a house to play in: the one that is named, the one that is open on this machine, or one of one's own."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

from msgspec import Struct

from services.cli.client import answers
from services.cli.openings import settings_of
from services.cli.voice import Stop

USUAL = "http://127.0.0.1:8777"
CLOSING_SECONDS = 15.0


class Place(Struct, frozen=True):
    """A house.  data: the folder of its games, where it was opened for this command alone."""

    url: str
    data: Path | None = None


@contextmanager
def some_house(url: str | None, data: Path | None) -> Iterator[Place]:
    """Somewhere to play; a house that had to be opened is closed at the end.  Raises Stop."""
    if url is None and data is None and answers(USUAL):
        url = USUAL
    if url is not None:
        yield Place(url)
        return
    folder = settings_of(data, None).data.resolve()
    with own_house(folder) as own:
        yield Place(own, folder)


@contextmanager
def own_house(data: Path) -> Iterator[str]:
    """A house on the games of a folder, for as long as this command runs.  Raises Stop."""
    command = [sys.executable, "-m", "services.cli.app", "serve", "--port", "0", "--workers", "1", "--json", "--quiet"]
    command += ["--data", str(data)]
    # Its own session: Ctrl-C is for the player's command, which closes the house in its own time.
    house = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True, start_new_session=True)
    try:
        with _ended_gently():
            yield _address(house)
    finally:
        house.send_signal(signal.SIGINT)
        try:
            house.wait(CLOSING_SECONDS)
        except subprocess.TimeoutExpired:
            house.kill()
            house.wait()
        assert house.stdout is not None
        house.stdout.close()


def _address(house: subprocess.Popen[str]) -> str:
    assert house.stdout is not None
    line = house.stdout.readline()
    try:
        return str(json.loads(line)["url"])
    except KeyError:
        raise Stop(json.loads(line)["error"]["message"], "`wonderlog serve` by itself says more.", reason="not-opened") from None
    except ValueError:
        raise Stop("No house could be opened here.", "`wonderlog serve` by itself says why.", reason="not-opened") from None


@contextmanager
def _ended_gently() -> Iterator[None]:
    """A closed terminal and SIGTERM end this command like Ctrl-C, so that the house is closed too."""

    def leave(number: int, frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    if threading.current_thread() is not threading.main_thread() or os.name != "posix":
        yield
        return
    before = {number: signal.signal(number, leave) for number in (signal.SIGTERM, signal.SIGHUP)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
