"""Draws a table: the cities in their ring, the projects, and what lies in the middle."""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from events.rules.clock import awaited
from events.rules.effects import shields
from events.rules.position_format import PRESETS
from events.rules.scoring import sheet
from events.rules.state import Choosing, City, Closing, Extra, Game, Gathering, Over
from events.vocabulary import TURNS
from projections.table import preset
from services.cli.voice import page
from services.cli.words import ROMAN, board_name, by_type, card_name, card_names, effects_words, penalty_words

WIDE = 100
ASKED = {"last-card": "may play the last card", "pick": "may build from the discard pile", "lose": "must give up a building"}


def table(game: Game, you: int | None = None) -> RenderableType:
    """The whole table as far as this fold of the game knows it; `you`: the seat that looks."""
    parts: list[RenderableType] = [headline(game), cities(game, you)]
    parts += [Padding(line, (0, 1)) for line in middle(game)]
    return Group(*parts)


def headline(game: Game) -> Text:
    """Where the game is, and who is awaited."""
    where = Text.assemble((f"Age {ROMAN[game.age]}, turn {game.turn} of {TURNS}", "bold"))
    match game.phase:
        case Gathering():
            free = sum(person is None for person in game.people)
            return Text.assemble(("Gathering", "bold"), f" · {free} of {len(game.people)} seats free")
        case Choosing():
            waiting = [called(game, city) for _, city in awaited(game)]
            return where + Text(f" · {', '.join(waiting) or 'nobody'} to choose")
        case Extra(question=question):
            waiting = [called(game, city) for _, city in awaited(game)]
            return where + Text(f" · {', '.join(waiting)} {ASKED[question]}")
        case Closing(owed=owed):
            return where + Text(f" · the Age ends: {', '.join(owed)}")
        case Over(reason=reason):
            return Text.assemble(("The game is over", "bold"), f" · {reason}" if reason else "")
        case _:
            return where


def called(game: Game, city: int) -> str:
    """The name of a city's player; of the Free City its own, if it was given one."""
    person = game.people[city] if city < len(game.people) else None
    return person.name if person and person.name else game.called(city)


def cities(game: Game, you: int | None = None) -> Table:
    """One row for each city, in the order of the ring."""
    drawn = Table(box=None, padding=(0, 1), collapse_padding=True, header_style="dim", expand=True)
    wide = page().width >= WIDE
    drawn.add_column("city", no_wrap=wide, min_width=14)
    for name in ("coins", "shields" if wide else "sh."):
        drawn.add_column(name, justify="right")
    drawn.add_column("stages" if wide else "wonder")
    drawn.add_column("tokens")
    if game.edifice:
        drawn.add_column("edifice")
    drawn.add_column("buildings", ratio=1, min_width=24)
    drawn.add_column("points" if wide else "pts", justify="right")
    for number, city in enumerate(game.cities):
        row: list[RenderableType] = [_who(game, number, you), str(city.coins), str(shields(game.box, city)), _stages(game, city)]
        row.append(_tokens(city))
        if game.edifice:
            row.append(_taking_part(game, city))
        row += [card_names(game.box, by_type(game.box, city.built)) or Text("–", style="dim"), str(sheet(game, number).total)]
        drawn.add_row(*row)
    return drawn


def _who(game: Game, number: int, you: int | None) -> Text:
    city = game.cities[number]
    name = Text.assemble((called(game, number), "bold"))
    if number == you:
        name.append(" (you)", style="cyan")
    person = game.people[number] if number < len(game.people) else None
    board = board_name(game.box, city.wonder, city.side)
    if person and person.plays_itself:
        board += " · bot"
    if number == game.free and "Free City" not in name.plain:
        board += " · the Free City"
    return name.append(f"\n{board}", style="dim")


def _stages(game: Game, city: City) -> Text:
    whole = len(game.box.faces[city.wonder, city.side].stages)
    words = [option for option in city.options if option]
    drawn = Text.assemble(("■" * city.stages, "gold1"), ("□" * (whole - city.stages), "dim"))
    return drawn.append(f"\n{', '.join(words)}" if words else "", style="dim")


