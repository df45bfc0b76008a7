"""Looking after a house: how it is, its views again from the logs, its finished games out of the store."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from events.store import open_store
from events.store.protocol import Append, Archived, Entry, EventStore
from projections.audit import audit
from projections.views import load
from services.cli.app import main


@pytest.fixture
def data(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> tuple[Path, str, str]:
    """(folder, a finished game, a game that has begun); nobody serves the folder."""
    folder = tmp_path / "house"
    finished, begun = (
        told(capsys, "new", "--data", str(folder), "--players", "3", "--bots", "random", *more)["game"]
        for more in (["--watch"], [])
    )
    return folder, finished, begun


def told(capsys: pytest.CaptureFixture[str], *arguments: str, status: int = 0) -> Any:
    """What a command answers in JSON."""
    capsys.readouterr()
    assert main([*arguments, "--json"]) == status
    return json.loads(capsys.readouterr().out)


def views(store: EventStore, game: str) -> dict[str, Any]:
    """Every view of a game of three."""
    return {name: load(store, game, name) for name in ("table", "chronicle", "score", *(f"hand/{seat}" for seat in range(3)))}


def test_status_says_what_needs_a_look(data: tuple[Path, str, str], capsys: pytest.CaptureFixture[str]) -> None:
    """One game is over, one has begun and waits for a worker that is not there."""
    folder, _, _ = data
    plain = told(capsys, "status", "--data", str(folder))
    assert plain["games"] == {"all": 2, "by_phase": {"choose": 1, "over": 1}}
    assert plain["waking"] == 1
    assert plain["views"] == {"behind": 2, "of": 2}
    assert plain["store"]["partitions"] == 16
    assert plain["queue"]["failed"] == 0
    with open_store(folder, environ={}) as opened:
        appends = len(opened.store.follow(range(16), "somebody else", "one", 10_000, 0))
    assert plain["feed_behind"] == appends > 1
    assert main(["status", "--data", str(folder)]) == 0
    shown = capsys.readouterr().out
    assert "2: 1 choose, 1 over" in shown
    assert f"{appends} appends wait for the projector" in shown
    assert "wonderlog project" in shown


@pytest.mark.parametrize(
    ("asked", "reason"),
    [
        (["status"], "no-house"),
        (["rebuild"], "no-house"),
        (["archive"], "no-house"),
        (["rebuild", "0" * 20], "unknown-game"),
        (["replay", "0" * 20], "unknown-game"),
        (["export", "0" * 20, "-o", "game.zip"], "unknown-game"),
    ],
    ids=lambda value: value[0] if isinstance(value, list) else value,
)
def test_a_mistyped_folder_is_not_made_into_a_house(
    asked: list[str], reason: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whoever looks after games that are not there is told so: all is not well, and nothing is left behind."""
    folder = tmp_path / "houze"
    assert told(capsys, *asked, "--data", str(folder), status=2)["error"]["reason"] == reason
    assert not folder.exists()


