"""From an open table to the first hand: opening it, sitting down, filling it with bots, getting ready, beginning, watching."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from events.rules.state import Gathering
from services.cli import screens
from services.cli.client import Client, Turned, fresh
from services.cli.eyewitness import Eyewitness, Follower
from services.cli.keepsakes import Drawer, Keepsake, fresh_seat, hashed
from services.cli.signing import public_of
from services.cli.voice import page, refused


def open_table(client: Client, drawer: Drawer, wishes: Mapping[str, Any], data: str | None) -> Keepsake:
    """A new table, and what its host must keep."""
    secret = fresh()
    receipt = client.command("POST", "/games", host=hashed(secret), **wishes)
    keepsake = Keepsake(game=receipt["game"], url=None if data else client.url, data=data, host=secret)
    drawer.keep(keepsake)
    return keepsake


def sit_down(client: Client, drawer: Drawer, keepsake: Keepsake, name: str, seat: int | None = None) -> Keepsake:
    """A seat for a person; a name that is taken gets a number."""
    for number in range(1, 9):
        called = name if number == 1 else f"{name} {number}"
        mine = fresh_seat(keepsake, called)
        drawer.keep(mine)
        assert mine.token is not None
        try:
            client.command(
                "POST",
                f"/games/{mine.game}/seats",
                name=called,
                token=hashed(mine.token),
                entropy=mine.commitment,
                seat=seat,
                public_key=public_of(mine.key) if mine.key else None,
            )
        except Turned as turned:
            drawer.keep(keepsake)
            if turned.reason != "name-taken":
                raise
        else:
            return _with_seat(client, drawer, mine)
    raise refused(f"Everybody is called {name} here.", "Take another name: --name", reason="name-taken")


def _with_seat(client: Client, drawer: Drawer, keepsake: Keepsake) -> Keepsake:
    """Where one sits: the seat whose token is one's own."""
    witness = Eyewitness(keepsake.game)
    witness.see_all(client.lines(keepsake.game, 0))
    assert keepsake.token is not None
    own = hashed(keepsake.token)
    seat = next(place for place, person in enumerate(witness.game.people) if person is not None and person.token == own)
    seated = replace(keepsake, seat=seat)
    drawer.keep(seated)
    return seated


def add_bots(client: Client, keepsake: Keepsake, bot: str, count: int | None = None) -> None:
    """Bots on so many free seats, or on all of them; for the host."""
    host = client.shown(keepsake.host)
    if count is None:
        host.command("POST", f"/games/{keepsake.game}/seats", fill=bot)
    else:
        for _ in range(count):
            host.command("POST", f"/games/{keepsake.game}/seats", bot=bot)
    host.close()


def prepare(client: Client, drawer: Drawer, keepsake: Keepsake, witness: Eyewitness) -> Keepsake:
    """Does what the own seat and, with the host's secret, the host can do now to begin; may be called again and again."""
    game = witness.game
    if not isinstance(game.phase, Gathering):
        return keepsake
    people = game.people
    mine = people[keepsake.seat] if keepsake.seat is not None else None
    if mine is not None and keepsake.token is not None and mine.token == hashed(keepsake.token):
        if mine.commitment is None:
            keepsake = replace(keepsake, entropy=fresh())
            drawer.keep(keepsake)
            _tolerant(client.shown(keepsake.token), f"/games/{game.id}/ready", commitment=keepsake.commitment)
        elif mine.entropy is None and all(one is not None and (one.bot or one.commitment) for one in people):
            _tolerant(client.shown(keepsake.token), f"/games/{game.id}/ready", entropy=keepsake.entropy)
    if keepsake.host is not None and all(one is not None and (one.bot or one.entropy) for one in people):
        _tolerant(client.shown(keepsake.host), f"/games/{game.id}/start")
    return keepsake


def _tolerant(client: Client, path: str, **body: Any) -> None:
    """A step that somebody else, or an earlier try, may have taken already."""
    try:
        client.command("POST", path, **body)
    except Turned as turned:
        if turned.reason not in ("already-ready", "already-started", "not-ready"):
            raise
    finally:
        client.close()


def watch(client: Client, drawer: Drawer, kept: Keepsake, witness: Eyewitness) -> None:
    """Begins when all are ready, and tells what happens until the game is over."""
    follower = Follower(client, witness)
    told = 0
    try:
        while not witness.over:
            follower.wait(1.0)
            if isinstance(witness.game.phase, Gathering):
                prepare(client, drawer, kept, witness)
            if witness.rests and witness.version > told:
                screens.tell(witness.chapters(), told)
                told = witness.version
    except KeyboardInterrupt:
        page().print("\nThe game goes on without you.", style="dim")
        return
    finally:
        follower.close()
    screens.end(witness.game)


def document(witness: Eyewitness, url: str) -> dict[str, Any]:
    """A table at a house, for programs.  people: the seats that no bot has, taken or not."""
    seats = witness.game.people
    bots = sum(one is not None and one.bot is not None for one in seats)
    return {
        "game": witness.game.id,
        "url": url,
        "players": len(seats),
        "bots": bots,
        "people": len(seats) - bots,
        "started": not isinstance(witness.game.phase, Gathering),
        "over": witness.over,
        "version": witness.version,
    }
