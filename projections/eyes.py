"""One viewer's eyes: the game as a spectator, a seat, or (once all is open) everybody may know it, folded entry by entry.

Whatever the eyes know came through `codec.read` for this viewer, so nothing behind a seal that is not theirs can get in.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from events import codec
from events.catalogue import edition
from events.codec import EVERYTHING, SPECTATOR
from events.facts import AnyEvent, ConflictsResolved, GameOpened
from events.rules import Game, evolve, initial
from events.store.protocol import Entry

__all__ = ["EVERYTHING", "SPECTATOR", "Eyes", "look"]


class Eyes:
    """What one viewer knows of one game.

    viewer: a seat's number, SPECTATOR or EVERYTHING.  conflicts: every ConflictsResolved so far.
    """

    __slots__ = ("_game", "conflicts", "viewer")

    def __init__(self, viewer: int) -> None:
        self.viewer = viewer
        self.conflicts: tuple[ConflictsResolved, ...] = ()
        self._game: Game | None = None

    @property
    def game(self) -> Game:
        """The game as this viewer knows it; LookupError before the first entry."""
        if self._game is None:
            raise LookupError("these eyes have not seen a game yet")
        return self._game

    @property
    def version(self) -> int:
        """How many entries were seen."""
        return self._game.version if self._game else 0

    def see(self, version: int, entry: Entry, names: Mapping[str, bytes]) -> AnyEvent:
        """One more entry, as this viewer may read it.  Raises ValueError for an entry out of order, codec.BrokenRecord."""
        event = codec.read(version, entry.e, entry.s, names, self.viewer)
        self._fold(version, event)
        return event

    def _fold(self, version: int, event: AnyEvent) -> None:
        if version != self.version + 1:
            raise ValueError(f"entry {version} does not follow entry {self.version}")
        if self._game is None:
            if not isinstance(event, GameOpened):
                raise codec.BrokenRecord("the log does not begin with GameOpened")
            self._game = initial(edition(event.catalogue))
        self._game = evolve(self._game, event)
        if isinstance(event, ConflictsResolved):
            self.conflicts += (event,)

    def see_all(self, entries: Iterable[tuple[int, Entry]], names: Mapping[str, bytes]) -> Eyes:
        """Several entries; returns these eyes."""
        for version, entry in entries:
            self.see(version, entry, names)
        return self


def look(version: int, entry: Entry, names: Mapping[str, bytes], *several: Eyes) -> AnyEvent:
    """One entry seen by several eyes; the event as the first of them reads it.

    An entry without sealed values reads the same for everybody, so it is read once.
    """
    if entry.s is not None:
        events = [eyes.see(version, entry, names) for eyes in several]
        return events[0]
    event = codec.read(version, entry.e, None, names, SPECTATOR)
    for eyes in several:
        eyes._fold(version, event)
    return event
