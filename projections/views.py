"""All views of one game, kept up to date entry by entry: what the projector writes, and what a rebuild must give again."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from events import facts as f
from events.rules.clock import awaited
from events.rules.state import Choosing, City, Extra, Game, Person
from events.store.protocol import Entry, EventStore
from projections.chronicle import Chronicle
from projections.city import CityDoc
from projections.documents import encode
from projections.eyes import SPECTATOR, Eyes, look
from projections.hand import you_document
from projections.lobby import lobby_row, rematch_row
from projections.score_sheet import score_document
from projections.table import city_documents, table_document

TABLE, CHRONICLE, SCORE = "table", "chronicle", "score"

QUIET = frozenset(
    {f.ActionChosen, f.ActionWithdrawn, f.ExtraChosen, f.ExtraWithdrawn, f.SeatTimedOut, f.ClockExtended, f.AbortAgreed}
)
"""Events that change neither a city nor who sits where: scores and the lobby stay as they were."""


CHOICES = (f.ActionChosen, f.ActionWithdrawn, f.ExtraChosen, f.ExtraWithdrawn, f.SeatTimedOut)
"""Events that change only what their own seat knows, unless nobody is awaited any more."""


def hand_of(seat: int) -> str:
    """The name of a seat's view: the table with what only that seat knows."""
    return f"hand/{seat}"


def you_of(seat: int) -> str:
    """The name under which a seat's own part is stored; its view is the stored table with this part."""
    return f"you/{seat}"


def load(store: EventStore, game: str, name: str) -> tuple[int, bytes] | None:
    """(version, bytes) of a view as it was last written; None if it has not been written yet.

    A seat's view is put together from the table and the seat's own part, both as they stood at one moment: so a choice
    rewrites the table and one hand, not every seat's copy of the table (with seven seats a fifth of the bytes).
    """
    if not name.startswith("hand/"):
        return store.load_view(game, name)
    own = you_of(int(name.removeprefix("hand/")))
    found = store.load_views(game, (TABLE, own))
    if len(found) < 2:
        return None
    version, table = found[TABLE]
    return version, joined(table, "you", found[own][1])


class Views:
    """One game seen by the spectator and by every seat."""

    def __init__(self) -> None:
        self.spectator = Eyes(SPECTATOR)
        self.seats: tuple[Eyes, ...] = ()
        self.chronicle = Chronicle()
        self._touched: list[int] = []
        self.steps = (0, 0)
        """(version, at) of the last event that was not quiet."""
        self._drawn: tuple[tuple[City, ...], tuple[Person | None, ...], tuple[CityDoc, ...]] | None = None
        self._you: dict[int, tuple[tuple[object, ...], bytes]] = {}

    @property
    def version(self) -> int:
        """How many entries were seen."""
        return self.spectator.version

    @property
    def game(self) -> Game:
        """The game as a spectator knows it."""
        return self.spectator.game

    def see(self, version: int, entry: Entry, names: Mapping[str, bytes]) -> None:
        """One more entry, for every viewer."""
        before = self.spectator.game if self.version else None
        event = look(version, entry, names, self.spectator, *self.seats)
        game = self.spectator.game
        if before is None:
            self._begin(version, entry, names)
        if type(event) not in QUIET:
            self.steps = (version, game.at)
        self._touch(event, version)
        self.chronicle.tell(version, before or game, event, game)

    def _touch(self, event: f.AnyEvent, version: int) -> None:
        """Notes whose own part may have changed; with every event, so that no other projector's step is missed."""
        if isinstance(event, f.ClockExtended):
            return
        if isinstance(event, CHOICES) and awaited(self.game):
            self._touched[event.seat] = version
        else:
            self._touched = [version] * len(self.seats)

    def _begin(self, version: int, entry: Entry, names: Mapping[str, bytes]) -> None:
        """The first entry says how many seats there are."""
        self.seats = tuple(Eyes(seat) for seat in range(self.game.rules.players))
        look(version, entry, names, *self.seats)
        self._touched = [version] * len(self.seats)

    def see_all(self, entries: Iterable[tuple[int, Entry]], names: Mapping[str, bytes]) -> Views:
        """Several entries; returns itself."""
        for version, entry in entries:
            self.see(version, entry, names)
        return self

    # -- documents ----------------------------------------------------------------------------------------------
    def documents(self) -> dict[str, bytes]:
        """Every view by its name."""
        stored = self.stored()
        hands = {hand_of(eyes.viewer): joined(stored[TABLE], "you", stored.pop(you_of(eyes.viewer))) for eyes in self.seats}
        return stored | hands

    def stored(self, since: int = 0) -> dict[str, bytes]:
        """What is written, by the name it is stored under: all that is not what it was at version `since` (0: everything)."""
        found = {TABLE: encode(table_document(self.game, self.spectator.conflicts, self._cities()))}
        for eyes, touched in zip(self.seats, self._touched, strict=True):
            if touched > since:
                found[you_of(eyes.viewer)] = self._known_by(eyes)
        if self.chronicle.version > since:
            found[CHRONICLE] = self.chronicle.document()
        if self.steps[0] > since:
            found[SCORE] = encode(score_document(self.game, *self.steps))
        return found

    def _cities(self) -> tuple[CityDoc, ...]:
        """The ring, drawn anew only when a city or somebody's name has changed."""
        game = self.game
        if self._drawn is None or self._drawn[0] is not game.cities or self._drawn[1] is not game.people:
            self._drawn = (game.cities, game.people, city_documents(game))
        return self._drawn[2]

    def _known_by(self, eyes: Eyes) -> bytes:
        """What a seat knows beside the table; made anew only when something it depends on has changed."""
        depends = _depends_on(eyes.game, eyes.viewer)
        before = self._you.get(eyes.viewer)
        if before is not None and before[0] == depends:
            return before[1]
        made = encode(you_document(eyes.game, eyes.viewer))
        self._you[eyes.viewer] = (depends, made)
        return made

    def lobby_row(self) -> bytes | None:
        """The game's row in the lobby, None if it has none."""
        return lobby_row(self.game, *self.steps)

    def rematch_row(self) -> bytes | None:
        """The row of the table that this one is the rematch of."""
        return rematch_row(self.game)


def joined(table: bytes, key: str, more: bytes) -> bytes:
    """A table document with one more key at its end: the bytes of the bigger struct, without encoding the table again."""
    return b'%s,"%s":%s}' % (table[:-1], key.encode(), more)


def _depends_on(game: Game, seat: int) -> tuple[object, ...]:
    """All that a seat's own part of its view is made of: when somebody else chooses, none of it changes."""
    phase = game.phase
    asked: tuple[object, ...] = (type(phase),)
    if isinstance(phase, Choosing):
        own = [city for city in range(len(game.cities)) if game.answerer(city) == seat]
        asked = (all(phase.choices), *((phase.choices[city], phase.numbers[city]) for city in own))
    elif isinstance(phase, Extra):
        own = [place for place, one in enumerate(phase.seats) if one == seat]
        asked = (phase.question, all(phase.answers), *((place, phase.answers[place], phase.numbers[place]) for place in own))
    middle = (game.edifice, game.discard, game.drawn, game.has_drawn, game.holder)
    return (game.cities, game.people, game.age, game.turn, *middle, *asked)
