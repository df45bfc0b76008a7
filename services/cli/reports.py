"""What a series of simulated games shows: a table of the wonders, of the bots, and of the projects."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from events.catalogue import Box, current
from events.vocabulary import CATEGORIES
from services.cli.statistics import Cities, Fate, Tally
from services.cli.voice import page
from services.cli.words import CATEGORY_STYLE, ROMAN

SHORT = {
    "military": "mil.", "treasury": "coins", "wonder": "won.", "civilian": "civ.", "science": "sci.", "commercial": "com.",
    "guilds": "guild", "edifice": "edif.",
}  # fmt: skip
"""What fits into a window of 80 columns."""
WIDE = 110
LEGEND = Text(
    " done: completed in so many games; gain: a holder's points from the reward;\n"
    " cost: points that a penalty took at once; debts: Debt tokens taken;\n"
    " with, without: mean totals of the cities with and without a token",
    style="dim",
)


def series(tally: Tally, plain: Mapping[str, Any]) -> Iterator[RenderableType]:
    """Everything that the series has to say, from top to bottom."""
    box = current()
    shown = [row for row in CATEGORIES if row != "edifice" or plain["edifice"]]
    yield _headline(plain)
    yield ""
    yield _scores("wonder", {_wonder(box, one): group for one, group in tally.wonders.items()}, tally.all, shown)
    if len(tally.bots) > 1:
        yield ""
        yield _scores("bot", dict(tally.bots), tally.all, shown)
    if tally.projects:
        yield ""
        yield _projects(box, tally.projects)
        yield LEGEND
    yield ""
    yield _speed(plain)


def _wonder(box: Box, wonder: str) -> str:
    return box.faces[wonder, "day"].name


def _headline(plain: Mapping[str, Any]) -> Text:
    bots = f"{', '.join(sorted(set(plain['bots'])))} bots"
    with_edifice = "with the Edifice" if plain["edifice"] else "without the Edifice"
    seed = f" · seed {plain['seed']}" if plain["seed"] is not None else ""
    games = "1 game" if plain["games"] == 1 else f"{plain['games']:,} games"
    return Text.assemble((f"{games} of {plain['players']} {bots}, {with_edifice}", "bold"), (seed, "dim"))


def _scores(title: str, groups: Mapping[str, Cities], everyone: Cities, shown: list[str]) -> Table:
    """Mean points by kind, the best group first."""
    drawn = Table(box=None, padding=(0, 1), collapse_padding=True, header_style="dim")
    drawn.add_column(title, no_wrap=True)
    drawn.add_column("cities", justify="right", no_wrap=True)
    drawn.add_column("wins", justify="right", no_wrap=True)
    for row in shown:
        name = row if page().width >= WIDE else SHORT[row]
        drawn.add_column(Text(name, style=CATEGORY_STYLE[row]), justify="right", no_wrap=True)
    drawn.add_column("total", justify="right", style="bold", no_wrap=True)
    for name, group in sorted(groups.items(), key=lambda item: -item[1].points["total"].value):
        drawn.add_row(name, *_numbers(group, shown))
    drawn.add_section()
    drawn.add_row("all", *_numbers(everyone, shown), style="dim")
    return drawn


def _numbers(group: Cities, shown: list[str]) -> list[str]:
    means = [f"{group.points[column].value:.1f}" for column in (*shown, "total")]
    return [str(group.count), f"{100 * group.wins / group.count:.0f} %", *means]


def _projects(box: Box, projects: Mapping[str, Fate]) -> Table:
    drawn = Table(box=None, padding=(0, 1), collapse_padding=True, header_style="dim")
    drawn.add_column("project", no_wrap=True)
    for name in ("Age", "games", "done", "holders", "gain", "cost", "debts", "with", "without"):
        drawn.add_column(name, justify="right", no_wrap=True)
    for project, fate in sorted(projects.items(), key=lambda item: (item[1].age, item[0])):
        drawn.add_row(
            Text(box.projects[project].name, style="cyan"),
            ROMAN[fate.age],
            str(fate.completed.count),
            f"{100 * fate.completed.value:.0f} %",
            f"{fate.holders.value:.1f}",
            _mean(fate.gain.value, fate.gain.count),
            _mean(fate.cost.value, fate.cost.count),
            f"{fate.debts.sum:.0f}",
            _mean(fate.with_token.value, fate.with_token.count),
            _mean(fate.without.value, fate.without.count),
        )
    return drawn


def _mean(value: float, count: int) -> str:
    return f"{value:.1f}" if count else "–"


def _speed(plain: Mapping[str, Any]) -> Text:
    kept = ", kept in the store" if plain["through"] == "store" else ", written down" if plain["encoded"] else ""
    size = f" · {plain['bytes_per_game'] / 1024:.0f} KB a game" if plain["bytes_per_game"] else ""
    rate = plain["games_per_cpu_second"]
    events = f"{plain['events_per_game']:.0f} events a game{size}"
    return Text(f"{rate:,.0f} games per CPU second{kept} ({plain['cpu_seconds']:.2f} s) · {events}", style="dim")
