"""Any moment of any game again: the table as each viewer saw it then, or with every card open once the game is closed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from events.codec import EVERYTHING, SPECTATOR
from events.refusals import Reason, Refusal
from events.rules.effects import shields
from events.rules.scoring import sheet
from events.rules.state import Choice, Choosing, Extra, Game, Gathering, Over
from events.store.protocol import Entry, EventStore
from events.transact import UnknownGame
from projections.documents import LaidDoc, OpenDoc, encode
from projections.eyes import Eyes, look
from projections.hand import you_document
from projections.phrases import Speaker
from projections.table import city_documents, table_document
from projections.telling import lines_of
from projections.views import joined

Entries = Sequence[tuple[int, Entry]]


def document_at(entries: Entries, names: Mapping[str, bytes], viewer: int, version: int | None = None) -> bytes:
    """The table (SPECTATOR), a seat's view (its number) or the open table (EVERYTHING) after `version` entries (None: all).

    Raises Refusal: `unknown-seat`, or `not-allowed` for EVERYTHING while the game is not closed.
    """
    upto = _upto(entries, version)
    table, eyes = Eyes(SPECTATOR), Eyes(viewer)
    if viewer == EVERYTHING:
        refuse_unless_closed(entries)
    for number, entry in entries[:upto]:
        look(number, entry, names, table, eyes)
    body = encode(table_document(table.game, table.conflicts, city_documents(table.game)))
    if viewer == SPECTATOR:
        return body
    if viewer == EVERYTHING:
        return joined(body, "open", encode(open_document(eyes.game)))
    if not 0 <= viewer < len(table.game.people):
        raise Refusal(Reason.UNKNOWN_SEAT, f"This table has the seats 1 to {len(table.game.people)}.")
    return joined(body, "you", encode(you_document(eyes.game, viewer)))


def replayed(store: EventStore, game: str, viewer: int, version: int | None = None) -> bytes:
    """`document_at` of a game in a store.  Raises UnknownGame, Refusal."""
    entries = store.read(game)
    if not entries:
        raise UnknownGame(game)
    return document_at(entries, store.names(game), viewer, version)


def _upto(entries: Entries, version: int | None) -> int:
    if version is None:
        return len(entries)
    if not 1 <= version <= len(entries):
        raise Refusal(Reason.BAD_OPTIONS, f"This game has the versions 1 to {len(entries)}.")
    return version


def refuse_unless_closed(entries: Entries) -> None:
    """Everything is open only when the log is: its last entry closes the game and publishes the key."""
    if not entries or b'"type":"GameClosed"' not in entries[-1][1].e:
        raise Refusal(Reason.NOT_ALLOWED, "The cards are opened when the game is closed.")


def open_document(game: Game) -> OpenDoc:
    """All that is hidden at this moment.  `game` must be the fold of everything."""
    phase = game.phase
    chosen: list[LaidDoc] = []
    if isinstance(phase, Choosing):
        chosen = [laid(city, choice) for city, choice in enumerate(phase.choices) if choice is not None]
    elif isinstance(phase, Extra):
        chosen = [laid(city, answer) for city, answer in zip(phase.cities, phase.answers, strict=True) if answer is not None]
    return OpenDoc(
        hands=tuple(game.box.sorted(_known(city.hand)) for city in game.cities),
        under=tuple(_known(city.under) for city in game.cities),
        discard=_known(game.discard),
        pile=_known(game.pile),
        drawn=game.drawn,
        chosen=tuple(chosen),
        offers=tuple(_known(offer) for offer in phase.offers) if isinstance(phase, Extra) else (),
    )


def _known(cards: tuple[str | None, ...]) -> tuple[str, ...]:
    assert None not in cards, "whoever sees everything knows every card"
    return tuple(card for card in cards if card is not None)


def laid(city: int, choice: Choice) -> LaidDoc:
    """A choice with its card and its act."""
    act = choice.act
    assert act is not None
    return LaidDoc(
        city=city,
        number=choice.number,
        kind=act.kind,
        card=choice.card,
        left=act.left,
        right=act.right,
        participate=act.participate,
        option=act.option,
    )


# ---- the ruler under the table ------------------------------------------------------------------------------------------
class Moment(Struct, frozen=True, kw_only=True):
    """One event on the ruler of a replay, with every city's score, coins and shields after it.

    rest: the table waits for people (or is over) here, so a turn's picture is whole; text: what the event says."""

    version: int
    at: int
    type: str
    age: int
    turn: int
    rest: bool
    text: tuple[str, ...]
    totals: tuple[int, ...]
    coins: tuple[int, ...]
    shields: tuple[int, ...]


def moments(entries: Entries, names: Mapping[str, bytes]) -> tuple[Moment, ...]:
    """Every event of a game as a spectator sees it: for a ruler with the scores above it."""
    eyes = Eyes(SPECTATOR)
    found: list[Moment] = []
    figures: tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]] = ((), (), ())
    for version, entry in entries:
        before = eyes.game if eyes.version else None
        event = eyes.see(version, entry, names)
        game = eyes.game
        if before is None or game.cities is not before.cities:
            places = range(len(game.cities))
            totals = tuple(sheet(game, place).total for place in places)
            figures = (totals, tuple(city.coins for city in game.cities), tuple(shields(game.box, city) for city in game.cities))
        called = (before if type(event).__name__ == "SeatLeft" and before else game).called
        speaker = Speaker(game.box, called)
        found.append(
            Moment(
                version=version,
                at=event.at,
                type=type(event).__name__,
                age=game.age,
                turn=game.turn,
                rest=isinstance(game.phase, (Gathering, Choosing, Extra, Over)),
                text=tuple(speaker.sentence(one) for one in lines_of(before or game, event)),
                totals=figures[0],
                coins=figures[1],
                shields=figures[2],
            )
        )
    return tuple(found)
