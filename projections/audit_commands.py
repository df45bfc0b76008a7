"""Which command an event answers to: what somebody asked, or the step that the game owed itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec import UNSET

from events import commands as c, facts as f
from events.commands import AnyCommand
from events.facts import AnyEvent
from events.rules.state import Extra, Game

UNKNOWN_NAME = "?"
"""Stands for a name that was erased; its seal cannot be made again."""


def command_of(game: Game, event: AnyEvent, key: bytes) -> AnyCommand | None:
    """The command that begins with this event, as far as the event tells; None if no command begins with such an event.

    Sealed values must be known.  The rules are not asked here: they say what follows from the command.
    """
    made = _MADE.get(type(event))
    return made(game, event, key) if made is not None else None


def _open(game: Game, e: f.GameOpened, key: bytes) -> AnyCommand:
    return c.OpenGame(
        at=e.at, game=e.game, host=e.host, options=e.options, key=key, expires=e.expires, rematch_of=e.rematch_of
    )


def _sit(game: Game, e: f.SeatTaken, key: bytes) -> AnyCommand:
    known = e.name.value is not UNSET
    return c.TakeSeat(
        at=e.at,
        seat=e.seat,
        name=str(e.name.value) if known else f"{UNKNOWN_NAME}{e.seat + 1}",
        nonce=str(e.name.nonce) if known else "00" * 32,
        token=e.token,
        entropy=e.entropy,
        bot=e.bot,
        wonder=e.wonder,
        side=e.side,
        public_key=e.public_key,
    )


def _leave(game: Game, e: f.SeatLeft, key: bytes) -> AnyCommand:
    return c.RemoveSeat(at=e.at, seat=e.seat) if e.why == "removed" else c.LeaveSeat(at=e.at, seat=e.seat)


def _entropy(game: Game, e: f.EntropyRevealed, key: bytes) -> AnyCommand:
    return c.StartGame(at=e.at, key=key) if e.derived else c.RevealEntropy(at=e.at, seat=e.seat, entropy=e.entropy)


def _choose(game: Game, e: f.ActionChosen, key: bytes) -> AnyCommand | None:
    act, card = e.act.value, e.card.value
    if act is UNSET or card is UNSET or card.card is None:
        return None
    return c.ChooseAction(
        at=e.at,
        seat=e.seat,
        city=e.city,
        age=e.age,
        turn=e.turn,
        card=card.card,
        act=act,
        number=e.number,
        seen=e.seen,
        card_signature=card.signature,
    )


def _answer(game: Game, e: f.ExtraChosen, key: bytes) -> AnyCommand | None:
    act, card = e.act.value, e.card.value
    if act is UNSET or card is UNSET:
        return None
    return c.AnswerExtra(
        at=e.at,
        seat=e.seat,
        city=e.city,
        age=e.age,
        turn=e.turn,
        card=card.card,
        act=act,
        number=e.number,
        seen=e.seen,
        card_signature=card.signature,
    )


def _withdraw(game: Game, e: f.ActionWithdrawn, key: bytes) -> AnyCommand | None:
    if e.why != "asked":
        return None  # it follows from another choice
    return c.WithdrawAction(
        at=e.at, seat=e.seat, city=e.city, age=e.age, turn=e.turn, number=e.number, seen=e.seen, signature=e.signature
    )


def _unanswer(game: Game, e: f.ExtraWithdrawn, key: bytes) -> AnyCommand:
    return c.WithdrawExtra(
        at=e.at, seat=e.seat, city=e.city, age=e.age, turn=e.turn, number=e.number, seen=e.seen, signature=e.signature
    )


def _to_bot(game: Game, e: f.SeatHandedToBot, key: bytes) -> AnyCommand | None:
    return None if e.by == "game" else c.HandToBot(at=e.at, seat=e.seat, bot=e.bot)


def _answers_turned(game: Game, e: f.ExtraRevealed, key: bytes) -> AnyCommand | None:
    lose = isinstance(game.phase, Extra) and game.phase.question == "lose"
    return c.EvaluateEdifice(at=e.at) if lose else None


def _closed(game: Game, e: f.GameClosed, key: bytes) -> AnyCommand | None:
    match e.reason:
        case "expired" | "abandoned":
            return c.CloseGame(at=e.at, key=key)
        case "cancelled" | "aborted" if e.by == "host":
            return c.CancelTable(at=e.at, key=key)
        case _:
            return None


_MADE: dict[type, Callable[[Game, Any, bytes], AnyCommand | None]] = {
    f.GameOpened: _open,
    f.SeatTaken: _sit,
    f.SeatLeft: _leave,
    f.EntropyCommitted: lambda game, e, key: c.CommitEntropy(at=e.at, seat=e.seat, entropy=e.entropy),
    f.EntropyRevealed: _entropy,
    f.GameStarted: lambda game, e, key: c.StartGame(at=e.at, key=key),
    f.AgeDealt: lambda game, e, key: c.DealAge(at=e.at, key=key),
    f.ActionChosen: _choose,
    f.ActionWithdrawn: _withdraw,
    f.SeatTimedOut: lambda game, e, key: c.TimeOut(at=e.at, seat=e.seat, city=e.city),
    f.TurnRevealed: lambda game, e, key: c.RevealTurn(at=e.at),
    f.ExtraChosen: _answer,
    f.ExtraWithdrawn: _unanswer,
    f.ExtraRevealed: _answers_turned,
    f.ConflictsResolved: lambda game, e, key: c.ResolveConflicts(at=e.at),
    f.EdificeCompleted: lambda game, e, key: c.EvaluateEdifice(at=e.at),
    f.EdificeFailed: lambda game, e, key: c.EvaluateEdifice(at=e.at),
    f.EdificeEvaluated: lambda game, e, key: c.EvaluateEdifice(at=e.at),
    f.GameScored: lambda game, e, key: c.ScoreGame(at=e.at, key=key),
    f.ClockExtended: lambda game, e, key: c.ExtendClock(at=e.at, deadline=e.deadline),
    f.SeatHandedToBot: _to_bot,
    f.SeatReclaimed: lambda game, e, key: c.ReclaimSeat(at=e.at, seat=e.seat),
    f.AbortAgreed: lambda game, e, key: c.AgreeAbort(at=e.at, seat=e.seat, key=key),
    f.GameClosed: _closed,
}
"""The kinds of events that a command begins with; all others follow from these."""

OWED = (
    c.RevealTurn, c.ResolveConflicts, c.EvaluateEdifice, c.DealAge, c.ScoreGame, c.TimeOut, c.CloseGame,
)  # fmt: skip
"""Steps that the game takes by itself: they must have been due."""
