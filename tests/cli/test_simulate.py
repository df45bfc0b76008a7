"""Series of games: the same seed gives the same games, and the figures add up."""

from __future__ import annotations

import json
from collections import defaultdict
from itertools import accumulate
from pathlib import Path
from typing import Any

import pytest

from events import facts as f
from events.catalogue import current
from events.rules import fold, initial
from events.rules.clock import awaited
from events.rules.position_format import PRESETS
from events.rules.state import Over
from events.store import open_store
from events.vocabulary import CATEGORIES, BotKind
from services.cli import games, rulesets
from services.cli.app import main
from services.cli.statistics import Tally
from tests.rules import driver
from workers import bots


def simulated(capsys: pytest.CaptureFixture[str], *options: str) -> dict[str, Any]:
    """The document of a series."""
    assert main(["simulate", "--json", *options]) == 0
    plain: dict[str, Any] = json.loads(capsys.readouterr().out)
    return plain


@pytest.mark.parametrize("players", range(2, 8))
def test_a_series_of_every_size(players: int, capsys: pytest.CaptureFixture[str]) -> None:
    """The kinds of points make up the total, the groups make up the whole, and every game is won once."""
    plain = simulated(capsys, "--games", "3", "--players", str(players), "--bot", "mixed", "--edifice", "--seed", "spring")
    means = plain["mean_scores"]
    assert means["total"] == pytest.approx(sum(means[category] for category in CATEGORIES), abs=0.01)
    assert plain["games_per_cpu_second"] == pytest.approx(3 / plain["cpu_seconds"], rel=0.01)
    for groups in (plain["wonders"], plain["by_bot"]):
        assert sum(group["cities"] for group in groups.values()) == 3 * players
        assert sum(group["wins"] for group in groups.values()) == pytest.approx(3, abs=0.1)
    assert sum(fate["games"] for fate in plain["projects"].values()) == 3 * 3


def test_the_same_seed_gives_the_same_games(capsys: pytest.CaptureFixture[str]) -> None:
    """And another one others."""
    first, again, other = (
        {key: value for key, value in simulated(capsys, "--games", "3", "--seed", seed).items() if "second" not in key}
        for seed in ("a", "a", "b")
    )
    assert first == again
    assert first["mean_scores"] != other["mean_scores"]


@pytest.mark.parametrize(
    ("word", "recorded"),
    [
        ("booklet", PRESETS["booklet"]),
        ("publisher", PRESETS["publisher"]),
        ("free_city_control=turn", PRESETS["booklet"] | {"free_city_control": "turn"}),
        (
            "edifice_reward=at-once, edifice_tokens=printed",
            PRESETS["booklet"] | {"edifice_reward": "at-once", "edifice_tokens": "printed"},
        ),
    ],
)
def test_single_options_are_played_and_recorded(word: str, recorded: dict[str, str]) -> None:
    """The preset, or the options that are laid over the booklet, stand in each game's first event."""
    options = rulesets.options(current(), 2, edifice=True, rules=rulesets.rules_of(word))
    assert {name: getattr(options, name) for name in recorded} == recorded
    assert main(["simulate", "--json", "--games", "1", "--players", "2", "--edifice", "--rules", word]) == 0


@pytest.mark.parametrize("word", ["house", "", "edifice_tokens", "edifice_tokens=many", "tokens=printed", "booklet,publisher"])
def test_rules_that_do_not_exist_are_refused(word: str, capsys: pytest.CaptureFixture[str]) -> None:
    """With a sentence that names those that do."""
    assert main(["simulate", "--games", "1", "--rules", word]) == 2
    assert "booklet, publisher" in " ".join(capsys.readouterr().err.split())


@pytest.mark.parametrize("rules", ["booklet", "publisher"])
def test_what_became_of_each_project_is_what_the_logs_tell(rules: str) -> None:
    """Completed, holders, penalties and Debt are counted again from the events; gains and costs where an event has the whole."""
    tally, told = Tally(), defaultdict(list)
    options = rulesets.options(current(), 4, edifice=True, rules=rules)
    for number in range(12):
        steps = list(driver.steps(options, number))
        events = [event for step in steps for event in step.events]
        tally.add(steps[-1].after, ("random",) * 4, events)
        for event in events:
            told[type(event)].append(event)
    assert told[f.EdificeCompleted]
    assert told[f.PenaltySuffered]
    for name, fate in tally.projects.items():
        completed = [event for event in told[f.EdificeCompleted] if event.project == name]
        suffered = [event for event in told[f.PenaltySuffered] if event.project == name]
        rewarded = [event for event in told[f.RewardGranted] if event.project == name]
        plain = fate.plain()
        assert plain["completed"] * plain["games"] == pytest.approx(len(completed), abs=0.01)
        assert plain["penalties"] == len(suffered)
        assert plain["debts"] == sum(event.kind == "debt" for event in suffered)
        assert fate.gain.count == len(rewarded)
        if name in ("outpost", "staging-camp") and rewarded:
            assert plain["holder_gain"] == {"outpost": 3, "staging-camp": 5}[name]
        if suffered and all(event.kind == "debt" for event in suffered):
            assert plain["penalty_cost"] == pytest.approx(-sum(event.debt for event in suffered) / len(suffered), abs=0.001)


