"""Sets up tables and plays whole games at them, over the one write path, with choices that are random but repeatable.

    game = Sitting(options(4, edifice=True), seed=7)
    game.play()                     # to the end; or game.play(until=lambda game: game.age == 2)
    game.entries, game.names        # what the store has

Persons sit on all seats unless `bots` says otherwise, so that whatever a person does can be tried in between.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

from msgspec import Struct

from events import codec
from events.commands import (
    AnswerExtra,
    AnyCommand,
    ChooseAction,
    OpenGame,
    PlayBot,
    RevealEntropy,
    StartGame,
    TakeSeat,
)  # fmt: skip
from events.facts import ActValue, AnyEvent, Options
from events.rules import Game, Play, due, legal
from events.rules.clock import awaited
from events.rules.state import Choosing
from events.store.memory import MemoryStore
from events.store.protocol import Entry, EventStore
from events.transact import Receipt, Table

BOARDS = ("alexandria", "babylon", "ephesos", "gizah", "halikarnassos", "olympia", "rhodos", "carthage", "ur")
PUBLISHER = {
    "edifice_tokens": "printed",
    "edifice_reward": "at-once",
    "edifice_penalty": "before-conflicts",
    "free_city_control": "turn",
}
NAMES = ("Ada", "Bo", "Cy", "Dee", "Eli", "Fay", "Gus")
START = 1_700_000_000_000
STEP_MS = 200


def options(players: int = 3, edifice: bool = False, **more: Any) -> Options:
    """A table at which every board that fits may be dealt."""
    boards = BOARDS if edifice else BOARDS[:-1]
    return Options(players=players, edifice=edifice, **{"wonders": boards, **more})


def secret(text: str) -> bytes:
    """32 bytes that follow from a text."""
    return hashlib.sha256(text.encode()).digest()


class Clock:
    """A store's time, moved by hand (ms)."""

    def __init__(self, now: int = START) -> None:
        self.now = now

    def __call__(self) -> int:
        return self.now


def own_card(game: Game, city: int) -> str | None:
    """What the holder chose for the own city, when the Free City is to choose (R91)."""
    if city != game.free or not isinstance(game.phase, Choosing):
        return None
    choice = game.phase.choices[game.answerer(city)]
    return choice.card if choice else None


def acts(play: Play) -> list[ActValue]:
    """Every act that a listed play stands for: each payment, option, and with and without joining."""
    ways = [(payment, False) for payment in play.payments or ((0, 0),)] + [(payment, True) for payment in play.joinable]
    return [
        ActValue(kind=play.kind, left=left, right=right, participate=join, option=option)
        for (left, right), join in ways
        for option in play.options or (None,)
    ]


def liking(game: Game, city: int, luck: random.Random) -> tuple[ActValue, str | None]:
    """A random legal play with a taste for building, for stages and for joining projects."""
    plays = list(legal(game, city, own_card(game, city)))
    better = [play for play in plays if play.kind in ("build", "stage", "pick")]
    if better and luck.random() < 0.9:
        stages = [play for play in better if play.kind == "stage"]
        plays = stages if stages and luck.random() < 0.5 else better
    play = luck.choice(plays)
    ways = acts(play)
    joined = [act for act in ways if act.participate]
    return luck.choice(joined if joined and luck.random() < 0.8 else ways), play.card


def command_of(game: Game, seat: int, city: int, act: ActValue, card: str | None) -> ChooseAction | AnswerExtra:
    """What a seat sends for a choice or an answer."""
    if isinstance(game.phase, Choosing):
        assert card is not None
        return ChooseAction(seat=seat, city=city, age=game.age, turn=game.turn, card=card, act=act)
    return AnswerExtra(seat=seat, city=city, age=game.age, turn=game.turn, card=card, act=act)


