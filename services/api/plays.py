"""What a seat may play, what it plays, and what it takes back before the cards are turned over."""

from __future__ import annotations

from typing import Annotated

import msgspec
from litestar import Response, delete, get, post
from litestar.params import Parameter

from events.commands import AnswerExtra, ChooseAction, WithdrawAction, WithdrawExtra
from events.facts import Seen
from events.refusals import Reason, Refusal
from events.rules import legal
from events.rules.legal import choosable
from events.rules.state import Choosing, Game
from events.vocabulary import CardId
from projections.documents import PlayDoc
from projections.eyes import Eyes
from projections.hand import play_document, why_no_discard
from services.api.bodies import Build, Decline, Discard, Lose, Pick, Question, Stage, Withdraw, act, card_signature
from services.api.desk import Asked, Desk, Incoming, not_yours, receipt
from services.api.openapi import RECEIPT, describes
from services.api.reading import as_answer, as_body, as_choice, read_object
from services.api.threads import in_thread

CityNumber = Annotated[int | None, Parameter(ge=0, le=6, description="The city chosen for; the caller's own where left out.")]
OwnCard = Annotated[
    str | None,
    Parameter(
        max_length=64,
        description="The card that the holder uses for the own city: the plays are then the Free City's beside it. Where left out, "
        "the card that lies face down for the own city, if one does.",
    ),
]
NO_DISCARD = "Discard-Refused"
"""The header that says why a list has no discard (R94): the reason, then the sentence."""


def _city(asked: Asked, body: Question) -> int:
    return asked.seat() if body.city is None else body.city


def _seen(body: Question) -> Seen | None:
    return None if body.seen is None else Seen(version=body.seen.version, link=body.seen.link)


@post("/games/{game:str}/choices", opt=describes(Build, Stage, Discard, answers=RECEIPT), status_code=200)
@in_thread
def choose(request: Incoming, desk: Desk, game: str, body: bytes) -> Response[bytes]:
    """Choose for the turn, or change the choice, until the last seat has chosen (R7)."""
    asking = as_choice(read_object(request, body))
    asked = desk.ask(request, game, asking)
    chosen, card = act(asking)
    assert card is not None
    command = ChooseAction(
        seat=asked.seat(),
        city=_city(asked, asking),
        age=asking.age,
        turn=asking.turn,
        card=card,
        act=chosen,
        number=asking.number,
        seen=_seen(asking),
        card_signature=card_signature(asking),
    )
    return receipt(desk.as_seat(asked, command))


@delete("/games/{game:str}/choices", opt=describes(Withdraw, answers=RECEIPT), status_code=200)
@in_thread
def withdraw_choice(request: Incoming, desk: Desk, game: str, body: bytes) -> Response[bytes]:
    """Take the choice back before the reveal."""
    asking = as_body(read_object(request, body), Withdraw)
    asked = desk.ask(request, game, asking)
    command = WithdrawAction(
        seat=asked.seat(),
        city=_city(asked, asking),
        age=asking.age,
        turn=asking.turn,
        number=asking.number,
        seen=_seen(asking),
        signature=asking.signature,
    )
    return receipt(desk.as_seat(asked, command))


@post(
    "/games/{game:str}/extras",
    opt=describes(Build, Stage, Discard, Pick, Decline, Lose, answers=RECEIPT),
    status_code=200,
)
@in_thread
def answer_extra(request: Incoming, desk: Desk, game: str, body: bytes) -> Response[bytes]:
    """Answer an extra question: the last card (R40), a pick from the discard pile (R41), what to lose (R67)."""
    asking = as_answer(read_object(request, body))
    asked = desk.ask(request, game, asking)
    chosen, card = act(asking)
    command = AnswerExtra(
        seat=asked.seat(),
        city=_city(asked, asking),
        age=asking.age,
        turn=asking.turn,
        card=card,
        act=chosen,
        number=asking.number,
        seen=_seen(asking),
        card_signature=card_signature(asking),
    )
    return receipt(desk.as_seat(asked, command))


@delete("/games/{game:str}/extras", opt=describes(Withdraw, answers=RECEIPT), status_code=200)
@in_thread
def withdraw_extra(request: Incoming, desk: Desk, game: str, body: bytes) -> Response[bytes]:
    """Take an answer back while others are awaited."""
    asking = as_body(read_object(request, body), Withdraw)
    asked = desk.ask(request, game, asking)
    command = WithdrawExtra(
        seat=asked.seat(),
        city=_city(asked, asking),
        age=asking.age,
        turn=asking.turn,
        number=asking.number,
        seen=_seen(asking),
        signature=asking.signature,
    )
    return receipt(desk.as_seat(asked, command))


@get("/games/{game:str}/legal", opt=describes(answers=(list[PlayDoc],)))
@in_thread
def legal_plays(request: Incoming, desk: Desk, game: str, city: CityNumber = None, own: OwnCard = None) -> Response[bytes]:
    """Everything the caller's seat may do now, with every payment, as in the position document; [] when it is not awaited.

    With two players `own` asks for the Free City's plays; why it may not discard stands in the header `Discard-Refused`.
    """
    kept = desk.load(request, game)
    caller = desk.caller(request, kept)
    if caller.seat is None:
        raise not_yours("Legal plays are for those who sit at the table: show the seat's token.")
    entries = desk.streams.entries(game, 0)
    sight = Eyes(caller.seat).see_all(entries, {}).game
    place = _asked_about(sight, caller.seat, city, own)
    beside = _own_card(sight, caller.seat, own) if place == sight.free else None
    plays = [play_document(sight, place, play) for play in legal(sight, place, beside)]
    why = why_no_discard(sight, place, beside)
    headers = {} if why is None else {NO_DISCARD: f"{why.reason}; {why.message}"}
    return Response(msgspec.json.encode(plays), media_type="application/json", headers=headers)


def _asked_about(game: Game, seat: int, city: int | None, own: CardId | None) -> int:
    """The city that is meant: the caller's own, or the Free City while the seat holds its card (R95)."""
    free = own is not None and game.free is not None
    place = city if city is not None else game.free if free else seat
    assert place is not None
    if place != seat and (place != game.free or game.holder != seat):
        raise Refusal(Reason.NOT_AWAITED, "This city is not yours to choose for.", place)
    return place


def _own_card(game: Game, seat: int, own: CardId | None) -> CardId | None:
    """R91: the card that is no longer the Free City's to have: the one asked about, or the one that lies face down."""
    if not isinstance(game.phase, Choosing):
        return None
    if own is None:
        laid = game.phase.choices[seat]
        return laid.card if laid else None
    if own not in choosable(game, seat):
        raise Refusal(Reason.NOT_IN_HAND, f"{game.called(seat)} does not hold {own!r}.", seat)
    return own
