"""Who is asking: a spectator, a seat, the host, or the operator, told apart by the secret that only they know."""

from __future__ import annotations

import hashlib
import hmac
import os
from pathlib import Path
from typing import Any

from litestar import Request
from msgspec import Struct

from events.codec import SPECTATOR
from events.rules import Game
from services.api.problems import Denied
from workers.private_file import made_once

LONGEST_TOKEN = 256
OPERATOR_FILE = "operator.token"


class Caller(Struct, frozen=True, kw_only=True):
    """hash: SHA-256 (hex) of the secret that was shown, None: none.  former: it belongs to nobody now, but a command of
    this id was accepted from it, so it may hear the first answer again."""

    hash: str | None = None
    seat: int | None = None
    host: bool = False
    operator: bool = False
    former: bool = False

    @property
    def viewer(self) -> int:
        """Whose eyes it sees with: its seat's, else a spectator's."""
        return SPECTATOR if self.seat is None else self.seat

    @property
    def role(self) -> str:
        """For the log."""
        roles = [name for name, has in (("host", self.host), ("operator", self.operator)) if has]
        return "+".join(roles + ([f"seat:{self.seat}"] if self.seat is not None else [])) or "spectator"


def hashed(secret: str) -> str:
    """SHA-256 (hex) of a secret, over its characters exactly as they are sent (`printf %s "$SECRET" | sha256sum`)."""
    return hashlib.sha256(secret.encode()).hexdigest()


def shown(request: Request[Any, Any, Any]) -> str | None:
    """The hash of the bearer token of a request, None without one.  Raises Denied (401) for anything else."""
    header = request.headers.get("authorization")
    if header is None:
        return None
    scheme, _, token = header.partition(" ")
    token = token.strip()
    if scheme.lower() != "bearer" or not 1 <= len(token) <= LONGEST_TOKEN or not token.isascii():
        raise stranger()
    return hashed(token)


def stranger() -> Denied:
    """The same words for every unknown token."""
    return Denied(401, "unknown-token", "This token belongs to nobody here.", {"WWW-Authenticate": 'Bearer realm="wonderlog"'})


def recognised(secret_hash: str | None, game: Game | None, operator: str | None) -> Caller | None:
    """Who shows this hash; None for a stranger.  Every comparison is made, each in constant time, so that the answer's time
    tells nothing about who sits where."""
    if secret_hash is None:
        return Caller()

    def same(known: str | None) -> bool:
        return hmac.compare_digest(secret_hash, known or "-" * 64) and known is not None

    host = same(game.host if game else None)
    seats = [seat for seat, person in enumerate(game.people if game else ()) if same(person.token if person else None)]
    is_operator = same(operator)
    if not (host or seats or is_operator):
        return None
    return Caller(hash=secret_hash, seat=seats[0] if seats else None, host=host, operator=is_operator)


def operator_token(data: Path) -> str:
    """The hash of the operator's token in the data directory; made at the first start, readable by its owner only."""
    return hashed(made_once(data / OPERATOR_FILE, lambda: os.urandom(32).hex().encode() + b"\n").decode().strip())
