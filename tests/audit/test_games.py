"""Every kind of game audits clean, for everybody who may look, and a stranger's program agrees."""

from __future__ import annotations

from typing import Any

import pytest

from events.codec import EVERYTHING, SPECTATOR
from events.rules.state import Choosing, Extra, Gathering
from events.transact import Kept
from projections.audit import audit
from tests.audit.given import HOST, Played, part_of_a_game, whole_game
from tests.audit.stranger import Stranger
from tests.rules.driver import PUBLISHER

KINDS: list[dict[str, Any]] = [
    {"seed": 11, "people": 2, "players": 2, "edifice": False},
    {"seed": 12, "people": 1, "players": 2, "edifice": True, **PUBLISHER},
    {"seed": 13, "people": 3, "players": 3, "edifice": True, "asleep": 0.15},
    {"seed": 14, "people": 0, "players": 4, "edifice": True},
    {"seed": 15, "people": 4, "players": 4, "edifice": False, "keys": False},
    {"seed": 16, "people": 2, "players": 5, "edifice": True, **PUBLISHER},
    {"seed": 17, "people": 6, "players": 6, "edifice": False, "asleep": 0.5},
    {"seed": 18, "people": 3, "players": 7, "edifice": True},
]


def told(kind: dict[str, Any]) -> str:
    """A short name of a kind of game."""
    return "-".join(f"{name}={value}" for name, value in kind.items() if name in ("people", "players", "edifice", "asleep"))


def clean(played: Played, viewer: int) -> None:
    """The house's audit and the stranger find nothing, and counted what was there."""
    raw = played.bundle(viewer)
    report = audit(raw, played.receipts, HOST.public)
    assert [finding.sentence for finding in report.findings] == []
    assert report.clean
    assert report.checked["events"] == report.version == played.table.load(played.game).game.version
    assert report.checked["receipts"] == len(played.receipts)
    stranger = Stranger(raw)
    assert stranger.read() == []
    assert stranger.counted["seals"] == report.checked["seals"] > 0
    assert stranger.counted["heads"] == report.checked["heads"] > 0
    assert stranger.counted["signatures"] == report.checked["signatures"]
    if report.complete:
        assert stranger.counted["draws"] == report.checked["draws"] > 0


@pytest.mark.parametrize("kind", KINDS, ids=told)
def test_a_finished_game_audits_clean_for_everybody(kind: dict[str, Any]) -> None:
    """With everything open, for a spectator, and for the first and the last seat."""
    played = whole_game(**kind)
    for viewer in (EVERYTHING, SPECTATOR, 0, kind["players"] - 1):
        clean(played, viewer)


@pytest.mark.slow
@pytest.mark.parametrize("edifice", [False, True])
@pytest.mark.parametrize("players", range(2, 8))
def test_many_games_audit_clean_for_every_seat(players: int, edifice: bool) -> None:
    """Ten games of each size: people, bots, sleepers, both presets; all viewers."""
    for seed in range(10):
        rules = PUBLISHER if seed % 2 else {}
        played = part_of_a_game(100 + seed, seed % (players + 1), None, 0.2 * (seed % 3), players=players, edifice=edifice, **rules)
        for viewer in (EVERYTHING, SPECTATOR, *range(players)):
            clean(played, viewer)


def gathering(kept: Kept) -> bool:
    """Somebody has sat down."""
    return isinstance(kept.game.phase, Gathering) and kept.game.version > 2


def half_way(kept: Kept) -> bool:
    """Somebody has chosen in the second Age, and somebody has not."""
    phase = kept.game.phase
    return kept.game.age == 2 and isinstance(phase, Choosing) and any(phase.choices) and not all(phase.choices)


def asked(kept: Kept) -> bool:
    """An extra question is open."""
    return isinstance(kept.game.phase, Extra)


@pytest.mark.parametrize("moment", [gathering, half_way, asked])
def test_a_running_game_audits_clean_as_far_as_it_can_be_seen(moment: Any) -> None:
    """And the report says that the rest is not proved."""
    played = part_of_a_game(21, 3, moment, players=4, edifice=True)
    for viewer in (SPECTATOR, 0, 3):
        raw = played.bundle(viewer)
        report = audit(raw, played.receipts, HOST.public)
        assert report.clean, report.findings
        assert not report.complete
        assert any("cannot open" in sentence for sentence in report.not_proved)
        assert Stranger(raw).read() == []


def test_moves_that_the_host_made_for_a_signed_seat_are_named() -> None:
    """Time-outs and bots of a seat with a key are unsigned, and the report counts them."""
    played = whole_game(**KINDS[2])
    report = audit(played.bundle(), played.receipts)
    assert report.signed == tuple(sorted(played.keys))
    assert len(report.by_host) > 0
    assert any(f"{len(report.by_host)} moves that the host made" in sentence for sentence in report.not_proved)


def test_an_unsigned_seat_is_named() -> None:
    """Nobody can prove who moved there."""
    report = audit(whole_game(**KINDS[4]).bundle())
    assert report.unsigned == (0, 1, 2, 3)
    assert any("seat 4 was the server's" in sentence for sentence in report.not_proved)


def test_an_erased_name_breaks_nothing() -> None:
    """The chain stays whole, and the rest of the game is proved as before."""
    played = part_of_a_game(22, 2, players=3, edifice=False)
    place = next(iter(played.store.names(played.game)))
    assert played.store.erase_name(played.game, place)
    played.table.forget(played.game)
    clean(played, EVERYTHING)
    clean(played, SPECTATOR)