def _tokens(city: City) -> Text:
    parts = [Text(f"+{token}", style="green") if token > 0 else Text(f"−{-token}", style="red") for token in city.tokens]
    parts += [Text(f"debt −{-debt}", style="red") for debt in city.debts]
    return Text(" ").join(parts) if parts else Text("–", style="dim")


def _taking_part(game: Game, city: City) -> Text:
    parts = [Text(f"in {ROMAN[age]}") for age in city.participates]
    parts += [Text(game.box.projects[project].name, style="cyan") for project in city.rewards]
    return Text(", ").join(parts) if parts else Text("–", style="dim")


def middle(game: Game, now: bool = False) -> list[Text]:
    """How the table plays, the projects (or only the Age's own), the discard pile, the draw pile of two players."""
    lines = [rules_line(game)] if game.cities and (game.edifice or game.free is not None) else []
    lines += [project_line(game, age) for age in range(1, len(game.edifice) + 1) if not now or age == game.age]
    if game.cities:
        lines.append(Text.assemble(("discard pile: ", "dim"), _pile(game, game.discard)))
    if game.free is not None and game.holder is not None:
        line = Text.assemble(("the Free City card: ", "dim"), called(game, game.holder))
        if game.has_drawn:
            drawn = Text("a card", style="dim") if game.drawn is None else card_name(game.box, game.drawn)
            line = Text.assemble(line, (", has drawn ", "dim"), drawn)
        lines.append(line)
        lines.append(Text.assemble(("draw pile: ", "dim"), _pile(game, game.pile)))
    return lines


def rules_line(game: Game) -> Text:
    """The preset; with single options, how they differ from the booklet."""
    name = preset(game.rules)
    if name in PRESETS:
        return Text.assemble(("rules: ", "dim"), name)
    other = [
        f"{option} {value}" for option in PRESETS["booklet"] if (value := getattr(game.rules, option)) != PRESETS["booklet"][option]
    ]
    return Text.assemble(("rules: ", "dim"), f"booklet, but {', '.join(other)}")


def _pile(game: Game, cards: tuple[str | None, ...]) -> Text:
    """Known cards by name, the others as a count."""
    known = [card for card in cards if card is not None]
    hidden = len(cards) - len(known)
    parts = [card_name(game.box, card) for card in known]
    if hidden:
        parts.append(Text(f"{hidden} face down", style="dim"))
    return Text(", ").join(parts) if parts else Text("empty", style="dim")


def project_line(game: Game, age: int) -> Text:
    """One project: what joining costs, what it gives, what its failure takes."""
    one = game.edifice[age - 1]
    facts = game.box.projects[one.project]
    line = Text.assemble((f"Edifice {ROMAN[age]}: ", "dim"), (facts.name, "bold cyan" if age == game.age else "cyan"))
    state = f"{one.tokens} token{'' if one.tokens == 1 else 's'} left" if one.state == "open" else one.state
    line.append(f", {state}", style={"completed": "green", "failed": "red"}.get(one.state, ""))
    line.append(f" · join for {facts.coins}: {effects_words(facts.reward)}", style="dim")
    return line.append(f" · else {penalty_words(facts.penalty)}", style="dim")


def hands(game: Game) -> Table:
    """Every hand as far as it is known."""
    drawn = Table(box=None, padding=(0, 1), header_style="dim", expand=True)
    drawn.add_column("hand of", no_wrap=True)
    drawn.add_column("cards", ratio=1)
    for number, city in enumerate(game.cities):
        if number != game.free and city.hand:
            known = game.box.sorted(card for card in city.hand if card is not None)
            hidden = len(city.hand) - len(known)
            cards = card_names(game.box, known)
            drawn.add_row(Text(called(game, number)), cards if not hidden else Text(f"{hidden} cards", style="dim"))
    return drawn
