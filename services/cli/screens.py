"""What a player sees at the table: the question with everything around it, the story so far, and the count at the end."""

from __future__ import annotations

from collections.abc import Iterable

from rich.padding import Padding
from rich.rule import Rule
from rich.text import Text

from events.rules.state import Extra, Game
from events.vocabulary import CardId
from projections.chronicle import Chapter
from services.cli import drawing, scores
from services.cli.hand import plays_table
from services.cli.neighbours import market
from services.cli.voice import page
from services.cli.words import ROMAN


def question(game: Game, seat: int, city: int, own: CardId | None) -> None:
    """A question to a seat about a city, with the table, the prices and the cards.  own: the holder's own card (R91)."""
    where = f"Age {ROMAN[game.age]}, turn {game.turn}"
    title = where if city == seat else f"{where}: for {drawing.called(game, city)}"
    if isinstance(game.phase, Extra):
        title = f"{where}: you {drawing.ASKED[game.phase.question]}"
    page().print()
    heading(title)
    page().print(drawing.cities(game, seat))
    for line in drawing.middle(game, now=True):
        page().print(Padding(line, (0, 1)))
    page().print()
    page().print(market(game, city))
    page().print()
    page().print(plays_table(game, city, own))
    if isinstance(game.phase, Extra) and game.phase.question == "pick":
        page().print("  no: build nothing", style="dim")


def heading(title: str) -> None:
    """A line across the page."""
    page().print(Rule(Text(title, style="bold"), style="dim", align="left"))


def tell(chapters: Iterable[Chapter], after: int = 0) -> None:
    """The story from a version on."""
    for chapter in chapters:
        lines = [line for line in chapter.lines if line.version > after]
        if not lines:
            continue
        if chapter.part != "gathering":
            end = {"age-end": ", the end", "end": ", the end of the game"}.get(chapter.part, f", turn {chapter.turn}")
            page().print(Text(f"Age {ROMAN[chapter.age]}{end}", style="bold"))
        for line in lines:
            page().print(Padding(Text(line.text), (0, 0, 0, 2), expand=False))


def end(game: Game) -> None:
    """Places, the score pad, and where every point comes from; or why the game was not played to its end."""
    page().print()
    if not scores.is_scored(game):
        page().print(drawing.headline(game))
        return
    heading("The end")
    page().print(scores.places_line(game))
    page().print()
    page().print(scores.score_table(game))
    page().print()
    page().print(scores.origin_table(game))
    page().print(f"\nSee it again: wonderlog replay {game.id}", style="dim", markup=False)
