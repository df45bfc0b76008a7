"""Follows one table from a distance: folds its stream as it comes, checks that nobody rewrote it, and keeps the story."""

from __future__ import annotations

import http.client
import os
import select
import threading
from collections.abc import Iterable

import msgspec

from events import codec
from events.catalogue import edition
from events.facts import ConflictsResolved, GameOpened
from events.rules import evolve, initial
from events.rules.state import Choosing, Extra, Game, Gathering, Over
from projections.chronicle import Chapter, Chronicle, ChronicleDoc
from services.cli.client import Client, Line, Turned
from services.cli.voice import Stop

_chronicle = msgspec.json.Decoder(ChronicleDoc)


class Eyewitness:
    """What one viewer knows of a table so far.  link: of the last event, hex."""

    def __init__(self, game: str) -> None:
        self.id = game
        self.link = codec.first_link(game).hex()
        self.conflicts: tuple[ConflictsResolved, ...] = ()
        self.chronicle = Chronicle()
        self._game: Game | None = None

    @property
    def game(self) -> Game:
        """The game as this viewer knows it."""
        assert self._game is not None
        return self._game

    @property
    def version(self) -> int:
        """Events seen."""
        return self._game.version if self._game else 0

    def see(self, line: Line) -> None:
        """One more event; one that was seen already is passed over.  Raises Stop if the chain is broken."""
        if line.version <= self.version:
            return
        data = bytes(line.event)
        link = codec.next_link(bytes.fromhex(self.link), data).hex()
        if line.version != self.version + 1 or link != line.link:
            raise Stop(
                f"The log of this table was changed: event {line.version} does not continue event {self.version}.",
                "Whoever runs this house owes you an explanation.",
                reason="broken-chain",
            )
        event = codec.with_openings(codec.parse(data), line.openings)
        if self._game is None:
            assert isinstance(event, GameOpened)
            self._game = initial(edition(event.catalogue))
        before, self._game, self.link = self._game, evolve(self._game, event), link
        if isinstance(event, ConflictsResolved):
            self.conflicts += (event,)
        self.chronicle.tell(line.version, before, event, self._game)

    def see_all(self, lines: Iterable[Line]) -> None:
        """Several events."""
        for line in lines:
            self.see(line)

    @property
    def over(self) -> bool:
        """Whether the last event has been seen."""
        return isinstance(self.game.phase, Over) and self.game.phase.reason is not None

    @property
    def rests(self) -> bool:
        """Whether the table waits for somebody, or is over: what happened together has then been seen together."""
        return isinstance(self.game.phase, (Gathering, Choosing, Extra)) or self.over

    def chapters(self) -> tuple[Chapter, ...]:
        """The story so far."""
        return chapters_of(self.chronicle)


def chapters_of(chronicle: Chronicle) -> tuple[Chapter, ...]:
    """What a chronicle has told so far."""
    return _chronicle.decode(chronicle.document()).chapters


class Follower:
    """Reads a live stream in a thread of its own, and rings a bell (a pipe's end that can be waited for) at each event."""

    def __init__(self, client: Client, witness: Eyewitness) -> None:
        self.client, self.witness = client, witness
        self.trouble: Stop | None = None
        self._fresh: list[Line] = []
        self._lock = threading.Lock()
        self.bell, self._rope = os.pipe()
        self._stop = threading.Event()
        self._heard = witness.version
        threading.Thread(target=self._run, name="follower", daemon=True).start()

    def _run(self) -> None:
        pause = 0.2
        while not self._stop.is_set():
            try:
                for line in self.client.live(self.witness.id, self._heard):
                    pause = 0.2
                    with self._lock:
                        self._fresh.append(line)
                    self._heard = line.version
                    self._ring()
                    if b'"type":"GameClosed"' in bytes(line.event):
                        return
                    if self._stop.is_set():
                        return
            except Turned as turned:
                if turned.reason not in ("store-away", "busy", "too-many-streams"):
                    self.trouble = turned
                    self._ring()
                    return
            except (OSError, http.client.HTTPException, msgspec.MsgspecError):
                pass  # the house was closed or the line went dead: it is tried again until it is back
            self._stop.wait(pause)
            pause = min(2 * pause, 3.0)

    def _ring(self) -> None:
        os.write(self._rope, b".")

    def catch_up(self) -> None:
        """Shows the witness what has come.  Raises Stop for what cannot be overcome."""
        with self._lock:
            fresh, self._fresh = self._fresh, []
        self.witness.see_all(fresh)
        if self.trouble is not None:
            raise self.trouble

    def wait(self, seconds: float) -> None:
        """Waits for the bell, at most so long, and shows the witness what has come.  Raises Stop."""
        if select.select([self.bell], [], [], seconds)[0]:
            os.read(self.bell, 4096)
        self.catch_up()

    def close(self) -> None:
        """Stops following, soon."""
        self._stop.set()
