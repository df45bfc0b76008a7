"""Around the table: opening one, sitting down, getting ready, beginning, leaving, and playing again."""

from __future__ import annotations

import hashlib
import os

import msgspec
from litestar import Response, delete, post

from events.catalogue import current
from events.commands import (
    AgreeAbort,
    CancelTable,
    CommitEntropy,
    HandToBot,
    LeaveSeat,
    OpenGame,
    ReclaimSeat,
    RemoveSeat,
    RevealEntropy,
    StartGame,
    TakeSeat,
)
from events.facts import Options
from events.refusals import Reason, Refusal
from events.rules.position_format import PRESETS
from events.rules.state import Game, Over
from events.transact import Receipt
from services.api.bodies import Body, CallBot, CommitAnew, FillSeats, OpenTable, Rematch, Reveal, RulesTable, SeatBot, SitDown
from services.api.callers import Caller
from services.api.desk import Asked, Desk, Incoming, not_yours, receipt
from services.api.openapi import RECEIPT, describes
from services.api.problems import Denied
from services.api.reading import as_body, as_ready, as_sitting, canonical, read_object
from services.api.threads import in_thread

EXPIRES_MS = 24 * 3600 * 1000
"""A table that has not started by then is closed."""
BOT_NAMES = ("Hemiunu", "Nitocris", "Pheidias", "Chersiphron", "Pythios", "Chares", "Sostratos")
"""By seat: who built the seven wonders, as far as anybody knows."""


# ---- opening ----------------------------------------------------------------------------------------------------------
def game_id(host: str, command_id: str) -> str:
    """The id of a game follows from who opens it and the command's id, so that a repeated request opens nothing new."""
    return hashlib.sha256(f"{host}\n{command_id}".encode()).hexdigest()[:20]


def options_of(body: OpenTable) -> Options:
    """The options of a new table; what is left out is the box's whole."""
    box = current()
    rules = msgspec.structs.asdict(body.rules) if isinstance(body.rules, RulesTable) else dict(PRESETS[body.rules])
    fitting = tuple(wonder for wonder in box.wonders if body.edifice or not box.faces[wonder, "day"].needs_edifice)
    free = body.free_city
    wonders = fitting if body.wonders is None else body.wonders
    if free is not None and body.wonders is not None and free.wonder not in wonders:
        wonders = (*wonders, free.wonder)  # who fixes a board includes it
    return Options(
        players=body.players,
        edifice=body.edifice,
        wonders=wonders,
        boards=body.boards,
        sides=body.sides,
        free_city=None if free is None else (free.wonder, free.side),
        turn_ms=None if body.turn_seconds is None else body.turn_seconds * 1000,
        listed=body.listed,
        **rules,
    )


def _open(desk: Desk, request: Incoming, body: OpenTable | Rematch, options: Options, rematch_of: str | None) -> Response[bytes]:
    game = game_id(body.host, body.command_id)
    table = desk.house.table
    command = OpenGame(
        game=game,
        host=body.host,
        options=options,
        key=os.urandom(32),
        expires=table.store.now() + EXPIRES_MS,
        rematch_of=rematch_of,
    )
    answer = table.transact(game, command, actor="host", command_id=body.command_id, body=canonical(request, body))
    desk.after(request, answer, "OpenGame")
    desk.another_rematch()
    answer = desk.house.host_key.signed(answer)
    return receipt(answer, 201, {"Location": f"/games/{game}"})


@post("/games", opt=describes(OpenTable, answers=RECEIPT, status=201), status_code=201)
@in_thread
def open_table(request: Incoming, desk: Desk, body: bytes) -> Response[bytes]:
    """Open a table."""
    asked = as_body(read_object(request, body), OpenTable)
    return _open(desk, request, asked, options_of(asked), None)


