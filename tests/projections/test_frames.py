"""A game to leaf through: every frame put in gives the very table that a replay gives."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from events.codec import EVERYTHING, SPECTATOR
from events.refusals import Reason, Refusal
from projections.frames import Frame, changes, frames
from projections.replay import document_at
from tests.games import Kind, Sitting, options, played


def put(document: Any, frame: Frame) -> Any:
    """A document with a frame's changes, the way a reader does it."""
    document, told = msgspec.json.decode(msgspec.json.encode((document, frame.changes)))
    for path, value in told.items():
        if not path:
            document = value
            continue
        *way, last = path.split("/")
        place = document
        for step in way:
            place = place[int(step)] if isinstance(place, list) else place[step]
        place[int(last) if isinstance(place, list) else last] = value
    return document


@pytest.mark.parametrize("viewer", [SPECTATOR, 0, 1, EVERYTHING])
@pytest.mark.parametrize("kind", [Kind(2, True, "publisher"), Kind(4, True, "booklet")], ids=str)
def test_leafing_through_gives_what_each_replay_gives(kind: Kind, viewer: int) -> None:
    """At every version, for the spectator, a seat and everybody at the end."""
    sitting = played(kind)
    document: Any = None
    found = frames(sitting.entries, sitting.names, viewer)
    assert [frame.version for frame in found] == [version for version, _ in sitting.entries]
    for frame in found:
        document = put(document, frame)
        assert document == msgspec.json.decode(document_at(sitting.entries, sitting.names, viewer, frame.version))


def test_the_rest_of_a_game_goes_on_from_the_version_that_is_known() -> None:
    """Whoever has leafed up to a version asks only for what came after it."""
    sitting = played(Kind(3, False, "booklet"))
    whole, rest = frames(sitting.entries, sitting.names, 1), frames(sitting.entries, sitting.names, 1, after=40)
    assert rest == whole[40:]
    assert frames(sitting.entries, sitting.names, 1, after=len(sitting.entries)) == ()


def test_a_running_game_shows_no_seat_more_than_its_own() -> None:
    """Everything is refused, an unknown seat too; a seat's frames name no card that its view does not name."""
    sitting = Sitting(options(3), seed=5).play(until=lambda game: game.age == 1 and game.turn == 3)
    with pytest.raises(Refusal) as everything:
        frames(sitting.entries, sitting.names, EVERYTHING)
    assert everything.value.reason is Reason.NOT_ALLOWED
    with pytest.raises(Refusal) as nobody:
        frames(sitting.entries, sitting.names, 3)
    assert nobody.value.reason is Reason.UNKNOWN_SEAT
    shown = msgspec.json.encode(frames(sitting.entries, sitting.names, SPECTATOR)).decode()
    hidden = {card for city in sitting.game.cities for card in city.hand}
    assert hidden
    built = {card for city in sitting.game.cities for card in city.built}
    assert not [card for card in hidden - built if f'"{card}"' in shown]


@pytest.mark.parametrize(
    ("before", "now", "told"),
    [
        ({"a": 1}, {"a": 1}, {}),
        ({"a": [1, 2]}, {"a": [1]}, {"a": [1]}),
        ({"a": [1, 2]}, {"a": [1, 3]}, {"a/1": 3}),
        ({"a": {"b": 1}}, {"a": {"c": 1}}, {"a": {"c": 1}}),
        (None, {"a": 1}, {"": {"a": 1}}),
    ],
)
def test_only_what_is_different_is_told(before: Any, now: Any, told: dict[str, Any]) -> None:
    """A list that is longer and an object with other keys are told whole."""
    assert changes(before, now) == told
