"""Choosing, changing one's mind, and answering extra questions: what is accepted, and why something is not."""

from __future__ import annotations

from events import facts as f
from events.commands import AnswerExtra, ChooseAction, WithdrawAction, WithdrawExtra
from events.facts import CardValue
from events.refusals import Reason, Refusal
from events.rules.allowed import refuse_answer, refuse_play
from events.rules.legal import choosable
from events.rules.state import Choosing, Extra, Game, Gathering, Over
from events.rules.story import GAME, Story
from events.rules.turn import resolve_answer
from events.sealed import Sealed
from events.vocabulary import CardId


def choose_action(story: Story, command: ChooseAction) -> None:
    """R7: a choice, or a changed one, sealed until the reveal."""
    game = story.game
    phase = _choosing(game, command.age, command.turn)
    _answers_for(game, command.seat, command.city)
    own = _own_card(game, phase, command.city)
    refuse_play(game, command.city, command.act, command.card, choosable(game, command.city, own))
    number = _number(phase.numbers[command.city], command.number)
    story.tell(
        f.ActionChosen(
            at=story.at,
            by=_chooser(game, command.seat),
            seat=command.seat,
            city=command.city,
            age=game.age,
            turn=game.turn,
            number=number,
            seen=command.seen,
            act=Sealed(readers=(command.seat,), value=command.act),
            card=Sealed(readers=(command.seat,), value=CardValue(card=command.card, signature=command.card_signature)),
        )
    )
    if game.free is not None and command.city != game.free and command.seat == game.holder:
        _undo_free_city(story, command, game.free)


def _chooser(game: Game, seat: int) -> str:
    """Who chooses: a bot's choice is the host's doing, and the log says so."""
    person = game.people[seat]
    return GAME if person is not None and person.plays_itself else f"seat:{seat}"


def _own_card(game: Game, phase: Choosing, city: int) -> CardId | None:
    """R91: the holder chooses for the own city first; that card is no longer the Free City's to have."""
    if city != game.free:
        return None
    own = phase.choices[game.answerer(city)]
    if own is None:
        raise Refusal(Reason.MISSING_CHOICE, "Choose for your own city first, then for the Free City.", city)
    return own.card


def _undo_free_city(story: Story, command: ChooseAction, free: int) -> None:
    """A changed own choice takes the Free City's back where it no longer fits (R91, R94)."""
    game = story.game
    phase = game.phase
    assert isinstance(phase, Choosing)
    standing = phase.choices[free]
    if standing is None or standing.act is None or standing.card is None:
        return
    try:
        refuse_play(game, free, standing.act, standing.card, choosable(game, free, command.card))
    except Refusal:
        _take_back_free_city(story, command.seat, free)


def _take_back_free_city(story: Story, seat: int, free: int) -> None:
    """The Free City's choice goes with the own choice that it was made beside (R91)."""
    game = story.game
    phase = game.phase
    assert isinstance(phase, Choosing)
    story.tell(
        f.ActionWithdrawn(
            at=story.at,
            by=GAME,
            seat=seat,
            city=free,
            age=game.age,
            turn=game.turn,
            number=phase.numbers[free] + 1,
            seen=None,
            why="own-choice",
        )
    )


def withdraw_action(story: Story, command: WithdrawAction) -> None:
    """R7: back into the hand; the holder's own choice takes the Free City's with it."""
    game = story.game
    phase = _choosing(game, command.age, command.turn)
    _answers_for(game, command.seat, command.city)
    if phase.choices[command.city] is None:
        raise Refusal(Reason.NOTHING_TO_WITHDRAW, "There is no choice to take back.", command.city)
    taken_back = f.ActionWithdrawn(
        at=story.at,
        by=f"seat:{command.seat}",
        seat=command.seat,
        city=command.city,
        age=game.age,
        turn=game.turn,
        number=_number(phase.numbers[command.city], command.number),
        seen=command.seen,
        signature=command.signature,
    )
    story.tell(taken_back)
    if game.free is not None and command.city == game.holder and phase.choices[game.free] is not None:
        _take_back_free_city(story, command.seat, game.free)


