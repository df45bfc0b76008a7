"""A game again, from its log: step by step or at one moment, as a seat saw it, as everybody saw it, or with all cards open."""

from __future__ import annotations

import sys
from typing import Annotated, Any

from cyclopts import Parameter
from msgspec import Struct
from rich.text import Text

from events.codec import EVERYTHING, SPECTATOR
from events.refusals import Refusal
from events.rules.state import Choosing, Extra, Game, Gathering, Over
from projections import replay as projection
from projections.chronicle import Chapter, Chronicle
from projections.eyes import Eyes
from services.cli import drawing, scores, screens
from services.cli.asking import Left, Player
from services.cli.eyewitness import chapters_of
from services.cli.keepsakes import Drawer, Keepsake, folder, hashed
from services.cli.records import Record, fetch
from services.cli.voice import Data, InJson, StoreUrl, page, refused, say_bytes

EXAMPLES = {
    "replay": (
        "wonderlog replay GAME                 step through it, moment by moment",
        "wonderlog replay GAME --at 57         the table after 57 events",
        "wonderlog replay GAME --at 57 --as 2  the same as seat 2 saw it (or --as Ada, --as all)",
    )
}


def replay(
    game: Annotated[str, Parameter(help="The game's id.")],
    /,
    *,
    at: Annotated[int | None, Parameter(show_default=False, help="After so many events. [default: step through]")] = None,
    whose: Annotated[
        str, Parameter(name="--as", help="Whose eyes: spectator, all, a player's name, or a seat from 0.")
    ] = "spectator",
    url: Annotated[str | None, Parameter(show_default=False, help="A house, where its store is elsewhere.")] = None,
    data: Data = None,
    store: StoreUrl = None,
    json: InJson = False,
) -> None:
    """Show a game as it happened: the table, the hands as far as those eyes saw them, and what happened in sentences.

    Without --at it steps through the moments in which the table waited: Enter goes on, b back, a number to that version, q leaves;
    where nobody is at a keyboard it tells the whole story and shows the end. Others' hands are shown once the game is closed; your
    own seat's, whose secret is kept here, always. With --json: the document of that moment (of the last one without --at), with the
    keys of docs/views.md: the table's, and `you` for a seat or `open` for all.
    """
    drawer = Drawer(folder(data))
    kept = drawer.find(game)
    record = fetch(game, kept, url, data, store)
    entries = record.entries
    film = Film(record, whose)
    film.refuse_peeping(kept)
    if at is not None and not 1 <= at <= len(entries):
        raise refused(f"This game has the versions 1 to {len(entries)}, not {at}.", "For instance --at 1", reason="unknown-version")
    if json:
        say_bytes(film.document(at))
    elif at is not None:
        film.show(film.moment(at))
    elif sys.stdin.isatty() and page().is_terminal:
        _step(film)
    else:
        screens.tell(film.story(len(entries)))
        film.show(film.moments[-1], told=True)


class Moment(Struct, frozen=True):
    """A game after `version` events.  rest: the table waited here, or was over."""

    version: int
    game: Game
    rest: bool


