"""Where each thing of a game lies on the server, and how it is asked for there."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import redis

from events.store import scripts
from events.store.partitions import TAGS, partition_of, tags
from events.store.wire import Servers, Words, ask, gather, request

T = TypeVar("T")

MARK = f"wl:{{{TAGS[0]}}}:partitions"  # under the first tag, which every number of partitions has


class Shelves:
    """The partitions of one store: a shelf each, whose keys lie on one node.  partitions: how many."""

    def __init__(self, servers: Servers, partitions: int) -> None:
        self._servers, self.partitions = servers, partitions
        self._shelves = tuple(f"wl:{{{tag}}}:" for tag in tags(partitions))

    def partition(self, game: str) -> int:
        return partition_of(game, self.partitions)

    def _key(self, kind: str, game: str) -> str:
        return f"{self._shelves[self.partition(game)]}{kind}:{game}"

    def _keys(self, game: str, *kinds: str) -> list[str]:
        """`log:` is the game's own log, `feed` the one feed of its partition."""
        shelf = self._shelves[self.partition(game)]
        return [f"{shelf}{kind}{game}" if kind.endswith(":") else f"{shelf}{kind}" for kind in kinds]

    def _ask(self, key: str, call: Callable[[redis.Redis], T]) -> T:
        return ask(self._servers, key, call)

    def _send(self, command: str, key: str, *words: str | bytes | int) -> Any:
        return request(self._servers, key, command, key, *words)

    def _run(self, script: scripts.Script, keys: Sequence[str], *args: str | bytes | int) -> Any:
        return self._ask(keys[0], lambda client: script.run(client, keys, args))

    def _gather(self, *asked: tuple[str, Words]) -> list[Any]:
        """The replies to (key, command) pairs, in one journey to each node."""
        return self._ask(asked[0][0], lambda _: gather(self._servers.of, asked))
