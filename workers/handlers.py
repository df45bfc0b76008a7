"""What each step that a game owes itself is, who carries it out, and how a game is moved on until it waits for people again."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from msgspec import Struct

from events.commands import (
    AnswerExtra,
    AnyCommand,
    ChooseAction,
    CloseGame,
    Command,
    DealAge,
    EvaluateEdifice,
    ExtendClock,
    PlayBot,
    ResolveConflicts,
    RevealTurn,
    ScoreGame,
    SystemCommand,
    TimeOut,
)
from events.facts import ActValue
from events.refusals import Refusal
from events.rules import Game, due, waking
from events.rules.clock import act_of, awaited, default_play
from events.rules.state import Choosing, Extra
from events.transact import Kept, Receipt
from events.vocabulary import CardId
from workers import bots, logs
from workers.clock import trusted
from workers.wiring import House

STEPS = 20
"""Steps of one job, some 50 ms; a game that owes more goes to the end of the queue: no table of bots keeps others waiting."""

Handler = Callable[[House, Kept, Any], AnyCommand | None]
"""Makes of a step that is due the command that is decided; None leaves it undone.  Called again after each lost race."""


# ---- the handlers -----------------------------------------------------------------------------------------------------
def reveal_turn(house: House, kept: Kept, step: RevealTurn) -> AnyCommand | None:
    """All have chosen: the cards are turned over."""
    return step


def resolve_conflicts(house: House, kept: Kept, step: ResolveConflicts) -> AnyCommand | None:
    """The Age's battles."""
    return step


def evaluate_edifice(house: House, kept: Kept, step: EvaluateEdifice) -> AnyCommand | None:
    """The Age's project is completed or has failed."""
    return step


def deal_age(house: House, kept: Kept, step: DealAge) -> AnyCommand | None:
    """The next Age's hands; the key comes from the store, when the command is decided."""
    return step


def score_game(house: House, kept: Kept, step: ScoreGame) -> AnyCommand | None:
    """The points, and the end."""
    return step


def time_out(house: House, kept: Kept, step: TimeOut) -> AnyCommand | None:
    """The written default for a seat whose time is over; nobody's time is over while nobody watches the clock."""
    return step if trusted(house) else None


def play_bot(house: House, kept: Kept, step: PlayBot) -> AnyCommand | None:
    """A bot chooses, with its seat's eyes, and sends that seat's command like anybody else."""
    person = kept.game.people[step.seat]
    kind = person.plays_itself if person is not None else None
    if kind is None:
        return None
    seen = house.sight.of(kept.game.id, step.seat, kept.game.version)
    act, card = bots.choose(kind, seen, step.seat, step.city)
    return seat_command(seen, step.seat, step.city, act, card)


def close_game(house: House, kept: Kept, step: CloseGame) -> AnyCommand | None:
    """A table that never began, or that nobody plays any more."""
    return step


def extend_clock(house: House, kept: Kept, step: ExtendClock) -> AnyCommand | None:
    """More time after an outage, for a question that still waits for a person."""
    phase = kept.game.phase
    if not isinstance(phase, (Choosing, Extra)) or phase.deadline is None or step.deadline <= phase.deadline:
        return None
    people = [kept.game.people[seat] for seat, _ in awaited(kept.game)]
    return step if any(person and not person.plays_itself for person in people) else None


HANDLERS: dict[type[Command], Handler] = {
    RevealTurn:       reveal_turn,
    ResolveConflicts: resolve_conflicts,
    EvaluateEdifice:  evaluate_edifice,
    DealAge:          deal_age,
    ScoreGame:        score_game,
    TimeOut:          time_out,
    PlayBot:          play_bot,
    CloseGame:        close_game,
    ExtendClock:      extend_clock,
}  # fmt: skip
"""Every step that a game may owe itself, and the one function that carries it out."""


def seat_command(game: Game, seat: int, city: int, act: ActValue, card: CardId | None) -> AnyCommand:
    """A seat's choice or answer, as its question stands in the game as the seat sees it."""
    if isinstance(game.phase, Extra):
        return AnswerExtra(seat=seat, city=city, age=game.age, turn=game.turn, card=card, act=act)
    assert card is not None
    return ChooseAction(seat=seat, city=city, age=game.age, turn=game.turn, card=card, act=act)


