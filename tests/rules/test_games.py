"""Whole games at random: what must hold after every event, whoever plays and whatever is played."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings, strategies as st

from events import codec
from events.catalogue import current
from events.facts import AnyEvent, Options
from events.rules import fold, initial
from tests.rules.driver import PUBLISHER, key_of, options, steps, written
from tests.rules.invariants import Watch

TABLES: dict[str, Options] = {
    **{f"{players} players": options(players) for players in range(3, 8)},
    **{f"{players} players, Edifice, booklet": options(players, True) for players in range(3, 8)},
    **{f"{players} players, Edifice, publisher": options(players, True, **PUBLISHER) for players in range(3, 8)},
    "2 players, holder by Age": options(2),
    "2 players, holder by turn": options(2, free_city_control="turn"),
    "2 players, Edifice, booklet": options(2, True),
    "2 players, Edifice, publisher": options(2, True, **PUBLISHER),
    "2 players, holder by turn, Edifice, booklet": options(2, True, free_city_control="turn"),
    **{
        f"4 players, Edifice, {option} alone": options(4, True, **{option: PUBLISHER[option]})
        for option in ("edifice_tokens", "edifice_reward", "edifice_penalty")
    },
}
GAMES = 8


def watched(rules: Options, seed: int, eager: bool) -> None:
    watch = Watch()
    game = None
    for step in steps(rules, seed, eager):
        game = watch.step(step)
    assert game is not None
    watch.finished(game)


@pytest.mark.parametrize("name", TABLES)
def test_what_always_holds_holds_after_every_event(name):
    """Coins, cards, hands, names, stages, tokens, penalties, conflicts, sheets, liveness: random games of every kind."""
    for seed in range(GAMES):
        watched(TABLES[name], seed, eager=seed % 3 > 0)


@pytest.mark.slow
@pytest.mark.parametrize("name", TABLES)
def test_what_always_holds_holds_in_many_more_games(name):
    """The same, 150 games a table."""
    for seed in range(1000, 1150):
        watched(TABLES[name], seed, eager=seed % 3 > 0)


def told(name: str, seed: int) -> list[AnyEvent]:
    return [event for step in steps(TABLES[name], seed) for event in step.events]


@settings(max_examples=30, deadline=None)
@given(st.sampled_from(list(TABLES)), st.integers(0, 500), st.data())
def test_a_game_folded_in_pieces_is_the_same_game(name, seed, data):
    """Fold laws: fold(a + b) = fold(fold(a), b), and the whole fold is the game that `outcome` ended with."""
    last = list(steps(TABLES[name], seed))[-1]
    events = told(name, seed)
    cut = data.draw(st.integers(0, len(events)))
    whole = fold(initial(current()), events)
    assert fold(fold(initial(current()), events[:cut]), events[cut:]) == whole == last.after


def digest(rules: Options, seed: int) -> str:
    entries, _, names = written(rules, seed)
    whole = hashlib.sha256()
    for entry in entries:
        whole.update(entry.e + (entry.s or b""))
    for place in sorted(names):
        whole.update(names[place])
    return whole.hexdigest()


def test_the_same_commands_and_key_give_the_same_bytes():
    """Determinism, within a process and across processes that hash strings differently."""
    kinds = [name for name in TABLES if "3 players" in name or "2 players" in name]
    here = [digest(TABLES[name], 7) for name in kinds]
    assert here == [digest(TABLES[name], 7) for name in kinds]
    root = Path(__file__).resolve().parents[2]
    code = f"from tests.rules.test_games import TABLES, digest\nfor name in {kinds!r}: print(digest(TABLES[name], 7))"
    for seed in ("0", "1", "4242"):
        environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(root)}
        there = subprocess.run([sys.executable, "-c", code], cwd=root, env=environment, capture_output=True, text=True, check=True)
        assert there.stdout.split() == here


def test_another_key_deals_other_cards():
    """Determinism is not sameness: the deal depends on the key."""
    assert len({digest(TABLES["3 players"], seed) for seed in range(5)}) == 5


@pytest.mark.parametrize("name", TABLES)
def test_every_event_survives_being_written_and_read(name):
    """write, then read with everything, is the event itself with its seals; and every viewer can read every entry."""
    for seed in range(2):
        entries, events, names = written(TABLES[name], seed)
        whole = fold(initial(current()), events)
        read = [codec.read(place, entry.e, entry.s, names) for place, entry in enumerate(entries, 1)]
        assert fold(initial(current()), read) == whole
        for place, (entry, event) in enumerate(zip(entries, events, strict=True), 1):
            again = codec.write(codec.read(place, entry.e, entry.s, names), place, "a-game", key_of(seed))
            assert again == entry, type(event).__name__
        for viewer in (codec.SPECTATOR, *range(len(whole.people))):
            shown = [codec.read(place, entry.e, entry.s, names, viewer) for place, entry in enumerate(entries, 1)]
            seen = fold(initial(current()), shown)
            assert [city.built for city in seen.cities] == [city.built for city in whole.cities]
            assert [city.coins for city in seen.cities] == [city.coins for city in whole.cities]
            assert seen.phase == whole.phase
