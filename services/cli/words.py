"""What a card, a stage or a project costs and does, in a few words and in the colours of the box."""

from __future__ import annotations

from collections.abc import Iterable

from rich.text import Text

from events.catalogue import Box, things as t
from events.rules.words import cost_in_words
from events.vocabulary import CardId, CardType, Scope, Side

TYPE_STYLE: dict[str, str] = {
    "raw": "#b98d5f",
    "manufactured": "grey70",
    "civilian": "#6aa5ff",
    "commercial": "yellow3",
    "scientific": "green3",
    "military": "red1",
    "guild": "medium_purple1",
}
TYPE_COLOUR: dict[str, str] = {
    "raw": "brown",
    "manufactured": "grey",
    "civilian": "blue",
    "commercial": "yellow",
    "scientific": "green",
    "military": "red",
    "guild": "purple",
}
TYPE_ORDER = tuple(TYPE_STYLE)
ROMAN = ("0", "I", "II", "III")
WHY_FREE = {
    "chain": "free by a chain",
    "colour": "free: first of its colour",
    "first": "free: first card of the Age",
    "last": "free: last card of the Age",
    "discard": "free from the discard pile",
}
CATEGORY_STYLE: dict[str, str] = {
    "military": "red1",
    "treasury": "gold1",
    "wonder": "bold",
    "civilian": "#6aa5ff",
    "science": "green3",
    "commercial": "yellow3",
    "guilds": "medium_purple1",
    "edifice": "cyan",
}


def card_name(box: Box, card: CardId | None) -> Text:
    """A card in its colour; a card that lies face down."""
    if card is None:
        return Text("face down", style="dim")
    facts = box.cards[card]
    return Text(facts.name, style=TYPE_STYLE[facts.type])


def card_names(box: Box, cards: Iterable[CardId | None]) -> Text:
    """Cards, one after the other."""
    return Text(", ").join(card_name(box, card) for card in cards)


def by_type(box: Box, cards: Iterable[CardId]) -> list[CardId]:
    """Buildings in the order of their colours, within a colour as they were built."""
    return sorted(cards, key=lambda card: TYPE_ORDER.index(box.cards[card].type))


def board_name(box: Box, wonder: str, side: Side) -> str:
    """For instance "Carthage, day"."""
    return f"{box.faces[wonder, side].name}, {side}"


def coins(amount: int) -> str:
    """For instance "1 coin".

    >>> coins(2)
    '2 coins'
    """
    return f"{amount} coin{'' if amount == 1 else 's'}"


def cost_words(cost: t.Cost) -> str:
    """A printed cost; "free" without one."""
    return cost_in_words(cost) if cost else "free"


def effects_words(effects: Iterable[t.AnyEffect]) -> str:
    """What effects do, in the order in which they are printed."""
    return "; ".join(effect_words(effect) for effect in effects)


def effect_words(effect: t.AnyEffect) -> str:
    """What one effect does."""
    match effect:
        case t.Produce(any_of=kinds, amount=amount):
            return (f"{amount} " if amount > 1 else "") + "/".join(kinds)
        case t.Discount(price=price, sellers=sellers, resources=resources):
            goods = "raw materials" if len(resources) == 4 else "manufactured goods"
            return f"{goods} for {price} from {' and '.join(sellers)}"
        case t.Points(amount=amount):
            return _points(amount)
        case t.Coins(amount=amount):
            return coins(amount)
        case t.Shields(amount=amount):
            return f"{amount} shield{'' if amount == 1 else 's'}"
        case t.Science(any_of=kinds):
            return "/".join(kinds)
        case t.CoinsPerCard(amount=amount, types=types, scope=scope):
            return f"{coins(amount)} per {_colours(types)} card {_scope(scope)}"
        case t.PointsPerCard(amount=amount, types=types, scope=scope):
            return f"{_points(amount)} per {_colours(types)} card {_scope(scope)}"
        case t.CoinsPerStage(amount=amount, scope=scope):
            return f"{coins(amount)} per stage {_scope(scope)}"
        case t.PointsPerStage(amount=amount, scope=scope):
            return f"{_points(amount)} per stage {_scope(scope)}"
        case t.OneOf(options=options):
            return "one of " + ", ".join(f"{word} ({effects_words(given)})" for word, given in sorted(options.items()))
        case _:
            return _rarer_words(effect)


def _rarer_words(effect: t.AnyEffect) -> str:
    match effect:
        case t.PointsIfWonderComplete(amount=amount):
            return f"{_points(amount)} if the wonder is complete"
        case t.PlayLastCard():
            return "play the last card of each Age"
        case t.BuildFromDiscard():
            return "build one card of the discard pile"
        case t.FreeFirstOfColour():
            return "the first card of each colour is free"
        case t.FreeFirstOfAge():
            return "the first card of each Age is free"
        case t.FreeLastOfAge():
            return "the last card of each Age is free"
        case t.VictoryToken(points=points):
            return f"a victory token of {points}"
        case t.DropDefeats():
            return "give back all defeat tokens"
        case t.PointsPerPair(points=points, types=types):
            return f"{_points(points)} per pair of a {' and a '.join(TYPE_COLOUR[kind] for kind in types)} card"
        case t.PointsPerColour(points=points):
            return f"{_points(points)} per colour"
        case t.RepeatGuild():
            return "the best own guild counts twice"
        case t.Token(ages=ages):
            return f"a participation token of Age {'/'.join(ROMAN[age] for age in ages)}"
        case _:
            raise AssertionError(effect)


def penalty_words(penalty: t.Penalty) -> str:
    """What a failed project takes."""
    match penalty:
        case t.LoseCoins(amount=amount):
            return coins(amount)
        case t.DiscardBuilding(type=kind):
            return f"a {TYPE_COLOUR[kind]} card"
        case t.LoseVictoryTokens(amount=amount):
            return f"{amount} victory tokens"


def _points(amount: int) -> str:
    return f"{amount} point{'' if amount == 1 else 's'}"


def _colours(types: tuple[CardType, ...]) -> str:
    return "/".join(TYPE_COLOUR[kind] for kind in types)


def _scope(scope: tuple[Scope, ...]) -> str:
    match frozenset(scope):
        case whole if len(whole) == 3:
            return "here and beside"
        case own if own == {"self"}:
            return "here"
        case beside if beside == {"left", "right"}:
            return "beside"
        case other:
            return f"in {', '.join(sorted(other))}"
