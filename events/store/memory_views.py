"""What people see of their tables, and word that there is something new; kept in memory."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from threading import Condition

from events.store.protocol import Row


class MemoryViews:
    """The part of a store in memory that holds read models."""

    def __init__(self, changed: Condition) -> None:
        self._changed = changed
        self._views: dict[str, tuple[int, dict[str, tuple[int, bytes]]]] = {}
        self._rows: dict[str, dict[str, tuple[int, bytes | None]]] = {}
        self._heard: deque[tuple[str, int]] | None = None

    def save_views(self, game: str, version: int, views: dict[str, bytes]) -> bool:
        with self._changed:
            checkpoint, saved = self._views.get(game, (0, {}))
            if not views or checkpoint >= version:
                return False
            saved.update((name, (version, body)) for name, body in views.items())
            self._views[game] = (version, saved)
            return True

    def load_view(self, game: str, name: str) -> tuple[int, bytes] | None:
        with self._changed:
            saved = self._views.get(game)
            return saved[1].get(name) if saved else None

    def load_views(self, game: str, names: Sequence[str]) -> dict[str, tuple[int, bytes]]:
        with self._changed:
            saved = self._views.get(game, (0, {}))[1]
            return {name: saved[name] for name in names if name in saved}

    def drop_views(self, game: str) -> None:
        with self._changed:
            self._views.pop(game, None)

    def save_rows(self, table: str, game: str, version: int, row: bytes | None) -> bool:
        with self._changed:
            rows = self._rows.setdefault(table, {})
            if rows.get(game, (0, None))[0] >= version:
                return False
            rows[game] = (version, row)
            return True

    def row_version(self, table: str, game: str) -> int:
        with self._changed:
            return self._rows.get(table, {}).get(game, (0, None))[0]

    def load_rows(self, table: str) -> dict[str, bytes]:
        with self._changed:
            return {game: row for game, (_, row) in self._rows.get(table, {}).items() if row is not None}

    def drop_rows(self, table: str) -> None:
        with self._changed:
            self._rows.pop(table, None)

    def show(self, game: str, version: int, views: Mapping[str, bytes], rows: Sequence[Row]) -> bool:
        written = self.save_views(game, version, dict(views))
        for row in rows:
            self.save_rows(row.table, game, row.version, row.row)
        self.publish(game, version)
        return written

    def publish(self, game: str, version: int) -> None:
        with self._changed:
            if self._heard is not None:
                self._heard.append((game, version))
                self._changed.notify_all()
