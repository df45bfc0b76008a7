"""A bundle has one encoding, tells nobody too much, and names the rules and the box by which it is audited."""

from __future__ import annotations

import copy
import io
import os
import stat
import zipfile
from pathlib import Path
from typing import Any

import msgspec
import pytest

from events import transact
from events.catalogue import Box, current, edition
from events.codec import EVERYTHING, SPECTATOR, first_link, next_link
from events.commands import ChooseAction
from events.facts import ActValue
from events.rules.state import Choosing
from events.store.protocol import Entry
from events.transact import Kept
from projections.archive import Unreadable, pack, unpack
from projections.audit import audit
from projections.bundle import MEMBERS, NotOpen, bundle
from tests.audit.given import HOST, Played, Sitting, part_of_a_game, whole_game
from tests.audit.stranger import Stranger, packed
from tests.golden.kept import files, kept as kept_game
from workers.host_key import HostKey


def test_the_same_game_gives_the_same_bytes() -> None:
    """And any zip program can read them."""
    played = whole_game(11, 2, players=2, edifice=False)
    raw = played.bundle()
    assert raw == played.bundle()
    with zipfile.ZipFile(io.BytesIO(raw)) as box:
        assert box.testzip() is None
        assert tuple(box.namelist()) == MEMBERS
        assert {info.date_time for info in box.infolist()} == {(1980, 1, 1, 0, 0, 0)}
        assert {info.external_attr >> 16 for info in box.infolist()} == {0o100644}
    assert packed(unpack(raw)) == raw


def test_the_manifest_names_what_is_promised() -> None:
    """game, ruleset, catalogue, versions; the digest is that of the card data beside it."""
    played = whole_game(11, 2, players=2, edifice=False)
    members = unpack(played.bundle())
    manifest = msgspec.json.decode(members["manifest.json"])
    assert manifest["game"] == played.game
    assert manifest["versions"] == members["events.jsonl"].count(b"\n") == played.store.head(played.game)[0]  # type: ignore[index]
    assert manifest["ruleset"]["options"]["players"] == 2
    assert edition(manifest["catalogue"]).digest == manifest["catalogue"]


def test_everything_is_open_only_when_the_game_is_over() -> None:
    """A running game's bundle for everybody is refused."""
    played = part_of_a_game(71, 2, half_way, players=3, edifice=False)
    with pytest.raises(NotOpen):
        played.bundle(EVERYTHING)


def test_what_is_no_bundle_cannot_be_read() -> None:
    """Other files, empty ones, zips of something else."""
    for raw in (b"", b"PK", b"no bundle at all", pack({"a.txt": b"a"}), pack(dict.fromkeys(MEMBERS, b""))):
        with pytest.raises(Unreadable):
            audit(raw)


@pytest.mark.parametrize("name", ["manifest.json", "events.jsonl", "openings.jsonl", "heads.jsonl"])
def test_nonsense_in_a_member_is_a_finding_or_no_bundle(name: str) -> None:
    """Too deep, too large, of another kind: the audit never breaks."""
    members = unpack(whole_game(11, 2, players=2, edifice=False).bundle())
    lines = members[name].splitlines(keepends=True)
    for nonsense in (b"[" * 100_000, b'{"a":' * 5000, b"null", b"9" * 5000, b'"\xff"', b'{"version":' + b"9" * 400 + b"}", b"{}"):
        changed = {**members, name: b"".join([*lines[:-1], nonsense + b"\n"])}
        try:
            assert not audit(pack(changed)).clean
        except Unreadable:
            continue


# ---- secrecy ------------------------------------------------------------------------------------------------------------
def half_way(kept: Kept) -> bool:
    """The first Age's third turn; the first seat has chosen, and others have not."""
    phase = kept.game.phase
    return kept.game.turn == 3 and isinstance(phase, Choosing) and any(phase.choices) and not all(phase.choices)


def test_a_running_games_bundle_tells_a_seat_its_own_cards_only() -> None:
    """Its openings are its own seals, and names; a spectator has the names alone; no key is in it."""
    played = part_of_a_game(71, 3, half_way, players=4, edifice=True)
    key = played.table.load(played.game).key
    for viewer in (SPECTATOR, 0, 1, 2, 3):
        members = unpack(played.bundle(viewer))
        events = [msgspec.json.decode(line) for line in members["events.jsonl"].splitlines()]
        for line in members["openings.jsonl"].splitlines():
            opening = msgspec.json.decode(line)
            if opening["path"] != "name":
                field, _, place = opening["path"].partition("/")
                sealed = events[opening["version"] - 1][field]
                assert viewer in (sealed[int(place)] if place else sealed)["readers"]
        whole = b"".join(members.values())
        assert key.hex().encode() not in whole
        assert msgspec.json.encode(audit(played.bundle(viewer))).count(key.hex().encode()) == 0


