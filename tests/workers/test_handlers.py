"""What a game owes itself is carried out once, whoever is sent, and however often."""

from __future__ import annotations

import json
import threading
from typing import Any, get_args

import msgspec
import pytest
from structlog.typing import EventDict

from events.commands import ExtendClock, StartGame, SystemCommand
from events.facts import ActValue
from events.rules import Game
from events.store.memory import MemoryStore
from events.store.protocol import StoreUnavailable
from events.transact import Table, UnknownGame
from tests.games import secret
from tests.workers.given import Silent, begun, bots_seated, over, quiet, story
from workers import bots, jobs, wiring
from workers.handlers import HANDLERS, STEPS, advance
from workers.queue import NoQueue
from workers.wiring import House

KINDS = [(2, False), (2, True), (3, False), (4, True), (7, True)]


def test_every_step_has_one_handler() -> None:
    """The table is complete: each system command, and nothing else."""
    assert set(HANDLERS) == set(get_args(SystemCommand))
    assert len({handler.__name__ for handler in HANDLERS.values()}) == len(HANDLERS)


def test_a_table_of_bots_plays_to_the_end(house: House) -> None:
    """From the start to the last event, on every store the same story; then nobody need look at it again."""
    game = begun(house, 1)
    while not advance(house, game).rests:
        pass
    assert over(house, game)
    assert story(house.store, game) == quiet(1)
    assert not sum(house.store.waking(place) for place in range(house.store.partitions))


@pytest.mark.parametrize(("players", "edifice"), KINDS)
def test_every_kind_of_game_plays_to_the_end(players: int, edifice: bool) -> None:
    """Two to seven bots, with and without the Edifice."""
    told = quiet(1, players, edifice)
    assert told[-1]["type"] == "GameClosed"
    assert told[-1]["reason"] == "finished"
    assert sum(event["type"] == "TurnRevealed" for event in told) == 18
    assert sum(event["type"] == "ConflictsResolved" for event in told) == 3


def test_a_duplicate_finds_nothing(house: House) -> None:
    """A job that comes again appends nothing, and changes no wake-up time."""
    game = begun(house, 1)
    while not advance(house, game).rests:
        pass
    before = house.store.read(game)
    again = advance(house, game)
    assert (again.steps, again.events, again.rests) == (0, 0, True)
    assert house.store.read(game) == before
    assert not sum(house.store.waking(place) for place in range(house.store.partitions))


def test_many_at_once_do_what_one_does(house: House) -> None:
    """Four jobs for one game at the same time: of two that find the same step one loses the race and looks again."""
    game = begun(house, 2)
    failed: list[BaseException] = []

    def work() -> None:
        try:
            while not over(house, game):
                advance(house, game, steps=7)
        except BaseException as error:
            failed.append(error)
            raise

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert not failed
    assert story(house.store, game) == quiet(2)


def test_a_job_has_an_end(house: House) -> None:
    """After so many steps a game makes room for others; it still owes, and still stands in `wakes`."""
    game = begun(house, 1)
    done = advance(house, game, steps=5)
    assert (done.steps, done.rests) == (5, False)
    place = house.store.partition(game)
    assert [wake.game for wake in house.store.overdue(place, house.store.now() + 1000)] == [game]


def test_a_wake_up_time_that_was_put_off_is_put_right(house: House) -> None:
    """A game in which nothing is due, but which somebody has put off: the next look settles it."""
    game = bots_seated(house, 1)
    place = house.store.partition(game)
    [wake] = house.store.overdue(place, house.store.now() + 2 * 3_600_000)
    assert house.store.postpone(wake, house.store.now() - 1)
    assert advance(house, game).rests
    [settled] = house.store.overdue(place, house.store.now() + 2 * 3_600_000)
    assert (settled.at, settled.attempts) == (wake.at, 0)


def test_a_game_that_is_not_there(house: House) -> None:
    """An unknown game is an error of its own, and nothing is written."""
    with pytest.raises(UnknownGame):
        advance(house, "0" * 20)
    assert not list(house.store.games(house.store.partition("0" * 20)))


