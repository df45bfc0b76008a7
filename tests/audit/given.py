"""Whole games played through the table's door, by people with and without keys, bots, and people who fall asleep."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable
from functools import cache
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from msgspec import Struct
from msgspec.structs import replace

from events.codec import EVERYTHING
from events.commands import (
    AnswerExtra,
    AnyCommand,
    ChooseAction,
    OpenGame,
    PlayBot,
    RevealEntropy,
    StartGame,
    TakeSeat,
    WithdrawAction,
    WithdrawExtra,
)  # fmt: skip
from events.facts import Seen
from events.rules.clock import awaited
from events.rules.due import due
from events.rules.state import Choosing, Extra, Over
from events.sealed import commitment
from events.signatures import signed
from events.store.memory import MemoryStore
from events.transact import Kept, Receipt, Table
from projections.bundle import bundle
from tests.rules.driver import chosen, command_of, options
from workers.host_key import HostKey

START = 1_700_000_000_000
HOST = HostKey(Ed25519PrivateKey.from_private_bytes(hashlib.sha256(b"the host").digest()))
HOST_TOKEN = hashlib.sha256(b"host").hexdigest()


class Clock:
    """A time that moves when it is told to."""

    def __init__(self) -> None:
        self.now = START

    def __call__(self) -> int:
        return self.now


class Played(Struct, frozen=True):
    """A game in its store.  keys: the seats' private keys; receipts: signed, one for each accepted command of a person."""

    store: MemoryStore
    table: Table
    game: str
    keys: dict[int, Ed25519PrivateKey]
    receipts: tuple[Receipt, ...]
    clock: Clock

    def bundle(self, viewer: int = EVERYTHING, host: HostKey | None = HOST) -> bytes:
        """Its bundle for a viewer."""
        kept = self.table.load(self.game)
        return bundle(self.store.read(self.game), self.store.names(self.game), kept.key, viewer, host)


def private_key(seat: int, salt: str = "") -> Ed25519PrivateKey:
    """A seat's key: the same in every run."""
    return Ed25519PrivateKey.from_private_bytes(hashlib.sha256(f"seat {seat}{salt}".encode()).digest())


def public_hex(private: Ed25519PrivateKey) -> str:
    """The public part, in hex."""
    return private.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw).hex()


