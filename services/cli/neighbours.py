"""What the neighbours produce and sell, and at which price."""

from __future__ import annotations

from rich.table import Table
from rich.text import Text

from events.rules.building import city_stock
from events.rules.state import Game
from events.vocabulary import MANUFACTURED_GOODS, left_of, right_of
from projections.city import units
from services.cli.drawing import called


def production(game: Game, city: int, sold_only: bool = False) -> Text:
    """Everything a city produces each turn; what neighbours cannot buy is dim."""
    parts = []
    for unit in units(game.box, game.cities[city]):
        if sold_only and not unit.sold:
            continue
        goods = unit.any_of[0] in MANUFACTURED_GOODS
        style = ("grey70" if goods else "#b98d5f") + ("" if unit.sold else " dim italic")
        parts.append(Text((f"{unit.amount} " if unit.amount > 1 else "") + "/".join(unit.any_of), style=style))
    return Text(", ").join(parts) if parts else Text("nothing", style="dim")


def market(game: Game, city: int) -> Table:
    """The own production and what both neighbours sell, with the prices for this city."""
    stock, n = city_stock(game.box, game.cities[city]), len(game.cities)
    left, right = left_of(city, n), right_of(city, n)
    drawn = Table(box=None, padding=(0, 1), header_style="dim", show_header=False, expand=True)
    drawn.add_column(style="dim", no_wrap=True)
    drawn.add_column(no_wrap=True)
    drawn.add_column(ratio=1)
    drawn.add_column(style="dim", no_wrap=True)
    rows = (("left", left, stock.raw_left, stock.made_left), ("right", right, stock.raw_right, stock.made_right))
    drawn.add_row("own", Text(called(game, city), style="bold"), production(game, city), "")
    for side, seat, raw, made in rows:
        prices = f"raw {raw}, goods {made} a unit"
        drawn.add_row(side, Text(called(game, seat)), production(game, seat, sold_only=True), prices)
    return drawn
