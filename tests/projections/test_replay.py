"""Any moment again, as each saw it then; and with all cards face up once the game is closed, not before."""

from __future__ import annotations

from collections import Counter

import msgspec
import pytest

from events.codec import EVERYTHING, SPECTATOR
from events.commands import CancelTable
from events.refusals import Reason, Refusal
from events.rules.state import Choosing
from events.transact import UnknownGame
from projections.documents import HandDoc, OpenTableDoc, TableDoc
from projections.replay import document_at, replayed
from tests.games import KINDS, Kind, Sitting, options, played
from tests.projections.given import moments_of, resting

each_kind = pytest.mark.parametrize("kind", KINDS, ids=str)


@each_kind
def test_a_closed_game_lies_open(kind: Kind) -> None:
    """At every rest of a closed game: all hands, all cards under boards, the discard pile in order, the pile, every choice."""
    sitting = played(kind)
    entries, names = sitting.entries, sitting.names
    looked = 0
    for game, _, _ in moments_of(sitting):
        if not resting(game) or game.version % 9:
            continue
        seen = msgspec.json.decode(document_at(entries, names, EVERYTHING, game.version), type=OpenTableDoc)
        assert seen.version == game.version
        assert seen.open.hands == tuple(game.box.sorted([card for card in city.hand if card]) for city in game.cities)
        assert seen.open.under == tuple(city.under for city in game.cities)
        assert seen.open.discard == game.discard
        assert seen.open.pile == game.pile
        assert seen.open.drawn == game.drawn
        if isinstance(game.phase, Choosing):
            assert [(one.city, one.card) for one in seen.open.chosen] == [
                (city, choice.card) for city, choice in enumerate(game.phase.choices) if choice
            ]
        looked += 1
    assert looked > 5


@each_kind
def test_every_card_is_somewhere(kind: Kind) -> None:
    """Cards are conserved: each Age's cards are in hands, cities, under boards, in the pile or discarded, at every rest."""
    sitting = played(kind)
    entries, names = sitting.entries, sitting.names
    before: dict[int, Counter[str]] = {}
    for game, _, _ in moments_of(sitting):
        if game.version % 31 or not game.age:
            continue
        seen = msgspec.json.decode(document_at(entries, names, EVERYTHING, game.version), type=OpenTableDoc)
        cards: Counter[str] = Counter(seen.open.discard + seen.open.pile)
        for place in range(len(seen.cities)):
            cards.update((*seen.open.hands[place], *seen.open.under[place], *seen.cities[place].built))
        if seen.open.drawn:
            cards[seen.open.drawn] += 1
        assert cards == before.setdefault(game.age, cards)
    assert len(before) == 3


def test_a_running_game_is_not_opened() -> None:
    """Everything is refused until the key is published; seats and spectators look as they could then."""
    sitting = Sitting(options(3)).play(until=lambda game: game.turn == 3)
    with pytest.raises(Refusal) as refusal:
        replayed(sitting.store, sitting.id, EVERYTHING)
    assert refusal.value.reason == Reason.NOT_ALLOWED
    assert msgspec.json.decode(replayed(sitting.store, sitting.id, SPECTATOR), type=TableDoc).turn == 3
    assert msgspec.json.decode(replayed(sitting.store, sitting.id, 2), type=HandDoc).you.seat == 2


def test_a_table_that_was_cancelled_can_be_opened_too() -> None:
    """There is little to see: nobody had cards."""
    sitting = Sitting(options(3))
    sitting.gather()
    sitting.send(CancelTable())
    seen = msgspec.json.decode(replayed(sitting.store, sitting.id, EVERYTHING), type=OpenTableDoc)
    assert (seen.closed, seen.open.hands) == ("cancelled", ())


@pytest.mark.parametrize(
    ("viewer", "version", "reason"),
    [
        (3, None, Reason.UNKNOWN_SEAT),
        (7, 1, Reason.UNKNOWN_SEAT),
        (0, 0, Reason.BAD_OPTIONS),
        (SPECTATOR, 10_000, Reason.BAD_OPTIONS),
    ],
)
def test_what_is_not_there_cannot_be_looked_at(viewer: int, version: int | None, reason: Reason) -> None:
    """A chair or a moment that the game does not have."""
    sitting = played(KINDS[4])
    with pytest.raises(Refusal) as refusal:
        replayed(sitting.store, sitting.id, viewer, version)
    assert refusal.value.reason == reason


def test_an_unknown_game_has_no_replay() -> None:
    """No log, no moment."""
    with pytest.raises(UnknownGame):
        replayed(played(KINDS[4]).store, "nowhere", SPECTATOR)


@each_kind
def test_each_moment_of_a_replay_can_be_shown(kind: Kind) -> None:
    """At rest or in the middle of what follows from a reveal, for every viewer."""
    sitting = played(kind)
    entries, names = sitting.entries, sitting.names
    shown = 0
    for version in range(1, len(entries) + 1, 61):
        for viewer in (SPECTATOR, *range(kind.players)):
            seen = msgspec.json.decode(document_at(entries, names, viewer, version), type=TableDoc if viewer < 0 else HandDoc)
            assert seen.version == version
            shown += 1
    assert shown >= 4 * (kind.players + 1)


def test_a_replay_stops_in_the_middle_of_a_reveal() -> None:
    """Between two events of one reveal the phase is "reveal": coins are paid, and the buildings not all placed yet."""
    sitting = played(KINDS[4])
    entries, names = sitting.entries, sitting.names
    phases = [
        msgspec.json.decode(document_at(entries, names, SPECTATOR, game.version), type=TableDoc).phase
        for game, _, event in moments_of(sitting)
        if type(event).__name__ == "CardBuilt"
    ]
    assert len(phases) > 20
    assert set(phases) == {"reveal"}
