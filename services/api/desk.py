"""The counter of the house: where a request becomes a command, is carried out once, and gets its receipt."""

from __future__ import annotations

import math
import re
import time
from typing import TYPE_CHECKING, Any

import msgspec
from litestar import Request, Response
from msgspec import Struct

from events.commands import HandToBot, LeaveSeat, PlayerCommand, ReclaimSeat
from events.rules import outcome
from events.signatures import refuse_unsigned
from events.transact import Kept, Receipt, UnknownGame
from projections.lobby import REMATCHES
from services.api.bodies import Body
from services.api.callers import Caller, recognised, shown, stranger
from services.api.problems import Denied
from services.api.reading import canonical

if TYPE_CHECKING:
    from services.api.hub import Hub
    from services.api.streams import Streams
    from workers.wiring import House

Incoming = Request[Any, Any, Any]
GAME_ID = re.compile("[0-9a-f]{20}")
LATELY = 2.0
"""Seconds."""


class Desk:
    """What every handler needs.  operator: the hash of the operator's token, if there is one."""

    def __init__(self, house: House, hub: Hub, streams: Streams, operator: str | None, patience: float) -> None:
        self.house, self.hub, self.streams, self.operator, self.patience = house, hub, streams, operator, patience
        self._rematches: tuple[float, dict[str, bytes]] = (-math.inf, {})

    def rematches(self) -> dict[str, bytes]:
        """Where games went on, at most `LATELY` old: many who look at finished tables ask for it again and again."""
        read, rows = self._rematches
        if time.monotonic() - read > LATELY:
            rows = self.house.store.load_rows(REMATCHES)
            self._rematches = (time.monotonic(), rows)
        return rows

    def another_rematch(self) -> None:
        """Somebody has asked for one just now."""
        self._rematches = (-math.inf, {})

    def load(self, request: Incoming, game: str) -> Kept:
        """The game of a request.  Raises UnknownGame, also for what cannot be an id."""
        if not GAME_ID.fullmatch(game):
            raise UnknownGame(game)
        note(request, game=game)
        return self.house.table.load(game)

    def caller(self, request: Incoming, kept: Kept) -> Caller:
        """Who reads.  Raises Denied (401) for a stranger's token."""
        caller = recognised(shown(request), kept.game, self.operator)
        if caller is None:
            raise stranger()
        note(request, role=caller.role, version=kept.game.version)
        return caller

    def ask(self, request: Incoming, game: str, body: Body) -> Asked:
        """Who asks what of which game.  Raises UnknownGame and, for a stranger, Denied."""
        kept = self.load(request, game)
        secret = shown(request)
        caller = recognised(secret, kept.game, self.operator)
        if caller is None and self.house.table.store.accepted(game, f"seat:{secret}", body.command_id):
            caller = Caller(hash=secret, former=True)
        if caller is None:
            raise stranger()
        note(request, role=caller.role)
        return Asked(request=request, game=game, kept=kept, caller=caller, id=body.command_id, body=canonical(request, body))

    def carry_out(self, asked: Asked, command: PlayerCommand, actor: str, *, suffix: str = "") -> Receipt:
        """Decides, appends, and wakes whoever waits for it.  suffix: tells apart several commands that one request leads to."""
        table, id = self.house.table, asked.id + suffix
        if asked.caller.former:
            # Refused by every rule, so that the store answers from its memory.
            command = LeaveSeat(seat=-1)
        receipt = table.transact(asked.game, command, actor=actor, command_id=id, body=asked.body)
        self.after(asked.request, receipt, type(command).__name__)
        return self.house.host_key.signed(receipt)

    def after(self, request: Incoming, receipt: Receipt, command: str) -> None:
        """The fast path: workers are woken, and live clients of this process need not wait for word from elsewhere."""
        note(request, game=receipt.game, version=receipt.version, command=command)
        self.house.after(receipt)
        self.hub.tell(receipt.game, receipt.version)

    def as_seat(self, asked: Asked, command: PlayerCommand) -> Receipt:
        """A seat's command; somebody for whom a bot plays takes the seat back with it, if the command itself is in order."""
        seat = asked.seat()
        person = asked.kept.game.people[seat] if not asked.caller.former else None
        if person is not None and person.stand_in and not isinstance(command, (ReclaimSeat, HandToBot)):
            self._take_back(asked, seat, command)
        return self.carry_out(asked, command, asked.actor)

    def _take_back(self, asked: Asked, seat: int, command: PlayerCommand) -> None:
        if self.house.table.store.accepted(asked.game, asked.actor, asked.id) is not None:
            return
        game = asked.kept.game
        back = ReclaimSeat(seat=seat, at=game.at)
        outcome(outcome(game, back)[1], msgspec.structs.replace(command, at=game.at))  # refused here: nothing has changed
        refuse_unsigned(game, command)
        self.carry_out(asked, back, asked.actor, suffix=":back")

    def as_host(self, asked: Asked, command: PlayerCommand, *, suffix: str = "") -> Receipt:
        """The host's command."""
        asked.host()
        return self.carry_out(asked, command, "host", suffix=suffix)


class Asked(Struct, frozen=True, kw_only=True):
    """A request that was understood.  id, body: the command's id and its canonical bytes."""

    request: Incoming
    game: str
    kept: Kept
    caller: Caller
    id: str
    body: bytes

    @property
    def actor(self) -> str:
        """Under whose name a seat's commands are remembered."""
        return f"seat:{self.caller.hash}"

    def seat(self) -> int:
        """The caller's seat.  Raises Denied (403)."""
        if self.caller.former:
            return -1
        if self.caller.seat is None:
            raise not_yours("This is for those who sit at the table: show the seat's token.")
        return self.caller.seat

    def host(self) -> None:
        """Raises Denied (403) unless the host asks."""
        if not self.caller.host:
            raise not_yours("This is for the host of the table: show the host's token.")


def not_yours(detail: str) -> Denied:
    """403."""
    return Denied(403, "not-yours", detail)


def note(request: Incoming, **facts: Any) -> None:
    """Something for the request's log line: never a hand, a token, a key or a name."""
    request.scope.setdefault("state", {}).setdefault("noted", {}).update(facts)


def receipt(answer: Receipt, status: int = 200, headers: dict[str, str] | None = None) -> Response[bytes]:
    """What an accepted command answers."""
    return Response(msgspec.json.encode(answer), status_code=status, media_type="application/json", headers=headers or {})
