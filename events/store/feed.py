"""Who reads what happened, shelf by shelf, so that nothing is read by nobody."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

import redis
from redis.exceptions import RedisClusterException, RedisError

from events.store.protocol import FeedItem, StoreError
from events.store.wire import BLOCK_SECONDS, Servers, Words, ask, away, gather, request, send, send_all

CLAIM_AFTER_MS = 30_000
Lines = list[tuple[int, FeedItem]]


def line_number(feed_id: bytes) -> int:
    """The place of a line in its feed: ids are 0-1, 0-2, 0-3 ... without gaps."""
    return int(feed_id.partition(b"-")[2])


def _items(place: int, entries: list[Any]) -> Lines:
    return [
        (place, FeedItem(feed_id.decode(), fields[1].decode(), int(fields[3]), moving=len(fields) > 4))
        for feed_id, fields in entries
        if fields  # a line that was taken, but dropped from the feed before it was acknowledged
    ]


def _nobody_yet(error: Exception) -> bool:
    """The feed or the group has not been made.  (Servers say NOGROUP or "no such key", fakeredis a sentence of its own.)"""
    return any(words in str(error) for words in ("NOGROUP", "no such key", "requires the key to exist"))


class Feeds:
    """The consumer groups over the feeds of all partitions.

    keys: the feed's key of each partition.  claim_after_ms: how long a line may lie with a silent member.
    """

    def __init__(self, servers: Servers, keys: Sequence[str], claim_after_ms: int = CLAIM_AFTER_MS) -> None:
        self._servers = servers
        self._keys = tuple(keys)
        self._claim_after = claim_after_ms
        self._own: dict[tuple[int, str, str], str | None] = {}  # where to go on reading one's own lines; None: all read
        self._claimed: dict[tuple[int, str, str], float] = {}

    def follow(self, places: Sequence[int], group: str, consumer: str, count: int, block_ms: int) -> Lines:
        end = time.monotonic() + block_ms / 1000
        made = False
        while True:
            try:
                found = self._left_over(places, group, consumer, count)
                left = max(0.0, end - time.monotonic())
                found = found or self._fresh(places, group, consumer, count, min(left, BLOCK_SECONDS, self._claim_after / 1000))
                if found or time.monotonic() >= end:
                    return found
            except (RedisError, RedisClusterException) as error:
                # A reply may be lost, and with it lines that are now ours: look among our own first next time.
                for place in places:
                    self._own.pop((place, group, consumer), None)
                if made or not _nobody_yet(error):
                    raise away(self._servers, error) from error
                self._make_groups(places, group)
                made = True

    def _left_over(self, places: Sequence[int], group: str, consumer: str, count: int) -> Lines:
        """What this member took before it was started anew; now and then, what others took and never finished."""
        asked: dict[int, Words] = {}
        now = time.monotonic()
        for place in places:
            member = (place, group, consumer)
            own = self._own.get(member, "0")
            if own is not None:
                asked[place] = ("XREADGROUP", "GROUP", group, consumer, "COUNT", count, "STREAMS", self._keys[place], own)
            elif now - self._claimed.get(member, 0.0) >= self._claim_after / 6000:
                asked[place] = ("XAUTOCLAIM", self._keys[place], group, consumer, self._claim_after, "0-0", "COUNT", count)
        found: Lines = []
        for place, reply in self._answers(asked).items():
            member = (place, group, consumer)
            if asked[place][0] == "XAUTOCLAIM":
                found += _items(place, reply[1])
                if reply[0] == b"0-0":
                    self._claimed[member] = now
                continue
            entries = next(iter(reply.values())) if reply else []
            found += _items(place, entries)
            dropped = [feed_id for feed_id, fields in entries if not fields]
            if dropped:
                send(self._servers.of(self._keys[place]), "XACK", self._keys[place], group, *dropped)
            self._own[member] = entries[-1][0].decode() if len(entries) == count else None
        return found

    def _fresh(self, places: Sequence[int], group: str, consumer: str, count: int, seconds: float) -> Lines:
        head: tuple[str | int, ...] = ("XREADGROUP", "GROUP", group, consumer, "COUNT", count)
        if not self._servers.shares_streams:
            asked: dict[int, Words] = {place: (*head, "STREAMS", self._keys[place], ">") for place in places}
            return self._poll(asked, seconds)
        block = ("BLOCK", int(seconds * 1000)) if seconds >= 0.001 else ()  # BLOCK 0 would wait for ever
        keys = [self._keys[place] for place in places]
        words = (*head, *block, "STREAMS", *keys, *[">"] * len(keys))
        client = self._servers.patient(keys[0])
        reply = send(client, *words) or {}
        return [item for place in places for item in _items(place, reply.get(self._keys[place].encode(), []))]

    def _poll(self, asked: dict[int, Words], seconds: float) -> Lines:
        """Streams on different nodes cannot be waited for together: asked again after 5 ms, 10 ms ... 50 ms."""
        end, pause = time.monotonic() + seconds, 0.005
        while True:
            answers = self._answers(asked)
            found = [item for place, reply in answers.items() if reply for item in _items(place, next(iter(reply.values())))]
            left = end - time.monotonic()
            if found or left <= 0:
                return found
            time.sleep(min(pause, left))
            pause = min(pause * 2, 0.05)

    def _answers(self, asked: dict[int, Words]) -> dict[int, Any]:
        """One request to each partition."""
        replies = gather(self._servers.patient, [(self._keys[place], words) for place, words in asked.items()])
        return dict(zip(asked, replies, strict=True))

    def _make_groups(self, places: Sequence[int], group: str) -> None:
        for place in places:
            key = self._keys[place]
            try:
                request(self._servers, key, "XGROUP", "CREATE", key, group, "0", "MKSTREAM")
            except StoreError as error:
                if "BUSYGROUP" not in str(error):
                    raise

    def acknowledge(self, place: int, group: str, items: Sequence[str]) -> None:
        if items:
            key = self._keys[place]
            request(self._servers, key, "XACK", key, group, *items)

    def fell_behind(self, place: int, group: str) -> bool:
        key = self._keys[place]

        requests: list[Words] = [("XRANGE", key, "-", "+", "COUNT", 1), ("XINFO", "GROUPS", key), ("XPENDING", key, group)]

        def look(client: redis.Redis) -> list[Any]:
            replies = send_all(client, requests)
            for reply in replies:
                if isinstance(reply, Exception) and not _nobody_yet(reply):
                    raise reply
            return replies

        oldest, groups, pending = ask(self._servers, key, look)
        if not oldest or isinstance(groups, Exception):
            return False  # no feed, so no line was ever dropped
        first = line_number(oldest[0][0])
        read = next((line_number(entry[b"last-delivered-id"]) for entry in groups if entry[b"name"] == group.encode()), 0)
        unfinished = line_number(pending[1]) if not isinstance(pending, Exception) and pending[0] else first
        return read + 1 < first or unfinished < first

    def behind(self, group: str) -> list[int]:
        """By the lines' own numbers, which have no gaps: a server's `lag` is unknown once lines were dropped."""
        asked: list[tuple[str, Words]] = []
        for key in self._keys:
            asked += [(key, ("XREVRANGE", key, "+", "-", "COUNT", 1)), (key, ("XINFO", "GROUPS", key))]
        replies = ask(self._servers, self._keys[0], lambda _: gather(self._servers.of, asked, _nobody_yet))
        return [_undone(newest, groups, group) for newest, groups in zip(replies[::2], replies[1::2], strict=True)]


def _undone(newest: Any, groups: Any, group: str) -> int:
    """From the newest line of a feed and its groups."""
    if not newest:
        return 0
    last = line_number(newest[0][0])
    if isinstance(groups, Exception):
        return last
    for found in groups:
        if found[b"name"] == group.encode():
            return last - line_number(found[b"last-delivered-id"]) + int(found[b"pending"])
    return last
