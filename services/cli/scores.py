"""The score pad: a column for each city, a row for each kind of points, and where every point comes from."""

from __future__ import annotations

from rich.table import Table
from rich.text import Text

from events.catalogue import Box
from events.facts import Line, Sheet
from events.rules.scoring import sheet
from events.rules.state import Game, Over
from events.vocabulary import CATEGORIES
from services.cli.drawing import called
from services.cli.words import CATEGORY_STYLE

WHERE = {"coins": "coins", "sets": "sets of three", "debt": "debt"}


def sheets(game: Game) -> tuple[Sheet, ...]:
    """The final sheets, or what each city would score now."""
    if isinstance(game.phase, Over) and game.phase.sheets:
        return game.phase.sheets
    return tuple(sheet(game, city) for city in range(len(game.cities)))


def score_table(game: Game) -> Table:
    """The pad; while the game goes on: what each would score if it ended now."""
    counted = sheets(game)
    title = "Final score" if isinstance(game.phase, Over) else "If the game ended now"
    drawn = Table(title=title, title_justify="left", title_style="dim", box=None, padding=(0, 2))
    drawn.add_column("", no_wrap=True)
    for one in counted:
        drawn.add_column(Text(called(game, one.city)), justify="right")
    for row in CATEGORIES:
        if row != "edifice" or game.edifice:
            style = CATEGORY_STYLE[row]
            drawn.add_row(Text(row, style=style), *(_number(one.points[row]) for one in counted))
    drawn.add_section()
    drawn.add_row(Text("total", style="bold"), *(Text(str(one.total), style="bold") for one in counted))
    return drawn


def _number(points: int) -> Text:
    return Text(str(points) if points else "·", style="red" if points < 0 else "" if points else "dim")


def origin_table(game: Game) -> Table:
    """Every point of every city with its origin (R81)."""
    drawn = Table(
        title="Where the points come from", title_justify="left", title_style="dim", box=None, padding=(0, 1), expand=True
    )
    drawn.add_column("city", no_wrap=True)
    drawn.add_column("", no_wrap=True)
    drawn.add_column("", justify="right")
    drawn.add_column("from", ratio=1)
    for one in sheets(game):
        rows = [row for row in CATEGORIES if one.rows[row]]
        for place, row in enumerate(rows):
            origins = ", ".join(f"{origin(game.box, line)} = {line.points}" for line in one.rows[row])
            name = Text(called(game, one.city), style="bold") if place == 0 else ""
            points = Text(str(one.points[row]))
            drawn.add_row(name, Text(row, style=CATEGORY_STYLE[row]), points, origins, end_section=place == len(rows) - 1)
    return drawn


def origin(box: Box, line: Line) -> str:
    """The card, stage, token or project that some points come from, with what was counted."""
    kind, _, rest = line.source.partition(":")
    count = "" if line.count is None else f" ×{line.count}"
    match kind:
        case "token":
            return f"tokens of {rest}{count}"
        case "stage":
            return f"stage {rest}{count}"
        case "symbol":
            return f"{rest}{count}"
        case _ if line.source in WHERE:
            return f"{WHERE[line.source]}{count}"
        case _ if line.source in box.cards:
            return f"{box.cards[line.source].name}{count}"
        case _:
            return f"{box.projects[line.source].name}{count}"


def is_scored(game: Game) -> bool:
    """Whether the game was played to its end."""
    return isinstance(game.phase, Over) and bool(game.phase.sheets)


def places_line(game: Game) -> Text:
    """Who won, and who came after."""
    assert isinstance(game.phase, Over)
    totals = {one.city: one.total for one in game.phase.sheets}
    parts = []
    for place, shared in enumerate(game.phase.places, 1):
        names = " and ".join(called(game, city) for city in shared)
        parts.append(Text(f"{place}. {names} ({totals[shared[0]]})", style="bold gold1" if place == 1 else ""))
    return Text("   ").join(parts)
