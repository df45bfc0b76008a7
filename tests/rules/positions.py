"""Sets up one moment of a game by hand, and plays a turn from it."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from events.catalogue import current
from events.commands import AnswerExtra, ChooseAction, EvaluateEdifice, ResolveConflicts, RevealTurn
from events.facts import ActValue, AnyEvent
from events.rules import Game, decide, due, initial, legal, outcome
from events.rules.state import Choosing, City, Closing, Edifice, Extra, Person
from tests.rules.driver import options, own_card

Choice = tuple[ActValue, str | None]
PROJECTS = ("money-changer", "auction-house", "gold-reserves")
BOX = current()


def city(wonder: str = "gizah", side: str = "day", *built: str, stages: int = 0, **more: Any) -> City:
    """A city.  stages: how many are built (options None unless given)."""
    chosen = more.pop("options", (None,) * stages)
    return City(wonder=wonder, side=side, built=built, options=chosen, under=("tavern",) * len(chosen), **more)  # type: ignore[arg-type]


def table(
    *cities: City, age: int = 1, turn: int = 1, projects: tuple[str, ...] | None = None, tokens: int | None = None, **more: Any
) -> Game:
    """A table where the turn is to be chosen.  Cities missing up to three are plain ones; hands are filled up with taverns,
    and in catalogue order, as every deal, pass and position document makes them.

    projects: with the Edifice, one an Age; tokens: left on the current one; free: place of the Free City (two players)."""
    ring = [*cities, *(city(board) for board in ("rhodos", "ephesos", "alexandria")[: max(0, 3 - len(cities))])]
    free = more.pop("free", None)
    known = {name: more.pop(name) for name in ("discard", "holder", "pile", "drawn", "picks") if name in more}
    rules = options(2 if free is not None else len(ring), projects is not None, **more)
    size = 8 - turn
    hands = [BOX.sorted((*one.hand, *("tavern",) * size)[:size]) for one in ring]
    full = [one if place == free else replace(one, hand=hands[place]) for place, one in enumerate(ring)]
    start = BOX.tokens[rules.edifice_tokens][len(ring)]
    edifice = tuple(
        Edifice(project=project, tokens=tokens if tokens is not None and place == age - 1 else start)
        for place, project in enumerate(projects or ())
    )
    if free is not None:
        known = {"holder": (free + 1) % 3, **known, "free": free}
        known["has_drawn"] = "drawn" in known
    return replace(
        initial(BOX), id="a-game", version=10, options=rules, age=age, turn=turn, cities=tuple(full), edifice=edifice,
        people=tuple(Person(name=f"Player {seat + 1}", bot="random") for seat in range(rules.players)),
        phase=Choosing(deadline=None, choices=(None,) * len(ring), numbers=(0,) * len(ring)), **known,
    )  # fmt: skip


def projects(*named: str) -> tuple[str, ...]:
    """Three projects with these among them, each on its own Age's place."""
    chosen = list(PROJECTS)
    for project in named:
        chosen[BOX.projects[project].age - 1] = project
    return tuple(chosen)


# ---- choices ----------------------------------------------------------------------------------------------------------
def build(card: str, left: int = 0, right: int = 0) -> Choice:
    return ActValue(kind="build", left=left, right=right), card


def stage(card: str = "tavern", left: int = 0, right: int = 0, join: bool = False, option: str | None = None) -> Choice:
    return ActValue(kind="stage", left=left, right=right, participate=join, option=option), card


def discard(card: str = "tavern") -> Choice:
    return ActValue(kind="discard"), card


def pick(card: str) -> Choice:
    return ActValue(kind="pick"), card


def lose(card: str) -> Choice:
    return ActValue(kind="lose"), card


DECLINE: Choice = (ActValue(kind="decline"), None)


# ---- playing ----------------------------------------------------------------------------------------------------------
def choose(game: Game, place: int, choice: Choice, **more: Any) -> Game:
    """Lays one city's choice face down; raises Refusal."""
    act, card = choice
    assert card is not None
    command = ChooseAction(seat=game.answerer(place), city=place, age=game.age, turn=game.turn, card=card, act=act, **more)
    return outcome(game, command)[1]


def reveal(game: Game) -> tuple[tuple[AnyEvent, ...], Game]:
    return outcome(game, RevealTurn())


def play(game: Game, *choices: Choice | None) -> tuple[tuple[AnyEvent, ...], Game]:
    """A whole turn: one choice a city, None or missing: the last card of the hand is discarded."""
    for place in range(len(game.cities)):
        given = choices[place] if place < len(choices) else None
        if given is None and place == game.free:
            given = free_city_default(game, place)
        game = choose(game, place, given or discard(game.cities[place].hand[-1] or ""))
    return reveal(game)


def free_city_default(game: Game, place: int) -> Choice:
    first = legal(game, place, own_card(game, place))[0]
    left, right = first.payments[0] if first.payments else (0, 0)
    return ActValue(kind=first.kind, left=left, right=right, option=first.options[0] if first.options else None), first.card


def answer(game: Game, place: int, choice: Choice) -> tuple[tuple[AnyEvent, ...], Game]:
    """An answer to an extra question."""
    act, card = choice
    phase = game.phase
    seat = phase.seats[phase.cities.index(place)] if isinstance(phase, Extra) and place in phase.cities else place
    return outcome(game, AnswerExtra(seat=seat, city=place, age=game.age, turn=game.turn, card=card, act=act))


def settle(game: Game) -> tuple[tuple[AnyEvent, ...], Game]:
    """Everything an Age's end owes, up to the next deal, scoring or question."""
    events: tuple[AnyEvent, ...] = ()
    while isinstance(command := due(game, 0), (ResolveConflicts, EvaluateEdifice)):
        more, game = outcome(game, command)
        events += more
    return events, game


def ending(game: Game, *owed: str) -> Game:
    """The same moment when all actions of the Age are over and these steps are owed."""
    bare = tuple(replace(one, hand=()) for one in game.cities)
    return replace(game, turn=6, phase=Closing(owed or ("conflicts", "edifice", "deal")), cities=bare)


def allowed(game: Game, place: int, choice: Choice) -> bool:
    """Whether `legal` lists a choice."""
    act, card = choice
    for one in legal(game, place, own_card(game, place)):
        if (one.kind, one.card) == (act.kind, card) and (not one.options or act.option in one.options):
            ways = one.joinable if act.participate else one.payments or ((0, 0),)
            if (act.left, act.right) in ways:
                return True
    return False


def listed(game: Game, place: int, kind: str, card: str | None = None) -> Any:
    """The listed play of a kind (and card), None if there is none."""
    for one in legal(game, place, own_card(game, place)):
        if one.kind == kind and card in (None, one.card):
            return one
    return None


def of(events: tuple[AnyEvent, ...], kind: type) -> list[Any]:
    """The events of one type."""
    return [event for event in events if isinstance(event, kind)]


__all__ = [
    "BOX", "DECLINE", "allowed", "answer", "build", "choose", "city", "decide", "discard", "ending", "listed", "lose", "of", "pick",
    "play", "projects", "replace", "reveal", "settle", "stage", "table",
]  # fmt: skip
