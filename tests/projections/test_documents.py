"""The documents are what their page says: every key is explained, every view decodes, and nothing is left to chance."""

from __future__ import annotations

import re
import subprocess
import sys
import typing
from pathlib import Path

import msgspec
import pytest
from msgspec import Struct

from projections import city, documents, lobby, replay, score_sheet
from projections.chronicle import ChronicleDoc, ToldLine
from projections.views import CHRONICLE, SCORE, TABLE, Views, hand_of
from tests.games import KINDS, Kind, played

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "views.md"
SHAPES = [
    shape
    for module in (documents, city, lobby, replay, score_sheet)
    for shape in vars(module).values()
    if isinstance(shape, type) and issubclass(shape, Struct) and shape.__module__ == module.__name__
]


@pytest.mark.parametrize("shape", [*SHAPES, ChronicleDoc, ToldLine], ids=lambda shape: shape.__name__)
def test_every_key_is_explained(shape: type[Struct]) -> None:
    """docs/views.md names every key of every document."""
    named = set(re.findall(r"`(\w+)`", PAGE.read_text(encoding="utf-8")))
    assert set(shape.__struct_fields__) <= named


@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_every_view_is_of_its_shape(kind: Kind) -> None:
    """Each view decodes into its struct and encodes to the same bytes again: no key more, none less, in this order."""
    sitting = played(kind)
    for upto in (1, 2 * kind.players, len(sitting.entries) // 2, len(sitting.entries)):
        found = Views().see_all(sitting.entries[:upto], sitting.names).documents()
        shapes: dict[str, typing.Any] = {
            TABLE: documents.TableDoc,
            CHRONICLE: ChronicleDoc,
            SCORE: score_sheet.ScoreDoc,
            **{hand_of(seat): documents.HandDoc for seat in range(kind.players)},
        }
        assert set(found) == set(shapes)
        for name, body in found.items():
            again = msgspec.json.decode(body, type=shapes[name])
            assert documents.encode(again) == body
            assert (again.game, again.version <= upto) == (sitting.id, True)


def test_another_process_makes_the_same_bytes() -> None:
    """Nothing depends on hashing or on what was looked at before: a fresh process with another hash seed agrees."""
    program = (
        "import hashlib; from tests.games import KINDS, Sitting; from projections.views import Views;"
        "game = Sitting(KINDS[3].rules, 6).play(until=lambda game: game.age == 2);"
        "views = Views().see_all(game.entries, game.names).documents();"
        "print(hashlib.sha256(b''.join(views[name] for name in sorted(views))).hexdigest())"
    )
    digests = {
        subprocess.run(
            [sys.executable, "-c", program], cwd=ROOT, env={"PYTHONHASHSEED": seed}, capture_output=True, text=True, check=True
        ).stdout
        for seed in ("1", "2")
    }
    assert len(digests) == 1
    assert len(digests.pop().strip()) == 64
