"""What the kept games look like: every projection's output, midway and at the end, written by `python -m tests.golden.views`.

Unlike the games themselves these may be written anew when a view is meant to change: the difference is there to be read.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from events.store.protocol import Entry
from projections.views import Views
from tests.golden.kept import FOLDER, Kept, files, kept

SHOWN = FOLDER / "views"


def entries(game: Kept) -> list[tuple[int, Entry]]:
    """A kept game's entries as a store gives them; views do not look at links."""
    return [(version, Entry(one.e, one.s, b"")) for version, one in enumerate(game.entries, 1)]


def lines(game: Kept) -> Iterator[bytes]:
    """One line a view: the version it is seen at, its name, and its bytes."""
    every = entries(game)
    views = Views()
    for end in (len(every) // 2, len(every)):
        views.see_all(every[views.version : end], game.names)
        for name, body in sorted(views.documents().items()):
            yield b"%d %s %s\n" % (end, name.encode(), body)


def shown(path: Path) -> Path:
    """Where the views of a kept game lie."""
    return SHOWN / f"{path.stem}.txt"


if __name__ == "__main__":
    SHOWN.mkdir(exist_ok=True)
    for path in files():
        shown(path).write_bytes(b"".join(lines(kept(path))))
        print(shown(path).name)
