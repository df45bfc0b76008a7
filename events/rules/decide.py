"""What follows from a command: the events, or a refusal with its reason."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from events import commands as c
from events.facts import AnyEvent
from events.refusals import Reason, Refusal
from events.rules import choosing, clock, gathering
from events.rules.conflicts import resolve_conflicts
from events.rules.dealing import deal_age
from events.rules.edifice import evaluate_edifice
from events.rules.gathering import seed_of_game
from events.rules.scoring import score_game
from events.rules.state import Game
from events.rules.story import Story
from events.rules.turn import reveal_turn


def decide(game: Game, command: c.AnyCommand) -> tuple[AnyEvent, ...]:
    """The events that a command leads to; raises Refusal, and then nothing has happened."""
    return outcome(game, command)[0]


def outcome(game: Game, command: c.AnyCommand) -> tuple[tuple[AnyEvent, ...], Game]:
    """The same, with the game after them (they were folded on the way)."""
    tell = _TOLD.get(type(command))
    if tell is None:
        raise Refusal(Reason.NOT_ALLOWED, f"{type(command).__name__} is carried out by its handler, not decided.")
    story = Story(game, command.at)
    tell(story, command)
    return tuple(story.events), story.game


_TOLD: dict[type, Callable[[Story, Any], None]] = {
    c.OpenGame: gathering.open_game,
    c.TakeSeat: gathering.take_seat,
    c.LeaveSeat: gathering.leave_seat,
    c.RemoveSeat: gathering.leave_seat,
    c.CommitEntropy: gathering.commit_entropy,
    c.RevealEntropy: gathering.reveal_entropy,
    c.StartGame: gathering.start_game,
    c.CancelTable: gathering.cancel_table,
    c.ChooseAction: choosing.choose_action,
    c.WithdrawAction: choosing.withdraw_action,
    c.AnswerExtra: choosing.answer_extra,
    c.WithdrawExtra: choosing.withdraw_extra,
    c.HandToBot: gathering.hand_to_bot,
    c.ReclaimSeat: gathering.reclaim_seat,
    c.AgreeAbort: gathering.agree_abort,
    c.RevealTurn: lambda story, _: reveal_turn(story),
    c.ResolveConflicts: lambda story, _: resolve_conflicts(story),
    c.EvaluateEdifice: lambda story, _: evaluate_edifice(story),
    c.DealAge: lambda story, command: deal_age(story, seed_of_game(story.game, command.key)),
    c.ScoreGame: lambda story, command: score_game(story, command.key),
    c.TimeOut: clock.time_out,
    c.ExtendClock: clock.extend_clock,
    c.CloseGame: gathering.close_game,
}
