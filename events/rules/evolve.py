"""Turns the page: copies what an event says into the game, without a rule and without a look at the cards."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from msgspec import UNSET
from msgspec.structs import replace

from events import facts as f
from events.facts import AnyEvent
from events.rules.state import (
    Choice, Choosing, City, Closing, Edifice, Extra, Game, Gathering, Over, Person, Resolving, with_city, with_person,
)  # fmt: skip
from events.sealed import Sealed
from events.vocabulary import CardId

T = TypeVar("T")


def evolve(game: Game, event: AnyEvent) -> Game:
    """The game after one more event."""
    game = _PAGES[type(event)](game, event)
    return replace(game, version=game.version + 1, at=event.at)


def fold(game: Game, events: Iterable[AnyEvent]) -> Game:
    """The game after some more events."""
    for event in events:
        game = evolve(game, event)
    return game


def _known(sealed: Sealed[T]) -> T | None:
    return None if sealed.value is UNSET else sealed.value


def _cards(sealed: Sealed[tuple[CardId, ...]], size: int) -> tuple[CardId | None, ...]:
    cards = _known(sealed)
    return (None,) * size if cards is None else cards


def _choice(game: Game, event: f.ActionChosen | f.SeatTimedOut | f.ExtraChosen) -> Choice:
    card = _known(event.card)
    if card is None:
        return Choice(number=event.number, version=game.version + 1, act=_known(event.act), card=None)
    return Choice(
        number=event.number, version=game.version + 1, act=_known(event.act), card=card.card, card_signature=card.signature
    )


def _without(cards: tuple[CardId | None, ...], card: CardId | None) -> tuple[CardId | None, ...]:
    """One card fewer: the first of that id if it is known to be there, else an unknown one."""
    gone = card if card in cards else None
    if gone not in cards:
        return cards
    place = cards.index(gone)
    return cards[:place] + cards[place + 1 :]


# ---- gathering --------------------------------------------------------------------------------------------------------
def _opened(game: Game, event: f.GameOpened) -> Game:
    return replace(
        game,
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
    return replace(game, people=with_person(game, event.seat, person))


def _seat_left(game: Game, event: f.SeatLeft) -> Game:
    people = with_person(game, event.seat, None)
    begun = any(person and person.entropy and not person.bot for person in game.people)
    if not begun:
        return replace(game, people=people)
    fresh = tuple(person if person is None or person.bot else replace(person, commitment=None, entropy=None) for person in people)
    assert isinstance(game.phase, Gathering)
    return replace(game, people=fresh, phase=Gathering(game.phase.expires, True))


def _committed(game: Game, event: f.EntropyCommitted) -> Game:
    person = game.people[event.seat]
    assert person is not None
    return replace(game, people=with_person(game, event.seat, replace(person, commitment=event.entropy)))


def _entropy(game: Game, event: f.EntropyRevealed) -> Game:
    person = game.people[event.seat]
    assert person is not None
    return replace(game, people=with_person(game, event.seat, replace(person, entropy=event.entropy)))


def _started(game: Game, event: f.GameStarted) -> Game:
    cities = tuple(City(wonder=board.wonder, side=board.side, coins=event.coins) for board in event.boards)
    edifice = tuple(Edifice(project=project, tokens=event.tokens) for project in event.projects)
    return replace(game, cities=cities, edifice=edifice, free=event.free_city, phase=Resolving())


def _hands(game: Game, hands: tuple[Sealed[tuple[CardId, ...]], ...], size: int) -> tuple[City, ...]:
    """The Free City has no hand; hands[i] is seat i's, and seats come first in the ring but for a position's free order."""
    seats = [city for city in range(len(game.cities)) if city != game.free]
    cities = list(game.cities)
    for seat, sealed in zip(seats, hands, strict=True):
        cities[seat] = replace(cities[seat], hand=_cards(sealed, size))
    return tuple(cities)


def _choosing(game: Game, deadline: int | None) -> Choosing:
    n = len(game.cities)
    return Choosing(deadline=deadline, choices=(None,) * n, numbers=(0,) * n)


def _age_dealt(game: Game, event: f.AgeDealt) -> Game:
    pile = () if event.pile is None else _cards(event.pile, event.pile_size)
    return replace(
        game,
        age=event.age,
        turn=1,
        cities=_hands(game, event.hands, event.size),
        pile=pile,
        holder=event.holder,
        drawn=None,
        has_drawn=False,
        picks=(),
        phase=_choosing(game, event.deadline),
    )


def _card_drawn(game: Game, event: f.CardDrawn) -> Game:
    return replace(game, drawn=_known(event.card), has_drawn=True, pile=game.pile[1:])


# ---- choosing ---------------------------------------------------------------------------------------------------------
def _answered(game: Game, city: int, number: int, choice: Choice | None) -> Game:
    """A choice laid down or taken up, in a turn or an extra."""
    phase = game.phase
    if isinstance(phase, Choosing):
        choices = (*phase.choices[:city], choice, *phase.choices[city + 1 :])
        numbers = (*phase.numbers[:city], number, *phase.numbers[city + 1 :])
        return replace(game, phase=replace(phase, choices=choices, numbers=numbers))
    assert isinstance(phase, Extra)
    place = phase.cities.index(city)
    answers = (*phase.answers[:place], choice, *phase.answers[place + 1 :])
    numbers = (*phase.numbers[:place], number, *phase.numbers[place + 1 :])
    return replace(game, phase=replace(phase, answers=answers, numbers=numbers))


def _chosen(game: Game, event: f.ActionChosen | f.ExtraChosen) -> Game:
    game = _answered(game, event.city, event.number, _choice(game, event))
    person = game.people[event.seat] if event.seat < len(game.people) else None
    if person is not None and person.missed and person.stand_in is None:
        return replace(game, people=with_person(game, event.seat, replace(person, missed=0)))
    return game


def _withdrawn(game: Game, event: f.ActionWithdrawn | f.ExtraWithdrawn) -> Game:
    return _answered(game, event.city, event.number, None)


def _timed_out(game: Game, event: f.SeatTimedOut) -> Game:
    game = _answered(game, event.city, event.number, _choice(game, event))
    person = game.people[event.seat]
    assert person is not None
    return replace(game, people=with_person(game, event.seat, replace(person, missed=event.missed)))


def _turn_revealed(game: Game, event: f.TurnRevealed) -> Game:
    """A drawn card that nobody took joins the holder's hand (R91); the cards chosen leave the hands as they are placed."""
    if not game.has_drawn or game.holder is None:
        return replace(game, phase=Resolving())
    city = game.cities[game.holder]
    joined = replace(city, hand=(*city.hand, game.drawn))
    return replace(game, phase=Resolving(), cities=with_city(game, game.holder, joined), drawn=None, has_drawn=False)


