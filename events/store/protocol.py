"""Where games are written down: what every store of logs must be able to do.

A store knows bytes, versions and times; it knows nothing of cards. Each game is one append-only log whose entries
have the versions 1, 2, 3 ... without gaps.  Everything that must be true together with an append (the log, the command
id, the wake-up time, the feed, the game's key, erasable names) is written by that one append or not at all.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Protocol

import msgspec


class StoreError(Exception):
    """Anything a store refuses or cannot do."""


class Conflict(StoreError):
    """The log's head is not the expected one; nothing was written.  `version` is the head that was found."""

    def __init__(self, version: int) -> None:
        super().__init__(f"the log stands at version {version}")
        self.version = version


class CommandReused(StoreError):
    """This command id was accepted before, with another body; nothing was written."""


class Archived(StoreError):
    """The game's log was moved to the archive (a tombstone stands in its place); nothing was written."""


class StoreUnavailable(StoreError):
    """The store cannot be reached, or lost the connection: what was asked may or may not have happened; repeat it
    with the same command id."""


class NotReplicated(StoreUnavailable):
    """Written here, but not yet acknowledged by enough replicas: repeat it with the same command id."""


class UnsafeStore(StoreError):
    """The server's settings could lose a move; `problems` says what to set, one sentence each."""

    def __init__(self, problems: Sequence[str]) -> None:
        super().__init__("; ".join(problems))
        self.problems = tuple(problems)


class ForeignStore(StoreError):
    """The files or keys were laid out by another server, a newer version or for another number of partitions; nothing
    was touched."""


class Entry(msgspec.Struct, frozen=True):
    """One entry of a log.

    e: the public bytes.  s: the exact bytes of the sealed values (None: nothing sealed).  l: the link, 32 bytes.
    """

    e: bytes
    s: bytes | None
    l: bytes  # noqa: E741  (the field's name in the stream)


class CommandKey(msgspec.Struct, frozen=True):
    """Who asked (`actor`: "host", "seat:<secret's hash>", ...), the id the client made, a digest of the body."""

    actor: str
    id: str
    digest: str


class Append(msgspec.Struct, frozen=True, kw_only=True):
    """One atomic addition to one log.

    expected: the version the log must stand at (0: it must not exist yet); expected_link: its link (l_0 for a new game).
    wake: ms since the epoch at which somebody must look at the game (0: at once, a step is due, kept as the store's time of
    the append); None: never.
    key: the game's 32-byte key, given with the first entry only.  names: erasable openings, by "<version>/<path>".
    answer: bytes remembered with the command id and given back when the command is repeated.
    """

    game: str
    expected: int
    expected_link: bytes
    entries: tuple[Entry, ...]
    wake: int | None
    command: CommandKey | None = None
    answer: bytes = b""
    key: bytes | None = None
    names: dict[str, bytes] = {}

    def validate(self) -> None:
        """Raises ValueError for a request that no log could take: no entries, or a key that is not the game's first."""
        if not self.entries:
            raise ValueError("an append has at least one entry")
        if self.key is not None and self.expected:
            raise ValueError("a game's key is written with its first entry")


class Accepted(msgspec.Struct, frozen=True):
    """What an append answers: the log's version now and, for a repeated command, `repeated` and the answer of the first
    time (`answer` is the one given in the Append otherwise)."""

    version: int
    answer: bytes
    repeated: bool = False


class Wake(msgspec.Struct, frozen=True):
    """A game whose time has come: `at` is its score (ms) when it was read, `attempts` how often it was postponed."""

    game: str
    at: int
    attempts: int


class FeedItem(msgspec.Struct, frozen=True):
    """One line of a partition's feed: the feed's own id, the game and the version that its log reached.

    moving: the game owed itself a step at once then (`Append.wake` was 0), so that another line is soon to come."""

    id: str
    game: str
    version: int
    moving: bool = False


class Row(msgspec.Struct, frozen=True):
    """A game's row in an aggregate: the aggregate's name, the row's checkpoint, its bytes (None: no row any more)."""

    table: str
    version: int
    row: bytes | None


