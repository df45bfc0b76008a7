"""Games that are in the middle when a guest comes in, with the secrets of their seats."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from itertools import count
from typing import Any

from events.commands import TakeSeat
from events.rules import Game
from events.rules.legal import Play, legal
from events.rules.state import Choosing, Extra
from tests.games import NAMES, Sitting, options, secret
from tests.web.guests import Guest
from tests.web.house import OpenHouse

_numbers = count(1)


class Seats(Sitting):
    """A game whose persons have secrets that a browser can send."""

    def sit(self, seat: int) -> None:
        if seat in self.bots:
            super().sit(seat)
            return
        token, entropy = self.token(seat), secret(f"entropy {seat}")
        hashed = [hashlib.sha256(one).hexdigest() for one in (token.encode(), entropy)]
        nonce = secret(f"nonce {seat}").hex()
        self.send(TakeSeat(seat=seat, name=NAMES[seat], nonce=nonce, token=hashed[0], entropy=hashed[1]))

    def token(self, seat: int) -> str:
        return secret(f"secret {self.id} {seat}").hex()

    def welcome(self, guest: Guest, seat: int) -> None:
        """The guest's device holds the seat, and the guest looks at the table."""
        held = json.dumps({self.id: {"seat": self.token(seat), "name": NAMES[seat]}})
        put = f"localStorage.setItem('wonderlog.keys', {json.dumps(held)})"
        guest.context.add_init_script(f"if (!localStorage.getItem('wonderlog.keys')) {put};")
        guest.secrets.add(self.token(seat))
        guest.go(f"/table/{self.id}")
        guest.awaits("doc.you?.seat === wanted", seat)


def found(opened: OpenHouse, like: Callable[[Game], bool], players: int = 3, edifice: bool = False, **more: Any) -> Seats:
    """The first game, of those that follow from small numbers, that comes to a moment like this."""
    for seed in range(1, 60):
        sitting = Seats(options(players, edifice, **more), seed)
        sitting.play(until=like)
        if sitting.game.age and like(sitting.game):
            name = secret(f"table {next(_numbers)}").hex()[:20]
            again = Seats(options(players, edifice, **more), seed, store=opened.house.store, name=name)
            again.play(until=like)
            return again
    raise AssertionError("no such game was found")


def plays(game: Game, seat: int = 0) -> tuple[Play, ...]:
    """What this seat may do in a turn; () while it is not asked, or has chosen."""
    if isinstance(game.phase, Choosing) and game.phase.choices[seat] is None:
        return legal(game, seat)
    return ()


def last_to_choose(game: Game, seat: int = 0) -> bool:
    """Whether only this seat is awaited."""
    phase = game.phase
    return isinstance(phase, Choosing) and all((choice is None) == (place == seat) for place, choice in enumerate(phase.choices))


def asked(game: Game, question: str) -> bool:
    """Whether this extra question is open, and nobody has answered it."""
    phase = game.phase
    return isinstance(phase, Extra) and phase.question == question and not any(phase.answers)
