"""Tells each fact in a sentence or two: every kind of event has its words, and none of them names a hidden card."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from events import facts as f
from events.facts import ActValue, AnyEvent
from events.rules.state import Extra, Game
from projections.phrases import Line, Param

_act = msgspec.json.Decoder(ActValue).decode


def lines_of(before: Game, event: AnyEvent) -> tuple[Line, ...]:
    """What one event says by itself.  `before`: the game, as a spectator knows it, when the event happened."""
    return _TOLD[type(event)](before, event)


def line(key: str, **params: Param) -> Line:
    """One line."""
    return Line(key=key, params=params)


def _one(key: str, *names: str) -> Callable[[Game, Any], tuple[Line, ...]]:
    """A teller for an event that needs nothing but its own fields."""
    return lambda before, event: (Line(key=key, params={name: getattr(event, name) for name in names}),)


# ---- gathering --------------------------------------------------------------------------------------------------------
def _opened(before: Game, event: f.GameOpened) -> tuple[Line, ...]:
    key = "opened" + ("-rematch" if event.rematch_of else "") + ("-edifice" if event.options.edifice else "")
    return (line(key, players=event.options.players),)


def _seat_taken(before: Game, event: f.SeatTaken) -> tuple[Line, ...]:
    if event.bot:
        return (line("sat-down-bot", city=event.seat, number=event.seat + 1, bot=event.bot),)
    return (line("sat-down", city=event.seat, number=event.seat + 1),)


def _seat_left(before: Game, event: f.SeatLeft) -> tuple[Line, ...]:
    return (line(event.why, city=event.seat),)


def _started(before: Game, event: f.GameStarted) -> tuple[Line, ...]:
    boards = [line("plays-board", city=place, wonder=one.wonder, side=one.side) for place, one in enumerate(event.boards)]
    projects = [line("project-open", age=age, project=one, tokens=event.tokens) for age, one in enumerate(event.projects, 1)]
    return (line("started", coins=event.coins), *boards, *projects)


def _holder(holder: int | None) -> tuple[Line, ...]:
    return () if holder is None else (line("holder", city=holder),)


def _age_dealt(before: Game, event: f.AgeDealt) -> tuple[Line, ...]:
    return (line("age-dealt", age=event.age, cards=event.size), *_holder(event.holder))


def _drawn(before: Game, event: f.CardDrawn) -> tuple[Line, ...]:
    return (line("drew", city=event.seat, cards=event.left),)


# ---- choosing ---------------------------------------------------------------------------------------------------------
def _chosen(before: Game, event: f.ActionChosen) -> tuple[Line, ...]:
    if event.city != event.seat:
        return (line("chose-for", city=event.seat, other=event.city),)
    return (line("chose", city=event.seat),)


def _withdrawn(before: Game, event: f.ActionWithdrawn) -> tuple[Line, ...]:
    if event.why == "own-choice":
        return (line("withdrew-own-choice", city=event.seat, other=event.city),)
    return (line("withdrew", city=event.seat),)


def _extra_revealed(before: Game, event: f.ExtraRevealed) -> tuple[Line, ...]:
    if event.question == "lose" or not isinstance(before.phase, Extra):
        return (line("answers-revealed"),)
    acts = [_act(opening.bytes.encode()) for opening in event.openings if opening.path == "act"]
    key = "declined" if any(act.kind == "decline" for act in acts) else "answer-revealed"
    return (line(key, city=before.phase.cities[0]),)


def _asked(before: Game, event: f.ExtraAsked) -> tuple[Line, ...]:
    if event.question == "lose":
        return (line("asked-lose", cities=event.cities),)
    return tuple(line(f"asked-{event.question}", city=city) for city in event.cities)


# ---- consequences -----------------------------------------------------------------------------------------------------
def _paid(before: Game, event: f.CoinsPaid) -> tuple[Line, ...]:
    if event.to is not None:
        return (line("paid-neighbour", city=event.city, coins=event.amount, to=event.to),)
    return (line("paid-project" if event.why == "project" else "paid-bank", city=event.city, coins=event.amount),)


def _received(before: Game, event: f.CoinsReceived) -> tuple[Line, ...]:
    if event.source == "discard":
        return (line("received-discard", city=event.city, coins=event.amount),)
    if event.source.startswith("stage:"):
        return (line("received-stage", city=event.city, coins=event.amount, number=int(event.source.removeprefix("stage:"))),)
    return (line("received", city=event.city, coins=event.amount, thing=event.source),)


def _built(before: Game, event: f.CardBuilt) -> tuple[Line, ...]:
    if event.free is None:
        return (line("built", city=event.city, card=event.card),)
    if event.free == "chain":
        standing = before.cities[event.city].built
        chain = next(source for source in before.box.cards[event.card].free_from if source in standing)
        return (line("built-chain", city=event.city, card=event.card, chain=chain),)
    return (line(f"built-{event.free}", city=event.city, card=event.card),)


def _stage(before: Game, event: f.StageBuilt) -> tuple[Line, ...]:
    if event.option is None:
        return (line("stage", city=event.city, number=event.stage),)
    return (line("stage-option", city=event.city, number=event.stage, option=event.option),)


def _discarded(before: Game, event: f.CardDiscarded) -> tuple[Line, ...]:
    if event.why == "action":
        return (line("discarded", city=event.city),)
    return (line("leftovers" if event.why == "leftover" else "pile-discarded", cards=1),)


def _participation(before: Game, event: f.ParticipationTaken) -> tuple[Line, ...]:
    if event.box:
        return (line("joined-box", city=event.city, project=event.project),)
    return (line("joined", city=event.city, project=event.project, tokens=event.left),)


def _passed(before: Game, event: f.HandsPassed) -> tuple[Line, ...]:
    turns = event.holder is not None and event.holder != before.holder
    return (line(f"passed-{event.to}"), *(_holder(event.holder) if turns else ()))


def _conflicts(before: Game, event: f.ConflictsResolved) -> tuple[Line, ...]:
    """Each border once: in a ring it is the left one of exactly one city."""
    found = []
    for result in event.cities:
        city, other, border = result.city, result.left.neighbour, result.left
        if border.own == border.theirs:
            found.append(line("tied", city=city, other=other, shields=border.own))
        elif border.own > border.theirs:
            found.append(line("won", city=city, other=other, shields=border.own, theirs=border.theirs, points=border.token))
        else:
            points = next(one.right.token for one in event.cities if one.city == other)
            found.append(line("won", city=other, other=city, shields=border.theirs, theirs=border.own, points=points))
    return tuple(found)


def _failed(before: Game, event: f.EdificeFailed) -> tuple[Line, ...]:
    return (line("failed", project=event.project, tokens=event.left, cities=event.penalised),)


def _rewarded(before: Game, event: f.RewardGranted) -> tuple[Line, ...]:
    parts = []
    if event.tokens:
        parts.append(line("part-tokens", points=sum(event.tokens)))
    if event.dropped:
        parts.append(line("part-dropped", tokens=event.dropped))
    return (Line(key="rewarded", params={"city": event.city, "project": event.project}, parts=tuple(parts)),)


def _penalty(before: Game, event: f.PenaltySuffered) -> tuple[Line, ...]:
    match event.kind:
        case "coins":
            more: dict[str, Param] = {"coins": event.coins}
        case "discard":
            more = {"card": event.card or ""}
        case "tokens":
            more = {"points": sum(event.tokens)}
        case _:
            more = {"points": event.debt}
    return (line(f"penalty-{event.kind}", city=event.city, project=event.project, **more),)


def _scored(before: Game, event: f.GameScored) -> tuple[Line, ...]:
    totals = {sheet.city: sheet.total for sheet in event.sheets}
    found, place = [], 1
    for shared in event.places:
        found += [line("scored", city=city, points=totals[city], place=place) for city in shared]
        place += len(shared)
    placed = {city for shared in event.places for city in shared}
    free = [line("scored-free", city=city, points=points) for city, points in totals.items() if city not in placed]
    return (*found, *free)


def _closed(before: Game, event: f.GameClosed) -> tuple[Line, ...]:
    return (line(f"closed-{event.reason}"),)


def _seat(key: str, *more: str) -> Callable[[Game, Any], tuple[Line, ...]]:
    """A teller about the one who sits there."""
    return lambda before, event: (line(key, city=event.seat, **{name: getattr(event, name) for name in more}),)


_TOLD: dict[type, Callable[[Game, Any], tuple[Line, ...]]] = {
    f.GameOpened: _opened,
    f.SeatTaken: _seat_taken,
    f.SeatLeft: _seat_left,
    f.EntropyCommitted: _seat("recommitted"),
    f.EntropyRevealed: _seat("ready"),
    f.GameStarted: _started,
    f.AgeDealt: _age_dealt,
    f.CardDrawn: _drawn,
    f.ActionChosen: _chosen,
    f.ActionWithdrawn: _withdrawn,
    f.SeatTimedOut: _seat("timed-out"),
    f.TurnRevealed: _one("revealed"),
    f.CoinsPaid: _paid,
    f.CoinsReceived: _received,
    f.CardBuilt: _built,
    f.StageBuilt: _stage,
    f.CardDiscarded: _discarded,
    f.ParticipationTaken: _participation,
    f.ExtraAsked: _asked,
    f.ExtraChosen: _seat("answered"),
    f.ExtraWithdrawn: _seat("withdrew-answer"),
    f.ExtraRevealed: _extra_revealed,
    f.HandsPassed: _passed,
    f.AgeEnded: _one("age-ended", "age"),
    f.ConflictsResolved: _conflicts,
    f.EdificeCompleted: lambda before, event: (line("completed", project=event.project, cities=event.holders),),
    f.EdificeFailed: _failed,
    f.RewardGranted: _rewarded,
    f.PenaltySuffered: _penalty,
    f.EdificeEvaluated: _one("evaluated", "project"),
    f.GameScored: _scored,
    f.ClockExtended: _one("clock-extended"),
    f.SeatHandedToBot: _seat("bot-takes-over", "bot"),
    f.SeatReclaimed: _seat("returned"),
    f.AbortAgreed: _seat("agreed-to-abort"),
    f.GameClosed: _closed,
}
