"""A seat moves to another device: one lays its secrets down, sealed with a code, the other takes them up, once."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Literal, TypeVar

import msgspec
from litestar import Response, delete, get, post
from msgspec import Struct
from msgspec.structs import replace

from events.store.protocol import CommandReused, Conflict, EventStore
from services.api.bodies import Claim, LayDown, LookFor, TakeBack
from services.api.desk import Desk, Incoming, not_yours
from services.api.openapi import describes
from services.api.problems import Denied
from services.api.reading import as_body, canonical, read_object
from services.api.threads import in_thread

LASTS_MS = 600_000
"""How long a code is good for, and how long a wrong one counts."""
MOST_WRONG = 20
"""Wrong codes within that time, at one table."""
MOST_ASTRAY = 200
"""Wrong codes within that time that belong to no table, for each first byte of a ticket."""
REMEMBERED = 8
"""Commands of a seat that are known, so that a late repetition does not lay an older code down again."""
TRIES = 50

Slip = TypeVar("Slip", bound=Struct)


# ---- what is kept -----------------------------------------------------------------------------------------------------
class LaidBy(Struct, frozen=True):
    """A command that laid a code down: its id, a digest of the request, and until when (ms) its code was to last."""

    id: str
    digest: bytes
    until: int


class Laid(Struct, frozen=True, kw_only=True):
    """A seat's own slip.  ticket, sealed: "" once it was taken back.  taken: the command that took it up, "" before."""

    ticket: str
    sealed: str
    until: int
    commands: tuple[LaidBy, ...]
    taken: str = ""


class Wrong(Struct, frozen=True):
    """When wrong codes were tried (ms)."""

    at: tuple[int, ...]


class Found(Struct, frozen=True):
    """Where a code belongs."""

    game: str


# ---- what is answered -------------------------------------------------------------------------------------------------
class Handover(Struct, frozen=True, kw_only=True):
    """The seat's newest code: open until a moment (ms), taken up by another device, or none."""

    game: str
    seat: int
    state: Literal["open", "taken", "none"]
    until: int | None


class Claimed(Struct, frozen=True, kw_only=True):
    """What was laid down; only the code opens it."""

    game: str
    sealed: str


def unknown_code() -> Denied:
    """The same words for a code that never was, has run out, or was taken back."""
    return Denied(404, "unknown-code", "This code is not known here, or has run out: ask the other device for a new one.")


class Shelf:
    """The slips of one place: a table's, or those of a ticket."""

    def __init__(self, store: EventStore, place: str) -> None:
        self._store, self._place, self.now = store, place, store.now()

    def look(self, name: str, kind: type[Slip]) -> Slip | None:
        found = self._store.slip(self._place, name)
        return None if found is None else msgspec.msgpack.decode(found, type=kind)

    def change(self, name: str, kind: type[Slip], change: Callable[[Slip | None], tuple[Slip, int] | None]) -> Slip | None:
        """The slip as `change` makes it of what is there, and until when (ms); None leaves it as it is.  What `change` sees is
        what is written over: whoever comes between makes it look again."""
        for _ in range(TRIES):
            before = self._store.slip(self._place, name)
            found = None if before is None else msgspec.msgpack.decode(before, type=kind)
            made = change(found)
            if made is None:
                return found
            after, until = made
            if self._store.swap_slip(self._place, name, before, msgspec.msgpack.encode(after), max(1, until - self.now)):
                return after
        raise Conflict(0)

    def refuse_guessing(self, most: int) -> None:
        """Raises Denied (429) after so many wrong codes."""
        wrong = self.look("wrong", Wrong)
        recent = [at for at in wrong.at if at > self.now - LASTS_MS] if wrong else []
        if len(recent) >= most:
            wait = (min(recent) + LASTS_MS - self.now) // 1000 + 1
            raise Denied(429, "too-many-tries", "Too many wrong codes: wait some minutes.", {"Retry-After": str(wait)})

    def count_wrong(self, most: int) -> Denied:
        """Remembers a wrong code; what to answer to it."""

        def one_more(wrong: Wrong | None) -> tuple[Wrong, int]:
            before = wrong.at if wrong else ()
            return Wrong((*(at for at in before if at > self.now - LASTS_MS), self.now)[-most:]), self.now + LASTS_MS

        self.change("wrong", Wrong, one_more)
        return unknown_code()


# ---- the device that gives --------------------------------------------------------------------------------------------
def _seated(desk: Desk, request: Incoming, game: str) -> tuple[int, str]:
    """The caller's seat and the name of its slip.  Raises Denied (401, 403)."""
    caller = desk.caller(request, desk.load(request, game))
    if caller.seat is None or caller.hash is None:
        raise not_yours("Only who sits at the table moves a seat: show the seat's token.")
    return caller.seat, caller.hash


def _told(answer: Handover | Claimed | Found) -> Response[bytes]:
    return Response(msgspec.json.encode(answer), media_type="application/json")