def test_a_bot_that_wants_too_much_does_not_hold_up_the_table(monkeypatch: pytest.MonkeyPatch, diary: list[EventDict]) -> None:
    """A play that the rules refuse is replaced by the written default, and the diary says so without naming a card."""

    def greedy(game: Game, seat: int, city: int, plays: object = None) -> bots.Move:
        return ActValue(kind="build", left=99), next(card for card in game.cities[seat].hand if card is not None)

    monkeypatch.setitem(bots.BOTS, "random", greedy)
    house = House.on(MemoryStore(), Silent())
    game = begun(house, 1, kinds=("random",))
    advance(house, game, steps=8)
    assert house.table.load(game).game.turn == 3
    refused = [line for line in diary if line["event"] == "bot_refused"]
    assert [line["seat"] for line in refused] == [0, 1, 2, 0, 1, 2]
    assert {line["reason"] for line in refused} <= {"wrong-payment", "cannot-pay"}


def test_more_time_is_a_step_like_any_other(house: House) -> None:
    """ExtendClock is in the table; where no clock runs it is left undone."""
    game = begun(house, 1)
    kept = house.table.load(game)
    assert HANDLERS[ExtendClock](house, kept, ExtendClock(deadline=1)) is None


# ---- the diary and the counters ---------------------------------------------------------------------------------------
def test_every_step_has_its_line_and_its_count(diary: list[EventDict]) -> None:
    """One line a step: game, version, command, events, ms; and one count by handler."""
    house = House.on(MemoryStore())
    game = begun(house, 3, 3, True)
    told = story(house.store, game)
    steps = [line for line in diary if "command" in line]
    assert {line["game"] for line in steps} == {game}
    assert [line["version"] for line in steps] == sorted({line["version"] for line in steps})
    assert steps[-1]["version"] == len(told)
    assert all(line["ms"] >= 0 and line["events"] > 0 for line in steps)
    for name in ("play_bot", "reveal_turn", "resolve_conflicts", "evaluate_edifice", "deal_age", "score_game"):
        lines = sum(line["event"] == name for line in steps)
        assert lines
        assert f'wonderlog_handled_total{{handler="{name}"}} {float(lines)}' in house.metrics.exposition().decode()
    begun_with = next(number for number, event in enumerate(told) if event["type"] == "AgeDealt")
    assert sum(line["events"] for line in steps) == len(told) - begun_with - 1


def test_no_line_names_what_is_hidden(diary: list[EventDict]) -> None:
    """No card, key, nonce, token or seal in all that is written about two whole games."""
    house = House.on(MemoryStore())
    for seed in (1, 2):
        begun(house, seed, 4, True)
    text = json.dumps(diary, default=str)
    assert len(diary) > 100
    box = house.table.load(bots_seated(house, 9)).game.box
    hidden = [*box.cards, secret("key 1").hex(), secret("key 2").hex(), *(secret(f"nonce {seat}").hex() for seat in range(4))]
    assert not [word for word in hidden if word in text]
    assert not {"hand", "card", "key", "token", "act", "nonce"} & {name for line in diary for name in line}


# ---- jobs -------------------------------------------------------------------------------------------------------------
@pytest.fixture
def at_home(house: House) -> Any:
    wiring.move_in(house)
    yield house
    wiring.move_in(None)


def knocked(house: House) -> list[tuple[str, ...]]:
    assert isinstance(house.knocks, Silent)
    return house.knocks.heard


