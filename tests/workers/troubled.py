"""A house in which things go wrong on purpose, for tests: `python -m tests.workers.troubled MODE WORKERS FOLDER`.

plain: nothing goes wrong.  twice: every job is sent twice.  dropped: no knock arrives but the ticker's.  killed: workers are
killed with -9 in the middle of a handler and right after an append, some times each.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from events.store.streams import StreamStore
from workers import handlers, supervise
from workers.queue import RqQueue
from workers.settings import Settings
from workers.wiring import House

KILLS = 3
"""Of each kind."""


def plain(folder: Path) -> None:
    """Nothing goes wrong."""


def twice(folder: Path) -> None:
    """Every job is sent twice."""
    knock = RqQueue.knock

    def knock_twice(self: RqQueue, house: House, games: Sequence[str], version: int, first: bool) -> str | None:
        return knock(self, house, games, version, first) or knock(self, house, games, version, first)

    RqQueue.knock = knock_twice  # type: ignore[method-assign]


def dropped(folder: Path) -> None:
    """Only the ticker is heard."""
    knock = House.knock

    def lose(self: House, games: Sequence[str], version: int, path: str) -> bool:
        return knock(self, games, version, path) if path == "ticker" else True

    House.knock = lose  # type: ignore[method-assign]


def killed(folder: Path) -> None:
    """A worker dies with -9: before it appends what it has decided, and before anybody hears that it has appended."""

    def deadly(what: str, every: int) -> Callable[[], None]:
        """Kills its process at every so many calls; a file for each death, so that all processes together die KILLS times."""
        calls = 0

        def perhaps_die() -> None:
            nonlocal calls
            calls += 1
            if calls % every == 0:
                for number in range(KILLS):
                    try:
                        (folder / f"{what}-{number}").touch(exist_ok=False)
                    except FileExistsError:
                        continue
                    os.kill(os.getpid(), signal.SIGKILL)

        return perhaps_die

    before, after = deadly("before", 11), deadly("after", 17)

    def dying(handler: handlers.Handler) -> handlers.Handler:
        def handle(house: House, kept: Any, step: Any) -> Any:
            command = handler(house, kept, step)
            before()
            return command

        handle.__name__ = handler.__name__
        return handle

    handlers.HANDLERS.update({kind: dying(handler) for kind, handler in handlers.HANDLERS.items()})
    append = StreamStore.append

    def append_and_die(self: StreamStore, request: Any) -> Any:
        accepted = append(self, request)
        after()
        return accepted

    StreamStore.append = append_and_die  # type: ignore[method-assign]


MODES = {mode.__name__: mode for mode in (plain, twice, dropped, killed)}


def main(mode: str, workers: str, folder: str) -> int:
    MODES[mode](Path(folder))
    return supervise.run(Settings.read(), supervise.parts(int(workers)), lambda: print("ready", flush=True))


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
