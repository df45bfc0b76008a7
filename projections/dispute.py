"""One turn of one seat, laid open: what was offered, chosen, accepted and revealed, what it cost and why, and who signed what."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Struct

from events import facts as f
from events.codec import SPECTATOR
from events.facts import ActValue, AnyEvent, CardValue
from events.refusals import Reason, Refusal
from events.rules.edifice import candidates
from events.rules.known import known
from events.rules.state import Game
from events.rules.story import GAME
from events.signatures import act_message, asked_in, card_message, signed_by, withdraw_message
from events.store.protocol import Entry
from projections.dispute_price import price_of, rulings_of
from projections.dispute_sheet import ChoiceSheet, DisputeDoc, OfferSheet, QuestionSheet, StepSheet, TakenBackSheet
from projections.eyes import Eyes, look
from projections.phrases import Speaker
from projections.telling import lines_of

_values: dict[str, Any] = {"act": msgspec.json.Decoder(ActValue), "card": msgspec.json.Decoder(CardValue)}
Move = f.ActionChosen | f.ExtraChosen | f.SeatTimedOut


class _Open(Struct, kw_only=True):
    """A question while its answers are collected."""

    question: str
    city: int
    offer: OfferSheet
    began: Game
    moves: list[tuple[int, Move]]
    taken_back: list[tuple[int, f.ActionWithdrawn | f.ExtraWithdrawn]]
    before: Game | None = None
    revealed: int | None = None
    followed: list[StepSheet]


def dispute(
    entries: Sequence[tuple[int, Entry]], names: Mapping[str, bytes], viewer: int, age: int, turn: int, seat: int
) -> DisputeDoc:
    """The sheet as a viewer may see it.  Raises Refusal for a seat that there is not, or a turn that was not played."""
    reading = _Reading(entries, names, viewer, age, turn, seat)
    reading.read()
    game = reading.public.game
    if not 0 <= seat < len(game.people) or game.people[seat] is None:
        raise Refusal(Reason.UNKNOWN_SEAT, f"Nobody sits on seat {seat + 1} of this table.")
    if not reading.questions:
        raise Refusal(Reason.NOT_STARTED, f"Age {age}, turn {turn} has not been played at this table.")
    person = game.people[seat]
    return DisputeDoc(
        game=game.id,
        version=game.version,
        at=game.at,
        age=age,
        turn=turn,
        seat=seat,
        name=game.called(seat),
        key=person.public_key if person else None,
        questions=tuple(reading.sheet(one) for one in reading.questions),
    )


class _Reading:
    """Goes through the log once; `own` are the viewer's eyes, `public` those of everybody, for the words."""

    def __init__(
        self, entries: Sequence[tuple[int, Entry]], names: Mapping[str, bytes], viewer: int, age: int, turn: int, seat: int
    ) -> None:
        self.entries, self.names, self.moment, self.seat = entries, names, (age, turn), seat
        self.own, self.public = Eyes(viewer), Eyes(SPECTATOR)
        self.questions: list[_Open] = []
        self.links = {version: entry.l.hex() for version, entry in entries}
        self.turned_over: dict[tuple[int, str], Any] = {}

    def read(self) -> None:
        """Every event: what it opens is known at once, since a sheet is read afterwards."""
        several = (self.own,) if self.own.viewer == SPECTATOR else (self.own, self.public)
        self.public = several[-1]
        before: tuple[Game, Game] | None = None
        for version, entry in self.entries:
            event = look(version, entry, self.names, *several)
            for one in getattr(event, "openings", ()):
                self.turned_over[one.version, one.path] = _values[one.path].decode(one.bytes)
            if before is not None:
                self._note(version, event, *before)
            before = (self.own.game, self.public.game)

    def _note(self, version: int, event: AnyEvent, own: Game, public: Game) -> None:
        game = self.own.game
        if (game.age, game.turn) != self.moment and (own.age, own.turn) != self.moment:
            return
        match event:
            case (f.AgeDealt() | f.HandsPassed()) if (game.age, game.turn) == self.moment:
                self._ask_all(version, event.at)
                return
            case f.CardDrawn() if (game.age, game.turn) == self.moment:
                self._drew(event)
                return
            case f.ExtraAsked():
                self._ask(version, event)
                return
            case f.ActionChosen() | f.ExtraChosen() | f.SeatTimedOut() if event.seat == self.seat:
                self._of(event.city, event).moves.append((version, event))
            case f.ActionWithdrawn() | f.ExtraWithdrawn() if event.seat == self.seat:
                self._of(event.city, event).taken_back.append((version, event))
            case f.TurnRevealed() | f.ExtraRevealed():
                self._reveal(version, own)
            case _:
                self._follow(version, event, public)

    def _cities(self, game: Game) -> list[int]:
        return [self.seat, *([game.free] if game.free is not None and game.holder == self.seat else [])]

    def _ask_all(self, version: int, at: int) -> None:
        game = self.own.game
        if not 0 <= self.seat < len(game.cities):
            return
        hand = game.cities[self.seat].hand
        cards = None if None in hand else tuple(card for card in hand if card is not None)
        for city in self._cities(game):
            self._begin("choose", city, OfferSheet(version=version, at=at, cards=cards), game)

    def _begin(self, question: str, city: int, offer: OfferSheet, game: Game) -> None:
        self.questions.append(
            _Open(question=question, city=city, offer=offer, began=game, moves=[], taken_back=[], followed=[])
        )

    def _drew(self, event: f.CardDrawn) -> None:
        if event.seat == self.seat:
            for one in self.questions:
                one.offer = msgspec.structs.replace(one.offer, drawn=known(event.card))
                one.began = self.own.game

    def _ask(self, version: int, event: f.ExtraAsked) -> None:
        for place, (city, seat) in enumerate(zip(event.cities, event.seats, strict=True)):
            if seat == self.seat:
                cards = known(event.offers[place]) if event.offers else candidates(self.own.game, city)
                self._begin(event.question, city, OfferSheet(version=version, at=event.at, cards=cards), self.own.game)

    def _of(self, city: int, event: AnyEvent) -> _Open:
        question = getattr(event, "question", None) or "choose"
        return next(one for one in reversed(self.questions) if one.city == city and one.question == question)

    def _reveal(self, version: int, own: Game) -> None:
        for one in self.questions:
            if one.revealed is None and one.moves:
                one.revealed, one.before = version, own

    def _follow(self, version: int, event: AnyEvent, public: Game) -> None:
        """A consequence belongs to the last question that was turned over for its city."""
        for one in reversed(self.questions):
            if one.revealed is not None and _concerns(event, one.city):
                speaker = Speaker(public.box, public.called)
                text = tuple(speaker.sentence(line) for line in lines_of(public, event))
                one.followed.append(StepSheet(version=version, at=event.at, type=type(event).__name__, text=text))
                return

    # -- the sheet ----------------------------------------------------------------------------------------------
    def sheet(self, one: _Open) -> QuestionSheet:
        """One question with its answers."""
        withdrawn = [event.number for _, event in one.taken_back]
        choices = tuple(self._choice(one, place, withdrawn) for place in range(len(one.moves)))
        counted = next((choice for choice in choices if choice.fate == "counted"), None)
        act, card = (counted.act, counted.card) if counted else (None, None)
        price = price_of(one.before, one.city, act, card) if one.before is not None and act is not None else None
        types = {step.type for step in one.followed}
        timed_out = counted is not None and counted.timed_out
        free = one.city == self.public.game.free
        return QuestionSheet(
            question=one.question,
            city=one.city,
            name=self.public.game.called(one.city),
            offer=one.offer,
            choices=choices,
            taken_back=tuple(self._taken_back(version, event) for version, event in one.taken_back),
            price=price,
            followed=tuple(one.followed),
            rulings=rulings_of(one.question, act, price, types, timed_out, free),
        )

    def _choice(self, one: _Open, place: int, withdrawn: list[int]) -> ChoiceSheet:
        version, event = one.moves[place]
        act = known(event.act) or self.turned_over.get((version, "act"))
        card = known(event.card) or self.turned_over.get((version, "card"))
        following = one.moves[place + 1][1].number if place + 1 < len(one.moves) else None
        back = any(event.number < number and (following is None or number < following) for number in withdrawn)
        fate = "taken back" if back else "replaced" if following is not None else "counted" if one.revealed else "open"
        return ChoiceSheet(
            version=version,
            at=event.at,
            link=self.links[version],
            number=event.number,
            by="game" if event.by == GAME else "seat",
            timed_out=isinstance(event, f.SeatTimedOut),
            seen=None if isinstance(event, f.SeatTimedOut) else event.seen,
            act=act,
            card=card.card if card else None,
            fate=fate,
            signature=self._signature(event, act, card),
            revealed=one.revealed if fate == "counted" else None,
        )

    def _key(self) -> str | None:
        person = self.public.game.people[self.seat]
        return person.public_key if person else None

    def _signature(self, event: Move, act: ActValue | None, card: CardValue | None) -> str:
        key = self._key()
        if isinstance(event, f.SeatTimedOut) or event.by == GAME:
            return "by the host"
        if key is None:
            return "no key"
        if act is None and card is None:
            return "face down"
        asked = asked_in(self.public.game.id, event)
        if asked is None:
            return "wrong"
        right = (act is None or signed_by(key, act_message(asked, act), act.signature)) and (
            card is None or signed_by(key, card_message(asked, card.card), card.signature)
        )
        return "signed" if right else "wrong"

    def _taken_back(self, version: int, event: f.ActionWithdrawn | f.ExtraWithdrawn) -> TakenBackSheet:
        key, asked = self._key(), asked_in(self.public.game.id, event)
        if event.by == GAME:
            signature = "by the host"
        elif key is None:
            signature = "no key"
        else:
            right = asked is not None and signed_by(key, withdraw_message(asked), event.signature)
            signature = "signed" if right else "wrong"
        why = event.why if isinstance(event, f.ActionWithdrawn) else "asked"
        return TakenBackSheet(version=version, at=event.at, number=event.number, why=why, signature=signature)


def _concerns(event: AnyEvent, city: int) -> bool:
    """Whether a consequence is about a city: it paid, was paid, built, or suffered."""
    return getattr(event, "city", None) == city or (isinstance(event, f.CoinsPaid) and event.to == city)


