"""The game told turn by turn, for everybody: who built what at which price paid to whom, and what came of it."""

from __future__ import annotations

from msgspec import Raw, Struct

from events import facts as f
from events.facts import AnyEvent
from events.rules.state import Game
from projections.documents import encode
from projections.phrases import Line, Speaker
from projections.telling import line, lines_of

UNTOLD = frozenset(
    {f.ActionChosen, f.ActionWithdrawn, f.TurnRevealed, f.ExtraChosen, f.ExtraWithdrawn, f.EntropyRevealed, f.EntropyCommitted}
)
"""Events that a reader of the story can do without: they say only that somebody has chosen, or is ready."""


class ToldLine(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A line with its sentence.  version: of the event that began it."""

    version: int
    key: str
    params: dict[str, int | str | tuple[int, ...]]
    parts: tuple[Line, ...] = ()
    text: str


class Chapter(Struct, frozen=True, kw_only=True):
    """part: "gathering", "turn", "age-end" or "end".  age, turn: 0 in the gathering."""

    part: str
    age: int
    turn: int
    lines: tuple[ToldLine, ...]


class ChronicleDoc(Struct, frozen=True, kw_only=True):
    """version, at: of the last event that was told."""

    game: str
    version: int
    at: int
    chapters: tuple[Chapter, ...]


class _Telling:
    """A line of the last chapter, which may still grow; about: (city, source) of what it tells.

    It is put into words when it is told, by the names of that moment."""

    __slots__ = ("about", "line", "speaker", "version")

    def __init__(self, version: int, speaker: Speaker, told: Line, about: tuple[int, str] | None) -> None:
        self.version, self.speaker, self.line, self.about = version, speaker, told, about

    def add(self, part: Line) -> None:
        self.line = Line(key=self.line.key, params=self.line.params, parts=(*self.line.parts, part))

    def told(self) -> ToldLine:
        one = self.line
        text = self.speaker.sentence(one)
        return ToldLine(version=self.version, key=one.key, params=one.params, parts=one.parts, text=text)


class _Pen(Struct, frozen=True):
    """Writes the lines of one event."""

    version: int
    speaker: Speaker

    def write(self, told: Line, about: tuple[int, str] | None = None) -> _Telling:
        return _Telling(self.version, self.speaker, told, about)


class _EncodedChronicle(Struct, frozen=True, kw_only=True):
    game: str
    version: int
    at: int
    chapters: list[Raw]


class Chronicle:
    """Grows event by event; chapters that are over are kept as bytes."""

    def __init__(self) -> None:
        self.version = 0
        self._at = 0
        self._game = ""
        self._over: list[Raw] = []
        self._chapter = ("gathering", 0, 0)
        self._lines: list[_Telling] = []
        self._paid: dict[int, list[Line]] = {}

    def tell(self, version: int, before: Game, event: AnyEvent, after: Game) -> None:
        """One more event.  before, after: the spectator's game around it."""
        if type(event) in UNTOLD:
            return
        self.version, self._at, self._game = version, event.at, after.id
        # Whoever leaves has a name only before the event.
        speaker = Speaker(after.box, (before if isinstance(event, f.SeatLeft) else after).called)
        if isinstance(event, (f.AgeEnded, f.AgeDealt, f.GameScored)):
            self._open_chapter({f.AgeEnded: "age-end", f.AgeDealt: "turn"}.get(type(event), "end"), after)
        self._add(_Pen(version, speaker), before, event)
        if isinstance(event, f.HandsPassed):
            self._open_chapter("turn", after)

    def document(self) -> bytes:
        """The `chronicle` view, a ChronicleDoc."""
        return encode(
            _EncodedChronicle(game=self._game, version=self.version, at=self._at, chapters=[*self._over, self._last_chapter()])
        )

    def _open_chapter(self, part: str, after: Game) -> None:
        if self._lines:
            self._over.append(self._last_chapter())
        self._chapter, self._lines = (part, after.age, after.turn), []

    def _last_chapter(self) -> Raw:
        part, age, turn = self._chapter
        return Raw(encode(Chapter(part=part, age=age, turn=turn, lines=tuple(one.told() for one in self._lines))))

    # -- what belongs together is told in one line ----------------------------------------------------------------
    def _add(self, pen: _Pen, before: Game, event: AnyEvent) -> None:
        told = lines_of(before, event)
        match event:
            case f.CoinsPaid(city=city):
                self._paid.setdefault(city, []).append(_as_part(told[0]))
            case f.CardBuilt(city=city, card=card):
                self._place(pen, told[0], city, card)
            case f.StageBuilt(city=city, stage=stage):
                self._place(pen, told[0], city, f"stage:{stage}")
            case f.CardDiscarded(city=city, why="action"):
                self._place(pen, told[0], city, "discard")
            case f.CardDiscarded():
                self._count(pen, told[0])
            case f.RewardGranted(city=city, project=project):
                self._lines.append(pen.write(told[0], (city, project)))
            case f.CoinsReceived(city=city, source=source, amount=amount):
                self._grow(pen, told[0], (city, source), line("part-received", coins=amount))
            case f.ParticipationTaken(city=city):
                self._grow(pen, told[0], self._last_stage(city), _as_part(told[0]))
            case f.ExtraRevealed():
                self._lines += [pen.write(one) for one in told if one.key == "declined"]
            case _:
                self._lines += [pen.write(one) for one in told]

    def _place(self, pen: _Pen, told: Line, city: int, source: str) -> None:
        telling = pen.write(told, (city, source))
        for part in self._paid.pop(city, []):
            telling.add(part)
        self._lines.append(telling)

    def _count(self, pen: _Pen, told: Line) -> None:
        """Leftovers, card by card, are one line with a count."""
        last = self._lines[-1] if self._lines else None
        if last is not None and last.line.key == told.key:
            last.line = line(told.key, cards=int(str(last.line.params["cards"])) + 1)
        else:
            self._lines.append(pen.write(told))

    def _grow(self, pen: _Pen, told: Line, about: tuple[int, str] | None, part: Line) -> None:
        """Adds a part to the line that tells what brought it, or tells it by itself."""
        for telling in reversed(self._lines):
            if about is not None and telling.about == about:
                telling.add(part)
                return
        self._lines.append(pen.write(told))

    def _last_stage(self, city: int) -> tuple[int, str] | None:
        for telling in reversed(self._lines):
            if telling.about and telling.about[0] == city and telling.about[1].startswith("stage:"):
                return telling.about
        return None


def _as_part(told: Line) -> Line:
    """The same as a part of another line, which names the city already."""
    return Line(key=f"part-{told.key}", params={name: value for name, value in told.params.items() if name != "city"})