def test_one_hidden_card_changes_nothing_that_others_get_but_seals() -> None:
    """The same game with another choice face down: the others' bundles and audits differ in seals and hashes only."""
    one, other = face_down(0), face_down(1)
    for viewer in (SPECTATOR, 1, 2):
        left, right = unpack(one.bundle(viewer)), unpack(other.bundle(viewer))
        assert left["openings.jsonl"] == right["openings.jsonl"]
        assert blind(left["events.jsonl"]) == blind(right["events.jsonl"])
        assert left["events.jsonl"] != right["events.jsonl"]
        assert audit(one.bundle(viewer)) == audit(other.bundle(viewer))
    assert unpack(one.bundle(0))["openings.jsonl"] != unpack(other.bundle(0))["openings.jsonl"]


def face_down(place: int) -> Played:
    """A table where seat 0 has discarded one of its cards in the first turn: the one at that place of its hand."""
    sitting = Sitting(72, 3, players=3, edifice=False, keys=False)
    sitting.gather()
    card = sitting.table.load(sitting.game).game.cities[0].hand[place]
    assert card is not None
    sitting.ask(ChooseAction(seat=0, city=0, age=1, turn=1, card=card, act=ActValue(kind="discard")))
    return sitting.played()


def blind(lines: bytes) -> list[Any]:
    """The events without the hashes of seals."""

    def bare(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: bare(inner) for key, inner in value.items() if key != "seal"}
        return [bare(inner) for inner in value] if isinstance(value, list) else value

    return [bare(msgspec.json.decode(line)) for line in lines.splitlines()]


# ---- rules and boxes ----------------------------------------------------------------------------------------------------
def test_a_changed_price_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """A house that plays with another cost than printed, under the released edition's name, is found out by everybody else."""
    played = cheating(monkeypatch, current())
    monkeypatch.undo()
    report = audit(played.bundle(), (), HOST.public)
    first = report.findings[0]
    assert first.version > 1
    assert "coins" in first.sentence or "pay" in first.sentence, first
    assert any("was not decided again" in sentence for sentence in report.not_proved)


def cheating(monkeypatch: pytest.MonkeyPatch, true: Box) -> Played:
    """A whole game in which every brown and grey card costs a coin more, and nobody says so."""
    false = copy.copy(true)
    dearer = {name: card for name, card in true.cards.items() if card.type in ("raw", "manufactured")}
    costs = {name: {**card.cost, "coins": card.cost.get("coins", 0) + 1} for name, card in dearer.items()}
    false.cards = true.cards | {name: msgspec.structs.replace(card, cost=costs[name]) for name, card in dearer.items()}
    monkeypatch.setattr(transact, "current", lambda: false)
    monkeypatch.setattr(transact, "edition", lambda digest: false)
    sitting = Sitting(73, 0, players=3, edifice=False)
    sitting.gather()
    while sitting.step():
        pass
    return sitting.played()


@pytest.mark.parametrize("file", files(), ids=lambda file: file.stem)
def test_an_old_game_audits_with_its_recorded_ruleset(file: Path) -> None:
    """Every released shape, from the golden streams."""
    game = kept_game(file)
    link, entries = first_link(game.head.game), []
    for version, written in enumerate(game.entries, 1):
        link = next_link(link, written.e)
        entries.append((version, Entry(written.e, written.s, link)))
    raw = bundle(entries, game.names, game.key, EVERYTHING, HOST)
    report = audit(raw, (), HOST.public)
    assert report.clean, report.findings[:3]
    assert report.complete
    assert Stranger(raw).read() == []


# ---- the host's key -------------------------------------------------------------------------------------------------------
def test_the_host_key_is_made_once_and_kept(tmp_path: Path) -> None:
    """Readable by its owner only; the same key when the house opens again; nothing else is left behind."""
    data = tmp_path / "data"
    key = HostKey.open(data)
    assert HostKey.open(data).public == key.public
    assert stat.S_IMODE(os.stat(data / "host.key").st_mode) == 0o600
    assert [path.name for path in data.iterdir()] == ["host.key"]


def test_a_given_host_key_is_used_and_a_bad_one_refused(tmp_path: Path) -> None:
    """Houses on several machines share one."""
    key = HostKey.open(tmp_path)
    assert HostKey.open(tmp_path / "elsewhere", tmp_path / "host.key").public == key.public
    (tmp_path / "bad").write_text("no key")
    for place in ("bad", "missing"):
        with pytest.raises(ValueError, match="cannot be read"):
            HostKey.open(tmp_path, tmp_path / place)


def test_a_repeated_command_gets_the_same_receipt() -> None:
    """Ed25519 signatures are deterministic."""
    played = whole_game(11, 2, players=2, edifice=False)
    receipt = played.receipts[-1]
    assert HOST.signed(msgspec.structs.replace(receipt, signature=msgspec.UNSET)) == receipt
