"""What no audit can detect by itself, and what a kept receipt, a head or a signed move does about it: docs/audit.md in tests."""

from __future__ import annotations

import random

from events.codec import SPECTATOR
from projections.audit import audit
from projections.bundle import bundle
from tests.audit.forger import Forger
from tests.audit.given import HOST, Played, Sitting, whole_game
from tests.audit.test_mutations import found, last_head


def played_with(luck: int) -> Played:
    """One table of unsigned people and a bot under one key, played in one of several ways from the first deal on."""
    sitting = Sitting(51, 2, players=3, edifice=True, keys=False)
    sitting.gather()
    sitting.luck = random.Random(luck)
    while sitting.step():
        pass
    return sitting.played()


def test_another_legal_game_of_unsigned_seats_is_seen_only_with_a_receipt() -> None:
    """A host that replaces unsigned moves and decides all that follows anew has a good game; any later receipt shows it."""
    true, false = played_with(1), played_with(2)
    forged = false.bundle()
    assert forged != true.bundle()
    assert audit(forged, (), HOST.public).clean
    later = [receipt for receipt in true.receipts if receipt.version > 12]
    assert len(later) > 20
    for receipt in (later[0], later[-1]):
        report = audit(forged, (receipt,), HOST.public)
        assert [finding.field for finding in report.findings] == ["receipt/link"]
    assert found(forged, (last_head(true),))


def test_a_receipt_from_before_the_change_shows_nothing() -> None:
    """It is true of both logs: keep the latest one."""
    true, false = played_with(1), played_with(2)
    early = next(receipt for receipt in true.receipts if receipt.version == 3)
    assert audit(false.bundle(), (early,), HOST.public).clean


def test_a_log_without_its_end_is_a_good_log_until_a_later_head_is_shown() -> None:
    """A game that is still running looks just so."""
    played = played_with(1)
    kept = played.table.load(played.game)
    reveals = [version for version, entry in played.store.read(played.game) if b'"type":"HandsPassed"' in entry.e]
    entries = played.store.read(played.game)[: reveals[4]]
    raw = bundle(entries, played.store.names(played.game), kept.key, SPECTATOR, HOST)
    assert audit(raw, (), HOST.public).clean
    report = audit(raw, (last_head(played),), HOST.public)
    assert len(report.findings) == 1
    assert "ends before it" in report.findings[0].sentence


def test_what_a_host_only_states_is_seen_once_a_signed_move_follows() -> None:
    """A signed move names the head that its player saw, so everything before it is held."""
    for keys, seen in ((False, False), (True, True)):
        played = whole_game(52, 2, players=3, edifice=False, keys=keys)
        forger = Forger(played)
        forger.events[0]["host"] = "ab" * 32
        raw = forger.bundle()
        assert found(raw) is seen
        assert found(raw, (last_head(played),))


def test_a_host_with_another_key_is_seen_by_who_knows_the_right_one() -> None:
    """The bundle's own word for its host's key is believed only where nothing better is known."""
    played = whole_game(52, 2, players=3, edifice=False, keys=False)
    other = type(HOST).passing()
    raw = played.bundle(host=other)
    assert audit(raw).clean
    fields = {finding.field for finding in audit(raw, (), HOST.public).findings}
    assert {"manifest.json/host_key", "heads.jsonl/signature"} <= fields
    assert {finding.field for finding in audit(raw, played.receipts[-1:]).findings} == {"receipt/signature"}


def test_the_report_says_so_each_time() -> None:
    """What is not proved stands in every report, also in a clean one."""
    words = " ".join(audit(whole_game(52, 2, players=3, edifice=False, keys=False).bundle()).not_proved)
    for part in ("did not look at hands", "clock was right", "was the server's", "only a receipt or a head"):
        assert part in words
