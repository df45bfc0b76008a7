"""Proof over HTTP and on the command line: bundles, audits, disputes, the host's key and record, signed moves."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest
from litestar.testing import TestClient

from events.codec import EVERYTHING, SPECTATOR
from events.commands import AgreeAbort
from events.facts import ActValue, Seen
from events.signatures import Asked, act_message, card_message, host_message, sign, signed_by, withdraw_message
from events.store.protocol import StoreUnavailable
from projections.archive import unpack
from projections.audit import audit
from projections.dealings import AUDITS, faulted, host_document, save_audit, save_dealings
from services.api.app import create_app
from services.cli.app import main
from tests.api.conftest import at_the_door, quiet
from tests.api.given import Player, ProjectingStore, Sitting as Table, lines, reason
from tests.audit.given import HOST_TOKEN, Played, part_of_a_game, private_key, public_hex, whole_game
from tests.audit.test_bundles import half_way
from tests.cli.houses import wonderlog
from workers.host_key import HostKey
from workers.settings import Settings
from workers.wiring import House

__all__ = ["quiet"]


def door(played: Played) -> tuple[House, TestClient[Any]]:
    """A house that stands on a game's store, and a client at its door."""
    house = House.on(played.store)
    return house, TestClient(create_app(house))


# ---- reading --------------------------------------------------------------------------------------------------------------
def test_a_finished_game_is_proved_over_http() -> None:
    """The bundle is everything, its host key the well-known one; the house's audit says the same as one's own."""
    played = whole_game(13, 3, players=3, edifice=True, asleep=0.15)
    house, client = door(played)
    with client:
        known = client.get("/.well-known/wonderlog.json").json()
        answer = client.get(f"/games/{played.game}/bundle")
        told = client.get(f"/games/{played.game}/audit").json()
        sheet = client.get(f"/games/{played.game}/disputes/2/3/1").json()
    assert known == {"format": "wonderlog/1", "algorithm": "ed25519", "host_key": house.host_key.public}
    assert answer.headers["content-type"] == "application/zip"
    assert answer.content == played.bundle(EVERYTHING, house.host_key)
    own = audit(answer.content, (), known["host_key"])
    assert own.clean
    assert told == msgspec.to_builtins(own, str_keys=True) | {
        name: list(getattr(own, name)) for name in ("findings", "signed", "unsigned", "by_host", "not_proved", "unproved")
    }
    assert (sheet["age"], sheet["turn"], sheet["seat"]) == (2, 3, 1)


def test_a_running_game_shows_a_stranger_what_a_stranger_may_see() -> None:
    """A spectator's bundle; others' eyes are refused, a turn that was not played too."""
    played = part_of_a_game(71, 2, half_way, players=3, edifice=False)
    house, client = door(played)
    with client:
        raw = client.get(f"/games/{played.game}/bundle").content
        assert raw == played.bundle(SPECTATOR, house.host_key)
        for whose in ("all", "0"):
            assert reason(client.get(f"/games/{played.game}/bundle", params={"as": whose}), 403) == "not-open-yet"
        assert reason(client.get(f"/games/{played.game}/disputes/3/1/0"), 409) == "not-started"
        assert reason(client.get(f"/games/{played.game}/disputes/1/1/6"), 404) == "unknown-seat"
        assert client.get(f"/games/{played.game}/audit").json()["complete"] is False


def test_the_live_stream_brings_the_signed_heads() -> None:
    """One after each event that a head is due for, and they are those of the bundle."""
    played = whole_game(11, 2, players=2, edifice=False)
    house, client = door(played)
    with client:
        text = client.get(f"/games/{played.game}/live").text
    parts = [part for part in text.split("\n\n") if part.startswith("event: head\n")]
    heads = [part.partition("data: ")[2] for part in parts]
    assert "\n".join(heads) + "\n" == unpack(played.bundle(EVERYTHING, house.host_key))["heads.jsonl"].decode()
    assert len(lines(text)) == played.table.load(played.game).game.version


