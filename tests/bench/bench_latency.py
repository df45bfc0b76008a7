"""How long a table waits from the last choice to the new view, through RQ, with every append on the disk.

A house of its own is opened as `wonderlog serve` opens it: the embedded store (`appendfsync always`), one worker, ticker and
projector, the API.  Four people play random moves; only the last choice of each turn is timed, made 30 ms after the others'
choices can be seen, so that the house has come to rest.  From the last choice to the new view it is, once:

* over HTTP: from before `POST .../choices` until a client of `.../live` has read the turned cards from its stream;
* within the house: from before the choice is decided and appended until the store has told a listener that the views which
  show the turned cards are written.  No HTTP is in it, nor what the live stream does then.
"""

from __future__ import annotations

import contextlib
import gc
import hashlib
import http.client
import multiprocessing
import os
import secrets
import signal
import socket
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Protocol

import msgspec

from events.catalogue import current
from events.commands import AnyCommand, ChooseAction, OpenGame, RevealEntropy, StartGame, TakeSeat
from events.facts import Options
from events.rules.clock import awaited
from events.rules.state import Choosing, Extra, Over
from services.cli import door
from services.cli.client import Client
from tests.bench import Figure, times
from workers import bots, supervise
from workers.handlers import seat_command
from workers.settings import Settings
from workers.wiring import House

PLAYERS = 4
GAMES = 12
WAIT_SECONDS = 10.0
THINK_SECONDS = 0.03
AIMS = ((50, 10), (99, 40))
"""Percentile to ms."""


class Seen:
    """Which version of a game is on view; told by one thread, waited for by another."""

    def __init__(self) -> None:
        self._versions: dict[str, int] = {}
        self._changed = threading.Condition()

    def tell(self, game: str, version: int) -> None:
        with self._changed:
            self._versions[game] = max(version, self._versions.get(game, 0))
            self._changed.notify_all()

    def wait(self, game: str, above: int) -> None:
        with self._changed:
            there = self._changed.wait_for(lambda: self._versions.get(game, 0) > above, WAIT_SECONDS)
            assert there, f"no view above version {above} came"


class Listener:
    """Hears at the store which version of a game is on view."""

    def __init__(self, house: House) -> None:
        self.seen = Seen()
        self._house, self._end = house, False
        house.store.listen(1)  # subscribed before anything is played
        self._thread = threading.Thread(target=self._listen, daemon=True)
        self._thread.start()

    def _listen(self) -> None:
        while not self._end:
            for game, version in self._house.store.listen(200):
                self.seen.tell(game, version)

    def close(self) -> None:
        self._end = True
        self._thread.join()


# ---- two ways in ------------------------------------------------------------------------------------------------------
class Way(Protocol):
    """How the last choice of a turn is made, and how its maker sees what follows."""

    def choose(self, command: ChooseAction) -> int:
        """The version of the log after the choice."""

    def wait(self, above: int) -> None:
        """Until the view has come further than a version."""


class Within:
    """Through the table's own door in this process, until the store says that the views are written."""

    def __init__(self, house: House, seen: Seen, game: str) -> None:
        self._house, self._seen, self._game = house, seen, game

    def choose(self, command: ChooseAction) -> int:
        receipt = self._house.table.transact(self._game, command)
        self._house.after(receipt)
        return receipt.version

    def wait(self, above: int) -> None:
        self._seen.wait(self._game, above)


class OverHttp:
    """As a player's program does it: a request, and a live stream that is open all the time."""

    def __init__(self, url: str, game: str, tokens: list[str]) -> None:
        self._seats = [Client(url, token) for token in tokens]
        self._game, self._seen = game, Seen()
        self._thread = threading.Thread(target=self._follow, args=(Client(url, tokens[0]),), daemon=True)
        self._thread.start()

    def _follow(self, client: Client) -> None:
        with contextlib.suppress(OSError, http.client.HTTPException):  # the house is closed: nobody waits any more
            for line in client.live(self._game, 0):
                self._seen.tell(self._game, line.version)

    def choose(self, command: ChooseAction) -> int:
        shown = msgspec.to_builtins(command.act)
        kind = shown.pop("kind")
        question = {"age": command.age, "turn": command.turn, "city": command.city, kind: command.card}
        answer = self._seats[command.seat].command("POST", f"/games/{self._game}/choices", **question, **_asked(kind, shown))
        return int(answer["version"])

    def wait(self, above: int) -> None:
        self._seen.wait(self._game, above)

    def leave(self) -> None:
        """The requests' connections are closed; the stream goes on until the game is over, or the house is closed."""
        for client in self._seats:
            client.close()

    def end(self) -> None:
        """Until the stream has ended, too."""
        self._thread.join(WAIT_SECONDS)
        assert not self._thread.is_alive(), "a live stream outlives its house"


def _asked(kind: str, act: dict[str, object]) -> dict[str, object]:
    """What a body of this kind says beside its card."""
    keys = {"build": ("left", "right"), "stage": ("left", "right", "participate", "option"), "discard": ()}[kind]
    return {key: act[key] for key in keys if act.get(key)}


