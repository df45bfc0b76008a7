"""What a game owes itself next, and when somebody must look at it again."""

from __future__ import annotations

from events.commands import (
    CloseGame,
    DealAge,
    EvaluateEdifice,
    PlayBot,
    ResolveConflicts,
    RevealTurn,
    ScoreGame,
    SystemCommand,
    TimeOut,
)  # fmt: skip
from events.rules.clock import awaited
from events.rules.state import Choosing, Closing, Extra, Game, Gathering, Over

ABANDONED_MS = 30 * 24 * 3600 * 1000
"""A game without a clock and without a move for this long is closed."""

_STEPS: dict[str, type[ResolveConflicts | EvaluateEdifice | DealAge | ScoreGame]] = {
    "conflicts": ResolveConflicts,
    "edifice": EvaluateEdifice,
    "deal": DealAge,
    "score": ScoreGame,
}


def due(game: Game, now: int) -> SystemCommand | None:
    """The next system command at the time `now` (ms), None if the game waits for people or is over."""
    phase = game.phase
    if isinstance(phase, Choosing):
        return RevealTurn(at=now) if all(phase.choices) else _person_due(game, phase.deadline, now)
    if isinstance(phase, Extra):
        return EvaluateEdifice(at=now) if all(phase.answers) else _person_due(game, phase.deadline, now)
    if isinstance(phase, Closing):
        return _STEPS[phase.owed[0]](at=now)
    if isinstance(phase, Gathering) and game.version and now >= phase.expires:
        return CloseGame(at=now)
    return None


def _person_due(game: Game, deadline: int | None, now: int) -> SystemCommand | None:
    """A bot's move, or a person's whose time is over."""
    waiting = awaited(game)
    for seat, city in waiting:
        person = game.people[seat]
        if person is not None and person.plays_itself:
            return PlayBot(at=now, seat=seat, city=city)
    if deadline is not None and now >= deadline and waiting:
        return TimeOut(at=now, seat=waiting[0][0], city=waiting[0][1])
    if deadline is None and now >= game.at + ABANDONED_MS:
        return CloseGame(at=now)
    return None


def waking(game: Game) -> int | None:
    """When somebody must look again: 0 at once, a time in ms, None never."""
    if due(game, game.at) is not None:
        return 0
    match game.phase:
        case Choosing(deadline=deadline) | Extra(deadline=deadline):
            return game.at + ABANDONED_MS if deadline is None else deadline
        case Gathering(expires=expires):
            return expires
        case Over():
            return None
        case _:
            return 0
