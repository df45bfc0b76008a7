"""Values that lie on the table face down: the public bytes show a seal, and only its readers see what is behind it."""

from __future__ import annotations

import hmac
from collections.abc import Callable
from functools import lru_cache
from hashlib import sha256
from typing import Generic, TypeVar

import msgspec
from msgspec import UNSET, Struct, UnsetType

T = TypeVar("T")


class Sealed(Struct, Generic[T], frozen=True, kw_only=True, gc=False):
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


class Opening(Struct, frozen=True, kw_only=True, gc=False):
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


# HMAC-SHA256 by its definition (RFC 2104), two plain hashes: 1.2 µs for a new key, 0.8 for one begun before, where hmac.digest
# looks its parts up anew each time and takes 2.1.  A dealt and sealed game of four makes some 750 of them.
_INNER, _OUTER = bytes(byte ^ 0x36 for byte in range(256)), bytes(byte ^ 0x5C for byte in range(256))
_BLOCK = 64


def mac(key: bytes, message: bytes) -> bytes:
    """HMAC-SHA256 of one message."""
    if len(key) > _BLOCK:
        key = sha256(key).digest()
    block = key.ljust(_BLOCK, b"\0")
    return sha256(block.translate(_OUTER) + sha256(block.translate(_INNER) + message).digest()).digest()


def maker(key: bytes) -> Callable[[bytes], bytes]:
    """`mac` with one key, for many messages."""
    if len(key) > _BLOCK:
        key = sha256(key).digest()
    block = key.ljust(_BLOCK, b"\0")
    begun, ended = sha256(block.translate(_INNER)).copy, sha256(block.translate(_OUTER)).copy

    def keyed(message: bytes) -> bytes:
        inner, outer = begun(), ended()
        inner.update(message)
        outer.update(inner.digest())
        return outer.digest()

    return keyed


_of_game = lru_cache(maxsize=64)(maker)


def nonce_of(key: bytes, version: int, path: str) -> bytes:
    """The 32 bytes that blind one seal; from the game's key, so that the key's publication opens everything."""
    return _of_game(key)(f"nonce\n{version}\n{path}".encode())


def seal_of(nonce: bytes, game: str, version: int, path: str, value: bytes) -> str:
    """The commitment (hex) to the exact bytes at one place of one game."""
    return mac(nonce, f"{game}\n{version}\n{path}\n".encode() + value).hex()


def commitment(secret: bytes) -> str:
    """SHA-256 (hex) of a key or of a seat's entropy."""
    return sha256(secret).hexdigest()


def bot_entropy(key: bytes, seat: int) -> bytes:
    """What a bot adds to the deal; from the key, since a bot has no will of its own."""
    return mac(key, f"entropy\n{seat}".encode())


def opens(opening: Opening, game: str, seal: str) -> bool:
    """Whether an opening fits a seal."""
    if opening.nonce is UNSET:
        return False
    nonce = bytes.fromhex(opening.nonce)
    return hmac.compare_digest(seal_of(nonce, game, opening.version, opening.path, opening.bytes.encode()), seal)
