"""What many games tell together: which wonder scores what, and what became of each project."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from events import facts as f
from events.facts import AnyEvent
from events.rules import evolve, initial
from events.rules.scoring import sheet
from events.rules.state import Game, Over
from events.vocabulary import CATEGORIES, COINS_PER_POINT, BotKind

COLUMNS = (*CATEGORIES, "total")


class Mean:
    """A sum and a count."""

    __slots__ = ("count", "sum")

    def __init__(self) -> None:
        self.sum, self.count = 0.0, 0

    def add(self, value: float) -> None:
        self.sum += value
        self.count += 1

    @property
    def value(self) -> float:
        """The mean, 0 of nothing."""
        return self.sum / self.count if self.count else 0.0

    @property
    def plain(self) -> float | None:
        """The mean as documents have it: to three places, None of nothing."""
        return round(self.value, 3) if self.count else None


class Cities:
    """The scores of a group of cities, by kind of points, and how often they won (a shared place counts as a part of it)."""

    def __init__(self) -> None:
        self.points = {column: Mean() for column in COLUMNS}
        self.wins = 0.0

    def add(self, points: dict[str, int], total: int, won: float) -> None:
        for column, value in points.items():
            self.points[column].add(value)
        self.points["total"].add(total)
        self.wins += won

    @property
    def count(self) -> int:
        """Cities in the group."""
        return self.points["total"].count

    def means(self) -> dict[str, float]:
        """The mean of each kind of points and of the total."""
        return {column: round(mean.value, 3) for column, mean in self.points.items()}

    def plain(self) -> dict[str, Any]:
        """The group as a document."""
        return {"cities": self.count, "wins": round(self.wins, 2), "mean_scores": self.means()}


class Fate:
    """What became of one project in all games in which it was in play.

    gain: points that a holder has from it at the end (the Edifice row, tokens, coins at three to a point; shields and goods
    show elsewhere).  cost: points that a penalised city lost at once.
    """

    def __init__(self, age: int) -> None:
        self.age = age
        self.completed = Mean()
        self.holders, self.gain, self.cost = Mean(), Mean(), Mean()
        self.debts = Mean()
        self.with_token, self.without = Mean(), Mean()

    def plain(self) -> dict[str, Any]:
        """The fate as a document."""
        return {
            "age": self.age,
            "games": self.completed.count,
            "completed": round(self.completed.value, 3),
            "holders": round(self.holders.value, 3),
            "holder_gain": self.gain.plain,
            "penalties": self.cost.count,
            "penalty_cost": self.cost.plain,
            "debts": int(self.debts.sum),
            "mean_total_of_holders": self.with_token.plain,
            "mean_total_of_others": self.without.plain,
        }


class Tally:
    """Adds finished games up."""

    def __init__(self) -> None:
        self.all = Cities()
        self.wonders: dict[str, Cities] = defaultdict(Cities)
        self.bots: dict[str, Cities] = defaultdict(Cities)
        self.projects: dict[str, Fate] = {}
        self.games = self.events = 0

    def add(self, game: Game, kinds: Sequence[BotKind], events: Sequence[AnyEvent]) -> None:
        """One game that was played to its end, with all its events."""
        phase = game.phase
        assert isinstance(phase, Over)
        assert phase.places
        first = phase.places[0]
        self.games += 1
        self.events += len(events)
        for one in phase.sheets:
            if one.city == game.free:
                continue
            won = 1 / len(first) if one.city in first else 0.0
            for group in (self.all, self.wonders[game.cities[one.city].wonder], self.bots[kinds[one.city]]):
                group.add(one.points, one.total, won)
        if game.edifice:
            self._add_projects(game, phase, events)

    def _add_projects(self, game: Game, phase: Over, events: Sequence[AnyEvent]) -> None:
        for age, one in enumerate(game.edifice, 1):
            fate = self.projects.setdefault(one.project, Fate(age))
            fate.completed.add(one.state == "completed")
            fate.holders.add(sum(age in city.participates for city in game.cities))
            for counted in phase.sheets:
                if counted.city == game.free:
                    continue
                held = age in game.cities[counted.city].participates
                (fate.with_token if held else fate.without).add(counted.total)
        self._add_gains(phase, events)
        self._add_costs(game, events)

    def _add_gains(self, phase: Over, events: Sequence[AnyEvent]) -> None:
        gains: dict[tuple[str, int], float] = {}
        for event in events:
            if isinstance(event, f.RewardGranted):
                rows = phase.sheets[event.city].rows["edifice"]
                counted = sum(line.points for line in rows if line.source == event.project)
                gains[event.project, event.city] = counted + sum(event.tokens) + event.dropped
            elif isinstance(event, f.CoinsReceived) and event.source in self.projects:
                gains[event.source, event.city] += event.amount / COINS_PER_POINT
        for (project, _), gain in gains.items():
            self.projects[project].gain.add(gain)

    def _add_costs(self, game: Game, events: Sequence[AnyEvent]) -> None:
        """Folds the game once more: what a sheet says before and after a penalty is what the penalty costs."""
        now = initial(game.box)
        for event in events:
            if not isinstance(event, f.PenaltySuffered):
                now = evolve(now, event)
                continue
            before = sheet(now, event.city).total
            now = evolve(now, event)
            fate = self.projects[event.project]
            fate.cost.add(before - sheet(now, event.city).total)
            if event.kind == "debt":
                fate.debts.add(1)
