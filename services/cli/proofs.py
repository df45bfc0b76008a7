"""Fetches a game's bundle: from a file, from the store of the house, or from a house at an address."""

from __future__ import annotations

from pathlib import Path

from events.codec import EVERYTHING, SPECTATOR
from events.rules.state import Over
from projections.bundle import bundle
from services.cli.client import Client
from services.cli.keepsakes import Drawer, Keepsake, folder, hashed
from services.cli.openings import unknown_game, visit_house
from services.cli.voice import refused

NOT_OPEN = "Hands are shown once the game is closed."
ADVICE = "Until then: --as spectator, or your own seat where its secret is kept."


def kept_of(game: str, data: Path | None) -> Keepsake | None:
    """What is kept of one's own seat at a table."""
    return Drawer(folder(data)).find(game)


def fetch_bundle(game: str, whose: str | None, url: str | None, data: Path | None, store: str | None) -> tuple[bytes, str | None]:
    """(the bundle, the host's public key as the house gives it).  whose: "spectator", "all", a seat from 0; None: all that one may
    see.  Raises Stop."""
    kept = kept_of(game, data)
    if url is None and data is None and store is None and kept is not None:
        url, data = kept.url, Path(kept.data) if kept.data is not None else None
    if url is not None:
        return _from_house(Client(url, kept.token if kept else None), game, whose)
    with visit_house(data, store, game) as house:
        entries = house.store.read(game)
        if not entries:
            raise unknown_game(game)
        state = house.table.load(game)
        people = state.game.people
        closed = isinstance(state.game.phase, Over) and state.game.phase.reason is not None
        token = hashed(kept.token) if kept is not None and kept.token is not None else "nobody's"
        own = next((place for place, one in enumerate(people) if one is not None and one.token == token), None)
        viewer = _viewer(whose, len(people), own, closed)
        return bundle(entries, house.store.names(game), state.key, viewer, house.host_key), house.host_key.public


def _viewer(whose: str | None, seats: int, own: int | None, closed: bool) -> int:
    if whose is None:
        return EVERYTHING if closed else SPECTATOR if own is None else own
    if whose == "spectator":
        return SPECTATOR
    if whose != "all" and not (whose.isdecimal() and int(whose) < seats):
        raise refused(f"Nobody here is {whose!r}.", f"spectator, all, or a seat from 0 to {seats - 1}.", reason="unknown-seat")
    viewer = EVERYTHING if whose == "all" else int(whose)
    if not closed and viewer != own:
        raise refused(NOT_OPEN, ADVICE, reason="not-open-yet")
    return viewer


def _from_house(client: Client, game: str, whose: str | None) -> tuple[bytes, str | None]:
    eyes = {None: "", "spectator": "?as=table"}.get(whose, f"?as={whose}")
    try:
        host_key = client.read("/.well-known/wonderlog.json")["host_key"]
        return client.content(f"/games/{game}/bundle{eyes}"), str(host_key)
    finally:
        client.close()
