"""Where the games of a real house are written down: a Redis or Valkey server, or a cluster of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import redis

from events.store import scripts
from events.store.feed import CLAIM_AFTER_MS, Feeds
from events.store.live import Live
from events.store.partitions import CLUSTER, ONE_SERVER
from events.store.protocol import (
    Accepted,
    Append,
    Archived,
    CommandReused,
    Conflict,
    Entry,
    FeedItem,
    ForeignStore,
    NotReplicated,
    StoreError,
    UnsafeStore,
    Wake,
)
from events.store.safety import problems
from events.store.shelves import MARK
from events.store.shown import Shown
from events.store.wire import Cluster, OneServer, Servers, connect, send
from events.store.written import command_field, entry, recalled, remembered, wake_word

FEED_LENGTH = 16_384  # lines of each partition: a hundred whole games
WAIT_MS = 1_000


class StreamStore(Shown):
    """An `EventStore` over Redis or Valkey >= 7, safe to share between threads; each process has its own.

    servers: an address (see `wire.connect`), a redis-py client, or `Servers`.  partitions: 16 on one server, 256 on a cluster
    unless given; fixed by the first append or check.  ack: how many replicas must have an append before it is acknowledged.
    """

    def __init__(
        self,
        servers: str | redis.Redis | Servers,
        *,
        partitions: int | None = None,
        ack: int = 0,
        wait_ms: int = WAIT_MS,
        feed_length: int = FEED_LENGTH,
        claim_after_ms: int = CLAIM_AFTER_MS,
    ) -> None:
        if isinstance(servers, str):
            servers = connect(servers)
        elif isinstance(servers, redis.Redis):
            client = servers
            servers = OneServer(client, client, lambda: client)
        super().__init__(servers, partitions or (CLUSTER if isinstance(servers, Cluster) else ONE_SERVER))
        self._ack, self._wait_ms, self._feed_length = ack, wait_ms, feed_length
        self._feeds = Feeds(servers, [f"{shelf}feed" for shelf in self._shelves], claim_after_ms)
        self._live = Live(servers)
        self._marked = False

    def now(self) -> int:
        seconds, micros = self._ask(MARK, lambda client: client.time())
        return int(seconds) * 1000 + int(micros) // 1000

    # -- logs ---------------------------------------------------------------------------------------------------
    def append(self, request: Append) -> Accepted:
        request.validate()
        self._mark()
        game, command = request.game, request.command
        keys = self._keys(game, "gone:", "cmd:", "log:", "wakes", "attempts", "feed", "games", "key:", "names:")
        accepted = Accepted(request.expected + len(request.entries), request.answer)
        args: list[str | bytes | int] = [game, request.expected, request.expected_link, wake_word(request.wake)]
        if command:
            args += [command_field(command.actor, command.id), remembered(command.digest, accepted), command.id]
        else:
            args += ["", "", ""]
        args += ["1" if self._ack else "", request.key or b"", self._feed_length, len(request.names)]
        for path, opening in request.names.items():
            args += [path, opening]
        for added in request.entries:
            args += [added.e, added.l, "0" if added.s is None else "1", added.s or b""]
        outcome, *found = self._write(keys, args)
        match outcome:
            case b"written":
                return accepted
            case b"repeated" if command:
                digest, before = recalled(found[0])
                if digest != command.digest:
                    raise CommandReused(f"command {command.id} was accepted before with another body")
                return Accepted(before.version, before.answer, repeated=True)
            case b"conflict":
                raise Conflict(int(found[0]))
            case b"archived":
                raise Archived(f"game {game} is in the archive")
        raise StoreError(f"the store answered {outcome!r} to an append")

    def _write(self, keys: Sequence[str], args: Sequence[str | bytes | int]) -> list[Any]:
        if not self._ack:
            return list(self._run(scripts.APPEND, keys, *args))
        outcome, reached = self._ask(
            keys[0], lambda client: scripts.APPEND.run_and_wait(client, keys, args, self._ack, self._wait_ms)
        )
        if outcome[0] in (b"written", b"repeated") and reached < self._ack:
            raise NotReplicated(f"{reached} of {self._ack} replicas have it so far: repeat it with the same command id")
        return list(outcome)

    def read(self, game: str, after: int = 0, limit: int | None = None) -> list[tuple[int, Entry]]:
        key = self._key("log", game)
        count = () if limit is None else ("COUNT", limit)
        reply = self._send("XRANGE", key, f"{after + 1}-0", "+", *count)
        return _versions(reply)

    def read_now(self, game: str, after: int) -> tuple[int, list[tuple[int, Entry]]]:
        key = self._key("log", game)
        (seconds, micros), reply = self._gather((MARK, ("TIME",)), (key, ("XRANGE", key, f"{after + 1}-0", "+")))
        return int(seconds) * 1000 + int(micros) // 1000, _versions(reply)

    def read_named(self, game: str, after: int) -> tuple[list[tuple[int, Entry]], dict[str, bytes]]:
        key, names = self._key("log", game), self._key("names", game)
        reply, found = self._gather((key, ("XRANGE", key, f"{after + 1}-0", "+")), (names, ("HGETALL", names)))
        return _versions(reply), {path.decode(): opening for path, opening in found.items()}

    def head(self, game: str) -> tuple[int, bytes] | None:
        key = self._key("log", game)
        reply = self._send("XREVRANGE", key, "+", "-", "COUNT", 1)
        return (int(reply[0][0][:-2]), entry(reply[0][1]).l) if reply else None

    def key(self, game: str) -> bytes | None:
        key = self._key("key", game)
        found: bytes | None = self._send("GET", key)
        return found

    def names(self, game: str) -> dict[str, bytes]:
        found: dict[bytes, bytes] = self._send("HGETALL", self._key("names", game))
        return {path.decode(): opening for path, opening in found.items()}

    def erase_name(self, game: str, path: str) -> bool:
        key = self._key("names", game)
        return bool(self._send("HDEL", key, path))

    def accepted(self, game: str, actor: str, command_id: str) -> tuple[str, Accepted] | None:
        key = self._key("cmd", game)
        found = self._send("HGET", key, command_field(actor, command_id))
        return recalled(found) if found else None

    def games(self, partition: int) -> Iterator[str]:
        key = f"{self._shelves[partition]}games"
        seen: set[bytes] = set()
        cursor = 0
        while True:
            cursor, members = self._send("SSCAN", key, cursor, "COUNT", 500)
            fresh = [member for member in members if member not in seen]
            seen.update(fresh)
            yield from (member.decode() for member in fresh)
            if not int(cursor):
                return

    def archive(self, game: str) -> None:
        self._run(scripts.ARCHIVE, self._keys(game, "gone:", "cmd:", "log:", "wakes", "attempts", "games", "key:", "names:"), game)

    # -- wakes --------------------------------------------------------------------------------------------------
    def overdue(self, partition: int, before: int, limit: int = 100) -> list[Wake]:
        return self._overdue(self._shelves[partition : partition + 1], before, limit)

    def overdue_anywhere(self, before: int, limit: int = 100) -> list[Wake]:
        return self._overdue(self._shelves, before, limit)

    def _overdue(self, shelves: Sequence[str], before: int, limit: int) -> list[Wake]:
        keys = [f"{shelf}wakes" for shelf in shelves]
        found = self._gather(*[(key, ("ZRANGEBYSCORE", key, "-inf", before, "WITHSCORES", "LIMIT", 0, limit)) for key in keys])
        late = [(f"{shelf}attempts", due) for shelf, due in zip(shelves, found, strict=True) if due]
        if not late:
            return []
        tries = self._gather(*[(key, ("HMGET", key, *[game for game, _ in due])) for key, due in late])
        return [
            Wake(game.decode(), int(at), int(count or 0))
            for (_, due), counts in zip(late, tries, strict=True)
            for (game, at), count in zip(due, counts, strict=True)
        ]

    def waking(self, partition: int) -> int:
        key = f"{self._shelves[partition]}wakes"
        return int(self._send("ZCARD", key))

    def postpone(self, wake: Wake, until: int) -> bool:
        return bool(self._run(scripts.POSTPONE, self._keys(wake.game, "wakes", "attempts"), wake.game, wake.at, until))

    def settle(self, game: str, version: int, wake: int | None) -> bool:
        return bool(self._run(scripts.SETTLE, self._keys(game, "log:", "wakes", "attempts"), game, version, wake_word(wake)))

    # -- feed ---------------------------------------------------------------------------------------------------
    def follow(self, partitions: Sequence[int], group: str, consumer: str, count: int, block_ms: int) -> list[tuple[int, FeedItem]]:
        return self._feeds.follow(partitions, group, consumer, count, block_ms)

    def acknowledge(self, partition: int, group: str, items: Sequence[str]) -> None:
        self._feeds.acknowledge(partition, group, items)

    def fell_behind(self, partition: int, group: str) -> bool:
        return self._feeds.fell_behind(partition, group)

    def behind(self, group: str) -> list[int]:
        return self._feeds.behind(group)

    # -- slips --------------------------------------------------------------------------------------------------
    def slip(self, game: str, name: str) -> bytes | None:
        found: bytes | None = self._send("GET", self._key(f"slip:{name}", game))
        return found

    def swap_slip(self, game: str, name: str, before: bytes | None, after: bytes, ms: int) -> bool:
        keys = self._keys(game, f"slip:{name}:")
        return bool(self._run(scripts.SWAP_SLIP, keys, "0" if before is None else "1", before or b"", after, ms))

    # -- live ---------------------------------------------------------------------------------------------------
    def publish(self, game: str, version: int) -> None:
        self._live.publish(game, version)

    def listen(self, timeout_ms: int) -> list[tuple[str, int]]:
        return self._live.listen(timeout_ms)

    # -- upkeep -------------------------------------------------------------------------------------------------
    def check(self) -> None:
        found: dict[str, None] = {}
        for sentences in self._ask(MARK, lambda _: [problems(server) for server in self._servers.primaries()]):
            found |= dict.fromkeys(sentences)
        if found:
            raise UnsafeStore(list(found))
        self._mark()

    def check_partitions(self) -> None:
        """Raises ForeignStore if the logs were laid out for another number of partitions (`check` asks this, too)."""
        self._mark()

    def _mark(self) -> None:
        """The number of partitions, written once and for ever: with another one, games would be looked for elsewhere."""
        if self._marked:
            return

        def mark(client: redis.Redis) -> int:
            send(client, "SETNX", MARK, self.partitions)
            return int(send(client, "GET", MARK))

        found = self._ask(MARK, mark)
        if found != self.partitions:
            raise ForeignStore(f"the logs lie in {found} partitions, not {self.partitions}: that is fixed for the life of a store")
        self._marked = True

    def close(self) -> None:
        self._live.close()
        self._servers.close()


def _versions(reply: list[Any]) -> list[tuple[int, Entry]]:
    return [(int(entry_id[:-2]), entry(fields)) for entry_id, fields in reply]  # "12-0" is version 12
