"""The cards that a seat may choose from: what each costs here and now, what it does, and why it cannot be built."""

from __future__ import annotations

from msgspec import Struct
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from events.rules.building import card_price, next_stage, stage_options, stage_payments, trader
from events.rules.edifice import may_join, project_of
from events.rules.legal import Play, choosable, known_offer, legal
from events.rules.state import Choosing, Extra, Game
from events.rules.trade import Payment
from events.rules.words import cannot_pay, stage_in_words
from events.vocabulary import CardId, left_of, right_of
from services.cli.drawing import called
from services.cli.words import WHY_FREE, card_name, coins, cost_words, effects_words


class Offer(Struct, frozen=True):
    """One card that a city may choose, with what may be done with it; `why_not`: why it cannot be built."""

    card: CardId
    plays: dict[str, Play]
    why_not: str | None


def cards_for(game: Game, city: int, own: CardId | None = None) -> tuple[CardId, ...]:
    """The cards before a city, in catalogue order, each once."""
    phase = game.phase
    if isinstance(phase, Extra):
        if city not in phase.cities:
            return ()
        if phase.question == "lose":
            return tuple(play.card for play in legal(game, city) if play.card is not None)
        return game.box.sorted(set(known_offer(phase, city)))
    return game.box.sorted(set(choosable(game, city, own)))


def offers(game: Game, city: int, own: CardId | None = None) -> list[Offer]:
    """Every card before a city with its legal plays.  `own`: the holder's own card, where the Free City chooses."""
    plays = legal(game, city, own)
    found = []
    for card in cards_for(game, city, own):
        kinds: dict[str, Play] = {play.kind: play for play in plays if play.card == card}
        can = kinds.keys() & {"build", "pick", "lose"}
        found.append(Offer(card, kinds, None if can else why_not(game, city, card)))
    return found


def why_not(game: Game, city: int, card: CardId) -> str | None:
    """Why a card cannot be built here, in one sentence; None if it can."""
    facts = game.box.cards[card]
    who = trader(game, city)
    if facts.name in who.names:
        return f"{called(game, city)} has a {facts.name} already."
    if card_price(who, card).payments:
        return None
    return _without_cost(cannot_pay(game, city, facts.name, facts.cost))


def _without_cost(sentence: str) -> str:
    """The reason alone: what it costs stands beside it already."""
    reason = sentence.partition(": ")[2]
    return reason[:1].upper() + reason[1:]


def payment_words(game: Game, city: int, payment: Payment) -> str:
    """For instance "2 to Bo + 1 to Cy"."""
    n = len(game.cities)
    to = ((payment[0], left_of(city, n)), (payment[1], right_of(city, n)))
    return " + ".join(f"{amount} to {called(game, seat)}" for amount, seat in to if amount)


def price_words(game: Game, city: int, play: Play, own_coins: int = 0) -> str:
    """What a play costs: every payment, and the coins for the bank."""
    ways = [words for payment in play.payments if (words := payment_words(game, city, payment))]
    parts = [" | ".join(ways)] if ways else []
    if own_coins and not play.free:
        parts.append(f"{coins(own_coins)} to the bank")
    if parts:
        return ", ".join(parts)
    return WHY_FREE.get(play.free or "", "nothing to pay")


def plays_table(game: Game, city: int, own: CardId | None = None) -> RenderableType:
    """The cards before a city as a numbered table, and its next stage beneath."""
    drawn = Table(box=None, padding=(0, 1), header_style="dim", expand=True)
    drawn.add_column("#", justify="right", style="bold")
    drawn.add_column("card", no_wrap=True)
    drawn.add_column("cost", no_wrap=True)
    drawn.add_column("does", ratio=2)
    drawn.add_column("for you", ratio=3)
    for number, offer in enumerate(offers(game, city, own), 1):
        facts = game.box.cards[offer.card]
        drawn.add_row(
            str(number),
            card_name(game.box, offer.card),
            cost_words(facts.cost),
            effects_words(facts.effects),
            _for_you(game, city, offer),
        )
    lines: list[RenderableType] = [drawn]
    if _may_build_stages(game):
        lines.append(Padding(stage_line(game, city), (0, 1)))
    return Group(*lines)


def _may_build_stages(game: Game) -> bool:
    return isinstance(game.phase, Choosing) or (isinstance(game.phase, Extra) and game.phase.question == "last-card")


def _for_you(game: Game, city: int, offer: Offer) -> Text:
    if "lose" in offer.plays:
        return Text("may be given up", style="yellow")
    play = offer.plays.get("build") or offer.plays.get("pick")
    if play is None:
        return Text(offer.why_not or "cannot be built", style="red dim")
    return Text(price_words(game, city, play, game.box.cards[offer.card].cost.get("coins", 0)), style="green")


def stage_line(game: Game, city: int) -> Text:
    """The next stage of a city's wonder: cost, effect, price, options, and whether it may join the project."""
    stage = next_stage(game.box, game.cities[city])
    if stage is None:
        return Text("All stages of the wonder are built.", style="dim")
    who = trader(game, city)
    ways = stage_payments(who)
    line = Text.assemble(
        (f"{stage_in_words(game, city).capitalize()}: ", "bold"), cost_words(stage.cost), " → ", effects_words(stage.effects)
    )
    if not ways:
        reason = _without_cost(cannot_pay(game, city, stage_in_words(game, city), stage.cost))
        return line.append(f" · {reason}", style="red dim")
    play = Play(kind="stage", card=None, payments=ways)
    line.append(f" · {price_words(game, city, play)}", style="green")
    if options := stage_options(stage):
        line.append(f" · choose {', '.join(options)}", style="yellow")
    if may_join(game, city):
        project = project_of(game)
        joinable = stage_payments(who, project.coins)
        words = f"may join {project.name} for {coins(project.coins)}" if joinable else f"no coins left to join {project.name}"
        line.append(f" · {words}", style="cyan" if joinable else "dim")
    return line