@post("/games/{game:str}/rematch", opt=describes(Rematch, answers=RECEIPT, status=201), status_code=201)
@in_thread
def play_again(request: Incoming, desk: Desk, game: str, body: bytes) -> Response[bytes]:
    """Open the same table again; for everybody who sat at it, and its host, once it is over."""
    asked = as_body(read_object(request, body), Rematch)
    kept = desk.load(request, game)
    caller = desk.caller(request, kept)
    if caller.seat is None and not caller.host:
        raise not_yours("A rematch is for those who sat at the table, and its host.")
    if not isinstance(kept.game.phase, Over):
        raise Denied(409, "not-over", "This game is not over yet.")
    return _open(desk, request, asked, kept.game.rules, game)


# ---- seats ------------------------------------------------------------------------------------------------------------
@post(
    "/games/{game:str}/seats",
    opt=describes(SitDown, SeatBot, FillSeats, answers=RECEIPT, status=201),
    status_code=201,
)
@in_thread
def take_seat(request: Incoming, desk: Desk, game: str, body: bytes) -> Response[bytes]:
    """Sit down (no token is needed); as the host: give a seat, or all free ones, to bots."""
    asked = as_sitting(read_object(request, body))
    if isinstance(asked, SitDown):
        return receipt(_sit_down(desk, request, game, asked), 201)
    asking = desk.ask(request, game, asked)
    asking.host()
    if isinstance(asked, SeatBot):
        return receipt(_seat_bot(desk, asking, asked), 201)
    return receipt(_fill(desk, asking, asked), 201)


def _sit_down(desk: Desk, request: Incoming, game: str, body: SitDown) -> Receipt:
    kept = desk.load(request, game)
    sitting = Caller(hash=body.token)
    asked = Asked(request=request, game=game, kept=kept, caller=sitting, id=body.command_id, body=canonical(request, body))
    command = TakeSeat(
        seat=body.seat,
        name=body.name,
        nonce=os.urandom(32).hex(),
        token=body.token,
        entropy=body.entropy,
        wonder=body.wonder,
        side=body.side,
        public_key=body.public_key,
    )
    return desk.carry_out(asked, command, asked.actor)


def _seat_bot(desk: Desk, asked: Asked, body: SeatBot) -> Receipt:
    seat = body.seat
    if seat is None:
        seat = next((place for place, person in enumerate(asked.kept.game.people) if person is None), None)
    name = body.name or _bot_name(asked.kept.game, seat or 0)
    command = TakeSeat(seat=body.seat, name=name, nonce=os.urandom(32).hex(), bot=body.bot, wonder=body.wonder, side=body.side)
    return desk.as_host(asked, command)


def _bot_name(game: Game, seat: int) -> str:
    """A bot's name that nobody at the table has."""
    taken = {person.name.casefold() for person in game.people if person and person.name}
    name = BOT_NAMES[seat % len(BOT_NAMES)]
    return next(one for one in (name, *(f"{name} {number}" for number in range(2, 9))) if one.casefold() not in taken)


def _fill(desk: Desk, asked: Asked, body: FillSeats) -> Receipt:
    """Each free seat by a command of its own, so that a repeated request finishes what a lost one began, and no more."""
    answers: list[Receipt] = []
    refusals = [Refusal(Reason.TABLE_FULL, "All seats are taken.")]
    for seat in range(len(asked.kept.game.people)):
        game = desk.house.table.load(asked.game).game
        command = TakeSeat(seat=seat, name=_bot_name(game, seat), nonce=os.urandom(32).hex(), bot=body.fill)
        try:
            answers.append(desk.as_host(asked, command, suffix=f":{seat}"))
        except Refusal as refusal:
            if refusal.reason is not Reason.SEAT_TAKEN:
                refusals.append(refusal)
    if not answers:
        raise refusals[-1]
    return max(answers, key=lambda answer: answer.version)


