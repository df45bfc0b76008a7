"""The box that a bundle comes in: a zip with one way to be packed, so that the same game gives the same bytes everywhere.

Members are stored (not compressed), in the order given, dated 1980-01-01, mode 0644, without extra fields or comments.
"""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from collections.abc import Mapping

LARGEST = 64 * 1024 * 1024
"""Bytes of all members together; a seven-player game has some 300 KB."""

_LOCAL = struct.Struct("<4s5H3I2H")
_CENTRAL = struct.Struct("<4s6H3I5H2I")
_END = struct.Struct("<4s4H2IH")
_NEEDED, _MADE_BY, _STORED, _MIDNIGHT, _FIRST_DAY = 20, 0x0314, 0, 0, 0x0021
_MODE = 0o100644 << 16


class Unreadable(ValueError):
    """This is no bundle; the message says why."""


def pack(members: Mapping[str, bytes]) -> bytes:
    """The one zip with these members, in their order.

    >>> unpack(pack({"a.txt": b"Alexandria"}))
    {'a.txt': b'Alexandria'}
    """
    body, directory = bytearray(), bytearray()
    for name, content in members.items():
        raw, crc, size, offset = name.encode("ascii"), zlib.crc32(content), len(content), len(body)
        about = (_NEEDED, 0, _STORED, _MIDNIGHT, _FIRST_DAY, crc, size, size, len(raw))
        body += _LOCAL.pack(b"PK\x03\x04", *about, 0) + raw + content
        directory += _CENTRAL.pack(b"PK\x01\x02", _MADE_BY, *about, 0, 0, 0, 0, _MODE, offset) + raw
    end = _END.pack(b"PK\x05\x06", 0, 0, len(members), len(members), len(directory), len(body), 0)
    return bytes(body + directory + end)


def unpack(raw: bytes) -> dict[str, bytes]:
    """The members of any readable zip, whoever packed it.  Raises Unreadable."""
    try:
        with zipfile.ZipFile(io.BytesIO(raw)) as box:
            names = box.namelist()
            if len(set(names)) != len(names):
                raise Unreadable("a member stands twice in the zip")
            if sum(info.file_size for info in box.infolist()) > LARGEST:
                raise Unreadable("the zip is larger than any game")
            return {name: box.read(name) for name in names}
    except Unreadable:
        raise
    except (zipfile.BadZipFile, zlib.error, struct.error, EOFError, OSError, RuntimeError, ValueError) as error:
        raise Unreadable(f"the zip is damaged: {error}") from None