class Sitting:
    """One game at one table.

    bots: seats of bots from the start (all others are persons named as in NAMES); the same arguments give the same bytes.
    """

    def __init__(
        self, rules: Options, seed: int = 1, *, bots: Sequence[int] = (), store: EventStore | None = None, name: str = "",
        rematch_of: str | None = None,
    ) -> None:  # fmt: skip
        self.clock = Clock()
        self.store: EventStore = MemoryStore(self.clock) if store is None else store
        self.table = Table(self.store)
        self.id = name or secret(f"game {rules} {seed}").hex()[:20]
        self.key = secret(f"key {seed}")
        self.seed = seed
        self.luck = random.Random(seed)
        self.bots = frozenset(bots)
        self.rules = rules
        self.commands: list[AnyCommand] = []
        self.send(
            OpenGame(game=self.id, host="00" * 32, options=rules, key=self.key, expires=START + 86_400_000, rematch_of=rematch_of)
        )

    # -- what is there ------------------------------------------------------------------------------------------
    @property
    def game(self) -> Game:
        """The game at its head, with everything known."""
        return self.table.load(self.id).game

    @property
    def entries(self) -> list[tuple[int, Entry]]:
        """The log."""
        return self.store.read(self.id)

    @property
    def names(self) -> dict[str, bytes]:
        """The openings of the names."""
        return self.store.names(self.id)

    @property
    def events(self) -> list[AnyEvent]:
        """Every event, with everything known."""
        return [codec.read(version, entry.e, entry.s, self.names) for version, entry in self.entries]

    # -- what is done -------------------------------------------------------------------------------------------
    def send(self, command: AnyCommand) -> Receipt:
        """One command; Refusal if the table says no."""
        self.clock.now += STEP_MS
        receipt = self.table.transact(self.id, command)
        self.commands.append(command)
        return receipt

    def sit(self, seat: int) -> None:
        """A person, or a bot, takes a seat."""
        nonce = secret(f"nonce {seat}").hex()
        if seat in self.bots:
            self.send(TakeSeat(seat=seat, name=f"{NAMES[seat]}-bot", nonce=nonce, bot="random"))
            return
        token, entropy = secret(f"token {seat}"), secret(f"entropy {seat}")
        hashed = [hashlib.sha256(one).hexdigest() for one in (token, entropy)]
        self.send(TakeSeat(seat=seat, name=NAMES[seat], nonce=nonce, token=hashed[0], entropy=hashed[1]))

    def gather(self) -> None:
        """Everyone sits down and gets ready."""
        for seat in range(self.rules.players):
            self.sit(seat)
        for seat in range(self.rules.players):
            if seat not in self.bots:
                self.send(RevealEntropy(seat=seat, entropy=secret(f"entropy {seat}").hex()))

    def start(self) -> None:
        """Gathers and begins."""
        self.gather()
        self.send(StartGame())

    def step(self, taste: Callable[[Game, int, random.Random], tuple[ActValue, str | None]] = liking) -> bool:
        """One command: what is due, else a choice of whoever is awaited first; False when the game is over."""
        game = self.game
        command = due(game, self.store.now())
        if isinstance(command, PlayBot) or command is None:
            waiting = awaited(game)
            if not waiting:
                return False
            seat, city = waiting[0]
            command = command_of(game, seat, city, *taste(game, city, self.luck))
        self.send(command)
        return True

    def play(self, until: Callable[[Game], bool] = lambda game: False, **more: Any) -> Sitting:
        """Starts if need be and plays until the condition holds or the game is over; returns itself."""
        if not self.game.age:
            self.start()
        while not until(self.game) and self.step(**more):
            pass
        return self


class Kind(Struct, frozen=True):
    """A kind of game: players, with or without the Edifice, the preset."""

    players: int
    edifice: bool
    preset: str

    @property
    def rules(self) -> Options:
        """Its options."""
        return options(self.players, self.edifice, **(PUBLISHER if self.preset == "publisher" else {}))

    def __str__(self) -> str:
        return f"{self.players}-{'edifice' if self.edifice else 'base'}-{self.preset}"


KINDS = tuple(
    Kind(players, edifice, preset)
    for players in range(2, 8)
    for edifice in (False, True)
    for preset in ("booklet", "publisher")
    if edifice or players == 2 or preset == "booklet"
)
"""Every kind of game; with more than two players the presets differ only by the Edifice."""


@cache
def played(kind: Kind, seed: int = 1) -> Sitting:
    """A finished game of a kind, played once and then shared: look, but change nothing."""
    return Sitting(kind.rules, seed).play()
