"""What a play cost and why: the printed price, what the city and its neighbours produced, and every way to pay that there was."""

from __future__ import annotations

from msgspec import Struct

from events.catalogue.things import Cost
from events.facts import ActValue
from events.rules.building import card_price, next_stage, stage_payments, trader
from events.rules.edifice import project_of
from events.rules.state import Game
from events.rules.trade import Payment
from events.rules.words import cost_in_words, payments_in_words
from events.vocabulary import CardId, Free

RULINGS: dict[str, str] = {
    "R7": "A choice may be changed until the last seat has chosen; then all are turned over at once.",
    "R8": "A turn has three actions: build the card, put it under the next wonder stage, or discard it for 3 coins.",
    "R9": "Which card lies under a board or in the discard pile stays secret until the game is over.",
    "R10": "Everything is paid from the coins held when the turn began; what comes in this turn cannot be spent in it.",
    "R12": "Coins that a card or stage brings are counted by what stands after everybody has placed.",
    "R16": "A unit from a neighbour costs 2 coins, or 1 with the trading post for it.",
    "R17": "A city buys only what it cannot produce itself, and no more than that.",
    "R18": "A card is free for a city that has the building its chain begins with.",
    "R20": "Stages are built in order, each once, at the stage's price, whatever the card costs.",
    "R30": "Olympia (day) builds the first card of each colour without paying.",
    "R31": "Olympia (night) builds its first and its last card of an Age without paying.",
    "R33": "A stage with a choice is built with that choice, which is revealed with it.",
    "R40": "Babylon (night) plays the last card of the hand in the sixth turn, too.",
    "R41": "A card from the discard pile is built without paying, at the end of the turn.",
    "R43": "An extra choice is asked of its seat alone, and the game waits for it.",
    "R62": "With a wonder stage a city may join the Age's project: it pays the project's coins on top and takes a token.",
    "R63": "If more cities join in one turn than tokens are left, all of them get one.",
    "R67": "A city that must lose a building chooses which; the choices are turned over together.",
    "R91": "The holder of the Free City's card draws a card, chooses for the own city, then for the Free City.",
    "R94": "The Free City discards only if it can neither build nor build a stage.",
    "clock": "Whoever has not chosen in time discards the first card that can be discarded, in catalogue order; else declines; "
    "else makes the first play that is legal.",
}
"""Ruling -> what it says."""

FREE: dict[Free, str] = {"chain": "R18", "colour": "R30", "first": "R31", "last": "R31", "discard": "R41"}


class Price(Struct, frozen=True, kw_only=True):
    """cost: as printed; held: coins when the turn began; bank, left, right, project: what was paid to whom; free: why nothing;
    ways: every (left, right) that would have paid; text: the same in words."""

    what: str
    cost: Cost
    held: int
    bank: int
    left: int
    right: int
    project: int
    free: Free | None
    ways: tuple[Payment, ...]
    text: str


def price_of(game: Game, city: int, act: ActValue, card: CardId | None) -> Price | None:
    """The price of a build or a stage in the game as it stood before it; None for what costs nothing."""
    held = game.cities[city].coins
    if act.kind == "build" and card is not None:
        facts, found = game.box.cards[card], card_price(trader(game, city), card)
        bank = 0 if found.free else facts.cost.get("coins", 0)
        return _price(game, city, act, facts.name, facts.cost, held, bank, 0, found.free, found.payments)
    stage = next_stage(game.box, game.cities[city])
    if act.kind == "stage" and stage is not None:
        extra = project_of(game).coins if act.participate else 0
        ways = stage_payments(trader(game, city), extra)
        name = f"stage {game.cities[city].stages + 1}"
        return _price(game, city, act, name, stage.cost, held, stage.cost.get("coins", 0), extra, None, ways)
    return None


def _price(
    game: Game,
    city: int,
    act: ActValue,
    what: str,
    cost: Cost,
    held: int,
    bank: int,
    project: int,
    free: Free | None,
    ways: tuple[Payment, ...],
) -> Price:
    why = f"free ({free})" if free else payments_in_words(game, city, ways)
    joined = f" and {project} to join the project" if project else ""
    return Price(
        what=what,
        cost=cost,
        held=held,
        bank=bank,
        left=act.left,
        right=act.right,
        project=project,
        free=free,
        ways=ways,
        text=f"{what} costs {cost_in_words(cost)}{joined}; with {held} coins when the turn began: {why}.",
    )


def rulings_of(
    question: str, act: ActValue | None, price: Price | None, types: set[str], timed_out: bool, free_city: bool
) -> dict[str, str]:
    """The rulings that applied, with what they say.  types: the kinds of events that followed."""
    asked = {"choose": ("R7", "R8"), "last-card": ("R40", "R43"), "pick": ("R41", "R43"), "lose": ("R67",)}
    used = list(asked[question])
    if act is not None and act.kind in ("stage", "discard"):
        used.append("R9")
    if act is not None and act.kind == "stage":
        used += ["R20", *(["R33"] if act.option is not None else [])]
    if price is not None:
        used += [FREE[price.free]] if price.free else ["R10", "R17"]
        used += ["R16"] if price.left or price.right else []
        used += ["R62"] if price.project else []
    used += ["R63"] if "ParticipationTaken" in types else []
    used += ["R12"] if "CoinsReceived" in types and act is not None and act.kind in ("build", "stage", "pick") else []
    used += ["R91", "R94"] if free_city else []
    used += ["clock"] if timed_out else []
    return {ruling: RULINGS[ruling] for ruling in dict.fromkeys(used)}