@delete("/games/{game:str}/seats/{seat:int}", opt=describes(Body, answers=RECEIPT), status_code=200)
@in_thread
def leave_seat(request: Incoming, desk: Desk, game: str, seat: int, body: bytes) -> Response[bytes]:
    """Stand up from one's own seat; as the host: send somebody away.  Before the start only."""
    asked = desk.ask(request, game, as_body(read_object(request, body), Body))
    if asked.caller.former or asked.caller.seat == seat:
        return receipt(desk.as_seat(asked, LeaveSeat(seat=seat)))
    if not asked.caller.host:
        raise not_yours("A seat is left by who sits there, or cleared by the host.")
    return receipt(desk.as_host(asked, RemoveSeat(seat=seat)))


@post("/games/{game:str}/seats/{seat:int}/bot", opt=describes(CallBot, answers=RECEIPT), status_code=200)
@in_thread
def call_bot(request: Incoming, desk: Desk, game: str, seat: int, body: bytes) -> Response[bytes]:
    """Let a bot play on for one's own seat."""
    asking = as_body(read_object(request, body), CallBot)
    asked = desk.ask(request, game, asking)
    return receipt(desk.as_seat(_own(asked, seat), HandToBot(seat=seat, bot=asking.bot)))


@post("/games/{game:str}/seats/{seat:int}/reclaim", opt=describes(Body, answers=RECEIPT), status_code=200)
@in_thread
def reclaim_seat(request: Incoming, desk: Desk, game: str, seat: int, body: bytes) -> Response[bytes]:
    """Play oneself again; any other command of the seat does the same first."""
    asked = desk.ask(request, game, as_body(read_object(request, body), Body))
    return receipt(desk.as_seat(_own(asked, seat), ReclaimSeat(seat=seat)))


def _own(asked: Asked, seat: int) -> Asked:
    if not asked.caller.former and asked.seat() != seat:
        raise not_yours("This is not your seat.")
    return asked


# ---- beginning and ending -----------------------------------------------------------------------------------------------
@post("/games/{game:str}/ready", opt=describes(Reveal, CommitAnew, answers=RECEIPT), status_code=200)
@in_thread
def get_ready(request: Incoming, desk: Desk, game: str, body: bytes) -> Response[bytes]:
    """Open one's part of the deal, once all seats are taken; or commit anew after somebody has left."""
    asking = as_ready(read_object(request, body))
    asked = desk.ask(request, game, asking)
    if isinstance(asking, Reveal):
        return receipt(desk.as_seat(asked, RevealEntropy(seat=asked.seat(), entropy=asking.entropy)))
    return receipt(desk.as_seat(asked, CommitEntropy(seat=asked.seat(), entropy=asking.commitment)))


@post("/games/{game:str}/start", opt=describes(Body, answers=RECEIPT), status_code=200)
@in_thread
def start(request: Incoming, desk: Desk, game: str, body: bytes) -> Response[bytes]:
    """Begin: for the host, once all are ready."""
    asked = desk.ask(request, game, as_body(read_object(request, body), Body))
    return receipt(desk.as_host(asked, StartGame()))


@post("/games/{game:str}/abort", opt=describes(Body, answers=RECEIPT), status_code=200)
@in_thread
def agree_to_abort(request: Incoming, desk: Desk, game: str, body: bytes) -> Response[bytes]:
    """Agree to end the game unfinished; it ends when all people have agreed."""
    asked = desk.ask(request, game, as_body(read_object(request, body), Body))
    return receipt(desk.as_seat(asked, AgreeAbort(seat=asked.seat())))


@delete("/games/{game:str}", opt=describes(Body, answers=RECEIPT), status_code=200)
@in_thread
def cancel(request: Incoming, desk: Desk, game: str, body: bytes) -> Response[bytes]:
    """Close a table that has not started, or one where only bots play: for the host."""
    asked = desk.ask(request, game, as_body(read_object(request, body), Body))
    return receipt(desk.as_host(asked, CancelTable()))
