"""How long a table waits from the last choice to the new view, through RQ, with every append on the disk."""

from __future__ import annotations

import hashlib
import multiprocessing
import os
import secrets
import signal
import tempfile
import threading
import time
from pathlib import Path

from events.catalogue import current
from events.commands import OpenGame, RevealEntropy, StartGame, TakeSeat
from events.facts import Options
from events.rules.clock import awaited
from events.rules.state import Choosing, Extra, Over
from workers import bots, supervise
from workers.handlers import seat_command
from workers.settings import Settings
from workers.wiring import House

PLAYERS = 4
GAMES = 12
WAIT_SECONDS = 10.0


class Listener:
    """Hears which version of a game is on view, and when."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._seen: dict[str, int] = {}
        self._changed = threading.Condition()
        self._end = False
        house.store.listen(1)  # subscribed before anything is played
        self._thread = threading.Thread(target=self._listen, daemon=True)
        self._thread.start()

    def _listen(self) -> None:
        while not self._end:
            for game, version in self._house.store.listen(200):
                with self._changed:
                    self._seen[game] = max(version, self._seen.get(game, 0))
                    self._changed.notify_all()

    def wait(self, game: str, above: int) -> None:
        with self._changed:
            assert self._changed.wait_for(lambda: self._seen.get(game, 0) > above, WAIT_SECONDS), "no new view came"

    def close(self) -> None:
        self._end = True
        self._thread.join()


def opened(house: House, players: int = PLAYERS) -> str:
    """A table of people, dealt."""
    box = current()
    game, key = secrets.token_hex(10), secrets.token_bytes(32)
    wonders = tuple(wonder for wonder in box.wonders if not box.faces[wonder, "day"].needs_edifice)
    options = Options(players=players, edifice=False, wonders=wonders)
    expires = house.store.now() + 3_600_000
    house.table.transact(game, OpenGame(game=game, host="0" * 64, options=options, key=key, expires=expires))
    entropies = [secrets.token_bytes(32) for _ in range(players)]
    for seat, entropy in enumerate(entropies):
        commitment = hashlib.sha256(entropy).hexdigest()
        name = f"seat {seat}"
        house.table.transact(
            game, TakeSeat(seat=seat, name=name, nonce=secrets.token_hex(32), token="0" * 64, entropy=commitment)
        )
    for seat, entropy in enumerate(entropies):
        house.table.transact(game, RevealEntropy(seat=seat, entropy=entropy.hex()))
    house.after(house.table.transact(game, StartGame()))
    return game


def last_choices(house: House, listener: Listener, game: str) -> list[float]:
    """Plays one game; the time (ms) from each last choice of a turn to the view that shows its cards turned over."""
    times = []
    while not isinstance((now := house.table.load(game).game).phase, Over):
        if not isinstance(now.phase, (Choosing, Extra)) or not (waiting := awaited(now)):
            listener.wait(game, now.version)
            continue
        for seat, city in waiting:
            moment = house.table.load(game).game
            act, card = bots.choose("random", moment, seat, city)
            last = isinstance(moment.phase, Choosing) and (seat, city) == waiting[-1]
            if last:
                listener.wait(game, moment.version - 1)  # the others chose while this one was thinking
            began = time.perf_counter()
            receipt = house.table.transact(game, seat_command(moment, seat, city, act, card))
            house.after(receipt)
            if last:
                listener.wait(game, receipt.version)
                times.append((time.perf_counter() - began) * 1000)
    return times


def _keep(settings: Settings, ready: multiprocessing.synchronize.Event) -> None:
    os._exit(supervise.run(settings, supervise.parts(1), ready.set))


def measure(games: int = GAMES) -> list[float]:
    """Every last choice of some games on a house of its own, sorted (ms)."""
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(data=Path(folder), log="json")
        context = multiprocessing.get_context("spawn")
        ready = context.Event()
        keeper = context.Process(target=_keep, args=(settings, ready))
        keeper.start()
        try:
            assert ready.wait(WAIT_SECONDS), "the house did not open"
            house = House.open(settings)
            listener = Listener(house)
            last_choices(house, listener, opened(house))  # warms up
            times = [one for _ in range(games) for one in last_choices(house, listener, opened(house))]
            listener.close()
            house.close()
        finally:
            assert keeper.pid is not None
            os.kill(keeper.pid, signal.SIGTERM)
            keeper.join()
    return sorted(times)


def run() -> list[tuple[str, float, str]]:
    times = measure()
    return [
        ("last choice to new view, p50 (aim: 10 ms at most)", times[len(times) // 2], "ms"),
        ("last choice to new view, p99 (aim: 40 ms at most)", times[len(times) * 99 // 100], "ms"),
        ("last choices", float(len(times)), ""),
    ]
