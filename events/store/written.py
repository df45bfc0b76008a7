"""How an entry and an answer look on the shelf, byte for byte."""

from __future__ import annotations

import msgspec

from events.store.protocol import Accepted, Entry


def entry(fields: list[bytes]) -> Entry:
    """The script writes e, l, then s if there is one, then c."""
    return Entry(fields[1], fields[5] if len(fields) > 4 and fields[4] == b"s" else None, fields[3])


def wake_word(at: int | None) -> str:
    return "" if at is None else str(at)


def command_field(actor: str, command_id: str) -> str:
    return f"{len(actor)}:{actor}:{command_id}"  # no two pairs run together into the same field


def remembered(digest: str, accepted: Accepted) -> bytes:
    return msgspec.msgpack.encode((digest, accepted.version, accepted.answer))


def recalled(value: bytes) -> tuple[str, Accepted]:
    digest, version, answer = msgspec.msgpack.decode(value, type=tuple[str, int, bytes])
    return digest, Accepted(version, answer)