# ---- consequences -----------------------------------------------------------------------------------------------------
def _paid(game: Game, event: f.CoinsPaid) -> Game:
    cities = list(game.cities)
    payer = cities[event.city]
    cities[event.city] = replace(payer, coins=payer.coins - event.amount)
    if event.to is not None:
        payee = cities[event.to]
        cities[event.to] = replace(payee, coins=payee.coins + event.amount)
    return replace(game, cities=tuple(cities))


def _received(game: Game, event: f.CoinsReceived) -> Game:
    city = game.cities[event.city]
    return replace(game, cities=with_city(game, event.city, replace(city, coins=city.coins + event.amount)))


def _from_hand(game: Game, city: int, card: CardId | None) -> tuple[City, ...]:
    """The ring without a card of the hand that plays for a city; the Free City plays from its holder's."""
    hand_of = game.answerer(city)
    owner = game.cities[hand_of]
    return with_city(game, hand_of, replace(owner, hand=_without(owner.hand, card)))


def _built(game: Game, event: f.CardBuilt) -> Game:
    match event.origin:
        case "hand":
            game = replace(game, cities=_from_hand(game, event.city, event.card))
        case "discard":
            game = replace(game, discard=_without(game.discard, event.card))
        case "pile":
            game = replace(game, pile=game.pile[:-1])
    city = game.cities[event.city]
    return replace(game, cities=with_city(game, event.city, replace(city, built=(*city.built, event.card))))


def _stage_built(game: Game, event: f.StageBuilt) -> Game:
    card = _known(event.card)
    if event.origin == "pile":
        game = replace(game, pile=game.pile[:-1])
    else:
        game = replace(game, cities=_from_hand(game, event.city, card))
    city = game.cities[event.city]
    changed = replace(city, options=(*city.options, event.option), under=(*city.under, card))
    picks = tuple(sorted((*game.picks, event.city))) if event.pick else game.picks
    return replace(game, cities=with_city(game, event.city, changed), picks=picks)


def _discarded(game: Game, event: f.CardDiscarded) -> Game:
    card = _known(event.card)
    if event.origin == "pile":
        pile = game.pile[1:] if event.why == "pile" else game.pile[:-1]
        return replace(game, pile=pile, discard=(*game.discard, card))
    return replace(game, cities=_from_hand(game, event.city, card), discard=(*game.discard, card))


def _participation(game: Game, event: f.ParticipationTaken) -> Game:
    city = game.cities[event.city]
    held = tuple(sorted((*city.participates, event.age)))
    edifice = tuple(
        replace(project, tokens=event.left) if place == event.age - 1 else project for place, project in enumerate(game.edifice)
    )
    return replace(game, cities=with_city(game, event.city, replace(city, participates=held)), edifice=edifice)


def _extra_asked(game: Game, event: f.ExtraAsked) -> Game:
    offers = tuple(_known(offer) or () for offer in event.offers)
    n = len(event.cities)
    picks = tuple(city for city in game.picks if city > event.cities[0]) if event.question == "pick" else game.picks
    phase = Extra(
        question=event.question,
        cities=event.cities,
        seats=event.seats,
        offers=offers,
        deadline=event.deadline,
        answers=(None,) * n,
        numbers=(0,) * n,
    )
    return replace(game, phase=phase, picks=picks)


