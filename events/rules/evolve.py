"""Turns the page: copies what an event says into the game, without a rule and without a look at the cards."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from msgspec import UNSET
from msgspec.structs import replace

from events import facts as f
from events.facts import AnyEvent
from events.rules.consequences import CONSEQUENCES, choosing, hands_of
from events.rules.known import cards_of, known
from events.rules.state import (
    Choice,
    Choosing,
    City,
    Edifice,
    Extra,
    Game,
    Gathering,
    Over,
    Person,
    Phase,
    Resolving,
    with_city,
    with_one,
    with_person,
)  # fmt: skip


def evolve(game: Game, event: AnyEvent) -> Game:
    """The game after one more event.  Each page counts itself, so that the game is copied once (2 % of a random game)."""
    return _PAGES[type(event)](game, event)


def fold(game: Game, events: Iterable[AnyEvent]) -> Game:
    """The game after some more events."""
    for event in events:
        game = evolve(game, event)
    return game


def _choice(game: Game, event: f.ActionChosen | f.SeatTimedOut | f.ExtraChosen) -> Choice:
    act, card = known(event.act), known(event.card)
    if card is None:
        return Choice(number=event.number, version=game.version + 1, act=act, card=None)
    return Choice(number=event.number, version=game.version + 1, act=act, card=card.card, card_signature=card.signature)


# ---- gathering --------------------------------------------------------------------------------------------------------
def _opened(game: Game, event: f.GameOpened) -> Game:
    return replace(
        game,
        version=game.version + 1,
        at=event.at,
        id=event.game,
        opened_at=event.at,
        host=event.host,
        key=event.key,
        options=event.options,
        engine=event.engine,
        catalogue=event.catalogue,
        rematch_of=event.rematch_of,
        people=(None,) * event.options.players,
        phase=Gathering(event.expires),
    )


def _seat_taken(game: Game, event: f.SeatTaken) -> Game:
    person = Person(
        name=None if event.name.value is UNSET else event.name.value,
        bot=event.bot,
        token=event.token,
        commitment=event.entropy,
        wonder=event.wonder,
        side=event.side,
        public_key=event.public_key,
    )
    return replace(game, version=game.version + 1, at=event.at, people=with_person(game, event.seat, person))


def _seat_left(game: Game, event: f.SeatLeft) -> Game:
    people = with_person(game, event.seat, None)
    begun = any(person and person.entropy and not person.bot for person in game.people)
    if not begun:
        return replace(game, version=game.version + 1, at=event.at, people=people)
    fresh = tuple(person if person is None or person.bot else replace(person, commitment=None, entropy=None) for person in people)
    assert isinstance(game.phase, Gathering)
    return replace(game, version=game.version + 1, at=event.at, people=fresh, phase=Gathering(game.phase.expires, True))


def _committed(game: Game, event: f.EntropyCommitted) -> Game:
    person = game.people[event.seat]
    assert person is not None
    return replace(
        game, version=game.version + 1, at=event.at, people=with_person(game, event.seat, replace(person, commitment=event.entropy))
    )


def _entropy(game: Game, event: f.EntropyRevealed) -> Game:
    person = game.people[event.seat]
    assert person is not None
    return replace(
        game, version=game.version + 1, at=event.at, people=with_person(game, event.seat, replace(person, entropy=event.entropy))
    )


def _started(game: Game, event: f.GameStarted) -> Game:
    cities = tuple(City(wonder=board.wonder, side=board.side, coins=event.coins) for board in event.boards)
    edifice = tuple(Edifice(project=project, tokens=event.tokens) for project in event.projects)
    return replace(
        game, version=game.version + 1, at=event.at, cities=cities, edifice=edifice, free=event.free_city, phase=Resolving()
    )


def _age_dealt(game: Game, event: f.AgeDealt) -> Game:
    pile = () if event.pile is None else cards_of(event.pile, event.pile_size)
    return replace(
        game,
        version=game.version + 1,
        at=event.at,
        age=event.age,
        turn=1,
        cities=hands_of(game, event.hands, event.size),
        pile=pile,
        holder=event.holder,
        drawn=None,
        has_drawn=False,
        picks=(),
        phase=choosing(game, event.deadline),
    )


def _card_drawn(game: Game, event: f.CardDrawn) -> Game:
    return replace(game, version=game.version + 1, at=event.at, drawn=known(event.card), has_drawn=True, pile=game.pile[1:])


# ---- choosing ---------------------------------------------------------------------------------------------------------
def _answered(phase: Phase, city: int, number: int, choice: Choice | None) -> Choosing | Extra:
    """A choice laid down or taken up, in a turn or an extra."""
    if isinstance(phase, Choosing):
        return replace(phase, choices=with_one(phase.choices, city, choice), numbers=with_one(phase.numbers, city, number))
    assert isinstance(phase, Extra)
    place = phase.cities.index(city)
    return replace(phase, answers=with_one(phase.answers, place, choice), numbers=with_one(phase.numbers, place, number))


def _chosen(game: Game, event: f.ActionChosen | f.ExtraChosen) -> Game:
    phase = _answered(game.phase, event.city, event.number, _choice(game, event))
    person = game.people[event.seat] if event.seat < len(game.people) else None
    if person is not None and person.missed and person.stand_in is None:
        people = with_person(game, event.seat, replace(person, missed=0))
        return replace(game, version=game.version + 1, at=event.at, phase=phase, people=people)
    return replace(game, version=game.version + 1, at=event.at, phase=phase)


def _withdrawn(game: Game, event: f.ActionWithdrawn | f.ExtraWithdrawn) -> Game:
    return replace(game, version=game.version + 1, at=event.at, phase=_answered(game.phase, event.city, event.number, None))


def _timed_out(game: Game, event: f.SeatTimedOut) -> Game:
    phase = _answered(game.phase, event.city, event.number, _choice(game, event))
    person = game.people[event.seat]
    assert person is not None
    people = with_person(game, event.seat, replace(person, missed=event.missed))
    return replace(game, version=game.version + 1, at=event.at, phase=phase, people=people)


def _turn_revealed(game: Game, event: f.TurnRevealed) -> Game:
    """A drawn card that nobody took joins the holder's hand (R91); the cards chosen leave the hands as they are placed."""
    if not game.has_drawn or game.holder is None:
        return replace(game, version=game.version + 1, at=event.at, phase=Resolving())
    city = game.cities[game.holder]
    joined = replace(city, hand=(*city.hand, game.drawn))
    return replace(
        game,
        version=game.version + 1,
        at=event.at,
        phase=Resolving(),
        cities=with_city(game, game.holder, joined),
        drawn=None,
        has_drawn=False,
    )