def test_the_host_key_of_the_settings_is_used(tmp_path: Path) -> None:
    """WONDERLOG_HOST_KEY names a file; a house in memory without it has a key of its own."""
    key = HostKey.open(tmp_path)
    settings = Settings.read({"WONDERLOG_HOST_KEY": str(tmp_path / "host.key"), "WONDERLOG_DATA": str(tmp_path / "data")})
    assert House.on(whole_game(11, 2, players=2, edifice=False).store, settings=settings).host_key.public == key.public
    assert settings.environment()["WONDERLOG_HOST_KEY"] == str(tmp_path / "host.key")


# ---- signed moves over HTTP -----------------------------------------------------------------------------------------------
@pytest.fixture
def client(quiet: None) -> Iterator[httpx.Client]:
    with at_the_door(House.on(ProjectingStore())) as client:
        yield client


def seated(client: httpx.Client) -> tuple[Table, Player]:
    """Three people in the first turn; the first has a key."""
    table = Table(client)
    for seat, name in enumerate(("Ada", "Bo", "Cy")):
        player = Player(client, name, table.game)
        table.people.append(player)
        assert player.sit(**({"public_key": public_hex(private_key(0))} if seat == 0 else {})).status_code == 201
    return table.start(), table.people[0]


def test_a_signed_seat_plays_over_http(client: httpx.Client) -> None:
    """Without signatures it is refused; with them the receipt is the host's word; a withdrawal is signed, too."""
    table, ada = seated(client)
    game = table.game
    known = client.get("/.well-known/wonderlog.json").json()["host_key"]
    question = ada.questions()[0]
    card = question["cards"][0]
    head = ada.get(f"{table.path}/events", after=0).json()[-1]
    seen = {"version": head["version"], "link": head["link"]}
    asked = Asked(game=game, seat=0, city=0, age=1, turn=1, question=None, number=1, seen=Seen(**seen))
    body = {"age": 1, "turn": 1, "discard": card, "seen": seen, "number": 1}
    assert reason(ada.post(f"{table.path}/choices", body), 422) == "signature-needed"
    act, sealed = (sign(private_key(0), one) for one in (act_message(asked, ActValue(kind="discard")), card_message(asked, card)))
    wrong = {**body, "signatures": {"act": sealed, "card": act}}
    assert reason(ada.post(f"{table.path}/choices", wrong), 422) == "bad-signature"
    answer = ada.post(f"{table.path}/choices", {**body, "signatures": {"act": act, "card": sealed}})
    assert answer.status_code == 200
    receipt = answer.json()
    assert signed_by(known, host_message("receipt", game, receipt["version"], receipt["link"]), receipt["signature"])
    back = {"age": 1, "turn": 1, "number": 2, "seen": {"version": receipt["version"], "link": receipt["link"]}}
    asked = msgspec.structs.replace(asked, number=2, seen=Seen(version=receipt["version"], link=receipt["link"]))
    signature = sign(private_key(0), withdraw_message(asked))
    assert ada.delete(f"{table.path}/choices", {**back, "signature": signature}).status_code == 200
    assert audit(client.get(f"{table.path}/bundle").content, (), known).clean


# ---- the host's record ------------------------------------------------------------------------------------------------------
def test_broken_off_games_are_counted_in_public() -> None:
    """A game that was dealt and not finished counts against its host; a repeated projection counts once."""
    played = part_of_a_game(71, 2, half_way, players=3, edifice=False)
    store = played.store
    finished = whole_game(11, 2, players=2, edifice=False)
    save_dealings(store, played.table.load(played.game).game, 8)
    for seat in (0, 1):
        played.table.transact(played.game, AgreeAbort(seat=seat))
    over = played.table.load(played.game).game
    for _ in range(2):
        save_dealings(store, over, over.version)
    record = host_document(store, HOST_TOKEN)
    assert (record.opened, record.aborted, record.finished, record.cancelled, record.running) == (1, 1, 0, 0, 0)
    assert b'"reason":"aborted"' in store.read(played.game)[-1][1].e
    assert audit(played.bundle()).clean
    save_dealings(finished.store, finished.table.load(finished.game).game, 99)
    assert host_document(finished.store, HOST_TOKEN).finished == 1