def answer_extra(story: Story, command: AnswerExtra) -> None:
    """R40, R41, R67: an answer; one that was asked of one seat alone is final and carried out at once."""
    game = story.game
    phase, place = _asked(game, command.seat, command.city, command.age, command.turn)
    refuse_answer(game, phase, command.city, command.act, command.card)
    story.tell(
        f.ExtraChosen(
            at=story.at,
            by=_chooser(game, command.seat),
            seat=command.seat,
            city=command.city,
            question=phase.question,
            age=game.age,
            turn=game.turn,
            number=_number(phase.numbers[place], command.number),
            seen=command.seen,
            act=Sealed(readers=(command.seat,), value=command.act),
            card=Sealed(readers=(command.seat,), value=CardValue(card=command.card, signature=command.card_signature)),
        )
    )
    if phase.question != "lose":
        resolve_answer(story)


def withdraw_extra(story: Story, command: WithdrawExtra) -> None:
    """An answer is taken back while others are awaited."""
    game = story.game
    phase, place = _asked(game, command.seat, command.city, command.age, command.turn)
    if phase.answers[place] is None:
        raise Refusal(Reason.NOTHING_TO_WITHDRAW, "There is no answer to take back.", command.city)
    story.tell(
        f.ExtraWithdrawn(
            at=story.at,
            by=f"seat:{command.seat}",
            seat=command.seat,
            city=command.city,
            question=phase.question,
            age=game.age,
            turn=game.turn,
            number=_number(phase.numbers[place], command.number),
            seen=command.seen,
            signature=command.signature,
        )
    )


# ---- is it awaited? ---------------------------------------------------------------------------------------------------
def _running(game: Game) -> None:
    if isinstance(game.phase, Gathering):
        raise Refusal(Reason.NOT_STARTED, "The game has not started yet.")
    if isinstance(game.phase, Over):
        raise Refusal(Reason.GAME_OVER, "The game is over.")


def _choosing(game: Game, age: int, turn: int) -> Choosing:
    phase = game.phase
    if isinstance(phase, Choosing) and age == game.age and turn == game.turn and not all(phase.choices):
        return phase
    _running(game)
    if (age, turn) != (game.age, game.turn):
        raise Refusal(Reason.STALE_CHOICE, f"Age {age}, turn {turn} is over: the table is at Age {game.age}, turn {game.turn}.")
    raise Refusal(Reason.STALE_CHOICE, f"All have chosen in Age {age}, turn {turn}: nothing can be changed any more.")


def _answers_for(game: Game, seat: int, city: int) -> None:
    if not 0 <= city < len(game.cities) or game.answerer(city) != seat:
        raise Refusal(Reason.NOT_AWAITED, "This city is not yours to choose for.", city)


def _asked(game: Game, seat: int, city: int, age: int, turn: int) -> tuple[Extra, int]:
    _running(game)
    phase = game.phase
    if (age, turn) != (game.age, game.turn):
        raise Refusal(Reason.STALE_CHOICE, f"Age {age}, turn {turn} is over: the table is at Age {game.age}, turn {game.turn}.")
    if not isinstance(phase, Extra) or city not in phase.cities or phase.seats[phase.cities.index(city)] != seat:
        raise Refusal(Reason.NOT_AWAITED, "No extra choice is awaited of this seat.", city)
    if all(phase.answers):
        raise Refusal(Reason.STALE_CHOICE, "All have answered: nothing can be changed any more.", city)
    return phase, phase.cities.index(city)


def _number(last: int, number: int | None) -> int:
    if number is None:
        return last + 1
    if not last < number <= 1_000_000:
        raise Refusal(Reason.STALE_NUMBER, f"Number {number} is not above {last}, the last one of this question.")
    return number