# ---- time and persons -------------------------------------------------------------------------------------------------
def _clock(game: Game, event: f.ClockExtended) -> Game:
    assert isinstance(game.phase, (Choosing, Extra))
    return replace(game, version=game.version + 1, at=event.at, phase=replace(game.phase, deadline=event.deadline))


def _to_bot(game: Game, event: f.SeatHandedToBot) -> Game:
    person = game.people[event.seat]
    assert person is not None
    return replace(
        game, version=game.version + 1, at=event.at, people=with_person(game, event.seat, replace(person, stand_in=event.bot))
    )


def _reclaimed(game: Game, event: f.SeatReclaimed) -> Game:
    person = game.people[event.seat]
    assert person is not None
    return replace(
        game, version=game.version + 1, at=event.at, people=with_person(game, event.seat, replace(person, stand_in=None, missed=0))
    )


def _abort(game: Game, event: f.AbortAgreed) -> Game:
    person = game.people[event.seat]
    assert person is not None
    return replace(game, version=game.version + 1, at=event.at, people=with_person(game, event.seat, replace(person, abort=True)))


def _closed(game: Game, event: f.GameClosed) -> Game:
    before = game.phase if isinstance(game.phase, Over) else Over()
    return replace(game, version=game.version + 1, at=event.at, phase=replace(before, reason=event.reason))


_PAGES: dict[type, Callable[[Game, Any], Game]] = CONSEQUENCES | {
    f.GameOpened: _opened,
    f.SeatTaken: _seat_taken,
    f.SeatLeft: _seat_left,
    f.EntropyCommitted: _committed,
    f.EntropyRevealed: _entropy,
    f.GameStarted: _started,
    f.AgeDealt: _age_dealt,
    f.CardDrawn: _card_drawn,
    f.ActionChosen: _chosen,
    f.ActionWithdrawn: _withdrawn,
    f.SeatTimedOut: _timed_out,
    f.TurnRevealed: _turn_revealed,
    f.ExtraChosen: _chosen,
    f.ExtraWithdrawn: _withdrawn,
    f.ClockExtended: _clock,
    f.SeatHandedToBot: _to_bot,
    f.SeatReclaimed: _reclaimed,
    f.AbortAgreed: _abort,
    f.GameClosed: _closed,
}
