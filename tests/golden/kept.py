"""Reads a kept game, and finds for each of its events the command that led to it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec
from msgspec import Raw, Struct

from events import commands as c, facts as f
from events.codec import Written, first_link, next_link, read
from events.facts import AnyEvent
from events.rules import Game, due, outcome
from events.sealed import UNSET

FOLDER = Path(__file__).parent
LARGEST = 140_000
"""Bytes of a file; a longer game goes on in a second one."""
CONTINUED = "-continued"


class Head(Struct, frozen=True, kw_only=True):
    """The first line of a file.  key: the game's (hex); names: openings of names; link: the last one (hex)."""

    game: str
    key: str
    names: dict[str, Raw]
    link: str


class Kept(Struct, frozen=True):
    """A kept game as a store would give it back."""

    head: Head
    entries: tuple[Written, ...]

    @property
    def key(self) -> bytes:
        return bytes.fromhex(self.head.key)

    @property
    def names(self) -> dict[str, bytes]:
        return {place: bytes(opening) for place, opening in self.head.names.items()}

    @property
    def events(self) -> tuple[AnyEvent, ...]:
        """Every event, with everything known."""
        return tuple(read(version, entry.e, entry.s, self.names) for version, entry in enumerate(self.entries, 1))

    @property
    def link(self) -> str:
        """The last link, computed anew from the raw bytes."""
        link = first_link(self.head.game)
        for entry in self.entries:
            link = next_link(link, entry.e)
        return link.hex()


def files() -> list[Path]:
    """Every kept game, each by its first file."""
    return sorted(path for path in FOLDER.glob("*.jsonl") if not path.stem.endswith(CONTINUED))


def _continued(path: Path) -> Path:
    return path.with_stem(path.stem + CONTINUED)


def kept(path: Path) -> Kept:
    """One game from its file, or two."""
    more = _continued(path)
    first, *lines = (path.read_bytes() + (more.read_bytes() if more.exists() else b"")).splitlines()
    found = [msgspec.json.decode(line, type=dict[str, Raw]) for line in lines]
    entries = tuple(Written(bytes(line["e"]), bytes(line["s"]) if "s" in line else None, {}) for line in found)
    return Kept(msgspec.json.decode(first, type=Head), entries)


def keep(game: Kept, path: Path) -> None:
    """Writes a game to its file, or two: the head, then a line an entry with its raw bytes, `s` where something is sealed."""
    entries = [{name: Raw(value) for name, value in (("e", one.e), ("s", one.s)) if value is not None} for one in game.entries]
    lines = [msgspec.json.encode(line) + b"\n" for line in (game.head, *entries)]
    first = [line for place, line in enumerate(lines) if sum(map(len, lines[: place + 1])) <= LARGEST]
    path.write_bytes(b"".join(first))
    _continued(path).unlink(missing_ok=True)
    if len(first) < len(lines):
        _continued(path).write_bytes(b"".join(lines[len(first) :]))


def asked(game: Game, event: AnyEvent, key: bytes) -> c.AnyCommand:
    """The command whose first event this is: what somebody willed, else what the game owed itself."""
    at = event.at
    match event:
        case f.GameOpened():
            return c.OpenGame(
                at=at, game=event.game, host=event.host, options=event.options, key=key, expires=event.expires,
                rematch_of=event.rematch_of,
            )  # fmt: skip
        case f.SeatTaken():
            assert isinstance(event.name.value, str)
            assert isinstance(event.name.nonce, str)
            return c.TakeSeat(
                at=at, seat=event.seat, name=event.name.value, nonce=event.name.nonce, token=event.token, entropy=event.entropy,
                bot=event.bot, wonder=event.wonder, side=event.side, public_key=event.public_key,
            )  # fmt: skip
        case f.SeatLeft():
            kind = c.RemoveSeat if event.why == "removed" else c.LeaveSeat
            return kind(at=at, seat=event.seat)
        case f.EntropyCommitted():
            return c.CommitEntropy(at=at, seat=event.seat, entropy=event.entropy)
        case f.EntropyRevealed(derived=False):
            return c.RevealEntropy(at=at, seat=event.seat, entropy=event.entropy)
        case f.EntropyRevealed() | f.GameStarted():
            return c.StartGame(at=at, key=key)
        case f.ActionChosen() | f.ExtraChosen():
            return _choice(event)
        case f.ActionWithdrawn() | f.ExtraWithdrawn():
            back = c.WithdrawAction if isinstance(event, f.ActionWithdrawn) else c.WithdrawExtra
            return back(
                at=at, seat=event.seat, city=event.city, age=event.age, turn=event.turn, number=event.number, seen=event.seen,
                signature=event.signature,
            )  # fmt: skip
        case f.SeatHandedToBot():
            return c.HandToBot(at=at, seat=event.seat, bot=event.bot)
        case f.SeatReclaimed():
            return c.ReclaimSeat(at=at, seat=event.seat)
        case f.ClockExtended():
            return c.ExtendClock(at=at, deadline=event.deadline)
        case f.AbortAgreed():
            return c.AgreeAbort(at=at, seat=event.seat, key=key)
        case _:
            owed = due(game, at)
            assert owed is not None, f"nothing was due before {type(event).__name__}"
            return msgspec.structs.replace(owed, key=key) if hasattr(owed, "key") else owed


def _choice(event: f.ActionChosen | f.ExtraChosen) -> c.ChooseAction | c.AnswerExtra:
    assert event.act.value is not UNSET
    assert event.card.value is not UNSET
    same = {name: getattr(event, name) for name in ("at", "seat", "city", "age", "turn", "number", "seen")}
    card = event.card.value
    if isinstance(event, f.ExtraChosen):
        return c.AnswerExtra(**same, act=event.act.value, card=card.card, card_signature=card.signature)
    assert card.card is not None
    return c.ChooseAction(**same, act=event.act.value, card=card.card, card_signature=card.signature)


Decided = tuple[c.AnyCommand, Game, tuple[AnyEvent, ...], Game]
"""A command, the game before it, its events as decided now, the game after it."""


def decided(game: Game, events: tuple[AnyEvent, ...], key: bytes) -> Iterator[Decided]:
    """The game decided anew from the will in its log."""
    place = 0
    while place < len(events):
        command = asked(game, events[place], key)
        told, after = outcome(game, command)
        yield command, game, told, after
        place += len(told)
        game = after
