"""Copies what the rules made of a turn: coins, buildings, stages, discards, hands, conflicts, projects and points."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from events import facts as f
from events.rules.known import cards_of, known, without
from events.rules.state import Choosing, City, Closing, Edifice, Extra, Game, Over, Resolving, with_city
from events.sealed import Sealed
from events.vocabulary import CardId


def hands_of(game: Game, hands: tuple[Sealed[tuple[CardId, ...]], ...], size: int) -> tuple[City, ...]:
    """The Free City has no hand; hands[i] is seat i's, and seats come first in the ring but for a position's free order."""
    cities = list(game.cities)
    for seat, sealed in zip(game.seats, hands, strict=True):
        cities[seat] = replace(cities[seat], hand=cards_of(sealed, size))
    return tuple(cities)


def choosing(game: Game, deadline: int | None) -> Choosing:
    n = len(game.cities)
    return Choosing(deadline=deadline, choices=(None,) * n, numbers=(0,) * n)


def _paid(game: Game, event: f.CoinsPaid) -> Game:
    cities = list(game.cities)
    payer = cities[event.city]
    cities[event.city] = replace(payer, coins=payer.coins - event.amount)
    if event.to is not None:
        payee = cities[event.to]
        cities[event.to] = replace(payee, coins=payee.coins + event.amount)
    return replace(game, version=game.version + 1, at=event.at, cities=tuple(cities))


def _received(game: Game, event: f.CoinsReceived) -> Game:
    city = game.cities[event.city]
    cities = with_city(game, event.city, replace(city, coins=city.coins + event.amount))
    return replace(game, version=game.version + 1, at=event.at, cities=cities)


def _with_hand(game: Game, city: int, changed: City, card: CardId | None) -> tuple[City, ...]:
    """The ring with a city changed, and the card gone from the hand that played it: the Free City plays from its holder's."""
    cities = list(game.cities)
    cities[city] = changed
    hand_of = city if city != game.free else game.answerer(city)
    owner = cities[hand_of]
    cities[hand_of] = replace(owner, hand=without(owner.hand, card))
    return tuple(cities)


def _built(game: Game, event: f.CardBuilt) -> Game:
    city = game.cities[event.city]
    city = replace(city, built=(*city.built, event.card))
    match event.origin:
        case "hand":
            return replace(game, version=game.version + 1, at=event.at, cities=_with_hand(game, event.city, city, event.card))
        case "discard":
            return replace(
                game,
                version=game.version + 1,
                at=event.at,
                cities=with_city(game, event.city, city),
                discard=without(game.discard, event.card),
            )
        case "pile":
            return replace(
                game, version=game.version + 1, at=event.at, cities=with_city(game, event.city, city), pile=game.pile[:-1]
            )


def _stage_built(game: Game, event: f.StageBuilt) -> Game:
    card, city = known(event.card), game.cities[event.city]
    city = replace(city, options=(*city.options, event.option), under=(*city.under, card))
    picks = tuple(sorted((*game.picks, event.city))) if event.pick else game.picks
    if event.origin == "pile":
        return replace(
            game,
            version=game.version + 1,
            at=event.at,
            cities=with_city(game, event.city, city),
            picks=picks,
            pile=game.pile[:-1],
        )
    return replace(game, version=game.version + 1, at=event.at, cities=_with_hand(game, event.city, city, card), picks=picks)


def _discarded(game: Game, event: f.CardDiscarded) -> Game:
    card = known(event.card)
    if event.origin == "pile":
        pile = game.pile[1:] if event.why == "pile" else game.pile[:-1]
        return replace(game, version=game.version + 1, at=event.at, pile=pile, discard=(*game.discard, card))
    cities = _with_hand(game, event.city, game.cities[event.city], card)
    return replace(game, version=game.version + 1, at=event.at, cities=cities, discard=(*game.discard, card))


def _participation(game: Game, event: f.ParticipationTaken) -> Game:
    city = game.cities[event.city]
    held = tuple(sorted((*city.participates, event.age)))
    edifice = tuple(
        replace(project, tokens=event.left) if place == event.age - 1 else project for place, project in enumerate(game.edifice)
    )
    return replace(
        game,
        version=game.version + 1,
        at=event.at,
        cities=with_city(game, event.city, replace(city, participates=held)),
        edifice=edifice,
    )


def _extra_asked(game: Game, event: f.ExtraAsked) -> Game:
    offers = tuple(known(offer) or () for offer in event.offers)
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
    return replace(game, version=game.version + 1, at=event.at, phase=phase, picks=picks)


def _extra_revealed(game: Game, event: f.ExtraRevealed) -> Game:
    return replace(
        game, version=game.version + 1, at=event.at, phase=Closing(("edifice",)) if event.question == "lose" else Resolving()
    )


def _hands_passed(game: Game, event: f.HandsPassed) -> Game:
    return replace(
        game,
        version=game.version + 1,
        at=event.at,
        turn=event.turn,
        cities=hands_of(game, event.hands, event.size),
        holder=event.holder,
        picks=(),
        phase=choosing(game, event.deadline),
    )


def _age_ended(game: Game, event: f.AgeEnded) -> Game:
    return replace(game, version=game.version + 1, at=event.at, phase=Closing(event.owed), picks=())


def _owed(game: Game, *, done: str) -> Closing:
    assert isinstance(game.phase, Closing)
    return Closing(tuple(step for step in game.phase.owed if step != done))


def _conflicts(game: Game, event: f.ConflictsResolved) -> Game:
    cities = list(game.cities)
    for result in event.cities:
        taken = tuple(side.token for side in (result.left, result.right) if side.token)
        city = cities[result.city]
        cities[result.city] = replace(city, tokens=city.tokens + taken)
    return replace(game, version=game.version + 1, at=event.at, cities=tuple(cities), phase=_owed(game, done="conflicts"))


def _project_state(game: Game, age: int, state: str) -> tuple[Edifice, ...]:
    return tuple(replace(project, state=state) if place == age - 1 else project for place, project in enumerate(game.edifice))


def _completed(game: Game, event: f.EdificeCompleted) -> Game:
    return replace(game, version=game.version + 1, at=event.at, edifice=_project_state(game, event.age, "completed"))


def _failed(game: Game, event: f.EdificeFailed) -> Game:
    return replace(game, version=game.version + 1, at=event.at, edifice=_project_state(game, event.age, "failed"))


def _reward(game: Game, event: f.RewardGranted) -> Game:
    city = game.cities[event.city]
    kept = tuple(token for token in city.tokens if token > 0) if event.dropped else city.tokens
    changed = replace(city, rewards=(*city.rewards, event.project), tokens=kept + event.tokens)
    return replace(game, version=game.version + 1, at=event.at, cities=with_city(game, event.city, changed))


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
    return replace(game, version=game.version + 1, at=event.at, cities=with_city(game, event.city, city), discard=discard)


def _evaluated(game: Game, event: f.EdificeEvaluated) -> Game:
    return replace(game, version=game.version + 1, at=event.at, phase=Closing(event.owed))


def _scored(game: Game, event: f.GameScored) -> Game:
    return replace(game, version=game.version + 1, at=event.at, phase=Over(sheets=event.sheets, places=event.places))


CONSEQUENCES: dict[type, Callable[[Game, Any], Game]] = {
    f.CoinsPaid: _paid,
    f.CoinsReceived: _received,
    f.CardBuilt: _built,
    f.StageBuilt: _stage_built,
    f.CardDiscarded: _discarded,
    f.ParticipationTaken: _participation,
    f.ExtraAsked: _extra_asked,
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
}
