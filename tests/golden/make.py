"""Plays the kept games anew: `python -m tests.golden.make`, only when a new shape of events is released.

Kept games are never changed to make a test pass: a game that was written once must be read and decided alike for ever.
"""

from __future__ import annotations

import hashlib
import random

from msgspec import Raw

from events import commands as c
from events.codec import Written
from events.facts import Options
from events.refusals import Refusal
from events.rules import Game
from events.rules.clock import awaited
from events.rules.state import Choosing, Extra
from events.sealed import commitment
from tests.games import PUBLISHER, Sitting, command_of, liking, options, secret
from tests.golden.kept import FOLDER, Head, Kept, keep

MINUTE = 60_000
GAMES: dict[str, Options] = {
    "base-3": options(3, turn_ms=MINUTE),
    "base-4": options(4),
    "base-7": options(7),
    "edifice-booklet-4": options(4, True, turn_ms=MINUTE),
    "edifice-publisher-5": options(5, True, **PUBLISHER),
    "two-by-age": options(2, turn_ms=MINUTE),
    "two-by-turn": options(2, free_city_control="turn"),
    "two-by-age-edifice": options(2, True),
    "two-by-turn-edifice": options(2, True, **PUBLISHER, turn_ms=MINUTE),
}


def have_whims(sitting: Sitting, luck: random.Random) -> None:
    """What people do beside choosing once: change their minds, take back, come too late, hand over and return."""
    game = sitting.game
    commands: list[c.AnyCommand] = []
    if isinstance(game.phase, Choosing | Extra) and luck.random() < 0.15:
        commands = _whim(sitting, game, luck)
    for command in commands:
        try:
            sitting.send(command)
        except Refusal:
            continue


def _whim(sitting: Sitting, game: Game, luck: random.Random) -> list[c.AnyCommand]:
    seat = luck.randrange(len(game.people))
    person = game.people[seat]
    same = {"seat": seat, "city": seat, "age": game.age, "turn": game.turn}
    if person is not None and person.stand_in:
        return [c.ReclaimSeat(seat=seat)]
    if isinstance(game.phase, Extra):
        return [c.WithdrawExtra(**same)]
    assert isinstance(game.phase, Choosing)
    if game.phase.choices[seat] is None:
        if game.rules.turn_ms and luck.random() < 0.4:
            sitting.clock.now += MINUTE
        return [c.HandToBot(seat=seat, bot="random")] if luck.random() < 0.2 else []
    if luck.random() < 0.5:
        return [c.WithdrawAction(**same)]
    return [command_of(game, seat, seat, *liking(game, seat, luck))]


def gathered(sitting: Sitting) -> None:
    """Everyone sits down; in one game somebody leaves in the middle of the reveals, and all commit anew."""
    for seat in range(sitting.rules.players):
        sitting.sit(seat)
    fresh = {}
    if sitting.rules.players == 3:
        sitting.send(c.RevealEntropy(seat=0, entropy=secret("entropy 0").hex()))
        sitting.send(c.LeaveSeat(seat=2))
        sitting.sit(2)
        for seat in (0, 1):
            fresh[seat] = secret(f"fresh {seat}")
            sitting.send(c.CommitEntropy(seat=seat, entropy=commitment(fresh[seat])))
    for seat in range(sitting.rules.players):
        if seat not in sitting.bots:
            sitting.send(c.RevealEntropy(seat=seat, entropy=fresh.get(seat, secret(f"entropy {seat}")).hex()))
    sitting.send(c.StartGame())


def game(name: str) -> Kept:
    """One whole game, with all that people do."""
    rules = GAMES[name]
    seed = int.from_bytes(hashlib.sha256(name.encode()).digest()[:4], "big")
    sitting, luck = Sitting(rules, seed, bots=(3, 5), name=name), random.Random(seed)
    gathered(sitting)
    while sitting.step():
        if awaited(sitting.game):
            have_whims(sitting, luck)
    names = {place: Raw(opening) for place, opening in sitting.names.items()}
    entries = sitting.entries
    head = Head(game=name, key=sitting.key.hex(), names=names, link=entries[-1][1].l.hex())
    return Kept(head, tuple(Written(entry.e, entry.s, {}) for _, entry in entries))


if __name__ == "__main__":
    for each in GAMES:
        keep(game(each), FOLDER / f"{each}.jsonl")
        print(each)
