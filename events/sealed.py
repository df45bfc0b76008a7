"""Values that lie on the table face down: the public bytes show a seal, and only its readers see what is behind it."""

from __future__ import annotations

import hashlib
import hmac
from typing import Generic, TypeVar

import msgspec
from msgspec import UNSET, Struct, UnsetType

T = TypeVar("T")


class Sealed(Struct, Generic[T], frozen=True, kw_only=True):
    """A value with its readers (seats, known when it is written).

    As `decide` makes it: `value` without `seal`.  In public bytes: `seal` without `value`.  As a reader sees it: both.
    """

    readers: tuple[int, ...]
    seal: str | UnsetType = UNSET
    value: T | UnsetType = UNSET


class Erasable(Struct, Generic[T], frozen=True, kw_only=True):
    """A value that everyone may see until it is erased; its opening is kept apart from the log, so the chain stays whole.

    `nonce` (hex, 32 bytes, random) comes with the command and is never in the public bytes.
    """

    seal: str | UnsetType = UNSET
    value: T | UnsetType = UNSET
    nonce: str | UnsetType = UNSET


class Opening(Struct, frozen=True, kw_only=True):
    """What opens a seal: where it stands (version, path), the nonce (hex) and the exact bytes of the value, as text.

    `decide` leaves the nonce out; it is filled in when the event is written, from the game's key.
    """

    version: int
    path: str
    nonce: str | UnsetType = UNSET
    bytes: str


_encode = msgspec.json.Encoder(order="deterministic").encode


def exact(value: object) -> bytes:
    """The exact bytes under a seal: JSON with its keys in a fixed order."""
    return _encode(value)


def nonce_of(key: bytes, version: int, path: str) -> bytes:
    """The 32 bytes that blind one seal; from the game's key, so that the key's publication opens everything."""
    return hmac.digest(key, f"nonce\n{version}\n{path}".encode(), "sha256")


def seal_of(nonce: bytes, game: str, version: int, path: str, value: bytes) -> str:
    """The commitment (hex) to the exact bytes at one place of one game."""
    return hmac.digest(nonce, f"{game}\n{version}\n{path}\n".encode() + value, "sha256").hex()


def commitment(secret: bytes) -> str:
    """SHA-256 (hex) of a key or of a seat's entropy."""
    return hashlib.sha256(secret).hexdigest()


def bot_entropy(key: bytes, seat: int) -> bytes:
    """What a bot adds to the deal; from the key, since a bot has no will of its own."""
    return hmac.digest(key, f"entropy\n{seat}".encode(), "sha256")


def opens(opening: Opening, game: str, seal: str) -> bool:
    """Whether an opening fits a seal."""
    if opening.nonce is UNSET:
        return False
    nonce = bytes.fromhex(opening.nonce)
    return hmac.compare_digest(seal_of(nonce, game, opening.version, opening.path, opening.bytes.encode()), seal)
