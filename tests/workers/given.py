"""Tables of bots and of people, houses in memory, and a house of real processes to play them in."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from events import codec
from events.commands import OpenGame, StartGame, TakeSeat
from events.rules.state import Over
from events.store.memory import MemoryStore
from events.store.protocol import EventStore
from events.vocabulary import BotKind
from tests.games import NAMES, options, secret
from tests.processes import children
from workers.settings import Settings
from workers.wiring import House

MIXED: tuple[BotKind, ...] = ("random", "builder")
ROOT = Path(__file__).parents[2]


def eventually(true: Callable[[], Any], seconds: float = 20.0) -> Any:
    """What `true` gives as soon as it gives something; fails after the deadline."""
    end = time.monotonic() + seconds
    while not (found := true()):
        assert time.monotonic() < end, "it never came true"
        time.sleep(0.005)
    return found


def bots_seated(house: House, seed: int, players: int = 3, edifice: bool = False, kinds: tuple[BotKind, ...] = MIXED) -> str:
    """A table of bots that has not begun; the same arguments give the same game, wherever it is played."""
    game = secret(f"bots {seed} {players} {edifice} {kinds}").hex()[:20]
    expires = house.store.now() + 3_600_000
    rules = options(players, edifice)
    house.table.transact(game, OpenGame(game=game, host="00" * 32, options=rules, key=secret(f"key {seed}"), expires=expires))
    for seat in range(players):
        nonce = secret(f"nonce {seat}").hex()
        house.table.transact(game, TakeSeat(seat=seat, name=NAMES[seat], nonce=nonce, bot=kinds[seat % len(kinds)]))
    return game


def begun(house: House, *more: Any, **named: Any) -> str:
    """A table of bots that has just begun: a worker was woken."""
    game = bots_seated(house, *more, **named)
    house.after(house.table.transact(game, StartGame()))
    return game


def over(house: House, game: str) -> bool:
    return isinstance(house.table.load(game).game.phase, Over)


def story(store: EventStore, game: str) -> list[dict[str, Any]]:
    """All that happened, without when it happened."""
    names = store.names(game)
    events = [msgspec.to_builtins(codec.read(version, entry.e, entry.s, names)) for version, entry in store.read(game)]
    for event in events:
        for field in ("at", "expires", "deadline"):
            event.pop(field, None)
    return events


@cache
def quiet(seed: int, players: int = 3, edifice: bool = False, kinds: tuple[BotKind, ...] = MIXED) -> list[dict[str, Any]]:
    """The story of the same table where nothing goes wrong: played in memory, step by step."""
    house = House.on(MemoryStore())
    game = begun(house, seed, players, edifice, kinds)
    assert over(house, game)
    return story(house.store, game)


class Silent:
    """A queue that only notes who knocked; `down`: it cannot be reached."""

    def __init__(self) -> None:
        self.heard: list[tuple[str, ...]] = []
        self.first: list[bool] = []
        self.forgiven: list[tuple[str, int]] = []
        self.down = False

    def knock(self, house: House, games: Sequence[str], version: int, first: bool) -> str | None:
        if self.down:
            return "queue-ConnectionError"
        self.first.append(first)
        self.heard.append(tuple(games))
        return None

    def forgive(self, game: str, version: int) -> None:
        self.forgiven.append((game, version))

    def answers(self) -> bool:
        return not self.down

    def figures(self) -> dict[str, float]:
        return {}

    def close(self) -> None:
        """Nothing to let go of."""


# ---- a house of real processes ----------------------------------------------------------------------------------------
class Opened:
    """A supervised house in processes of its own, and a House here that plays in it."""

    def __init__(self, process: subprocess.Popen[str], house: House, diary: Path) -> None:
        self.process, self.house, self._diary = process, house, diary

    @property
    def lines(self) -> list[dict[str, Any]]:
        """The diary of all its processes so far."""
        whole = self._diary.read_text().rpartition("\n")[0]
        return [json.loads(line) for line in whole.splitlines() if line.startswith("{")]

    def parts(self) -> list[int]:
        """The process ids of the parts that stand now."""
        return children(self.process.pid)


@contextmanager
def opened(folder: Path, mode: str = "plain", workers: int = 1, **settings: Any) -> Iterator[Opened]:
    """A house with its data in `folder`; mode: what goes wrong in it, see `tests.workers.troubled`."""
    diary = folder / "diary"
    chosen = Settings(data=folder / "data", log="json", **settings)
    environment = {**os.environ, **chosen.environment(), "REDIS_URL": ""}
    arguments = [sys.executable, "-m", "tests.workers.troubled", mode, str(workers), str(folder)]
    with diary.open("w") as output:
        process = subprocess.Popen(arguments, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=output, text=True)
    assert process.stdout is not None
    house: House | None = None
    try:
        assert process.stdout.readline() == "ready\n", diary.read_text()
        house = House.open(chosen)
        yield Opened(process, house, diary)
    finally:
        if house is not None:
            house.close()
        process.send_signal(signal.SIGTERM)
        try:
            assert process.wait(20) in (0, -signal.SIGKILL), diary.read_text()[-3000:]
        finally:
            process.kill()
            process.wait()
            process.stdout.close()
