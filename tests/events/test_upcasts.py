"""Old shapes of facts: each is raised step by step to today's, and one from the future is refused."""

from __future__ import annotations

import msgspec
import pytest

from events import codec, facts as f, upcasts
from events.upcasts import upcast


def renamed(plain):
    return {"until": plain["deadline"], **{name: plain[name] for name in ("type", "at", "by")}}


def in_milliseconds(plain):
    return {"deadline": plain["until"] * 1000, **{name: plain[name] for name in ("type", "at", "by")}}


STEPS = {("ClockExtended", 1): renamed, ("ClockExtended", 2): in_milliseconds}
CURRENT = {"ClockExtended": 3}
FIRST = b'{"type":"ClockExtended","v":1,"at":1,"by":"game","deadline":7}'


def test_each_step_raises_the_shape_by_one():
    """v1 had seconds under one name, v2 under another, v3 has milliseconds."""
    assert upcast(FIRST, STEPS, CURRENT) == {"type": "ClockExtended", "v": 3, "at": 1, "by": "game", "deadline": 7000}
    second = b'{"type":"ClockExtended","v":2,"at":1,"by":"game","until":7}'
    assert upcast(second, STEPS, CURRENT)["deadline"] == 7000


def test_todays_shape_is_left_alone():
    today = b'{"type":"ClockExtended","v":3,"at":1,"by":"game","deadline":7000}'
    assert upcast(today, STEPS, CURRENT) == msgspec.json.decode(today)
    assert upcast(b'{"type":"SeatReclaimed","v":1,"seat":1}', STEPS, CURRENT)["v"] == 1


def test_a_shape_without_a_step_and_one_from_the_future_are_refused():
    with pytest.raises(LookupError):
        upcast(FIRST, {}, CURRENT)
    with pytest.raises(LookupError, match="newer"):
        upcast(b'{"type":"ClockExtended","v":4,"at":1,"by":"game"}', STEPS, CURRENT)


def test_the_codec_reads_an_old_event_as_todays(monkeypatch):
    """Also one that today's shape would decode by accident."""
    monkeypatch.setattr(upcasts, "STEPS", STEPS)
    monkeypatch.setattr(upcasts, "CURRENT", CURRENT)
    monkeypatch.setattr(codec, "CURRENT", CURRENT)
    today = f.ClockExtended(v=3, at=1, by="game", deadline=7000)
    assert codec.parse(FIRST) == today
    assert codec.parse(b'{"type":"ClockExtended","v":2,"at":1,"by":"game","until":7}') == today
    with pytest.raises(codec.BrokenRecord):
        codec.parse(b'{"type":"ClockExtended","v":4,"at":1,"by":"game","deadline":7}')


def test_every_current_version_can_be_reached_from_the_first():
    """The real table has no gaps, and no step that nothing leads on from."""
    for kind, version in upcasts.CURRENT.items():
        assert all((kind, step) in upcasts.STEPS for step in range(1, version))
    assert all(version < upcasts.CURRENT[kind] for kind, version in upcasts.STEPS)
    for event in codec.EVENTS:
        assert event.__struct_defaults__, event
        assert f.Event.__struct_fields__[0] == "v"
