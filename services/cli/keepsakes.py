"""What a player keeps between two evenings: the secrets of the own seats and tables, readable by nobody else."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from services.cli.client import fresh
from services.cli.voice import refused


class Keepsake(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One table: where it is, and the secrets (hex) of the own seat and of the host.  data: the folder of a house of one's own.

    key: the private key that signs the seat's moves; receipt, head: the last ones that the host signed, for an audit.
    """

    game: str
    url: str | None = None
    data: str | None = None
    seat: int | None = None
    name: str | None = None
    token: str | None = None
    entropy: str | None = None
    host: str | None = None
    key: str | None = None
    receipt: dict[str, Any] | None = None
    head: dict[str, Any] | None = None

    @property
    def commitment(self) -> str:
        """SHA-256 (hex) of the seat's part of the deal."""
        assert self.entropy is not None
        return hashlib.sha256(bytes.fromhex(self.entropy)).hexdigest()


def hashed(secret: str) -> str:
    """SHA-256 (hex) of a secret, over its characters."""
    return hashlib.sha256(secret.encode()).hexdigest()


def fresh_seat(keepsake: Keepsake, name: str) -> Keepsake:
    """The same table with new secrets for a seat."""
    return msgspec.structs.replace(keepsake, name=name, token=fresh(), entropy=fresh(), key=fresh())


def folder(data: Path | None) -> Path:
    """Where they lie: in the named data folder, else in the user's own configuration."""
    if data is not None:
        return data / "seats"
    base = os.environ.get("XDG_CONFIG_HOME") or str(Path.home() / ".config")
    return Path(base) / "wonderlog" / "seats"


class Drawer:
    """All keepsakes of one folder, a file each."""

    def __init__(self, place: Path) -> None:
        self.place = place

    def keep(self, keepsake: Keepsake) -> Path:
        """Writes one down, whole or not at all."""
        self.place.mkdir(parents=True, exist_ok=True, mode=0o700)
        path = self.path(keepsake.game)
        fresh_copy = path.with_suffix(".new")
        handle = os.open(fresh_copy, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(handle, "wb") as file:
            file.write(msgspec.json.format(msgspec.json.encode(keepsake)) + b"\n")
        fresh_copy.replace(path)
        return path

    def find(self, game: str) -> Keepsake | None:
        """The one of a game.  Raises Stop if it cannot be read."""
        try:
            return msgspec.json.decode(self.path(game).read_bytes(), type=Keepsake)
        except FileNotFoundError:
            return None
        except (OSError, msgspec.MsgspecError) as error:
            raise refused(f"{self.path(game)} cannot be read: {error}", "Move it away to sit down anew.") from None

    def latest(self) -> Keepsake | None:
        """The one that was written last."""
        files = sorted(self.place.glob("*.json"), key=lambda path: path.stat().st_mtime_ns) if self.place.is_dir() else []
        return self.find(files[-1].stem) if files else None

    def path(self, game: str) -> Path:
        """The file of a game.  Raises Stop for what is no id."""
        if not game.isalnum():
            raise refused(
                f"{game!r} is no game.", "A game's id has 20 hex digits, as `wonderlog new` prints it.", reason="unknown-game"
            )
        return self.place / f"{game}.json"
