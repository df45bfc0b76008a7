"""The last lines of what happened at the tables of one shelf, and who has read how far; kept in memory."""

from __future__ import annotations

from collections import deque

from events.store.protocol import FeedItem


class Group:
    """How far a group has read a feed, and who took what: line number -> (member, when)."""

    __slots__ = ("members", "read", "taken")

    def __init__(self) -> None:
        self.read = 0
        self.taken: dict[int, tuple[str, int]] = {}
        self.members: set[str] = set()


class Feed:
    """The last lines of a partition's feed; `first` is the number of the oldest that is left."""

    __slots__ = ("first", "groups", "lines")

    def __init__(self, length: int) -> None:
        self.lines: deque[tuple[str, int, bool]] = deque(maxlen=length)
        self.first = 1
        self.groups: dict[str, Group] = {}

    def read_by(self, group: str) -> Group:
        """How far a group has read; one that never came has read nothing."""
        return self.groups.get(group) or Group()

    def add(self, game: str, version: int, moving: bool) -> None:
        if len(self.lines) == self.lines.maxlen:
            self.first += 1
        self.lines.append((game, version, moving))

    def item(self, number: int) -> FeedItem:
        game, version, moving = self.lines[number - self.first]
        return FeedItem(f"0-{number}", game, version, moving)

    def take(self, group: Group, consumer: str, count: int, now: int, claim_after: int) -> list[FeedItem]:
        """The member's own lines when it is new here, then what was left lying for too long, then what is new."""
        group.taken = {number: taken for number, taken in group.taken.items() if number >= self.first}
        fresh_member = consumer not in group.members
        group.members.add(consumer)
        again = [
            number
            for number, (member, at) in group.taken.items()
            if (fresh_member and member == consumer) or now - at >= claim_after
        ]
        numbers = sorted(again)[:count]
        if not numbers:
            start = max(group.read + 1, self.first)
            numbers = list(range(start, min(start + count, self.first + len(self.lines))))
            if numbers:
                group.read = numbers[-1]
        for number in numbers:
            group.taken[number] = (consumer, now)
        return [self.item(number) for number in numbers]
