"""Plays whole games without a store: every command that a table would see, with random but repeatable choices."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from events import codec
from events.catalogue import current
from events.commands import AnyCommand, OpenGame, PlayBot, StartGame, TakeSeat
from events.facts import ActValue, AnyEvent, Options
from events.rules import Game, due, initial, legal, outcome
from tests.games import BOARDS, PUBLISHER, START, acts, command_of, options, own_card


class Step(Struct, frozen=True):
    """One accepted command: the game before it, its events, the game after it."""

    before: Game
    command: AnyCommand
    events: tuple[AnyEvent, ...]
    after: Game


def key_of(seed: int) -> bytes:
    """A game key for a test."""
    return hashlib.sha256(f"key {seed}".encode()).digest()


def opening(rules: Options, key: bytes, game: str = "a-game") -> list[AnyCommand]:
    """The commands up to the first deal, with bots on all seats."""
    opened = OpenGame(at=START, game=game, host="00" * 32, options=rules, key=key, expires=START + 1000)
    seats = [
        TakeSeat(at=START, seat=seat, name=f"Player {seat + 1}", nonce=key_of(-1 - seat).hex(), bot="random")
        for seat in range(rules.players)
    ]
    return [opened, *seats, StartGame(at=START, key=key)]


def chosen(game: Game, city: int, luck: random.Random, eager: bool = False) -> tuple[ActValue, str | None]:
    """A random legal play; eager: builds and stages before discards, joining where it can."""
    plays = list(legal(game, city, own_card(game, city)))
    better = [play for play in plays if play.kind in ("build", "stage", "pick")]
    if eager and better and luck.random() < 0.9:
        stages = [play for play in better if play.kind == "stage"]
        plays = stages if stages and luck.random() < 0.5 else better
    play = luck.choice(plays)
    ways = acts(play)
    joined = [act for act in ways if act.participate]
    return luck.choice(joined if eager and joined and luck.random() < 0.8 else ways), play.card


def steps(rules: Options, seed: int, eager: bool = True) -> Iterator[Step]:
    """A whole game, command by command, until nothing is due."""
    key, luck = key_of(seed), random.Random(seed)
    game = initial(current())
    waiting: list[AnyCommand] = opening(rules, key)
    while True:
        command = waiting.pop(0) if waiting else due(game, game.at + 1)
        if command is None:
            return
        if isinstance(command, PlayBot):
            command = command_of(game, command.seat, command.city, *chosen(game, command.city, luck, eager))
        if hasattr(command, "key"):
            command = replace(command, key=key)
        events, after = outcome(game, command)
        yield Step(game, command, events, after)
        game = after


def written(rules: Options, seed: int, eager: bool = True) -> tuple[list[codec.Written], list[AnyEvent], dict[str, bytes]]:
    """A whole game as bytes, its events, and the openings of its names."""
    entries: list[codec.Written] = []
    told: list[AnyEvent] = []
    names: dict[str, bytes] = {}
    for step in steps(rules, seed, eager):
        for event in step.events:
            entry = codec.write(event, len(entries) + 1, "a-game", key_of(seed))
            entries.append(entry)
            names |= entry.names
            told.append(event)
    return entries, told, names


__all__ = [
    "BOARDS", "PUBLISHER", "START", "Step", "acts", "chosen", "command_of", "key_of", "opening", "options", "own_card", "steps",
    "written",
]  # fmt: skip
