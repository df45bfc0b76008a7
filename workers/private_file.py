"""A secret of the house in a file of its own: made once, whole, and readable by its owner only."""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable
from pathlib import Path


def made_once(place: Path, make: Callable[[], bytes]) -> bytes:
    """What the file holds, made now if it is not there; its folder is made too.  Raises OSError.

    Written whole under another name first, then linked: whoever starts at the same time finds all of one secret or nothing.
    """
    if not place.exists():
        place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        draft = place.with_name(f"{place.name}.{secrets.token_hex(8)}")
        handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(make())
            os.link(draft, place)
        except FileExistsError:
            pass
        finally:
            draft.unlink()
    return place.read_bytes()
