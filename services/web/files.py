"""The files that a page needs, under an address that changes whenever one of them does, so that browsers may keep them for good."""

from __future__ import annotations

import functools
import hashlib
from pathlib import Path

from msgspec import Struct

HERE = Path(__file__).parent
STATIC = HERE / "static"

KINDS = {
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
    ".webmanifest": "application/manifest+json",
}
"""What is served, by ending; nothing else."""

FOR_GOOD = {"Cache-Control": "public, max-age=31536000, immutable"}


class File(Struct, frozen=True):
    """A file as it is sent."""

    content: bytes
    media: str


@functools.cache
def files() -> dict[str, File]:
    """Every static file by its path below `static`; read once a process."""
    found = {}
    for place in sorted(STATIC.rglob("*")):
        if place.suffix in KINDS and place.is_file():
            found[place.relative_to(STATIC).as_posix()] = File(place.read_bytes(), KINDS[place.suffix])
    return found


@functools.cache
def fingerprint() -> str:
    """Twelve hex digits of SHA-256 over all paths and contents."""
    digest = hashlib.sha256()
    for path, file in files().items():
        digest.update(f"{path}\0{len(file.content)}\0".encode())
        digest.update(file.content)
    return digest.hexdigest()[:12]


def address(path: str) -> str:
    """Where a static file is served.  KeyError for one that does not exist."""
    files()[path]
    return f"/static/{fingerprint()}/{path}"