def test_a_job_moves_its_game_on_and_asks_for_more(at_home: House, diary: list[EventDict]) -> None:
    """One job does twenty steps; then the game knocks again, behind those that wait, until it rests."""
    game = begun(at_home, 1)
    jobs_done = 0
    while knocked(at_home):
        knocked(at_home).clear()
        jobs.advance(game)
        jobs_done += 1
    assert over(at_home, game)
    steps = sum(line["event"] in {handler.__name__ for handler in HANDLERS.values()} for line in diary)
    assert jobs_done == -(-steps // STEPS) > 2
    assert isinstance(at_home.knocks, Silent)
    assert at_home.knocks.first == [True] + [False] * (jobs_done - 1)
    lines = [line for line in diary if line["event"] == "advance"]
    assert [line["version"] for line in lines][-1] == len(quiet(1))


def test_many_games_in_one_job(at_home: House) -> None:
    """Each is moved on as if it had come alone."""
    games = [begun(at_home, seed) for seed in (1, 2, 3)]
    while not over(at_home, games[-1]):
        jobs.advance_many(games)
    assert [story(at_home.store, game) for game in games] == [quiet(seed) for seed in (1, 2, 3)]


def test_a_bad_game_spoils_nothing_for_the_others(at_home: House) -> None:
    """It is tried again in a job of its own, and fails there."""
    games = [begun(at_home, 1), "f" * 20, begun(at_home, 2)]
    knocked(at_home).clear()
    while not over(at_home, games[-1]):
        jobs.advance_many(games)
    assert all(over(at_home, game) for game in games if game != "f" * 20)
    assert ("f" * 20,) in knocked(at_home)
    with pytest.raises(UnknownGame):
        jobs.advance("f" * 20)


def test_a_job_fails_when_the_store_is_away(at_home: House, monkeypatch: pytest.MonkeyPatch, diary: list[EventDict]) -> None:
    """It is a failed job, with its line; nothing was changed."""
    game = begun(at_home, 1)
    before = at_home.store.read(game)

    def away(*more: object) -> Any:
        raise StoreUnavailable("no answer")

    with monkeypatch.context() as patched:
        patched.setattr(at_home.store, "append", away)
        with pytest.raises(StoreUnavailable):
            jobs.advance(game)
        with pytest.raises(StoreUnavailable):
            jobs.advance_many([game])
    assert [line["reason"] for line in diary if line["event"] in ("advance", "advance_many")] == ["StoreUnavailable"] * 2
    assert at_home.store.read(game) == before


# ---- the fast path ----------------------------------------------------------------------------------------------------
def test_a_worker_is_woken_only_if_a_step_is_due(house: House) -> None:
    """Sitting down wakes nobody; the start of a table of bots does."""
    game = bots_seated(house, 1)
    house.after(game)
    assert not knocked(house)
    house.after(house.table.transact(game, StartGame()))
    assert knocked(house) == [(game,)]


def test_a_queue_that_is_down_fails_nothing(house: House, diary: list[EventDict]) -> None:
    """What was appended is accepted; the game stays in `wakes`; the diary notes it."""
    assert isinstance(house.knocks, Silent)
    house.knocks.down = True
    game = begun(house, 1)
    assert house.table.load(game).game.age == 1
    assert [wake.game for wake in house.store.overdue(house.store.partition(game), house.store.now() + 1)] == [game]
    assert [(line["event"], line["reason"]) for line in diary if line["event"] == "not_woken"] == [
        ("not_woken", "queue-ConnectionError")
    ]


def test_a_store_that_goes_away_after_the_append_fails_nothing(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """The look whether a step is due may fail: the command was accepted all the same."""
    game = bots_seated(house, 1)
    receipt = house.table.transact(game, StartGame())
    house.table.forget(game)

    def away(*more: object) -> Any:
        raise StoreUnavailable("no answer")

    monkeypatch.setattr(house.store, "read", away)
    house.after(receipt)
    assert not knocked(house)


def test_whoever_appended_need_not_look_again(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """What this process has appended it knows; what another has, and it is told of, it looks at."""
    mine, other = bots_seated(house, 1), bots_seated(house, 2)
    looked: list[str] = []
    read = house.store.read

    def noted(game: str, *more: int) -> Any:
        looked.append(game)
        return read(game, *more)

    receipt = house.table.transact(mine, StartGame())
    theirs = Table(house.store).transact(other, StartGame())
    assert house.table.load(mine)
    monkeypatch.setattr(house.store, "read", noted)
    house.after(receipt)
    house.after(theirs)
    assert looked == [other]
    assert knocked(house) == [(mine,), (other,)]


def test_a_step_that_leaves_nothing_due_is_the_last_look(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its own append says so; the wake-up time is right, and a duplicate of the job finds nothing."""
    game = bots_seated(house, 1)
    house.table.transact(game, StartGame())
    looks: list[str] = []
    look = house.store.read_now

    def noted(name: str, after: int) -> Any:
        looks.append(name)
        return look(name, after)

    monkeypatch.setattr(house.store, "read_now", noted)
    done = advance(house, game, steps=10_000)
    assert over(house, game)
    assert done.rests
    assert len(looks) == done.steps
    assert house.store.waking(house.store.partition(game)) == 0
    assert advance(house, game).steps == 0


def test_a_store_in_memory_needs_no_queue() -> None:
    """Its games are advanced at once, in this process."""
    house = House.on(MemoryStore(), NoQueue())
    assert over(house, begun(house, 1))
    with pytest.raises(ValueError, match="no queue"):
        _ = house.queue


def test_advanced_can_be_written_down() -> None:
    """What a job did is plain data."""
    house = House.on(MemoryStore(), Silent())
    done = advance(house, begun(house, 1), steps=1)
    assert json.loads(msgspec.json.encode(done)) == {"steps": 1, "events": 1, "version": done.version, "rests": False}