# ---- moving a game on -------------------------------------------------------------------------------------------------
class Advanced(Struct, frozen=True, kw_only=True):
    """What a job did: steps appended, the events in them, the version that the log came to; rests: nothing more is due."""

    steps: int
    events: int
    version: int
    rests: bool


def advance(house: House, game: str, steps: int = STEPS) -> Advanced:
    """Carries out what a game owes itself, step by step, until nothing is due; then the wake-up time is put right.

    Any number may run at once: a duplicate finds nothing due, and of two that find the same step one loses the race and looks
    again.  Raises UnknownGame and the store's errors; the game then stays in `wakes`.
    """
    done = events = 0
    while done < steps:
        one = take_step(house, game)
        if one.receipt is None:
            if not done and not one.waits:
                house.table.settle(one.kept)
            return Advanced(steps=done, events=events, version=one.kept.game.version, rests=True)
        done += 1
        events += one.receipt.version - one.kept.game.version
        after = house.table.known(game)
        if after is not None and waking(after.game) != 0:
            # That append has left nothing due, and written the wake-up time itself; who appends next looks after it.
            return Advanced(steps=done, events=events, version=after.game.version, rests=True)
    kept = house.table.load(game)
    return Advanced(steps=done, events=events, version=kept.game.version, rests=due(kept.game, kept.game.at) is None)


class Taken(Struct, frozen=True):
    """One look at a game.  kept: as it stood when it was decided; waits: a step is due, but its handler left it undone."""

    kept: Kept
    receipt: Receipt | None
    waits: bool = False


def take_step(house: House, game: str) -> Taken:
    """The next step that is due, through its handler."""

    def find(kept: Kept) -> SystemCommand | None:
        # Most steps are due whatever the time is: only a clock makes it worth asking.
        return due(kept.game, kept.game.at) or due(kept.game, max(house.store.now(), kept.game.at))

    return carry_out(house, game, find)


def carry_out(house: House, game: str, find: Callable[[Kept], SystemCommand | None]) -> Taken:
    """The step that `find` sees in the game as it stands now, and again after each lost race, through its handler; with its line
    in the diary and its count."""
    began = time.perf_counter()
    looked: list[tuple[Kept, SystemCommand | None]] = []

    def choose(kept: Kept) -> AnyCommand | None:
        step = find(kept)
        looked.append((kept, step))
        return None if step is None else HANDLERS[type(step)](house, kept, step)

    try:
        receipt = house.table.step(game, choose)
    except Refusal as refusal:
        kept, step = looked[-1]
        if not isinstance(step, PlayBot):
            raise
        receipt = _written_default(house, game, step, refusal)
    kept, step = looked[-1]
    if step is None or receipt is None:
        return Taken(kept, None, waits=step is not None)
    _tell(house, kept, step, receipt, began)
    return Taken(kept, receipt)


def _written_default(house: House, game: str, step: PlayBot, refusal: Refusal) -> Receipt | None:
    """A bot that wants what the rules refuse must not hold up a table: it plays the written default, and the diary says so."""

    def choose(kept: Kept) -> AnyCommand | None:
        if (step.seat, step.city) not in awaited(kept.game):
            return None
        seen = house.sight.of(kept.game.id, step.seat, kept.game.version)
        play = default_play(seen, step.city)
        return seat_command(seen, step.seat, step.city, act_of(play), play.card)

    house.log.error("bot_refused", game=game, seat=step.seat, reason=str(refusal.reason))
    return house.table.step(game, choose)


def _tell(house: House, kept: Kept, step: SystemCommand, receipt: Receipt, began: float) -> None:
    name = HANDLERS[type(step)].__name__
    events = receipt.version - kept.game.version
    ms = (time.perf_counter() - began) * 1000
    house.metrics.handled.labels(name).inc()
    house.metrics.handler_ms.labels(name).observe(ms)
    house.metrics.events.inc(events)
    seat = step.seat if isinstance(step, (PlayBot, TimeOut)) else None
    command = type(step).__name__
    logs.line(house.log, name, game=receipt.game, version=receipt.version, seat=seat, command=command, events=events, ms=ms)
