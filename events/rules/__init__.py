"""The rules, as pure functions: `decide` computes, `evolve` copies, `due` says what comes next, `legal` what may be played."""

from events.rules.decide import decide, outcome
from events.rules.due import due, waking
from events.rules.evolve import evolve, fold
from events.rules.legal import Play, legal
from events.rules.state import Game, initial

__all__ = ["Game", "Play", "decide", "due", "evolve", "fold", "initial", "legal", "outcome", "waking"]