def _state(game: str, seat: int, laid: Laid | None, now: int) -> Response[bytes]:
    if laid is None or not laid.ticket or laid.until <= now:
        return _told(Handover(game=game, seat=seat, state="none", until=None))
    return _told(Handover(game=game, seat=seat, state="taken" if laid.taken else "open", until=laid.until))


@post("/games/{game:str}/handovers", opt=describes(LayDown, answers=(Handover,)), status_code=200)
@in_thread
def lay_down(request: Incoming, desk: Desk, game: str, body: bytes) -> Response[bytes]:
    """Lay a seat's secrets down, sealed, for ten minutes; a newer code of the same seat replaces an older one."""
    asked = as_body(read_object(request, body), LayDown)
    seat, name = _seated(desk, request, game)
    shelf, digest = Shelf(desk.house.store, game), hashlib.sha256(canonical(request, asked)).digest()
    until = shelf.now + LASTS_MS

    def laid(before: Laid | None) -> tuple[Laid, int] | None:
        commands = before.commands if before else ()
        if any(one.id == asked.command_id for one in commands):
            return None
        commands = (*commands, LaidBy(asked.command_id, digest, until))[-REMEMBERED:]
        return Laid(ticket=asked.ticket, sealed=asked.sealed, until=until, commands=commands), until

    # First at which table the code belongs, so that a code which is there can always be found.
    Shelf(desk.house.store, asked.ticket).change("game", Found, lambda found: None if found else (Found(game), until))
    now = shelf.change(name, Laid, laid)
    first = next(one for one in (now.commands if now else ()) if one.id == asked.command_id)
    if first.digest != digest:
        raise CommandReused(f"command {asked.command_id} was accepted before with another body")
    return _told(Handover(game=game, seat=seat, state="open", until=first.until))


@get("/games/{game:str}/handovers", opt=describes(answers=(Handover,)))
@in_thread
def look_after(request: Incoming, desk: Desk, game: str) -> Response[bytes]:
    """Whether the newest code of one's own seat is still open, or was taken up."""
    seat, name = _seated(desk, request, game)
    shelf = Shelf(desk.house.store, game)
    return _state(game, seat, shelf.look(name, Laid), shelf.now)


@delete("/games/{game:str}/handovers", opt=describes(TakeBack, answers=(Handover,)), status_code=200)
@in_thread
def take_back(request: Incoming, desk: Desk, game: str, body: bytes) -> Response[bytes]:
    """Take a code back that nobody has used; one that was used, replaced or has run out stays as it is."""
    asked = as_body(read_object(request, body), TakeBack)
    seat, name = _seated(desk, request, game)
    shelf = Shelf(desk.house.store, game)

    def without(before: Laid | None) -> tuple[Laid, int] | None:
        if before is None or before.ticket != asked.ticket or before.taken:
            return None
        return replace(before, ticket="", sealed=""), before.until

    return _state(game, seat, shelf.change(name, Laid, without), shelf.now)


# ---- the device that takes --------------------------------------------------------------------------------------------
@post("/games/{game:str}/handovers/claim", opt=describes(Claim, answers=(Claimed,)), status_code=200)
@in_thread
def claim(request: Incoming, desk: Desk, game: str, body: bytes) -> Response[bytes]:
    """Take up what was laid down: once, by the first who asks; the same request again gets the same answer."""
    asked = as_body(read_object(request, body), Claim)
    people = desk.load(request, game).game.people
    shelf = Shelf(desk.house.store, game)

    def here(laid: Laid | None) -> bool:
        return laid is not None and laid.ticket == asked.ticket and laid.until > shelf.now

    def taken(before: Laid | None) -> tuple[Laid, int] | None:
        if before is None or not here(before) or before.taken:
            return None
        return replace(before, taken=asked.command_id), before.until

    for name in [person.token for person in people if person and person.token]:
        found = shelf.change(name, Laid, taken)
        if found is None or not here(found):
            continue
        if found.taken != asked.command_id:
            raise Denied(409, "code-used", "This code has been used: each is good for one device, once.")
        return _told(Claimed(game=game, sealed=found.sealed))
    shelf.refuse_guessing(MOST_WRONG)  # only here: whoever guesses keeps nobody from using the right code
    raise shelf.count_wrong(MOST_WRONG)


@post("/handovers/find", opt=describes(LookFor, answers=(Found,)), status_code=200)
@in_thread
def find(request: Incoming, desk: Desk, body: bytes) -> Response[bytes]:
    """At which table a code belongs.  A request with a body, because addresses are written down."""
    asked = as_body(read_object(request, body), LookFor)
    found = Shelf(desk.house.store, asked.ticket).look("game", Found)
    if found is None:
        astray = Shelf(desk.house.store, f"astray-{asked.ticket[:2]}")
        astray.refuse_guessing(MOST_ASTRAY)
        raise astray.count_wrong(MOST_ASTRAY)
    return _told(found)
