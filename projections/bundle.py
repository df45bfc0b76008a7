"""A game to take home: its log, its links, what may be opened of it, the host's signatures, and the box it was played with.

A bundle is a zip (`projections.archive`) with six members in this order; every line ends with a line feed:

    manifest.json    what this is, one line
    events.jsonl     line n: the exact public bytes of event n
    links.txt        line n: the link of event n, hex
    openings.jsonl   what its reader may open, one seal a line, in the order of the log
    heads.jsonl      the host's signatures of heads, by version
    catalogue.json   the rule data of the edition (no line feed: its SHA-256 is the edition's digest)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import msgspec
from msgspec import Struct

from events import codec, facts as f
from events.catalogue import Box, edition
from events.codec import EVERYTHING, SPECTATOR
from events.facts import AnyEvent, GameClosed, GameOpened, Options
from events.sealed import Opening, exact
from events.store.protocol import Entry
from projections.archive import pack

FORMAT = "wonderlog/1 bundle"
MANIFEST, EVENTS, LINKS, OPENINGS, HEADS, CATALOGUE = MEMBERS = (
    "manifest.json",
    "events.jsonl",
    "links.txt",
    "openings.jsonl",
    "heads.jsonl",
    "catalogue.json",
)
HEADED: tuple[type, ...] = (f.AgeDealt, f.ExtraAsked, f.HandsPassed, f.AgeEnded, f.EdificeEvaluated, f.GameClosed)
"""The host signs the head of the log at every event of these kinds: each reveal ends with one of them, and so does each Age."""


class NotOpen(ValueError):
    """Everything is asked of a game whose key is not published yet."""


class Head(Struct, frozen=True, kw_only=True):
    """The host's signature (hex) of the link (hex) at a version."""

    version: int
    link: str
    signature: str


class Signer(Protocol):
    """The host's key.  public: hex."""

    public: str

    def head(self, game: str, version: int, link: bytes) -> Head:
        """A signed head; the same one when it is asked for again."""


class Ruleset(Struct, frozen=True, kw_only=True):
    """By what rules the game was played."""

    engine: int
    options: Options


class Manifest(Struct, frozen=True, kw_only=True):
    """viewer: "spectator", "seat:<n>" or "everything"; versions: how many events; link: the head (hex); closed: why the game is
    over, None while it is not; host_key: the host's public key, None if nobody signed."""

    format: str
    game: str
    viewer: str
    ruleset: Ruleset
    catalogue: str
    versions: int
    link: str
    closed: str | None
    host_key: str | None


def viewer_name(viewer: int) -> str:
    """How a manifest calls a viewer.

    >>> viewer_name(SPECTATOR), viewer_name(2)
    ('spectator', 'seat:2')
    """
    return {SPECTATOR: "spectator", EVERYTHING: "everything"}.get(viewer, f"seat:{viewer}")


def viewer_of(name: str, seats: int) -> int | None:
    """The viewer of that name, None if there is none at a table of so many seats."""
    known = {viewer_name(viewer): viewer for viewer in (SPECTATOR, EVERYTHING, *range(seats))}
    return known.get(name)


def lines(parts: Sequence[bytes]) -> bytes:
    """Each part with a line feed behind it."""
    return b"".join(part + b"\n" for part in parts)


def catalogue_bytes(box: Box) -> bytes:
    """The rule data of an edition: keys sorted, no spaces."""
    return msgspec.json.encode(box.rule_data, order="sorted")


def manifest_of(opened: GameOpened, last: AnyEvent, versions: int, link: bytes, viewer: int, host_key: str | None) -> Manifest:
    """The manifest that belongs to a log."""
    return Manifest(
        format=FORMAT,
        game=opened.game,
        viewer=viewer_name(viewer),
        ruleset=Ruleset(engine=opened.engine, options=opened.options),
        catalogue=opened.catalogue,
        versions=versions,
        link=link.hex(),
        closed=last.reason if isinstance(last, GameClosed) else None,
        host_key=host_key,
    )


def bundle(
    entries: Sequence[tuple[int, Entry]], names: Mapping[str, bytes], key: bytes, viewer: int, signer: Signer | None
) -> bytes:
    """The bundle of a log as a viewer may have it: a seat, SPECTATOR or, once the game is closed, EVERYTHING.

    The same log, viewer, names and host give the same bytes.  Raises NotOpen, and codec.BrokenRecord.
    """
    events = [codec.parse(entry.e) for _, entry in entries]
    opened, last = events[0], events[-1]
    if not isinstance(opened, GameOpened):
        raise codec.BrokenRecord("the log does not begin with GameOpened")
    if viewer == EVERYTHING and not isinstance(last, GameClosed):
        raise NotOpen("Everything is shown once the game is over.")
    may_open: list[Opening] = []
    for version, entry in entries:
        may_open += codec.openings(version, entry.e, entry.s, names, key, viewer)
    heads = signed_heads(opened.game, entries, events, signer)
    manifest = manifest_of(opened, last, len(entries), entries[-1][1].l, viewer, signer.public if signer else None)
    members: dict[str, Any] = {
        MANIFEST: lines([exact(manifest)]),
        EVENTS: lines([entry.e for _, entry in entries]),
        LINKS: lines([entry.l.hex().encode() for _, entry in entries]),
        OPENINGS: lines([exact(one) for one in may_open]),
        HEADS: lines([exact(head) for head in heads]),
        CATALOGUE: catalogue_bytes(edition(opened.catalogue)),
    }
    return pack(members)


def signed_heads(
    game: str, entries: Sequence[tuple[int, Entry]], events: Sequence[AnyEvent], signer: Signer | None
) -> tuple[Head, ...]:
    """The heads that are due in a stretch of a log, signed."""
    if signer is None:
        return ()
    return tuple(
        signer.head(game, version, entry.l)
        for (version, entry), event in zip(entries, events, strict=True)
        if isinstance(event, HEADED)
    )
