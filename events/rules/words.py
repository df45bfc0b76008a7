"""Says in words what something costs and why it cannot be paid."""

from __future__ import annotations

from events.catalogue.things import Cost
from events.rules.building import trader
from events.rules.state import Game
from events.rules.trade import Payment, affordable, need
from events.vocabulary import left_of, right_of

UNLIMITED = 1_000_000


def cost_in_words(cost: Cost) -> str:
    """For instance "2 clay, 1 loom"; "nothing" for an empty cost.

    >>> cost_in_words({"clay": 2, "coins": 1})
    '2 clay, 1 coin'
    """
    words = {"coins": "coin"}
    parts = [f"{amount} {words.get(what, what)}{'s' if what == 'coins' and amount > 1 else ''}" for what, amount in cost.items()]
    return ", ".join(parts) or "nothing"


def coins_in_words(amount: int) -> str:
    """For instance "1 coin"."""
    return f"{amount} coin{'' if amount == 1 else 's'}"


def begun(text: str) -> str:
    """A text as a sentence begins with it.

    >>> begun("the Free City")
    'The Free City'
    """
    return text[:1].upper() + text[1:]


def stage_in_words(game: Game, city: int) -> str:
    """For instance "stage 2"."""
    return f"stage {game.cities[city].stages + 1}"


def payments_in_words(game: Game, city: int, ways: tuple[Payment, ...]) -> str:
    """The payments that would do, with the neighbours' names."""
    n = len(game.cities)
    left, right = game.called(left_of(city, n)), game.called(right_of(city, n))
    if ways == ((0, 0),):
        return "it costs no purchase"
    return "possible: " + "; ".join(f"{to_left} to {left} and {to_right} to {right}" for to_left, to_right in ways)


def cannot_pay(game: Game, city: int, what: str, cost: Cost, extra: int = 0) -> str:
    """Why no payment exists: resources that nobody sells, or too few coins."""
    who, name, coins = trader(game, city), game.called(city), game.cities[city].coins
    what = begun(what)
    printed = cost_in_words(cost)
    ways = affordable(who.market, need(cost), UNLIMITED).payments
    if not ways:
        for resource in cost:
            if resource != "coins":
                alone: Cost = {resource: cost[resource]}
                if not affordable(who.market, need(alone), UNLIMITED).payments:
                    return f"{what} costs {printed}: {name} cannot get the {resource}; neither neighbour sells enough of it."
        return f"{what} costs {printed}: {name} and both neighbours together cannot make all of it at once."
    cheapest = min(left + right for left, right in ways) + cost.get("coins", 0) + extra
    joined = f" and {extra} to join the project" if extra else ""
    return f"{what} costs {printed}{joined}: that takes at least {coins_in_words(cheapest)}, {name} has {coins}."
