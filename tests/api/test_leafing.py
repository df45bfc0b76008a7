"""Leafing through a game over HTTP: every moment at once, for the eyes that may see it."""

from __future__ import annotations

from tests.api.given import Sitting


def test_a_seat_leafs_with_its_own_eyes_and_nobody_elses(sitting: Sitting) -> None:
    """The hand is in the seat's frames only; others' eyes are refused while the game runs."""
    ada = sitting.people[0]
    own = ada.get(f"{sitting.path}/frames").json()
    assert own["game"] == sitting.game
    assert [frame["version"] for frame in own["frames"]] == list(range(1, ada.view()["version"] + 1))
    assert "you" in own["frames"][0]["changes"][""]
    assert ada.get(f"{sitting.path}/frames", **{"as": "table"}).json() == sitting.spectator.get(f"{sitting.path}/frames").json()
    hand = set(ada.view()["you"]["hand"])
    assert hand
    shown = sitting.spectator.get(f"{sitting.path}/frames").text
    assert "you" not in sitting.spectator.get(f"{sitting.path}/frames").json()["frames"][0]["changes"][""]
    assert not [card for card in hand if f'"{card}"' in shown]
    for whose, reason in (("1", "not-open-yet"), ("all", "not-open-yet"), ("6", "unknown-seat")):
        assert ada.get(f"{sitting.path}/frames", **{"as": whose}).json()["reason"] == reason


def test_the_rest_is_told_from_a_version(sitting: Sitting) -> None:
    """What came after a version; nothing after the last one."""
    version = sitting.table["version"]
    rest = sitting.spectator.get(f"{sitting.path}/frames", after=version - 2).json()
    assert [frame["version"] for frame in rest["frames"]] == [version - 1, version]
    assert sitting.spectator.get(f"{sitting.path}/frames", after=version + 5).json()["frames"] == []
