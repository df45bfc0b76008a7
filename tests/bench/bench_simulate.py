"""How fast the rules are: whole games of bots in memory, every legal play of every seat and turn listed, every event produced."""

from __future__ import annotations

import statistics
import time
from collections.abc import Sequence

from events.catalogue import current
from events.rules.state import Over
from events.vocabulary import BotKind
from services.cli import games, rulesets
from tests.bench import Figure, times

ROUNDS, GAMES = 5, 60
SEED = "bench"


def rate(size: float, players: int, bot: BotKind, *, edifice: bool, written: bool) -> float:
    """Games per CPU second, the median of some rounds after one that warms up."""
    with games.undisturbed():
        numbers = range(times(ROUNDS, size) + 1)
        return statistics.median([_round(number, times(GAMES, size), players, bot, edifice, written) for number in numbers][1:])


def _round(number: int, count: int, players: int, bot: BotKind, edifice: bool, written: bool) -> float:
    options = rulesets.options(current(), players, edifice=edifice, listed=False)
    kinds: Sequence[BotKind] = (bot,) * players
    began = time.process_time()
    for one in range(count):
        key = games.key_of(SEED, number * count + one)
        game, events = games.begin(current(), options, kinds, key)
        game = games.play_on(game, [games.chooser(bot, key + bytes([seat])) for seat in range(players)], key, events)
        assert isinstance(game.phase, Over)
        assert game.phase.sheets
        if written:
            games.encode(game.id, key, events)
    return count / (time.process_time() - began)


def run(size: float) -> list[Figure]:
    unit = "games/CPU-s"
    return [
        ("4 random bots (aim: 300 at least)", rate(size, 4, "random", edifice=False, written=False), unit),
        ("4 random bots, with encoding, seals and links", rate(size, 4, "random", edifice=False, written=True), unit),
        ("4 random bots, with the Edifice", rate(size, 4, "random", edifice=True, written=False), unit),
        ("7 random bots, with the Edifice", rate(size, 7, "random", edifice=True, written=False), unit),
        ("2 random bots and the Free City", rate(size, 2, "random", edifice=True, written=False), unit),
        ("4 builder bots", rate(size, 4, "builder", edifice=False, written=False), unit),
    ]