def _extra_revealed(game: Game, event: f.ExtraRevealed) -> Game:
    return replace(game, phase=Closing(("edifice",)) if event.question == "lose" else Resolving())


def _hands_passed(game: Game, event: f.HandsPassed) -> Game:
    return replace(
        game,
        turn=event.turn,
        cities=_hands(game, event.hands, event.size),
        holder=event.holder,
        picks=(),
        phase=_choosing(game, event.deadline),
    )


def _age_ended(game: Game, event: f.AgeEnded) -> Game:
    return replace(game, phase=Closing(event.owed), picks=())


def _owed(game: Game, *, done: str) -> Closing:
    assert isinstance(game.phase, Closing)
    return Closing(tuple(step for step in game.phase.owed if step != done))


def _conflicts(game: Game, event: f.ConflictsResolved) -> Game:
    cities = list(game.cities)
    for result in event.cities:
        taken = tuple(side.token for side in (result.left, result.right) if side.token)
        city = cities[result.city]
        cities[result.city] = replace(city, tokens=city.tokens + taken)
    return replace(game, cities=tuple(cities), phase=_owed(game, done="conflicts"))


def _project_state(game: Game, age: int, state: str) -> tuple[Edifice, ...]:
    return tuple(replace(project, state=state) if place == age - 1 else project for place, project in enumerate(game.edifice))


def _completed(game: Game, event: f.EdificeCompleted) -> Game:
    return replace(game, edifice=_project_state(game, event.age, "completed"))


def _failed(game: Game, event: f.EdificeFailed) -> Game:
    return replace(game, edifice=_project_state(game, event.age, "failed"))


def _reward(game: Game, event: f.RewardGranted) -> Game:
    city = game.cities[event.city]
    kept = tuple(token for token in city.tokens if token > 0) if event.dropped else city.tokens
    changed = replace(city, rewards=(*city.rewards, event.project), tokens=kept + event.tokens)
    return replace(game, cities=with_city(game, event.city, changed))


def _penalty(game: Game, event: f.PenaltySuffered) -> Game:
    city = game.cities[event.city]
    discard = game.discard
    match event.kind:
        case "coins":
            city = replace(city, coins=city.coins - event.coins)
        case "discard":
            city = replace(city, built=tuple(card for card in city.built if card != event.card))
            discard = (*discard, event.card)
        case "tokens":
            kept = list(city.tokens)
            for token in event.tokens:
                kept.remove(token)
            city = replace(city, tokens=tuple(kept))
        case "debt":
            city = replace(city, debts=(*city.debts, event.debt))
    return replace(game, cities=with_city(game, event.city, city), discard=discard)


def _evaluated(game: Game, event: f.EdificeEvaluated) -> Game:
    return replace(game, phase=Closing(event.owed))


def _scored(game: Game, event: f.GameScored) -> Game:
    return replace(game, phase=Over(sheets=event.sheets, places=event.places))


# ---- time and persons -------------------------------------------------------------------------------------------------
def _clock(game: Game, event: f.ClockExtended) -> Game:
    assert isinstance(game.phase, (Choosing, Extra))
    return replace(game, phase=replace(game.phase, deadline=event.deadline))


def _to_bot(game: Game, event: f.SeatHandedToBot) -> Game:
    person = game.people[event.seat]
    assert person is not None
    return replace(game, people=with_person(game, event.seat, replace(person, stand_in=event.bot)))


def _reclaimed(game: Game, event: f.SeatReclaimed) -> Game:
    person = game.people[event.seat]
    assert person is not None
    return replace(game, people=with_person(game, event.seat, replace(person, stand_in=None, missed=0)))


def _abort(game: Game, event: f.AbortAgreed) -> Game:
    person = game.people[event.seat]
    assert person is not None
    return replace(game, people=with_person(game, event.seat, replace(person, abort=True)))


def _closed(game: Game, event: f.GameClosed) -> Game:
    before = game.phase if isinstance(game.phase, Over) else Over()
    return replace(game, phase=replace(before, reason=event.reason))


_PAGES: dict[type, Callable[[Game, Any], Game]] = {
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
    f.CoinsPaid: _paid,
    f.CoinsReceived: _received,
    f.CardBuilt: _built,
    f.StageBuilt: _stage_built,
    f.CardDiscarded: _discarded,
    f.ParticipationTaken: _participation,
    f.ExtraAsked: _extra_asked,
    f.ExtraChosen: _chosen,
    f.ExtraWithdrawn: _withdrawn,
    f.ExtraRevealed: _extra_revealed,
    f.HandsPassed: _hands_passed,
    f.AgeEnded: _age_ended,
    f.ConflictsResolved: _conflicts,
    f.EdificeCompleted: _completed,
    f.EdificeFailed: _failed,
    f.RewardGranted: _reward,
    f.PenaltySuffered: _penalty,
    f.EdificeEvaluated: _evaluated,
    f.GameScored: _scored,
    f.ClockExtended: _clock,
    f.SeatHandedToBot: _to_bot,
    f.SeatReclaimed: _reclaimed,
    f.AbortAgreed: _abort,
    f.GameClosed: _closed,
}