def test_the_projection_names_a_game_that_does_not_fit() -> None:
    """Every closed game is audited; one with findings leaves a row, one without leaves none."""
    good, bad = whole_game(11, 2, players=2, edifice=False), part_of_a_game(74, 0, players=3, edifice=False)
    save_audit(good.store, good.game)
    assert faulted(good.store) == []
    log = bad.store._logs[bad.game].entries
    place = next(place for place, entry in enumerate(log) if b'"type":"CoinsReceived"' in entry.e)
    log[place] = msgspec.structs.replace(log[place], e=log[place].e.replace(b'"amount":3', b'"amount":4'))
    save_audit(bad.store, bad.game)
    assert [row.game for row in faulted(bad.store)] == [bad.game]
    assert faulted(bad.store)[0].findings >= 1
    assert AUDITS == "audits"


def test_a_projector_that_dies_during_the_audit_leaves_it_to_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    """The host's record says that a game has closed only when its audit is written."""
    played = part_of_a_game(75, 2, None, players=2, edifice=False)
    store, game = played.store, played.table.load(played.game).game
    save_rows = store.save_rows

    def dying(table: str, *row: Any) -> bool:
        if table == AUDITS:
            raise StoreUnavailable("killed")
        return save_rows(table, *row)

    monkeypatch.setattr(store, "save_rows", dying)
    with pytest.raises(StoreUnavailable):
        save_dealings(store, game, game.version)
    assert host_document(store, HOST_TOKEN).opened == 0
    monkeypatch.undo()
    save_dealings(store, game, game.version)
    assert host_document(store, HOST_TOKEN).finished == 1
    assert store.row_version(AUDITS, game.id) == game.version
    monkeypatch.setattr(store, "save_rows", dying)
    save_dealings(store, game, game.version)  # audited once: nothing is written again


# ---- the command line -------------------------------------------------------------------------------------------------------
def test_audit_ends_with_0_1_or_2(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Clean, with findings, and not readable; a receipt makes the difference."""
    played, other = whole_game(13, 3, players=3, edifice=True, asleep=0.15), whole_game(11, 2, players=2, edifice=False)
    good, cut, none = tmp_path / "good.zip", tmp_path / "cut.zip", tmp_path / "none.zip"
    good.write_bytes(played.bundle())
    cut.write_bytes(played.bundle()[:-7])
    none.write_bytes(b"")
    receipts = tmp_path / "receipts.json"
    receipts.write_bytes(b"\n".join(msgspec.json.encode(receipt) for receipt in played.receipts))
    strange = tmp_path / "strange.json"
    strange.write_bytes(msgspec.json.encode(other.receipts[-1]))
    assert main(["audit", str(good), "--receipt", str(receipts)]) == 0
    assert "Nothing is wrong" in capsys.readouterr().out
    assert main(["audit", str(good), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["clean"] is True
    assert main(["audit", str(good), "--receipt", str(strange)]) == 1
    assert "another game" in " ".join(capsys.readouterr().out.split())
    for file in (cut, none):
        assert main(["audit", str(file)]) == 2
    assert main(["audit", str(good), "--receipt", str(none)]) == 2


@pytest.mark.slow
def test_a_player_plays_signed_and_proves_the_game(tmp_path: Path) -> None:
    """In a terminal, in a house of one's own: the key is made and kept by itself, and so is the last receipt."""
    data = str(tmp_path / "house")
    wonderlog(tmp_path, "play", "--data", data, lines=["auto"] * 60)
    keepsake = json.loads(next((tmp_path / "house" / "seats").glob("*.json")).read_text())
    game, file = keepsake["game"], str(tmp_path / "game.zip")
    assert keepsake["key"]
    assert keepsake["receipt"]["signature"] != keepsake["head"]["signature"]
    told = json.loads(wonderlog(tmp_path, "export", game, "-o", file, "--data", data, "--json"))
    assert (told["viewer"], told["closed"]) == ("everything", "finished")
    report = json.loads(wonderlog(tmp_path, "audit", game, "--data", data, "--json"))
    assert report["clean"]
    assert report["complete"]
    assert report["signed"] == [keepsake["seat"]]
    assert report["checked"]["signatures"] >= 36
    assert report["checked"]["receipts"] == 2
    wonderlog(tmp_path, "audit", file)
    turn = ("--seat", str(keepsake["seat"]), "--turn", "1.1")
    sheet = json.loads(wonderlog(tmp_path, "dispute", game, *turn, "--data", data, "--json"))
    assert sheet["questions"][0]["choices"][-1]["signature"] == "signed"
