"""Makes every view again from the logs alone: the same bytes as before, and nothing else happens."""

from __future__ import annotations

from collections.abc import Iterator

from events.store.protocol import EventStore
from events.transact import UnknownGame
from projections.dealings import save_dealings
from projections.lobby import LOBBY, REMATCHES
from projections.views import Views

ATTEMPTS = 100
"""How often a game is tried again when its table plays on, and is projected, during its rebuild."""


class RebuildDisturbed(RuntimeError):
    """Somebody else wrote the views of a game during each attempt to rebuild them."""


def views_of(store: EventStore, game: str) -> Views:
    """All views of a game, folded from its log; nothing is written.  Raises UnknownGame."""
    entries = store.read(game)
    if not entries:
        raise UnknownGame(game)
    return Views().see_all(entries, store.names(game))


def rebuild_game(store: EventStore, game: str) -> int:
    """Drops the views of one game and writes them anew, complete; returns their version.

    Live clients are told nothing.  Raises UnknownGame, RebuildDisturbed.
    """
    for _ in range(ATTEMPTS):
        views = views_of(store, game)
        store.drop_views(game)
        written = store.save_views(game, views.version, views.stored())
        # Whoever has shown a later version before the drop writes only what is new since then: so these must be that far, too.
        if written and (head := store.head(game)) is not None and head[0] == views.version:
            save_rows(store, game, views)
            return views.version
    raise RebuildDisturbed(f"the views of {game} were written by somebody else during each of {ATTEMPTS} attempts")


def rebuild_all(store: EventStore) -> Iterator[tuple[str, int]]:
    """(game, version) of every game, rebuilt one by one; the rows of the lobby and of the rematches too."""
    for table in (LOBBY, REMATCHES):
        store.drop_rows(table)
    for partition in range(store.partitions):
        for game in store.games(partition):
            yield game, rebuild_game(store, game)


def save_rows(store: EventStore, game: str, views: Views) -> None:
    """The rows of one game, as the projector writes them."""
    if views.game.rules.listed:
        store.save_rows(LOBBY, game, views.steps[0], views.lobby_row())
    save_dealings(store, views.game, views.steps[0])
    rematch = views.rematch_row()
    if rematch is not None:
        store.save_rows(REMATCHES, views.game.rematch_of or "", 1, rematch)
