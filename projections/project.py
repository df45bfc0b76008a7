"""Keeps what people see in step with the log: reads what is new, makes the documents, and writes them with their version."""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock

from msgspec import Struct

from events.store.protocol import EventStore, Row
from events.transact import UnknownGame
from projections.dealings import dealing_row, save_dealings
from projections.lobby import LOBBY, REMATCHES
from projections.views import Views

KEPT = 512
"""Games that a process keeps folded; a game that fell out is folded again from its log."""


class _Kept(Struct):
    """One game in this process.

    saved: a version at which the stored views were complete, so that only what changed since must be written; row: the
    lobby row as it was last written; dealing: the row in its host's record."""

    views: Views
    names: dict[str, bytes]
    lock: Lock
    saved: int = 0
    row: bytes | None = None
    dealing: bytes | None = None
    row_saved: bool = False


class Projections:
    """The views of all games of one store, for one process.  Safe to share between threads, and beside other processes:
    the store takes only what is newer than what it has."""

    def __init__(self, store: EventStore, kept: int = KEPT) -> None:
        self.store = store
        self._limit = kept
        self._kept: OrderedDict[str, _Kept] = OrderedDict()
        self._lock = Lock()

    def project(self, game: str) -> int:
        """Brings every view and row of a game up to date, tells live clients, and returns the version reached.

        Raises UnknownGame, StoreError's family, codec.BrokenRecord.  Repeating it changes nothing; it is told again, since
        whoever wrote it may have died before.
        """
        kept = self._of(game)
        with kept.lock:
            self._catch_up(game, kept)
            self._save(game, kept)
            return kept.views.version

    def forget(self, game: str) -> None:
        """Drops what is kept of a game; next time it is folded from its log and written whole."""
        with self._lock:
            self._kept.pop(game, None)

    # -- within -------------------------------------------------------------------------------------------------
    def _of(self, game: str) -> _Kept:
        with self._lock:
            kept = self._kept.setdefault(game, _Kept(Views(), {}, Lock()))
            self._kept.move_to_end(game)
            while len(self._kept) > self._limit:
                self._kept.popitem(last=False)
            return kept

    def _catch_up(self, game: str, kept: _Kept) -> None:
        try:
            self._read_on(game, kept)
        except BaseException:
            self.forget(game)  # half-seen: next time it is folded from its log
            raise

    def _read_on(self, game: str, kept: _Kept) -> None:
        entries, names = self.store.read_named(game, kept.views.version)
        if not entries:
            if not kept.views.version:
                raise UnknownGame(game)
            return
        if not kept.names.keys() <= names.keys():  # a name was erased: nothing may remember it
            kept.views, kept.saved, kept.row_saved = Views(), 0, False
            entries = self.store.read(game)
        kept.names = names
        kept.views.see_all(entries, names)

    def _save(self, game: str, kept: _Kept) -> None:
        """The views and the row, which are told of, and what is seldom new, one by one.  Each is refused by the store if somebody
        else was further."""
        views = kept.views
        step, _ = views.steps
        if not kept.row_saved and (rematch := views.rematch_row()) is not None:
            self.store.save_rows(REMATCHES, views.game.rematch_of or "", 1, rematch)
        row = views.lobby_row()
        fresh = not kept.row_saved or row != kept.row
        rows = (Row(LOBBY, step, row),) if fresh and (row is not None or views.game.rules.listed) else ()
        # Refused: another process saved this version or a later one, and its views are complete as ours would be.
        self.store.show(game, views.version, views.stored(since=kept.saved) if views.version > kept.saved else {}, rows)
        kept.saved, kept.row, kept.row_saved = views.version, row, True
        dealing = dealing_row(views.game)
        if dealing != kept.dealing:  # last, since a game that has ended is audited here, and people wait for its score
            save_dealings(self.store, views.game, step)
            kept.dealing = dealing
