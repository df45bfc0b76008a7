"""A story being told: the events that one command leads to, with the game as it stands after each of them."""

from __future__ import annotations

from events.facts import AnyEvent
from events.rules.evolve import evolve
from events.rules.state import Game

GAME = "game"


class Story:
    """Collects events; `game` is always the moment after the last one.  `at`: the command's time, never before the last event's."""

    __slots__ = ("at", "events", "game")

    def __init__(self, game: Game, at: int) -> None:
        self.game = game
        self.at = max(at, game.at)
        self.events: list[AnyEvent] = []

    def tell(self, event: AnyEvent) -> None:
        """One more event."""
        self.events.append(event)
        self.game = evolve(self.game, event)