class Sitting:
    """A table while it is played.  people: the seats where people sit; with `keys` the first half of them has one."""

    def __init__(self, seed: int, people: int, asleep: float = 0.0, keys: bool = True, **rules: Any) -> None:
        self.luck = random.Random(seed)
        self.clock, self.asleep, self.seed = Clock(), asleep, seed
        self.store = MemoryStore(self.clock)
        self.table = Table(self.store)
        self.game = hashlib.sha256(f"game {seed}".encode()).hexdigest()[:20]
        self.options = options(turn_ms=60_000 if asleep else None, **rules)
        self.people = tuple(range(min(people, self.options.players)))
        self.keys = {seat: private_key(seat) for seat in self.people[: (len(self.people) + 1) // 2] if keys}
        self.receipts: list[Receipt] = []
        self.key = hashlib.sha256(f"key {seed}".encode()).digest()

    def ask(self, command: AnyCommand) -> Receipt:
        """A person's command; its receipt is kept."""
        self.clock.now += self.luck.randrange(5, 2000)
        receipt = HOST.signed(self.table.transact(self.game, command))
        self.receipts.append(receipt)
        return receipt

    def gather(self) -> None:
        """Everybody sits down, commits, reveals; the host begins."""
        self.ask(OpenGame(game=self.game, host=HOST_TOKEN, options=self.options, key=self.key, expires=START + 10**9))
        for seat in range(self.options.players):
            person = seat in self.people
            key = self.keys.get(seat)
            self.ask(
                TakeSeat(
                    seat=seat,
                    name=f"Player {seat + 1}",
                    nonce=hashlib.sha256(f"name {self.seed} {seat}".encode()).hexdigest(),
                    token=f"{seat:064x}" if person else None,
                    entropy=commitment(self.entropy(seat)) if person else None,
                    bot=None if person else "random",
                    public_key=public_hex(key) if key else None,
                )
            )
        for seat in self.people:
            self.ask(RevealEntropy(seat=seat, entropy=self.entropy(seat).hex()))
        self.ask(StartGame())

    def entropy(self, seat: int) -> bytes:
        """A seat's part of the deal."""
        return hashlib.sha256(f"entropy {self.seed} {seat}".encode()).digest()

    def step(self) -> bool:
        """One thing that happens next; False when the game is over."""
        kept = self.table.load(self.game)
        if isinstance(kept.game.phase, Over):
            return False
        command = due(kept.game, kept.game.at)
        if isinstance(command, PlayBot):
            self.host_moves(command.seat, command.city)
        elif command is not None:
            self.table.step(self.game, lambda now: due(now.game, now.game.at))
        else:
            self.person_moves(kept)
        return True

    def host_moves(self, seat: int, city: int) -> None:
        """A bot's choice."""
        self.clock.now += 3

        def choose(kept: Kept) -> AnyCommand:
            act, card = chosen(kept.game, city, self.luck, True)
            return replace(command_of(kept.game, seat, city, act, card), at=0)

        self.table.step(self.game, choose)

    def person_moves(self, kept: Kept) -> None:
        """Somebody chooses, sometimes takes it back and chooses again; or everybody sleeps until the time is over."""
        game = kept.game
        phase = game.phase
        assert isinstance(phase, (Choosing, Extra))
        if self.luck.random() < self.asleep and phase.deadline is not None:
            self.clock.now = max(self.clock.now, phase.deadline)
            self.table.step(self.game, lambda now: due(now.game, max(self.clock.now, now.game.at)))
            return
        waiting = awaited(game)
        seat, city = waiting[0] if game.free is not None else self.luck.choice(waiting)
        act, card = chosen(game, city, self.luck, True)
        number = (phase.numbers[city] if isinstance(phase, Choosing) else phase.numbers[phase.cities.index(city)]) + 1
        seen = Seen(version=game.version, link=kept.link.hex())
        command = replace(command_of(game, seat, city, act, card), at=0, number=number, seen=seen)
        self.ask(self.signed(kept, command))
        kept = self.table.load(self.game)
        if len(waiting) > 1 and self.luck.random() < 0.15 and type(kept.game.phase) is type(phase):
            self.ask(self.signed(kept, self.withdrawal(kept, command)))

    def withdrawal(self, kept: Kept, command: ChooseAction | AnswerExtra) -> WithdrawAction | WithdrawExtra:
        """The same person changes their mind."""
        kind = WithdrawAction if isinstance(command, ChooseAction) else WithdrawExtra
        return kind(
            seat=command.seat,
            city=command.city,
            age=command.age,
            turn=command.turn,
            number=(command.number or 0) + 1,
            seen=Seen(version=kept.game.version, link=kept.link.hex()),
        )

    def signed(self, kept: Kept, command: Any) -> AnyCommand:
        """With the seat's signatures, if it has a key."""
        key = self.keys.get(command.seat)
        return signed(key, kept.game, command) if key else command  # type: ignore[no-any-return]

    def played(self) -> Played:
        """What there is now."""
        return Played(self.store, self.table, self.game, self.keys, tuple(self.receipts), self.clock)


@cache
def whole_game(seed: int, people: int, asleep: float = 0.0, **rules: Any) -> Played:
    """A game from the opening of the table to its end."""
    return part_of_a_game(seed, people, None, asleep, **rules)


def part_of_a_game(
    seed: int, people: int, until: Callable[[Kept], bool] | None = None, asleep: float = 0.0, **rules: Any
) -> Played:
    """A game up to the first moment of which `until` is true, or to its end."""
    sitting = Sitting(seed, people, asleep, **rules)
    sitting.gather()
    while (until is None or not until(sitting.table.load(sitting.game))) and sitting.step():
        pass
    return sitting.played()
