"""The host's seal under what it says: a key of its own that signs receipts and the heads of logs.

What is signed stands in `events.signatures`.  Ed25519 signatures are deterministic: a repeated command gets the same
receipt, a bundle the same heads.
"""

from __future__ import annotations

from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_pem_private_key,
)  # fmt: skip
from msgspec.structs import replace

from events.signatures import host_message, sign
from events.transact import Receipt
from projections.bundle import Head
from workers.private_file import made_once

FILE = "host.key"


class HostKey:
    """public: the public part, in hex."""

    def __init__(self, private: Ed25519PrivateKey) -> None:
        self._private = private
        self.public = private.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw).hex()

    @classmethod
    def passing(cls) -> HostKey:
        """A key for a house in memory: gone with it."""
        return cls(Ed25519PrivateKey.generate())

    @classmethod
    def open(cls, data: Path, given: Path | None = None) -> HostKey:
        """The key in the given file (it must be there), else that of the data directory, made at the first start.

        The file is PEM (PKCS 8), as `openssl genpkey -algorithm ed25519` writes it.  Raises ValueError for a file that cannot be
        read or holds another kind of key."""
        place = data / FILE if given is None else given
        try:
            raw = made_once(place, _fresh) if given is None else place.read_bytes()
            private = load_pem_private_key(raw, None)
        except (OSError, ValueError, TypeError) as error:
            raise ValueError(f"the host key {place} cannot be read: {type(error).__name__}") from None
        if not isinstance(private, Ed25519PrivateKey):
            raise ValueError(f"the host key {place} is no Ed25519 key")
        return cls(private)

    def signed(self, receipt: Receipt) -> Receipt:
        """The receipt with the host's signature."""
        message = host_message("receipt", receipt.game, receipt.version, receipt.link)
        return replace(receipt, signature=sign(self._private, message))

    def head(self, game: str, version: int, link: bytes) -> Head:
        """A signed head of a game's log.  link: 32 bytes."""
        signature = sign(self._private, host_message("head", game, version, link.hex()))
        return Head(version=version, link=link.hex(), signature=signature)


def _fresh() -> bytes:
    return Ed25519PrivateKey.generate().private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
