"""Fetches a game's log: from the store of the house, or from a house at an address as far as one may read it there."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import msgspec
from msgspec import Raw, Struct

from events import codec
from events.codec import NameOpening
from events.sealed import exact
from events.store.protocol import Entry
from services.cli.client import Client, Line, Turned
from services.cli.keepsakes import Keepsake
from services.cli.openings import unknown_game, visit_house


class Record(Struct, frozen=True):
    """A log: (version, entry) from the first event on, and what opens its names.  owned: read from the store itself."""

    entries: Sequence[tuple[int, Entry]]
    names: dict[str, bytes]
    owned: bool


def fetch(game: str, kept: Keepsake | None, url: str | None, data: Path | None, store: str | None) -> Record:
    """The log of a game: from what is named; else from where one has played it; else from the usual folder.  Raises Stop."""
    if url is None and data is None and store is None and kept is not None:
        url, data = kept.url, Path(kept.data) if kept.data is not None else None
    if url is not None:
        return _from_house(Client(url, kept.token if kept else None), game)
    with visit_house(data, store, game) as house:
        entries = house.store.read(game)
        names = house.store.names(game) if entries else {}
    if not entries:
        raise unknown_game(game)
    return Record(entries, names, owned=True)


def _from_house(client: Client, game: str) -> Record:
    """Everything where the game is closed, else what one's own seat may read."""
    try:
        lines = client.lines(game, 0, whose="all")
    except Turned as turned:
        if turned.reason != "not-open-yet":
            raise
        lines = client.lines(game, 0)
    finally:
        client.close()
    names: dict[str, bytes] = {}
    return Record([(line.version, _entry(line, names)) for line in lines], names, owned=False)


def _entry(line: Line, names: dict[str, bytes]) -> Entry:
    """A line as a store would hold it, with those sealed values that may be read; puts names aside."""
    event = codec.parse(bytes(line.event))
    erasable = codec.ERASABLE[type(event)]
    secret: dict[str, Raw] = {}
    for one in line.openings:
        if one.path in erasable:
            names[f"{line.version}/{one.path}"] = exact(NameOpening(str(one.nonce), one.bytes))
        else:
            secret[one.path] = Raw(one.bytes.encode())
    return Entry(bytes(line.event), msgspec.json.encode(secret) if secret else None, bytes.fromhex(line.link))
