"""The score pad: what every city has in each row, and for each point where it comes from."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from events.facts import Sheet
from events.rules.scoring import sheet
from events.rules.state import Game, Over
from events.vocabulary import CATEGORIES


class ScoreDoc(Struct, frozen=True, kw_only=True):
    """final: the game was scored; before that, what each would score if it ended now.  places: () until then."""

    game: str
    version: int
    at: int
    final: bool
    age: int
    turn: int
    names: tuple[str, ...]
    free: int | None
    sheets: tuple[Sheet, ...]
    places: tuple[tuple[int, ...], ...]


def _in_order(recorded: Sheet) -> Sheet:
    """A recorded sheet with its rows in the order of the pad; a fact's bytes have them by the alphabet."""
    rows, points = recorded.rows, recorded.points
    return replace(recorded, rows={row: rows[row] for row in CATEGORIES}, points={row: points[row] for row in CATEGORIES})


def score_document(game: Game, version: int, at: int) -> ScoreDoc:
    """R80, R81.  version, at: the last event that could change a score, so that the document stays the same in between."""
    over = game.phase if isinstance(game.phase, Over) and game.phase.sheets else None
    return ScoreDoc(
        game=game.id,
        version=version,
        at=at,
        final=over is not None,
        age=game.age,
        turn=game.turn,
        names=tuple(game.called(place) for place in range(len(game.cities))),
        free=game.free,
        sheets=tuple(map(_in_order, over.sheets)) if over else tuple(sheet(game, place) for place in range(len(game.cities))),
        places=over.places if over else (),
    )
