"""The board by the door: tables that wait for players, tables that are being played, and where a table plays on."""

from __future__ import annotations

from msgspec import Struct

from events.rules.state import Game, Gathering, Over
from projections.documents import encode
from projections.table import preset

LOBBY, REMATCHES = "lobby", "rematches"
"""The names of the two aggregates in the store."""


class LobbySeat(Struct, frozen=True, kw_only=True):
    """A chair of a listed table."""

    taken: bool
    name: str | None
    bot: str | None


class LobbyRow(Struct, frozen=True, kw_only=True):
    """A listed table.  version, at: of the last event that was told; state: "open" or "running"."""

    game: str
    version: int
    at: int
    state: str
    opened_at: int
    host: str
    expires: int | None
    players: int
    free_seats: int
    seats: tuple[LobbySeat, ...]
    edifice: bool
    preset: str
    boards: str
    sides: str
    turn_ms: int | None
    age: int
    turn: int
    rematch_of: str | None


class RematchRow(Struct, frozen=True, kw_only=True):
    """Where the players of `game` went on: the table `rematch`."""

    game: str
    version: int
    at: int
    rematch: str


def lobby_row(game: Game, version: int, at: int) -> bytes | None:
    """The table's row; None when it is not listed or over."""
    if not game.rules.listed or isinstance(game.phase, Over):
        return None
    options, phase = game.rules, game.phase
    return encode(
        LobbyRow(
            game=game.id,
            version=version,
            at=at,
            state="open" if isinstance(phase, Gathering) else "running",
            opened_at=game.opened_at,
            host=game.host,
            expires=phase.expires if isinstance(phase, Gathering) else None,
            players=options.players,
            free_seats=sum(person is None for person in game.people),
            seats=tuple(
                LobbySeat(
                    taken=person is not None,
                    name=person.name if person else None,
                    bot=person.bot if person else None,
                )
                for person in game.people
            ),
            edifice=options.edifice,
            preset=preset(options),
            boards=options.boards,
            sides=options.sides,
            turn_ms=options.turn_ms,
            age=game.age,
            turn=game.turn,
            rematch_of=game.rematch_of,
        )
    )


def rematch_row(game: Game) -> bytes | None:
    """The row of the table that this one is a rematch of, None if it is none; a table's first rematch counts."""
    if game.rematch_of is None:
        return None
    return encode(RematchRow(game=game.rematch_of, version=1, at=game.opened_at, rematch=game.id))