def test_people_see_tables(capsys: pytest.CaptureFixture[str]) -> None:
    """Wonders, kinds of points, projects and the speed."""
    assert main(["simulate", "--games", "2", "--edifice"]) == 0
    out = capsys.readouterr().out
    for word in ("2 games of 4 random bots, with the Edifice", "wonder", "military", "project", "games per CPU second"):
        assert word in out


@pytest.mark.parametrize("kind", ["random", "builder"])
def test_every_event_is_produced(kind: BotKind) -> None:
    """The events of a game, folded from nothing, give the game; written down they have the size that is told."""
    options = rulesets.options(current(), 3, edifice=True)
    key = games.key_of("summer", 1)
    game, events = games.begin(current(), options, (kind,) * 3, key)
    game = games.play_on(game, [games.chooser(kind, key)] * 3, key, events)
    assert isinstance(game.phase, Over)
    assert game.phase.reason == "finished"
    assert fold(initial(current()), events) == game
    assert games.encode(game.id, key, events) > 100 * len(events)


def test_a_builder_is_shown_no_other_hand() -> None:
    """Two games that differ in what a seat does not see give it the same move."""
    options = rulesets.options(current(), 3, edifice=False)
    key = games.key_of("autumn", 1)
    game, _ = games.begin(current(), options, ("builder",) * 3, key)
    seen = games.seen_by(game, 1)
    assert [set(city.hand) == {None} for city in seen.cities] == [True, False, True]
    assert seen.cities[1].hand == game.cities[1].hand
    assert bots.choose("builder", seen, 1, 1) == games.chooser("builder", key)(game, 1, 1)


def test_random_play_spreads_over_all_ways() -> None:
    """Each way to carry out each legal play comes up about equally often."""
    options = rulesets.options(current(), 3, edifice=False)
    key = games.key_of("winter", 1)
    game, _ = games.begin(current(), options, ("random",) * 3, key)
    choose = games.chooser("random", key)
    plays = bots.plays_of(game, 0, 0)
    ways = [(bots.act(play, way), play.card) for play in plays for way in range(bots.ways(play))]
    rounds = 400 * len(ways)
    counts = dict.fromkeys(range(len(ways)), 0)
    for _ in range(rounds):
        counts[ways.index(choose(game, 0, 0))] += 1
    assert min(counts.values()) > 300
    assert max(counts.values()) < 500


def test_the_ways_of_all_plays_are_counted_as_one_by_one() -> None:
    """In whole games with stages that have options, tokens and several payments, picks, losses, and a Free City."""
    shapes = set()
    for players, edifice, seed in ((2, True, 3), (4, True, 1), (7, True, 2), (5, False, 4)):
        for step in driver.steps(driver.options(players, edifice), seed):
            game = step.after
            for seat, city in awaited(game):
                plays = bots.plays_of(game, seat, city)
                assert games._sums(plays) == [*accumulate(bots.ways(play) for play in plays)]
                shapes |= {(play.kind, bool(play.options), bool(play.joinable), len(play.payments) > 1) for play in plays}
    assert {("stage", True, False, False), ("stage", False, True, True), ("build", False, False, True)} <= shapes
    assert {kind for kind, *_ in shapes} >= {"build", "stage", "discard", "pick", "decline", "lose"}


def test_through_the_store_each_game_is_kept(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The ids that are told are logs that end with GameClosed, in the folder that was named."""
    plain = simulated(capsys, "--games", "2", "--players", "3", "--through", "store", "--data", str(tmp_path))
    assert len(set(plain["game_ids"])) == 2
    with open_store(tmp_path, environ={}) as opened:
        for game in plain["game_ids"]:
            entries = opened.store.read(game)
            assert b'"type":"GameClosed"' in entries[-1][1].e
            assert [version for version, _ in entries] == list(range(1, len(entries) + 1))