class Film:
    """All moments of a game, through one pair of eyes."""

    def __init__(self, record: Record, whose: str) -> None:
        self.entries, self.names = record.entries, record.names
        public = Eyes(SPECTATOR).see_all(self.entries, self.names).game
        self.last = public
        self.viewer = viewer_of(whose, public)
        self.whose = whose_words(self.viewer, public)
        self.moments: list[Moment] = []
        self._fold()

    def _fold(self) -> None:
        eyes = Eyes(self.viewer)
        for version, entry in self.entries:
            eyes.see(version, entry, self.names)
            rest = isinstance(eyes.game.phase, (Gathering, Choosing, Extra, Over))
            self.moments.append(Moment(version, eyes.game, rest))

    def story(self, upto: int) -> tuple[Chapter, ...]:
        """What happened in the first so many events, for everybody."""
        eyes, chronicle = Eyes(SPECTATOR), Chronicle()
        for version, entry in self.entries[:upto]:
            before = eyes.game if version > 1 else None
            event = eyes.see(version, entry, self.names)
            chronicle.tell(version, before or eyes.game, event, eyes.game)
        return chapters_of(chronicle)

    def refuse_peeping(self, kept: Keepsake | None) -> None:
        """Others' cards, and all cards, are shown once the game is closed.  Raises Stop."""
        closed = isinstance(self.last.phase, Over) and self.last.phase.reason is not None
        if closed or self.viewer == SPECTATOR:
            return
        person = self.last.people[self.viewer] if self.viewer >= 0 else None
        if person is not None and kept is not None and kept.token is not None and person.token == hashed(kept.token):
            return
        advice = "Until then: --as spectator, or your own seat where its secret is kept."
        raise refused("Hands are shown once the game is closed.", advice, reason="not-open-yet")

    def document(self, at: int | None) -> bytes:
        """The document of a moment."""
        try:
            return projection.document_at(self.entries, self.names, self.viewer, at)
        except Refusal as refusal:
            raise refused(refusal.message, reason=str(refusal.reason)) from None

    def moment(self, at: int) -> Moment:
        """The game after so many events."""
        return self.moments[at - 1]

    def stops(self) -> list[int]:
        """The versions at which something new is to be seen: a question was put, or the game ended."""
        stops, before = [], None
        for moment in self.moments:
            now = (type(moment.game.phase), moment.game.age, moment.game.turn, moment.game.has_drawn)
            if moment.rest and now != before:
                stops.append(moment.version)
            before = now
        return sorted({*stops, len(self.moments)})

    def show(self, moment: Moment, told: bool = False) -> None:
        """One moment: the table, the hands that these eyes see, and the last sentences."""
        game = moment.game
        screens.heading(f"{game.id} · {moment.version} of {len(self.moments)} · {self.whose}")
        if not told:
            screens.tell(_latest(self.story(moment.version)))
            page().print()
        page().print(drawing.table(game, self.viewer if self.viewer >= 0 else None))
        if any(card is not None for city in game.cities for card in city.hand):
            page().print(drawing.hands(game))
        if laid := laid_down(game):
            page().print(laid)
        if scores.is_scored(game):
            page().print()
            page().print(scores.places_line(game))
            page().print(scores.score_table(game))


def viewer_of(whose: str, game: Game) -> int:
    """The viewer that is meant.  Raises Stop."""
    word = whose.casefold()
    if word in ("spectator", "table"):
        return SPECTATOR
    if word in ("all", "everything"):
        return EVERYTHING
    for seat, person in enumerate(game.people):
        if person is not None and person.name is not None and person.name.casefold() == word:
            return seat
    if word.isdecimal() and int(word) < len(game.people):
        return int(word)
    names = ", ".join(person.name for person in game.people if person is not None and person.name)
    advice = f"spectator, all, {names}, or a number from 0 to {len(game.people) - 1}."
    raise refused(f"Nobody here is {whose!r}.", advice, reason="unknown-seat")


def whose_words(viewer: int, game: Game) -> str:
    """Whose eyes, in words."""
    if viewer == SPECTATOR:
        return "as everybody saw it"
    if viewer == EVERYTHING:
        return "with all cards open"
    return f"as {game.called(viewer)} (seat {viewer + 1}) saw it"


def laid_down(game: Game) -> Text | None:
    """Choices that lie face down, as far as these eyes know them."""
    phase = game.phase
    answers: list[tuple[int, Any]] = []
    if isinstance(phase, Choosing):
        answers = list(enumerate(phase.choices))
    elif isinstance(phase, Extra):
        answers = list(zip(phase.cities, phase.answers, strict=True))
    parts = []
    for city, choice in answers:
        if choice is not None:
            known = choice.act is not None and choice.card is not None
            what = f"{choice.act.kind} {game.box.cards[choice.card].name}" if known else "face down"
            parts.append(f"{drawing.called(game, city)}: {what}")
    return Text(f" chosen: {', '.join(parts)}", style="dim") if parts else None


def _latest(chapters: tuple[Chapter, ...]) -> tuple[Chapter, ...]:
    """The last chapter, with the one before it where a new turn has only begun."""
    told = [chapter for chapter in chapters if chapter.lines]
    return tuple(told[-2:] if len(told[-1].lines) < 2 else told[-1:])


def _step(film: Film) -> None:
    """Moment by moment, as the keys say."""
    player, stops, place = Player(), film.stops(), 0
    film.show(film.moment(stops[0]))
    try:
        while True:
            word = player.ask(f"\n[{place + 1} of {len(stops)}] Enter on, b back, a version, q leave: ").lower()
            if word.startswith("q"):
                return
            if word.isdecimal():
                version = min(max(int(word), 1), len(film.moments))
                place = max(index for index, stop in enumerate(stops) if stop <= version or index == 0)
                film.show(film.moment(version))
                continue
            if word != "b" and place == len(stops) - 1:
                return
            place = max(0, place - 1) if word == "b" else place + 1
            film.show(film.moment(stops[place]))
    except Left:
        return
