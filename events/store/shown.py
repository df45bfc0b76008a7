"""What people see of their tables, kept beside the logs: views, rows of aggregates, and word that there is something new."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import redis

from events.store import scripts
from events.store.live import CHANNEL, told
from events.store.protocol import Row
from events.store.shelves import Shelves
from events.store.wire import send


class Shown(Shelves):
    """The part of a store that holds read models."""

    def save_views(self, game: str, version: int, views: dict[str, bytes]) -> bool:
        keys = self._keys(game, "views:", *[f"view:{name}:" for name in views])
        pairs = [part for pair in views.items() for part in pair]
        return bool(self._run(scripts.SAVE_VIEWS, keys, version, *pairs))

    def load_view(self, game: str, name: str) -> tuple[int, bytes] | None:
        return self.load_views(game, (name,)).get(name)

    def load_views(self, game: str, names: Sequence[str]) -> dict[str, tuple[int, bytes]]:
        bodies: list[bytes | None] = self._send("MGET", *[self._key(f"view:{name}", game) for name in names])
        parts = {name: body.partition(b"\n") for name, body in zip(names, bodies, strict=True) if body is not None}
        return {name: (int(checkpoint), body) for name, (checkpoint, _, body) in parts.items()}

    def drop_views(self, game: str) -> None:
        key = self._key("views", game)

        def drop(client: redis.Redis) -> None:
            names = [name.decode() for name in send(client, "HKEYS", key) if name]
            send(client, "UNLINK", key, *self._keys(game, *[f"view:{name}:" for name in names]))

        self._ask(key, drop)

    def save_rows(self, table: str, game: str, version: int, row: bytes | None) -> bool:
        keys = self._keys(game, f"row:{table}", f"row-at:{table}")
        return bool(self._run(scripts.SAVE_ROW, keys, game, version, "0" if row is None else "1", row or b""))

    def show(self, game: str, version: int, views: Mapping[str, bytes], rows: Sequence[Row]) -> bool:
        keys = self._keys(game, "views:", *[f"view:{name}:" for name in views])
        args: list[str | bytes | int] = [game, version, CHANNEL, told(game, version), len(views)]
        for name, body in views.items():
            args += [name, body]
        for row in rows:
            keys += self._keys(game, f"row:{row.table}", f"row-at:{row.table}")
            args += [row.version, "0" if row.row is None else "1", row.row or b""]
        return bool(self._run(scripts.SHOW, keys, *args))

    def row_version(self, table: str, game: str) -> int:
        [checkpoints] = self._keys(game, f"row-at:{table}")
        return int(self._send("HGET", checkpoints, game) or 0)

    def load_rows(self, table: str) -> dict[str, bytes]:
        keys = [f"{shelf}row:{table}" for shelf in self._shelves]
        shelves = self._gather(*[(key, ("HGETALL", key)) for key in keys])
        return {game.decode(): row for shelf in shelves for game, row in shelf.items()}

    def drop_rows(self, table: str) -> None:
        for shelf in self._shelves:
            keys = (f"{shelf}row:{table}", f"{shelf}row-at:{table}")
            self._send("UNLINK", *keys)
