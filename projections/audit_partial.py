"""Plays again as much of a game as one reader can see: what the cards that stay face down leave open is not guessed at."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import UNSET
from msgspec.structs import replace

from events import facts as f
from events.commands import RevealTurn
from events.facts import AnyEvent
from events.refusals import Reason, Refusal
from events.rules import Game, outcome
from events.rules.allowed import refuse_play
from events.rules.clock import MISSES_BEFORE_BOT
from events.rules.state import Choice, Choosing, Extra
from events.rules.story import GAME, Story
from events.rules.turn import resolve_answer
from events.vocabulary import HAND_SIZE
from projections.audit_papers import Papers
from projections.audit_report import plain

FACE_DOWN: Any = UNSET
"""Stands for a card that stays face down; sealed again, it is a card that nobody knows."""


def partly_decided(papers: Papers, game: Game, events: Sequence[AnyEvent], place: int) -> Sequence[AnyEvent] | None:
    """What follows from the event at `place` as far as the reader can tell; None where the rules can simply be asked.

    Raises Refusal where even the reader can see that it was not allowed."""
    event = events[place]
    match event:
        case f.ActionChosen() if event.seat != papers.viewer or event.act.value is UNSET:
            return _hidden_choice(game, event, events[place + 1 : place + 2])
        case f.ExtraChosen() if event.seat != papers.viewer or event.act.value is UNSET:
            return _hidden_answer(game, event)
        case f.SeatTimedOut():
            return _timed_out(game, event)
        case f.TurnRevealed():
            return _revealed(game, event)
        case _:
            return None


def _hidden_choice(game: Game, event: f.ActionChosen, following: Sequence[AnyEvent]) -> Sequence[AnyEvent]:
    """Somebody chose for a city of theirs, in this turn, with a higher number; what was chosen is seen at the reveal."""
    phase = game.phase
    if not isinstance(phase, Choosing) or all(phase.choices) or (event.age, event.turn) != (game.age, game.turn):
        raise Refusal(Reason.STALE_CHOICE, "nothing can be chosen at this moment.")
    if not 0 <= event.city < len(game.cities) or game.answerer(event.city) != event.seat:
        raise Refusal(Reason.NOT_AWAITED, "this seat does not choose for this city.")
    if event.number <= phase.numbers[event.city]:
        raise Refusal(Reason.STALE_NUMBER, "its number is not above the last one.")
    own = replace(event, by=_chooser(game, event.seat))
    undone = [one for one in following if isinstance(one, f.ActionWithdrawn) and one.why == "own-choice" and one.city == game.free]
    return (own, *undone)


def _chooser(game: Game, seat: int) -> str:
    """A bot's choice is the game's own, a person's the seat's."""
    person = game.people[seat]
    return GAME if person is not None and person.plays_itself else f"seat:{seat}"


def _hidden_answer(game: Game, event: f.ExtraChosen) -> Sequence[AnyEvent]:
    phase = game.phase
    if not isinstance(phase, Extra) or event.city not in phase.cities or phase.question != event.question:
        raise Refusal(Reason.NOT_AWAITED, "no such answer was asked for.")
    asked = phase.cities.index(event.city)
    if phase.seats[asked] != event.seat or all(phase.answers):
        raise Refusal(Reason.NOT_AWAITED, "this seat is not asked.")
    if event.number <= phase.numbers[asked]:
        raise Refusal(Reason.STALE_NUMBER, "its number is not above the last one.")
    story = Story(game, event.at)
    story.tell(replace(event, by=_chooser(game, event.seat), age=game.age, turn=game.turn))
    _resolve(story)
    return story.events


def _timed_out(game: Game, event: f.SeatTimedOut) -> Sequence[AnyEvent]:
    """The time-out itself was due; what the written default was stays face down."""
    phase, person = game.phase, game.people[event.seat]
    assert isinstance(phase, (Choosing, Extra))
    assert person is not None
    extra = isinstance(phase, Extra)
    place = phase.cities.index(event.city) if isinstance(phase, Extra) else event.city
    missed = person.missed + (event.city != game.free or extra)
    story = Story(game, event.at)
    story.tell(
        f.SeatTimedOut(
            at=event.at,
            by=GAME,
            seat=event.seat,
            city=event.city,
            age=game.age,
            turn=game.turn,
            question=phase.question if isinstance(phase, Extra) else None,
            number=phase.numbers[place] + 1,
            missed=missed,
            act=event.act,
            card=event.card,
        )
    )
    if missed >= MISSES_BEFORE_BOT and not person.plays_itself:
        story.tell(f.SeatHandedToBot(at=event.at, by=GAME, seat=event.seat, bot="builder"))
    if extra:
        _resolve(story)
    return story.events


def _resolve(story: Story) -> None:
    """Carries an answer out that was final when it was given."""
    phase = story.game.phase
    if isinstance(phase, Extra) and phase.question != "lose":
        story.game = replace(story.game, phase=replace(phase, answers=tuple(_filled(one) for one in phase.answers)))
        resolve_answer(story)


def _revealed(game: Game, event: f.TurnRevealed) -> Sequence[AnyEvent]:
    """The acts are open now, and the cards that were built: prices and payments can be checked, what was in a hand cannot."""
    phase = game.phase
    if not isinstance(phase, Choosing) or not all(phase.choices):
        raise Refusal(Reason.NOTHING_DUE, "somebody has not chosen.")
    choices = tuple(_filled(one) for one in phase.choices)
    game = replace(game, phase=replace(phase, choices=choices))
    for city, choice in enumerate(choices):
        if choice is None or choice.act is None or choice.card is None:
            raise Refusal(Reason.NOTHING_DUE, "a choice was not opened.")
        if choice.act.kind != "discard":
            refuse_play(game, city, choice.act, choice.card, (choice.card,))
    return outcome(game, RevealTurn(at=event.at))[0]


def _filled(choice: Choice | None) -> Choice | None:
    if choice is None or choice.card is not None or choice.act is None or choice.act.kind == "decline":
        return choice
    return replace(choice, card=FACE_DOWN)


def as_recorded(game: Game, right: Sequence[AnyEvent], recorded: Sequence[AnyEvent]) -> Sequence[AnyEvent]:
    """R41: whether a pick is asked for depends on cards that lie face down; where the log asks for one, it is believed."""
    for place, event in enumerate(right):
        if place >= len(recorded) or not isinstance(event, (f.HandsPassed, f.AgeEnded, f.ExtraAsked)):
            continue
        said = recorded[place]
        if not isinstance(said, f.ExtraAsked) or said.question != "pick" or said.cities == getattr(event, "cities", None):
            return right
        built = [one.city for one in right[:place] if isinstance(one, f.StageBuilt) and one.pick]
        may = said.cities[0] in (*game.picks, *built) and said.seats == tuple(game.answerer(city) for city in said.cities)
        return (*right[:place], said) if may else right
    return right


# ---- what everybody can compare ---------------------------------------------------------------------------------------
def same_in_public(recorded: AnyEvent, right: AnyEvent, key_known: bool) -> bool:
    """Whether an event says in public what the rules say; sealed values, and draws whose key is not published, are left out."""
    if isinstance(recorded, f.HandsPassed) and isinstance(right, f.HandsPassed):
        right = replace(right, size=HAND_SIZE + 1 - right.turn)
    return in_public(recorded, key_known) == in_public(right, key_known)


def in_public(event: AnyEvent, key_known: bool) -> dict[str, Any]:
    """An event as plain data: of a seal its readers, of an opening no nonce, of a draw without a key nothing."""
    found: dict[str, Any] = _shut(plain(event))
    if not key_known:
        for name in _DRAWN.get(type(event), ()):
            if not isinstance(event, f.EntropyRevealed) or event.derived:
                found[name] = None
    return found


_DRAWN: dict[type, tuple[str, ...]] = {
    f.GameOpened: ("key",),
    f.GameStarted: ("boards", "projects"),
    f.EntropyRevealed: ("entropy",),
}
"""What hangs on the game's key."""


def _shut(value: Any) -> Any:
    if isinstance(value, dict):
        if "readers" in value:
            return {"readers": value["readers"]}
        if "bytes" in value:
            return {key: inner for key, inner in value.items() if key != "nonce"}
        return {key: (None if key == "name" else _shut(inner)) for key, inner in value.items()}
    return [_shut(inner) for inner in value] if isinstance(value, (list, tuple)) else value