class EventStore(Protocol):
    """Logs of games, with what is written beside them.  All times are ms since the epoch, by the store's clock."""

    partitions: int

    def now(self) -> int:
        """The store's time."""

    def partition(self, game: str) -> int:
        """The partition of a game, 0 ... partitions - 1; depends on nothing but the id and `partitions`."""

    # -- logs ---------------------------------------------------------------------------------------------------
    def append(self, request: Append) -> Accepted:
        """All or nothing.  Raises Conflict, CommandReused, Archived, StoreUnavailable, NotReplicated.

        Checks in this order, all before the first write: tombstone; the command id (accepted before with the same digest:
        its recorded answer and nothing is written; with another digest: CommandReused); version and link of the head.
        Then writes: the entries with ids <version>-0, the command id, key, names; the wake-up time; one feed line.
        """

    def read(self, game: str, after: int = 0, limit: int | None = None) -> list[tuple[int, Entry]]:
        """(version, entry) of the versions above `after`, in order; empty for an unknown game."""

    def read_now(self, game: str, after: int) -> tuple[int, list[tuple[int, Entry]]]:
        """`now` and `read` in one journey."""

    def read_named(self, game: str, after: int) -> tuple[list[tuple[int, Entry]], dict[str, bytes]]:
        """`read` and `names` in one journey."""

    def head(self, game: str) -> tuple[int, bytes] | None:
        """(version, link) of the last entry, None for an unknown game."""

    def key(self, game: str) -> bytes | None:
        """The game's key; for the write path, never for a view."""

    def names(self, game: str) -> dict[str, bytes]:
        """The openings of names that have not been erased, by "<version>/<path>"."""

    def erase_name(self, game: str, path: str) -> bool:
        """Forgets one name for good; False if it was not there."""

    def accepted(self, game: str, actor: str, command_id: str) -> tuple[str, Accepted] | None:
        """(digest, answer) of a command that was accepted before."""

    def games(self, partition: int) -> Iterator[str]:
        """Every game of a partition that is not archived, each once, in no particular order."""

    def archive(self, game: str) -> None:
        """Drops a log that the archivist has verified elsewhere, with its commands, key, names and wake-up time, and leaves a
        tombstone; views and rows stay.  An unknown game gets no tombstone; a repeated call changes nothing."""

    # -- wakes --------------------------------------------------------------------------------------------------
    def overdue(self, partition: int, before: int, limit: int = 100) -> list[Wake]:
        """Games whose wake-up time is at most `before`, the longest overdue first."""

    def overdue_anywhere(self, before: int, limit: int = 100) -> list[Wake]:
        """`overdue` of every partition, in one journey to each node; `limit` is each partition's."""

    def waking(self, partition: int) -> int:
        """How many games of the partition have a wake-up time."""

    def postpone(self, wake: Wake, until: int) -> bool:
        """Sets the wake-up time to `until` and counts an attempt, only if it is still `wake.at`; False otherwise."""

    def settle(self, game: str, version: int, wake: int | None) -> bool:
        """Sets (or, with None, clears) the wake-up time and forgets the attempts, only if the log still stands at `version`;
        False otherwise.  `wake` as in Append."""

    # -- feed ---------------------------------------------------------------------------------------------------
    def follow(self, partitions: Sequence[int], group: str, consumer: str, count: int, block_ms: int) -> list[tuple[int, FeedItem]]:
        """Next (partition, item) for this member of a group: what it took and never acknowledged first (also what a dead
        member left behind for over 30 s), then what is new; waits at most `block_ms`.  An empty list when nothing came."""

    def acknowledge(self, partition: int, group: str, items: Sequence[str]) -> None:
        """These feed ids are done."""

    def fell_behind(self, partition: int, group: str) -> bool:
        """True when lines that the group has not read or not acknowledged were already dropped from the bounded feed: rebuild
        from the logs.  The next `follow` goes on from the oldest line that is left, so ask before it: at the start, and
        whenever the last `follow` came back full."""

    def behind(self, group: str) -> list[int]:
        """How many lines of each partition's feed the group has not done yet: not read, or read and not acknowledged."""

    # -- views --------------------------------------------------------------------------------------------------
    def save_views(self, game: str, version: int, views: dict[str, bytes]) -> bool:
        """Writes these views of a game with their checkpoint, only if there are any and the stored checkpoint is older; False
        otherwise: a checkpoint never stands there for views that do not."""

    def load_view(self, game: str, name: str) -> tuple[int, bytes] | None:
        """(checkpoint, bytes) of one view."""

    def load_views(self, game: str, names: Sequence[str]) -> dict[str, tuple[int, bytes]]:
        """(checkpoint, bytes) of those of these views that there are, all as they stood at one moment."""

    def drop_views(self, game: str) -> None:
        """Forgets every view of a game and their checkpoint (before a rebuild)."""

    def save_rows(self, table: str, game: str, version: int, row: bytes | None) -> bool:
        """One game's row in an aggregate (the lobby, standings), with a checkpoint per game; None removes the row but
        keeps the checkpoint; False if the stored checkpoint is not older."""

    def show(self, game: str, version: int, views: Mapping[str, bytes], rows: Sequence[Row]) -> bool:
        """`save_views`, `save_rows` for each of the rows, and then `publish`, in one journey and one write; what `save_views`
        answers.  A part that is not newer than what is stored is refused by itself; live clients are told in any case."""

    def row_version(self, table: str, game: str) -> int:
        """The checkpoint of one game's row, there or removed; 0 if none was ever written."""

    def load_rows(self, table: str) -> dict[str, bytes]:
        """All rows of an aggregate, by game."""

    def drop_rows(self, table: str) -> None:
        """Forgets every row of an aggregate and the checkpoints (before a rebuild)."""

    # -- slips --------------------------------------------------------------------------------------------------
    def slip(self, game: str, name: str) -> bytes | None:
        """A note that is thrown away by itself; None once it is."""

    def swap_slip(self, game: str, name: str, before: bytes | None, after: bytes, ms: int) -> bool:
        """Writes a note that lasts so long (at least 1 ms), only if `before` is what stands there (None: nothing); else False."""

    # -- live ---------------------------------------------------------------------------------------------------
    def publish(self, game: str, version: int) -> None:
        """Tells live clients that the views of a game have reached a version."""

    def listen(self, timeout_ms: int) -> list[tuple[str, int]]:
        """(game, version) lines published since this store object last listened; waits at most `timeout_ms`.
        The first call subscribes.  After a lost connection it raises StoreUnavailable until it is subscribed again, the
        last time when it is: lines may be missing up to that moment, none after it.  One listening thread per store object."""

    # -- upkeep -------------------------------------------------------------------------------------------------
    def check(self) -> None:
        """Raises UnsafeStore unless the server keeps what it acknowledges, StoreUnavailable if it cannot be reached."""

    def close(self) -> None:
        """Lets go of connections; harmless when repeated."""
