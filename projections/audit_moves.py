"""Whether each move was made by whom it says, with the head of the log before the eyes that it names."""

from __future__ import annotations

from msgspec import UNSET

from events import facts as f
from events.facts import AnyEvent
from events.rules.state import Game
from events.rules.story import GAME
from events.signatures import Recorded, act_message, asked_in, card_message, signed_by, withdraw_message
from projections.audit_kinds import Kind
from projections.audit_papers import Papers
from projections.audit_report import Findings, moment

MOVES = (f.ActionChosen, f.ActionWithdrawn, f.ExtraChosen, f.ExtraWithdrawn)


def check_move(papers: Papers, version: int, event: AnyEvent, before: Game, found: Findings) -> None:
    """The head that a move names, and its signatures.  before: the game in which it was made."""
    if isinstance(event, f.SeatTimedOut):
        _by_host(before, event.seat, version, found)
    if not isinstance(event, MOVES):
        return
    _check_seen(papers, version, event, found)
    person = before.people[event.seat] if 0 <= event.seat < len(before.people) else None
    if person is None:
        return
    given = _signatures(event)
    unsigned = all(signature is None for _, signature in given)
    if event.by == GAME and isinstance(event, (f.ActionWithdrawn, f.ExtraWithdrawn)):
        return  # it follows from a changed choice
    if person.public_key is None:
        found.unless(
            Kind.SIGNED_WITHOUT_KEY,
            unsigned,
            version,
            "signature",
            given[0][1],
            None,
            f"Seat {event.seat + 1} signs a move, but it has no key.",
        )
    elif event.by == GAME and unsigned:
        _by_host(before, event.seat, version, found)
    else:
        _check_signed(papers, version, event, person.public_key, found)


def _by_host(before: Game, seat: int, version: int, found: Findings) -> None:
    """A move of a signed seat that the host made: a bot's, or the written default."""
    person = before.people[seat] if 0 <= seat < len(before.people) else None
    if person is not None and person.public_key is not None:
        found.by_host.append(version)


def _check_seen(papers: Papers, version: int, event: Recorded, found: Findings) -> None:
    if event.seen is None:
        return
    seen = event.seen
    link = papers.links[seen.version].hex() if 0 < seen.version < version else None
    sentence = f"Seat {event.seat + 1} says that it saw another log than this one when it moved."
    found.unless(Kind.SAW_ANOTHER_LOG, seen.link == link, version, "seen", seen.link, link, sentence)


def _signatures(event: Recorded) -> list[tuple[str, str | None]]:
    """(field, signature) of the parts of a move that are known."""
    if isinstance(event, (f.ActionWithdrawn, f.ExtraWithdrawn)):
        return [("signature", event.signature)]
    parts = (("act/signature", event.act.value), ("card/signature", event.card.value))
    return [(field, value.signature) for field, value in parts if value is not UNSET] or [("signature", None)]


def _check_signed(papers: Papers, version: int, event: Recorded, public_key: str, found: Findings) -> None:
    asked = asked_in(papers.game, event)
    when = moment(event.age, event.turn)
    if isinstance(event, (f.ActionChosen, f.ExtraChosen)) and event.act.value is UNSET and event.card.value is UNSET:
        return  # face down for this reader
    if asked is None:
        found.add(
            Kind.UNSIGNED_MOVE,
            version,
            "seen",
            None,
            None,
            f"A move of seat {event.seat + 1} in {when} is unsigned, though the seat has a key.",
        )
        return
    parts: list[tuple[str, bytes, str | None]] = []
    if isinstance(event, (f.ActionWithdrawn, f.ExtraWithdrawn)):
        parts.append(("signature", withdraw_message(asked), event.signature))
    else:
        if event.act.value is not UNSET:
            parts.append(("act/signature", act_message(asked, event.act.value), event.act.value.signature))
        if event.card.value is not UNSET:
            parts.append(("card/signature", card_message(asked, event.card.value.card), event.card.value.signature))
    for field, message, signature in parts:
        found.checked["signatures"] += 1
        sentence = f"A move of seat {event.seat + 1} in {when} does not bear the signature of the seat's key."
        found.unless(Kind.MOVE_SIGNATURE, signed_by(public_key, message, signature), version, field, signature, None, sentence)
