"""Whole evenings at the table, typed line by line."""

from __future__ import annotations

import json
import re
import stat
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from services.cli.client import Client, Turned
from tests.cli.houses import Terminal, house, wonderlog

AUTO = ("auto",) * 60


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """One house for all of these evenings."""
    with house(tmp_path_factory.mktemp("house")) as (ready, _):
        yield ready["url"]


def test_a_whole_game_against_bots(url: str, tmp_path: Path) -> None:
    """Hands with prices, the neighbours' goods, the story after each turn, the final sheet with its origins."""
    out = wonderlog(tmp_path, "play", "--url", url, "--name", "Ada", "--players", "3", lines=("h", "n", "hint", *AUTO))
    for words in (
        "You are Ada, on seat 1 of 3.",
        "A builder bot would",
        "Age I, turn 1 ─",
        "Age III, turn 6 ─",
        "goods 2 a unit",
        "neither neighbour sells enough of it",
        "nothing to pay",
        "The end ─",
        "Final score",
        "Where the points come from",
        "See it again: wonderlog replay",
    ):
        assert words in " ".join(out.split()), words  # a sentence may be broken anywhere
    assert out.count("Your choice, h for help:") >= 18
    assert "Traceback" not in out


def test_two_players_choose_for_the_free_city_too(url: str, tmp_path: Path) -> None:
    """The holder of its card is asked twice, and told which city the second question is about."""
    out = wonderlog(tmp_path, "play", "--url", url, "--name", "Ada", "--players", "2", "--json", lines=AUTO)
    told = json.loads(out)
    assert told["over"]
    assert sorted(told["scores"]) == sorted({*told["scores"], "the Free City"})
    assert len(told["places"]) in (1, 2)


def test_a_table_says_by_which_rules_it_plays(url: str, tmp_path: Path) -> None:
    """A preset by its name, single options by what differs from the booklet."""
    start = ("play", "--url", url, "--name", "Ada", "--players", "2")
    assert "rules: publisher\n" in _squeezed(wonderlog(tmp_path, *start, "--rules", "publisher", lines=("q",)))
    out = wonderlog(tmp_path, *start, "--no-edifice", "--rules", "free_city_control=turn", lines=("q",))
    assert "rules: booklet, but free_city_control turn\n" in _squeezed(out)


def _squeezed(out: str) -> str:
    return "\n".join(line.strip() for line in out.splitlines()) + "\n"


def test_a_seat_survives_a_restart(url: str, tmp_path: Path) -> None:
    """Who leaves comes back by the game's id or with --last; the secret lies in a file that nobody else may read."""
    out = wonderlog(tmp_path, "play", "--url", url, "--name", "Ada", lines=("auto", "auto", "q"))
    found = re.search(r"wonderlog play ([0-9a-f]{20}) --url", out)
    assert found is not None
    kept = tmp_path / "wonderlog" / "seats" / f"{found[1]}.json"
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    again = wonderlog(tmp_path, "play", found[1], lines=("auto", "q"))
    assert "Age I, turn 3 ─" in again
    assert "Age I, turn 1 ─" not in again
    told = json.loads(wonderlog(tmp_path, "play", "--last", "--json", lines=AUTO))
    assert (told["game"], told["over"]) == (found[1], True)


def test_a_friend_joins_and_a_choice_is_changed(url: str, tmp_path: Path) -> None:
    """The host sees the line to share; while the friend thinks, the host takes the choice back and plays another card."""
    host = Terminal(tmp_path / "host", "play", "--url", url, "--name", "Ada", "--players", "3", "--people", "2")
    line = host.until(f"--url {url}")
    found = re.search(r"wonderlog play ([0-9a-f]{20})", line)
    assert found is not None
    friend = Terminal(tmp_path / "friend", "play", found[1], "--url", url, "--name", "Bo")
    host.until("h for help:")
    friend.until("h for help:")
    host.say("d1")
    host.until("You discard")
    host.until("u takes your choice back.")
    host.say("u")
    host.until("Your choice is back in your hand.")
    host.until("h for help:")
    host.say("d2", *AUTO)
    friend.say(*AUTO)
    assert "The end ─" in host.end()
    assert "The end ─" in friend.end()
    with closing(Client(url)) as client, pytest.raises(Turned) as refused:
        client.command("POST", f"/games/{found[1]}/seats", name="Cy", token="0" * 64, entropy="0" * 64)
    assert refused.value.reason == "game-over"


def test_what_cannot_be_done_is_said_and_asked_again(url: str, tmp_path: Path) -> None:
    """No wrong line ends the game or plays a card."""
    wrong = ("", "9", "0", "x", "1 9 9", "d", "s1 join join nonsense", "b99", "1 zz", "undo")
    out = wonderlog(tmp_path, "play", "--url", url, "--name", "Ada", lines=(*wrong, "q"))
    assert re.search("type a number from 1 to [567]", out)
    assert "Age I, turn 1 ─" in out
    assert "Age I, turn 2 ─" not in out
    assert out.count("h for help:") == len(wrong) + 1


def test_a_bot_plays_on_and_the_seat_is_taken_back(url: str, tmp_path: Path) -> None:
    """`bot` hands the seat over: the game is played to its end without another line."""
    told = json.loads(wonderlog(tmp_path, "play", "--url", url, "--name", "Ada", "--json", lines=("auto", "bot")))
    assert told["over"]


def test_a_table_that_is_not_there_is_refused(url: str, tmp_path: Path) -> None:
    """With its reason, and nothing is kept."""
    said = json.loads(wonderlog(tmp_path, "play", "0" * 20, "--url", url, "--json", status=2))
    assert said["error"]["reason"] == "unknown-game"


def test_a_house_of_ones_own_is_opened_and_closed(tmp_path: Path) -> None:
    """Where no house is named, `play` opens one on a folder, and the game waits there for the next evening."""
    data = tmp_path / "mine"
    out = wonderlog(tmp_path, "play", "--data", str(data), "--name", "Ada", lines=("auto", "q"))
    found = re.search(r"wonderlog play ([0-9a-f]{20})", out)
    assert found is not None
    told = json.loads(wonderlog(tmp_path, "play", found[1], "--data", str(data), "--json", lines=AUTO))
    assert told["over"]
    shown = wonderlog(tmp_path, "replay", found[1], "--data", str(data), "--at", "30", "--as", "Ada")
    assert "as Ada (seat 1) saw it" in shown
