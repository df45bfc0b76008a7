"""A table's log kept in memory: for tests and simulations, gone when the process ends."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from events.store.memory_feed import Feed, Group
from events.store.memory_views import MemoryViews
from events.store.partitions import partition_of
from events.store.protocol import Accepted, Append, Archived, CommandReused, Conflict, Entry, FeedItem, Wake

T = TypeVar("T")

FEED_LENGTH = 16_384
CLAIM_AFTER_MS = 30_000


def wall_clock() -> int:
    """Milliseconds since the epoch."""
    return time.time_ns() // 1_000_000


class _Log:
    """All that is written about one game."""

    __slots__ = ("commands", "entries", "key", "names")

    def __init__(self) -> None:
        self.entries: list[Entry] = []
        self.commands: dict[tuple[str, str], tuple[str, Accepted]] = {}
        self.key: bytes | None = None
        self.names: dict[str, bytes] = {}


class MemoryStore(MemoryViews):
    """An `EventStore` in this process, safe to share between its threads.

    clock: ms since the epoch; a simulation passes its own.
    """

    def __init__(
        self,
        clock: Callable[[], int] = wall_clock,
        *,
        partitions: int = 1,
        feed_length: int = FEED_LENGTH,
        claim_after_ms: int = CLAIM_AFTER_MS,
    ) -> None:
        super().__init__(threading.Condition(threading.Lock()))
        self.partitions = partitions
        self._clock = clock
        self._claim_after = claim_after_ms
        self._logs: dict[str, _Log] = {}
        self._tombs: set[str] = set()
        self._wakes: list[dict[str, tuple[int, int]]] = [{} for _ in range(partitions)]  # game -> (ms, attempts)
        self._feeds = [Feed(feed_length) for _ in range(partitions)]
        self._slips: dict[tuple[str, str], tuple[int, bytes]] = {}  # (game, name) -> (until, bytes)

    def now(self) -> int:
        return self._clock()

    def partition(self, game: str) -> int:
        return partition_of(game, self.partitions)

    # -- logs ---------------------------------------------------------------------------------------------------
    def append(self, request: Append) -> Accepted:
        request.validate()
        with self._changed:
            if request.game in self._tombs:
                raise Archived(f"game {request.game} is in the archive")
            log = self._logs.get(request.game) or _Log()
            command = request.command
            if command and (before := log.commands.get((command.actor, command.id))):
                digest, answer = before
                if digest != command.digest:
                    raise CommandReused(f"command {command.id} was accepted before with another body")
                return Accepted(answer.version, answer.answer, repeated=True)
            top = len(log.entries)
            if top != request.expected or (top and log.entries[-1].l != request.expected_link):
                raise Conflict(top)
            return self._write(log, request)

    def _write(self, log: _Log, request: Append) -> Accepted:
        log.entries.extend(request.entries)
        accepted = Accepted(len(log.entries), request.answer)
        if request.command:
            log.commands[request.command.actor, request.command.id] = (request.command.digest, accepted)
        if request.key is not None:
            log.key = request.key
        log.names.update(request.names)
        self._logs[request.game] = log
        place = self.partition(request.game)
        self._wake(place, request.game, request.wake)
        self._feeds[place].add(request.game, accepted.version, request.wake == 0)
        self._changed.notify_all()
        return accepted

    def _wake(self, place: int, game: str, wake: int | None) -> None:
        if wake is None:
            self._wakes[place].pop(game, None)
        else:
            self._wakes[place][game] = (wake or self.now(), 0)

    def read(self, game: str, after: int = 0, limit: int | None = None) -> list[tuple[int, Entry]]:
        with self._changed:
            log = self._logs.get(game)
            entries = log.entries[after : None if limit is None else after + limit] if log else []
        return list(enumerate(entries, after + 1))

    def read_now(self, game: str, after: int) -> tuple[int, list[tuple[int, Entry]]]:
        return self.now(), self.read(game, after)

    def read_named(self, game: str, after: int) -> tuple[list[tuple[int, Entry]], dict[str, bytes]]:
        return self.read(game, after), self.names(game)

    def head(self, game: str) -> tuple[int, bytes] | None:
        with self._changed:
            log = self._logs.get(game)
            return (len(log.entries), log.entries[-1].l) if log else None

    def key(self, game: str) -> bytes | None:
        with self._changed:
            log = self._logs.get(game)
            return log.key if log else None

    def names(self, game: str) -> dict[str, bytes]:
        with self._changed:
            log = self._logs.get(game)
            return dict(log.names) if log else {}

    def erase_name(self, game: str, path: str) -> bool:
        with self._changed:
            log = self._logs.get(game)
            return log is not None and log.names.pop(path, None) is not None

    def accepted(self, game: str, actor: str, command_id: str) -> tuple[str, Accepted] | None:
        with self._changed:
            log = self._logs.get(game)
            return log.commands.get((actor, command_id)) if log else None

    def games(self, partition: int) -> Iterator[str]:
        with self._changed:
            games = [game for game in self._logs if self.partition(game) == partition]
        return iter(games)

    def archive(self, game: str) -> None:
        with self._changed:
            if self._logs.pop(game, None) is not None:
                self._tombs.add(game)
                self._wakes[self.partition(game)].pop(game, None)

    # -- wakes --------------------------------------------------------------------------------------------------
    def overdue(self, partition: int, before: int, limit: int = 100) -> list[Wake]:
        with self._changed:
            due = [Wake(game, at, tries) for game, (at, tries) in self._wakes[partition].items() if at <= before]
        return sorted(due, key=lambda wake: (wake.at, wake.game))[:limit]

    def overdue_anywhere(self, before: int, limit: int = 100) -> list[Wake]:
        return [wake for place in range(self.partitions) for wake in self.overdue(place, before, limit)]

    def waking(self, partition: int) -> int:
        with self._changed:
            return len(self._wakes[partition])

    def postpone(self, wake: Wake, until: int) -> bool:
        with self._changed:
            wakes = self._wakes[self.partition(wake.game)]
            at, attempts = wakes.get(wake.game, (None, 0))
            if at != wake.at:
                return False
            wakes[wake.game] = (until, attempts + 1)
            return True

    def settle(self, game: str, version: int, wake: int | None) -> bool:
        with self._changed:
            log = self._logs.get(game)
            if log is None or len(log.entries) != version:
                return False
            self._wake(self.partition(game), game, wake)
            return True

    # -- feed ---------------------------------------------------------------------------------------------------
    def follow(self, partitions: Sequence[int], group: str, consumer: str, count: int, block_ms: int) -> list[tuple[int, FeedItem]]:
        def take() -> list[tuple[int, FeedItem]]:
            found: list[tuple[int, FeedItem]] = []
            for place in partitions:
                feed = self._feeds[place]
                members = feed.groups.setdefault(group, Group())
                found += [(place, item) for item in feed.take(members, consumer, count, self.now(), self._claim_after)]
            return found

        return self._await(take, block_ms)

    def acknowledge(self, partition: int, group: str, items: Sequence[str]) -> None:
        with self._changed:
            members = self._feeds[partition].groups.get(group)
            if members is None:
                return
            for item in items:
                members.taken.pop(int(item.partition("-")[2]), None)

    def fell_behind(self, partition: int, group: str) -> bool:
        with self._changed:
            feed = self._feeds[partition]
            members = feed.read_by(group)
            return members.read + 1 < feed.first or any(number < feed.first for number in members.taken)

    def behind(self, group: str) -> list[int]:
        with self._changed:
            read = [(feed, feed.read_by(group)) for feed in self._feeds]
            return [feed.first + len(feed.lines) - 1 - members.read + len(members.taken) for feed, members in read]

    # -- slips --------------------------------------------------------------------------------------------------
    def slip(self, game: str, name: str) -> bytes | None:
        with self._changed:
            until, found = self._slips.get((game, name), (0, b""))
            return found if until > self.now() else None

    def swap_slip(self, game: str, name: str, before: bytes | None, after: bytes, ms: int) -> bool:
        with self._changed:
            now = self.now()
            self._slips = {place: slip for place, slip in self._slips.items() if slip[0] > now}
            if self._slips.get((game, name), (0, None))[1] != before:
                return False
            self._slips[game, name] = (now + ms, after)
            return True

    # -- live ---------------------------------------------------------------------------------------------------
    def listen(self, timeout_ms: int) -> list[tuple[str, int]]:
        with self._changed:
            if self._heard is None:
                self._heard = deque()
        return self._await(self._drain, timeout_ms)

    def _drain(self) -> list[tuple[str, int]]:
        heard = list(self._heard or ())
        self._heard = deque()
        return heard

    def _await(self, take: Callable[[], list[T]], timeout_ms: int) -> list[T]:
        """What `take` finds, asked again at each change until the time is up; real time, whatever the clock says."""
        end = time.monotonic() + timeout_ms / 1000
        with self._changed:
            while not (found := take()):
                left = end - time.monotonic()
                if left <= 0:
                    break
                self._changed.wait(left)
            return found

    # -- upkeep -------------------------------------------------------------------------------------------------
    def check(self) -> None:
        """Nothing to refuse: nobody expects this store to outlive the process."""

    def close(self) -> None:
        """Nothing to let go of."""
