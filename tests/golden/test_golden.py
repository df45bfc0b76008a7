"""Games that were written once are read, replayed and decided alike for ever."""

from __future__ import annotations

from pathlib import Path

import pytest

from events import codec, facts as f
from events.catalogue import edition
from events.rules import due, fold, initial, waking
from events.rules.scoring import places, sheet
from events.rules.state import Game, Over
from events.sealed import commitment, nonce_of, seal_of
from tests.golden import views
from tests.golden.kept import FOLDER, LARGEST, decided, files, kept
from tests.golden.make import GAMES
from tests.rules.driver import Step
from tests.rules.invariants import Watch

NAMES = [path.stem for path in files()]


def start(events: tuple[f.AnyEvent, ...]) -> Game:
    opened = events[0]
    assert isinstance(opened, f.GameOpened)
    return initial(edition(opened.catalogue))


def path(name: str) -> Path:
    return FOLDER / f"{name}.jsonl"


def test_there_is_a_kept_game_of_every_kind():
    """And each file is small."""
    assert sorted(NAMES) == sorted(GAMES)
    assert all(one.stat().st_size <= LARGEST for one in FOLDER.glob("*.jsonl"))


@pytest.mark.parametrize("name", NAMES)
def test_a_kept_game_replays_to_its_recorded_end(name):
    """Folding needs no rules: the sheets and places in the log are those of the replayed game, counted anew."""
    game = kept(path(name))
    assert game.link == game.head.link
    whole = fold(start(game.events), game.events)
    assert isinstance(whole.phase, Over)
    assert whole.phase.reason == "finished"
    before = fold(start(game.events), game.events[:-2])
    counted = tuple(sheet(before, place) for place in range(len(before.cities)))
    assert whole.phase.sheets == counted
    assert whole.phase.places == places(before, counted)
    assert (due(whole, whole.at), waking(whole)) == (None, None)


@pytest.mark.parametrize("name", NAMES)
def test_a_kept_game_is_decided_alike_byte_by_byte(name):
    """From the will and the chance in the log today's rules make the very same events, seals and links; and all that must always
    hold holds in it."""
    game = kept(path(name))
    version, link, watch = 0, codec.first_link(game.head.game), Watch()
    after = start(game.events)
    for command, before, told, after in decided(start(game.events), game.events, game.key):
        watch.step(Step(before, command, told, after))
        for event in told:
            entry = codec.write(event, version + 1, game.head.game, game.key)
            assert (entry.e, entry.s) == (game.entries[version].e, game.entries[version].s), version + 1
            version += 1
            link = codec.next_link(link, entry.e)
    assert version == len(game.entries)
    assert link.hex() == game.head.link
    watch.finished(after)


@pytest.mark.parametrize("name", NAMES)
def test_the_key_of_a_kept_game_opens_all_its_seals(name):
    """The key in the last entry is the one committed to in the first, and every sealed value fits its seal."""
    game = kept(path(name))
    opened, closed = game.events[0], game.events[-1]
    assert isinstance(opened, f.GameOpened)
    assert isinstance(closed, f.GameClosed)
    assert closed.key == game.head.key
    assert opened.key == commitment(game.key)
    for version, entry in enumerate(game.entries, 1):
        for opening in codec.openings(version, entry.e, entry.s, game.names, game.key, codec.EVERYTHING):
            event = codec.parse(entry.e)
            seals = dict(codec.seals(event)) | ({"name": event.name} if isinstance(event, f.SeatTaken) else {})
            nonce = bytes.fromhex(str(opening.nonce))
            value = opening.bytes.encode()
            assert seals[opening.path].seal == seal_of(nonce, game.head.game, version, opening.path, value)
            if not isinstance(event, f.SeatTaken):
                assert nonce == nonce_of(game.key, version, opening.path)


def test_the_kept_games_hold_nearly_every_kind_of_event():
    """What no kept game has is listed here: a table's own end, and steps that need an outage."""
    seen = {type(event) for name in NAMES for event in kept(path(name)).events}
    missing = {event.__name__ for event in codec.EVENTS} - {event.__name__ for event in seen}
    assert missing <= {"ClockExtended", "AbortAgreed", "ExtraWithdrawn"}


@pytest.mark.parametrize("name", NAMES)
def test_a_kept_game_looks_as_it_did(name):
    """Every projection's output, in the middle of the game and at its end, byte by byte."""
    assert views.shown(path(name)).read_bytes().splitlines() == [line[:-1] for line in views.lines(kept(path(name)))]
