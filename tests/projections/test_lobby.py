"""The lobby lists the tables that wait or play, and where a finished one plays on."""

from __future__ import annotations

import msgspec
import pytest

from events.commands import CancelTable, RemoveSeat
from projections.lobby import LOBBY, REMATCHES, LobbyRow, RematchRow
from projections.project import Projections
from projections.views import Views
from tests.games import KINDS, Kind, Sitting, options, played
from tests.projections.given import moments_of


def rows(sitting: Sitting) -> dict[str, LobbyRow]:
    """The lobby."""
    return {game: msgspec.json.decode(row, type=LobbyRow) for game, row in sitting.store.load_rows(LOBBY).items()}


def test_an_open_table_is_listed_until_it_is_over() -> None:
    """Open with its free seats, then running with its Age and turn, then gone."""
    sitting = Sitting(options(3, True), bots=[1])
    projections = Projections(sitting.store)
    projections.project(sitting.id)
    row = rows(sitting)[sitting.id]
    assert (row.state, row.players, row.free_seats, row.edifice, row.preset) == ("open", 3, 3, True, "booklet")
    sitting.sit(0)
    sitting.sit(1)
    projections.project(sitting.id)
    row = rows(sitting)[sitting.id]
    assert row.free_seats == 1
    assert [(one.name, one.bot) for one in row.seats] == [("Ada", None), ("Bo-bot", "random"), (None, None)]
    sitting.send(RemoveSeat(seat=0))
    sitting.send(RemoveSeat(seat=1))
    projections.project(sitting.id)
    assert rows(sitting)[sitting.id].free_seats == 3
    sitting.play(until=lambda game: game.age == 2)
    projections.project(sitting.id)
    row = rows(sitting)[sitting.id]
    assert (row.state, row.age, row.turn, row.free_seats, row.expires) == ("running", 2, 1, 0, None)
    sitting.play()
    projections.project(sitting.id)
    assert rows(sitting) == {}


def test_a_cancelled_table_leaves_the_lobby() -> None:
    """Nobody is led to a closed door."""
    sitting = Sitting(options(4))
    projections = Projections(sitting.store)
    projections.project(sitting.id)
    assert sitting.id in rows(sitting)
    sitting.send(CancelTable())
    projections.project(sitting.id)
    assert rows(sitting) == {}


def test_a_table_by_link_only_is_never_listed() -> None:
    """Not while it waits, not while it plays."""
    sitting = Sitting(options(3, listed=False))
    projections = Projections(sitting.store)
    projections.project(sitting.id)
    sitting.play(until=lambda game: game.age == 1)
    projections.project(sitting.id)
    assert sitting.store.load_rows(LOBBY) == {}


def test_the_first_rematch_is_where_people_play_on() -> None:
    """Two rematches of one table: the row names the one that came first, however often both are projected."""
    old = Sitting(options(3))
    first = Sitting(options(3), 2, store=old.store, rematch_of=old.id)
    second = Sitting(options(3), 3, store=old.store, rematch_of=old.id)
    projections = Projections(old.store)
    for sitting in (old, first, second, first):
        projections.project(sitting.id)
    found = old.store.load_rows(REMATCHES)
    row = msgspec.json.decode(found.pop(old.id), type=RematchRow)
    assert (row.game, row.rematch) == (old.id, first.id)
    assert found == {}


@pytest.mark.parametrize("kind", KINDS[::5], ids=str)
def test_a_row_follows_the_log(kind: Kind) -> None:
    """The row is a function of the log; choices do not touch it."""
    before: bytes | None = None
    for game, views, event in moments_of(played(kind)):
        row = views.lobby_row()
        if type(event).__name__ == "ActionChosen":
            assert row == before
        if row is not None:
            shown = msgspec.json.decode(row, type=LobbyRow)
            assert (shown.age, shown.turn) == (game.age, game.turn)
            assert shown.version <= game.version
        before = row
    assert before is None
    assert isinstance(views, Views)
