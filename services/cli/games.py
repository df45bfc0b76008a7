"""Plays whole games of bots in memory, as fast as the rules allow."""

from __future__ import annotations

import gc
import hashlib
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import accumulate
from operator import attrgetter
from random import Random

from msgspec.structs import replace

from events import codec
from events.catalogue import Box
from events.commands import AnswerExtra, ChooseAction, OpenGame, PlayBot, StartGame, TakeSeat
from events.facts import ActValue, AnyEvent, Options
from events.rules.clock import awaited
from events.rules.decide import outcome
from events.rules.due import due
from events.rules.legal import Play
from events.rules.state import Choice, Choosing, Game, initial
from events.vocabulary import BotKind, CardId
from workers import bots

Move = tuple[ActValue, CardId | None]
Chooser = Callable[[Game, int, int], Move]
"""(game, seat, city) -> (act, card): what a bot chooses for a city that its seat answers for."""


def key_of(seed: str, number: int) -> bytes:
    """The 32-byte key of one game of a series: everything in it follows from the seed and its number."""
    return hashlib.sha256(f"simulate\n{seed}\n{number}".encode()).digest()


def chooser(kind: BotKind, key: bytes) -> Chooser:
    """A bot of this kind for one game with this key."""
    return _random(key) if kind == "random" else _seeing(kind)


def _random(key: bytes) -> Chooser:
    """Every way to carry out every legal play is equally likely, as with the bot of that name; only the dice are faster."""
    draw, plays_of, act = Random(key).random, bots.plays_of, bots.act

    def choose(game: Game, seat: int, city: int) -> Move:
        plays = plays_of(game, seat, city)
        sums = _sums(plays)
        way = int(draw() * sums[-1])
        place = bisect_right(sums, way)
        return act(plays[place], way - sums[place - 1] if place else way), plays[place].card

    return choose


_payments = attrgetter("payments")


def _sums(plays: Sequence[Play]) -> list[int]:
    """In how many ways these plays may be carried out: the first, the first two, and so on; `bots.ways` of each, summed.

    Looked up by the interpreter's own loops, because a loop here is a tenth of the whole.
    """
    counts = [*map(len, map(_payments, plays))]
    priced = len(plays) - counts.count(0)  # what has no price has one way, and comes last
    if priced and ((last := plays[priced - 1]).options or last.joinable):  # of the stage, which comes before it
        counts = [bots.ways(play) for play in plays]
    else:
        counts[priced:] = [1] * (len(plays) - priced)
    return [*accumulate(counts)]


def _seeing(kind: BotKind) -> Chooser:
    """A bot that looks at the table, but not into other hands."""
    return lambda game, seat, city: bots.choose(kind, seen_by(game, seat), seat, city)


def seen_by(game: Game, seat: int) -> Game:
    """The game without what a seat does not see: other hands, cards under boards, the piles, other choices."""
    cities = tuple(
        replace(city, under=(None,) * len(city.under), hand=city.hand if place == seat else (None,) * len(city.hand))
        for place, city in enumerate(game.cities)
    )
    changes: dict[str, object] = {"cities": cities, "discard": (None,) * len(game.discard), "pile": (None,) * len(game.pile)}
    if game.holder != seat:
        changes["drawn"] = None
    phase = game.phase
    if isinstance(phase, Choosing):
        own = {seat, game.free} if game.holder == seat else {seat}
        changes["phase"] = replace(phase, choices=tuple(_hidden(one, place in own) for place, one in enumerate(phase.choices)))
    seen: Game = replace(game, **changes)
    return seen


def _hidden(choice: Choice | None, own: bool) -> Choice | None:
    return choice if own or choice is None else replace(choice, act=None, card=None)


def begin(box: Box, options: Options, kinds: Sequence[BotKind], key: bytes) -> tuple[Game, list[AnyEvent]]:
    """A table full of bots, dealt."""
    events: list[AnyEvent] = []
    game = initial(box)
    opening = OpenGame(game=key.hex()[:20], host=hashlib.sha256(key).hexdigest(), options=options, key=key, expires=1)
    told, game = outcome(game, opening)
    events += told
    for seat, bot in enumerate(kinds):
        nonce = hashlib.sha256(key + bytes([seat])).hexdigest()
        told, game = outcome(game, TakeSeat(seat=seat, name=f"{bot.capitalize()} {seat + 1}", nonce=nonce, bot=bot))
        events += told
    told, game = outcome(game, StartGame(key=key))
    events += told
    return game, events


def play_on(game: Game, choosers: Sequence[Chooser], key: bytes, events: list[AnyEvent]) -> Game:
    """Plays a game to its end: whatever is due, and each bot's choice; adds the events to `events`."""
    while (command := due(game, 0)) is not None:
        if isinstance(command, PlayBot):
            game = _choose_all(game, choosers, events)
            continue
        told, game = outcome(game, replace(command, key=key) if hasattr(command, "key") else command)
        events += told
    return game


def _choose_all(game: Game, choosers: Sequence[Chooser], events: list[AnyEvent]) -> Game:
    """Every bot that is awaited chooses.  In a turn nobody's choice changes what is asked of the others; an extra is asked anew."""
    age, turn = game.age, game.turn
    if not isinstance(game.phase, Choosing):
        seat, city = awaited(game)[0]
        act, card = choosers[seat](game, seat, city)
        told, game = outcome(game, AnswerExtra(seat=seat, city=city, age=age, turn=turn, card=card, act=act))
        events += told
        return game
    for seat, city in awaited(game):
        act, card = choosers[seat](game, seat, city)
        assert card is not None
        told, game = outcome(game, ChooseAction(seat=seat, city=city, age=age, turn=turn, card=card, act=act))
        events += told
    return game


@contextmanager
def undisturbed() -> Iterator[None]:
    """Without the collector of reference cycles: games are values and make none, and looking takes a tenth of the time."""
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def encode(game: str, key: bytes, events: Sequence[AnyEvent]) -> int:
    """Writes a game down as a store would keep it, with seals, openings and links; the number of bytes."""
    link, size = codec.first_link(game), 0
    for version, event in enumerate(events, 1):
        written = codec.write(event, version, game, key)
        link = codec.next_link(link, written.e)
        size += len(written.e) + len(written.s or b"") + len(link)
    return size
