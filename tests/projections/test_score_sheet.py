"""The score pad has a row for each category, and every point says where it comes from."""

from __future__ import annotations

import msgspec
import pytest

from events.rules.scoring import sheet
from events.vocabulary import CATEGORIES
from projections.score_sheet import ScoreDoc
from projections.views import SCORE, Views
from tests.games import KINDS, Kind, Sitting, options, played
from tests.projections.given import moments_of

each_kind = pytest.mark.parametrize("kind", KINDS, ids=str)


def scores(views: Views) -> ScoreDoc:
    """The score view."""
    return msgspec.json.decode(views.documents()[SCORE], type=ScoreDoc)


@each_kind
def test_every_point_has_its_origin(kind: Kind) -> None:
    """R80, R81, during the whole game and at its end: rows in order, lines add up to rows, rows to the total."""
    sitting, finals = played(kind), 0
    for game, views, _ in moments_of(sitting):
        if game.version % 8 and game.version < len(sitting.entries) - 1:
            continue
        score = scores(views)
        assert len(score.sheets) == len(score.names) == len(game.cities)
        for place, one in enumerate(score.sheets):
            assert one == sheet(game, place)
            assert tuple(one.rows) == tuple(one.points) == CATEGORIES
            assert one.points == {row: sum(line.points for line in lines) for row, lines in one.rows.items()}
            assert one.total == sum(one.points.values())
            assert all(line.source for lines in one.rows.values() for line in lines)
        assert score.final == bool(score.places)
        finals += score.final
    assert finals == 2  # scored, and closed
    assert score.free == (2 if kind.players == 2 else None)
    assert sorted(seat for shared in score.places for seat in shared) == list(range(kind.players))


@each_kind
def test_the_edifice_stands_in_its_own_row(kind: Kind) -> None:
    """Rewards and Debt tokens by name with the expansion; nothing without it."""
    score = scores(Views().see_all(played(kind).entries, played(kind).names))
    cities = played(kind).game.cities
    for one in score.sheets:
        sources = [line.source for line in one.rows["edifice"]]
        assert sources.count("debt") == len(cities[one.city].debts)
        assert set(sources) - {"debt"} <= set(cities[one.city].rewards)
    assert kind.edifice or not any(one.rows["edifice"] for one in score.sheets)


def test_a_choice_changes_no_score() -> None:
    """The view stays the same bytes while people only choose, so it is not written again; nor are the others' hands."""
    sitting = Sitting(options(3))
    sitting.start()
    views = Views().see_all(sitting.entries, sitting.names)
    before = views.documents()
    sitting.step()
    views.see_all(sitting.entries[views.version :], sitting.names)
    later = views.stored(since=views.version - 1)
    assert sorted(later) == ["table", "you/0"]
    assert views.documents()[SCORE] == before[SCORE]