# ---- the games --------------------------------------------------------------------------------------------------------
def opened(house: House, players: int = PLAYERS) -> tuple[str, list[str]]:
    """A table of people, dealt, and the secrets of its seats."""
    box = current()
    game, key = secrets.token_hex(10), secrets.token_bytes(32)
    wonders = tuple(wonder for wonder in box.wonders if not box.faces[wonder, "day"].needs_edifice)
    options = Options(players=players, edifice=False, wonders=wonders)
    expires = house.store.now() + 3_600_000
    house.table.transact(game, OpenGame(game=game, host="0" * 64, options=options, key=key, expires=expires))
    tokens, entropies = ([secrets.token_hex(32) for _ in range(players)] for _ in range(2))
    for seat, (token, entropy) in enumerate(zip(tokens, entropies, strict=True)):
        commitment = hashlib.sha256(bytes.fromhex(entropy)).hexdigest()
        known_by, nonce = hashlib.sha256(token.encode()).hexdigest(), secrets.token_hex(32)
        house.table.transact(game, TakeSeat(seat=seat, name=f"seat {seat}", nonce=nonce, token=known_by, entropy=commitment))
    for seat, entropy in enumerate(entropies):
        house.table.transact(game, RevealEntropy(seat=seat, entropy=entropy))
    house.after(house.table.transact(game, StartGame()))
    return game, tokens


def last_choices(house: House, way: Way, game: str, turns: int = 18) -> list[float]:
    """Plays one game, or some of its turns; the time (ms) from each last choice of a turn to the view that shows its cards
    turned over."""
    found: list[float] = []
    while len(found) < turns and not isinstance((now := house.table.load(game).game).phase, Over):
        if not isinstance(now.phase, (Choosing, Extra)) or not (waiting := awaited(now)):
            way.wait(now.version)
            continue
        for seat, city in waiting:
            moment = house.table.load(game).game
            act, card = bots.choose("random", moment, seat, city)
            command: AnyCommand = seat_command(moment, seat, city, act, card)
            if isinstance(command, ChooseAction) and (seat, city) == waiting[-1]:
                way.wait(moment.version - 1)  # the others chose while this one was thinking
                time.sleep(THINK_SECONDS)
                began = time.perf_counter()
                way.wait(way.choose(command))
                found.append((time.perf_counter() - began) * 1000)
            else:
                house.after(house.table.transact(game, command))
    return found


# ---- the house --------------------------------------------------------------------------------------------------------
def _keep(settings: Settings, place: socket.socket, ready: multiprocessing.synchronize.Event) -> None:
    """The house, in a process of its own; its diary goes into its folder."""
    diary = os.open(settings.data / "diary.log", os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    os.dup2(diary, 2)
    door.prepare()
    api = supervise.Part("api", lambda house, stop, ready: door.serve(door.application(house), place, stop, ready))
    os._exit(supervise.run(settings, (*supervise.parts(1), api), ready.set))


@contextlib.contextmanager
def kept() -> Iterator[tuple[House, str]]:
    """A house that is open, joined by this process, and its address."""
    with tempfile.TemporaryDirectory() as folder, door.bind("127.0.0.1", 0) as place:
        settings = Settings(data=Path(folder), log="json")
        context = multiprocessing.get_context("spawn")
        ready = context.Event()
        keeper = context.Process(target=_keep, args=(settings, place, ready))
        keeper.start()
        try:
            assert ready.wait(WAIT_SECONDS), (settings.data / "diary.log").read_text()
            house = House.open(settings)
            try:
                yield house, door.url("127.0.0.1", place.getsockname()[1])
            finally:
                house.close()
        finally:
            assert keeper.pid is not None
            os.kill(keeper.pid, signal.SIGTERM)
            keeper.join()


def measure(games: int, before: int = 1, turns: int = 18) -> tuple[list[float], list[float]]:
    """(over HTTP, within the house): every last choice of so many games each, sorted (ms); as many as `before` warm up."""
    over_http: list[float] = []
    within: list[float] = []
    players: list[OverHttp] = []
    with kept() as (house, url):
        listener = Listener(house)
        gc.collect()
        gc.freeze()  # as the house's own processes do
        try:
            for number in range(before + games):
                game, tokens = opened(house)
                players.append(player := OverHttp(url, game, tokens))
                outside = last_choices(house, player, game, turns)
                player.leave()
                game, _ = opened(house)
                inside = last_choices(house, Within(house, listener.seen, game), game, turns)
                if number >= before:
                    over_http += outside
                    within += inside
        finally:
            gc.unfreeze()
            listener.close()
    for player in players:
        player.end()
    return sorted(over_http), sorted(within)


def _figures(what: str, found: list[float]) -> list[Figure]:
    return [(f"{what}, p{part} (aim: {aim} ms at most)", found[len(found) * part // 100], "ms") for part, aim in AIMS]


def run(size: float) -> list[Figure]:
    over_http, within = measure(times(GAMES, size)) if size else measure(1, before=0, turns=2)
    return [
        *_figures("last choice to new view, from the POST to the live stream", over_http),
        *_figures("  within the house: from the append to the views written and told", within),
        ("last choices timed, each way", float(len(over_http)), "choices"),
    ]