def test_a_queue_that_is_away_needs_a_look(
    data: tuple[Path, str, str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody listens on port 1: games wait, and a watchman's --check notices."""
    folder, _, _ = data
    with open_store(folder, environ={}) as opened:
        monkeypatch.setenv("WONDERLOG_QUEUE_URL", "redis://127.0.0.1:1/0")
        plain = told(capsys, "status", "--store", opened.url, "--check", status=1)
    assert (plain["ok"], plain["queue"]["reached"]) == (False, False)


def test_rebuilt_views_are_the_same_bytes(data: tuple[Path, str, str], capsys: pytest.CaptureFixture[str]) -> None:
    """Rebuilt twice, one game or all: byte-equal views at the head of the log."""
    folder, finished, begun = data
    plain = told(capsys, "rebuild", "--data", str(folder))
    assert plain["games"] == 2
    with open_store(folder, environ={}) as opened:
        before = {game: views(opened.store, game) for game in (finished, begun)}
        assert all(view is not None for found in before.values() for view in found.values())
        opened.store.drop_views(finished)
    assert told(capsys, "rebuild", finished, "--data", str(folder))["games"] == 1
    with open_store(folder, environ={}) as opened:
        assert {game: views(opened.store, game) for game in (finished, begun)} == before
    assert told(capsys, "status", "--data", str(folder))["views"]["behind"] == 0


def test_a_finished_game_goes_out_of_the_store_as_an_audited_bundle(
    data: tuple[Path, str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    """Its file is whole and clean, a tombstone keeps its place, and the game that goes on is left alone."""
    folder, finished, begun = data
    assert told(capsys, "archive", "--data", str(folder))["archived"] == []
    assert told(capsys, "archive", begun, "--older-than", "0", "--data", str(folder), status=2)["error"]["reason"] == "not-finished"
    assert told(capsys, "archive", "--older-than", "0", "--dry-run", "--data", str(folder))["archived"] == [finished]
    plain = told(capsys, "archive", "--older-than", "0", "--data", str(folder))
    assert plain["archived"] == [finished]
    report = audit(Path(plain["files"][0]).read_bytes())
    assert (report.game, report.clean, report.complete) == (finished, True, True)
    with open_store(folder, environ={}) as opened:
        assert opened.store.read(finished) == []
        assert opened.store.head(begun) is not None
        link = bytes(32)
        with pytest.raises(Archived):
            opened.store.append(
                Append(game=finished, expected=0, expected_link=link, entries=(Entry(b"{}", None, link),), wake=None, key=link)
            )


def test_an_archive_that_cannot_be_written_drops_nothing(
    data: tuple[Path, str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The place for the bundles is a file: nothing is lost."""
    folder, finished, _ = data
    place = tmp_path / "occupied"
    place.write_text("")
    assert "error" in told(capsys, "archive", "--older-than", "0", "--to", str(place), "--data", str(folder), status=1)
    with open_store(folder, environ={}) as opened:
        assert opened.store.read(finished)


# ---- replay -------------------------------------------------------------------------------------------------------------
def test_any_moment_is_shown_as_anybody_saw_it(data: tuple[Path, str, str], capsys: pytest.CaptureFixture[str]) -> None:
    """A seat sees its own hand, a spectator none, and with all cards open everybody's."""
    folder, finished, _ = data
    where = ("--data", str(folder), "--at", "9")
    table, seat, everything = (told(capsys, "replay", finished, *where, "--as", whose) for whose in ("spectator", "1", "all"))
    assert table["version"] == seat["version"] == everything["version"] == 9
    assert "you" not in table
    assert "open" not in table
    assert seat["you"]["seat"] == 1
    assert len(seat["you"]["hand"]) == 7
    assert list(everything["open"]["hands"][1]) == seat["you"]["hand"]
    assert told(capsys, "replay", finished, "--data", str(folder))["phase"] == "over"


def test_people_see_the_table_and_the_story(data: tuple[Path, str, str], capsys: pytest.CaptureFixture[str]) -> None:
    """With --at one moment; without a keyboard the whole story, and the final score."""
    folder, finished, _ = data
    capsys.readouterr()
    assert main(["replay", finished, "--data", str(folder), "--at", "9", "--as", "Random 2"]) == 0
    moment = capsys.readouterr().out
    assert "as Random 2 (seat 2) saw it" in moment
    assert "Age I, turn 1 of 6" in moment
    assert main(["replay", finished, "--data", str(folder)]) == 0
    story = capsys.readouterr().out
    assert "Age III, turn 6" in story
    assert "Final score" in story


def test_other_hands_are_not_shown_while_the_game_goes_on(data: tuple[Path, str, str], capsys: pytest.CaptureFixture[str]) -> None:
    """Nor all of them; a spectator's view is."""
    folder, _, begun = data
    for whose in ("0", "all"):
        said = told(capsys, "replay", begun, "--data", str(folder), "--as", whose, status=2)
        assert said["error"]["reason"] == "not-open-yet"
    assert told(capsys, "replay", begun, "--data", str(folder))["phase"] == "choose"


@pytest.mark.parametrize(
    ("options", "reason"),
    [(["--at", "0"], "unknown-version"), (["--at", "99999"], "unknown-version"), (["--as", "Dee"], "unknown-seat")],
)
def test_a_moment_or_a_viewer_that_is_not_there(
    options: list[str], reason: str, data: tuple[Path, str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    """Refused with its reason."""
    folder, finished, _ = data
    said = told(capsys, "replay", finished, "--data", str(folder), *options, status=2)
    assert said["error"]["reason"] == reason
