"""What happens to somebody whose time is over: the written default, and after three in a row a bot."""

from __future__ import annotations

from events import facts as f
from events.commands import ExtendClock, TimeOut
from events.facts import ActValue, CardValue
from events.refusals import Reason, Refusal
from events.rules.legal import Play, legal
from events.rules.state import Choosing, Extra, Game
from events.rules.story import GAME, Story
from events.rules.turn import resolve_answer
from events.sealed import Sealed

MISSES_BEFORE_BOT = 3


def awaited(game: Game) -> tuple[tuple[int, int], ...]:
    """(seat, city) pairs that still have to choose or answer; with two players the holder's own city before the Free City."""
    phase = game.phase
    if isinstance(phase, Choosing):
        waiting = [(city, city) for city, choice in enumerate(phase.choices) if choice is None]
        if game.free is not None:
            waiting = [(game.answerer(city), city) for _, city in sorted(waiting, key=lambda pair: pair[1] == game.free)]
        return tuple(waiting)
    if isinstance(phase, Extra):
        asked = zip(phase.seats, phase.cities, phase.answers, strict=True)
        return tuple([(seat, city) for seat, city, answer in asked if answer is None])
    return ()


def default_play(game: Game, city: int) -> Play:
    """The written default: the first legal discard in catalogue order; else decline; else the first legal play."""
    own = None
    if city == game.free and isinstance(game.phase, Choosing):
        choice = game.phase.choices[game.answerer(city)]
        own = choice.card if choice else None
    plays = legal(game, city, own)
    for kind in ("discard", "decline"):
        for play in plays:
            if play.kind == kind:
                return play
    return plays[0]


def act_of(play: Play) -> ActValue:
    """A play with its first payment and its first option."""
    left, right = play.payments[0] if play.payments else (0, 0)
    return ActValue(kind=play.kind, left=left, right=right, option=play.options[0] if play.options else None)


def time_out(story: Story, command: TimeOut) -> None:
    """R43's clock: the default is sealed like a choice."""
    game = story.game
    phase = game.phase
    if not isinstance(phase, (Choosing, Extra)) or (command.seat, command.city) not in awaited(game):
        raise Refusal(Reason.NOTHING_DUE, "This seat is not awaited.")
    if phase.deadline is None or story.at < phase.deadline:
        raise Refusal(Reason.NOTHING_DUE, "This seat has time left.")
    person = game.people[command.seat]
    assert person is not None
    play = default_play(game, command.city)
    place = command.city if isinstance(phase, Choosing) else phase.cities.index(command.city)
    missed = person.missed + (command.city != game.free or isinstance(phase, Extra))
    story.tell(
        f.SeatTimedOut(
            at=story.at,
            by=GAME,
            seat=command.seat,
            city=command.city,
            age=game.age,
            turn=game.turn,
            question=phase.question if isinstance(phase, Extra) else None,
            number=phase.numbers[place] + 1,
            missed=missed,
            act=Sealed(readers=(command.seat,), value=act_of(play)),
            card=Sealed(readers=(command.seat,), value=CardValue(card=play.card)),
        )
    )
    if missed >= MISSES_BEFORE_BOT and not person.plays_itself:
        story.tell(f.SeatHandedToBot(at=story.at, by=GAME, seat=command.seat, bot="builder"))
    if isinstance(phase, Extra) and phase.question != "lose":
        resolve_answer(story)


def extend_clock(story: Story, command: ExtendClock) -> None:
    """Moves the deadline, never to an earlier moment."""
    phase = story.game.phase
    if not isinstance(phase, (Choosing, Extra)) or phase.deadline is None or command.deadline <= phase.deadline:
        raise Refusal(Reason.NOTHING_DUE, "No later deadline is due.")
    story.tell(f.ClockExtended(at=story.at, by=GAME, deadline=command.deadline))
