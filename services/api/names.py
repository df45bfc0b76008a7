"""Forgetting a name: the seals stay, what opens them is gone."""

from __future__ import annotations

from typing import Annotated

from litestar import delete
from litestar.params import Parameter
from msgspec import Struct

from events import codec
from events.facts import SeatTaken
from projections.rebuild import rebuild_game
from services.api.callers import Caller
from services.api.desk import Desk, Incoming, not_yours
from services.api.openapi import describes
from services.api.problems import Denied
from services.api.threads import in_thread

SeatNumber = Annotated[int, Parameter(ge=0, le=6)]


class Erased(Struct, frozen=True, kw_only=True):
    """How many names were forgotten; 0 when there was none left."""

    game: str
    seat: int
    erased: int


@delete("/games/{game:str}/seats/{seat:int}/name", opt=describes(answers=(Erased,)), status_code=200)
@in_thread
def erase_name(request: Incoming, desk: Desk, game: str, seat: int) -> Erased:
    """Forget the name of one's own seat, for good; the operator: every name that this seat ever had.  May be repeated."""
    kept = desk.load(request, game)
    caller = desk.caller(request, kept)
    if not caller.operator and caller.seat != seat:
        raise not_yours("A name is erased by who bears it, or by the operator.")
    if not 0 <= seat < len(kept.game.people):
        raise Denied(404, "unknown-seat", f"This table has the seats 0 to {len(kept.game.people) - 1}.")
    store = desk.house.store
    paths = _names_of(desk, game, seat, caller)
    erased = sum(store.erase_name(game, path) for path in paths)
    desk.house.table.forget(game)
    rebuild_game(store, game)
    return Erased(game=game, seat=seat, erased=erased)


def _names_of(desk: Desk, game: str, seat: int, caller: Caller) -> list[str]:
    found = []
    for version, entry in desk.streams.entries(game, 0):
        event = codec.parse(entry.e)
        if isinstance(event, SeatTaken) and event.seat == seat and (caller.operator or event.token == caller.hash):
            found.append(f"{version}/name")
    return found
