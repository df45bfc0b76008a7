"""Nobody's time runs out unseen: clocks, time-outs, outages, and games that nobody plays any more."""

from __future__ import annotations

from typing import Any

import pytest
from structlog.typing import EventDict

from events.commands import ReclaimSeat
from events.facts import ClockExtended, GameClosed, SeatHandedToBot, SeatTimedOut, TurnRevealed
from events.rules.clock import act_of, default_play
from events.rules.due import ABANDONED_MS
from events.rules.state import Choosing
from events.store.protocol import Append, Entry, StoreUnavailable
from tests.games import START, Sitting, options
from tests.workers.given import Silent, begun, over
from workers.clock import OUTAGE_MS, last_beat
from workers.handlers import advance
from workers.ticker import ALONE, GRACE_MS, TOGETHER, Ticker
from workers.wiring import House

DAY = 24 * 3_600_000


class Hall:
    """A table of people with a clock, a house around it, and a ticker; workers do at once what they hear."""

    def __init__(self, turn_ms: int | None = 30_000, players: int = 3, **more: Any) -> None:
        self.sitting = Sitting(options(players, turn_ms=turn_ms, **more))
        self.house = House.on(self.sitting.store, Silent())
        self.ticker = Ticker(self.house)

    @property
    def heard(self) -> list[tuple[str, ...]]:
        assert isinstance(self.house.knocks, Silent)
        return self.house.knocks.heard

    def tick(self) -> int:
        """One look of the ticker; whoever is woken works."""
        found = self.ticker.tick()
        for games in self.heard:
            for game in games:
                advance(self.house, game)
        self.heard.clear()
        return found

    def wait(self, ms: int) -> None:
        """Time passes while the ticker watches."""
        end = self.sitting.clock.now + ms
        while self.sitting.clock.now < end:
            self.sitting.clock.now = min(end, self.sitting.clock.now + 500)
            self.tick()

    def told(self, kind: type) -> list[Any]:
        return [event for event in self.sitting.events if isinstance(event, kind)]


def deadline(hall: Hall) -> int:
    phase = hall.sitting.game.phase
    assert isinstance(phase, Choosing)
    assert phase.deadline is not None
    return phase.deadline


def test_a_seat_whose_time_is_over_gets_the_written_default() -> None:
    """The first legal discard in catalogue order, sealed like a choice; the others' choices stand; the turn goes on."""
    hall = Hall()
    hall.sitting.start()
    hall.tick()
    hall.sitting.step()  # seat 1 chooses, the others sleep
    game = hall.sitting.game
    expected = {city: default_play(game, city) for city in (1, 2)}
    hall.wait(29_000 - 3 * 200)
    assert not hall.told(SeatTimedOut)
    hall.wait(2_000)
    timed_out = hall.told(SeatTimedOut)
    assert [event.seat for event in timed_out] == [1, 2]
    assert {event.city: (event.act.value, event.card.value.card) for event in timed_out} == {
        city: (act_of(play), play.card) for city, play in expected.items()
    }
    assert all(play.kind == "discard" for play in expected.values())
    assert len(hall.told(TurnRevealed)) == 1
    assert hall.sitting.game.turn == 2


def test_three_in_a_row_and_a_bot_plays_until_the_person_is_back() -> None:
    """R43's clock: the third miss hands the seat to a bot; who returns plays again."""
    hall = Hall(turn_ms=10_000)
    hall.sitting.start()
    hall.tick()
    hall.wait(3 * 10_500)
    assert [event.missed for event in hall.told(SeatTimedOut) if event.seat == 0] == [1, 2, 3]
    assert {event.seat for event in hall.told(SeatHandedToBot)} == {0, 1, 2}
    assert {event.bot for event in hall.told(SeatHandedToBot)} == {"builder"}
    hall.wait(5_000)
    assert over(hall.house, hall.sitting.id), "the bots play on by themselves"
    assert len(hall.told(SeatTimedOut)) == 9


def test_who_comes_back_plays_again() -> None:
    """A seat that was handed over is taken back: its owner is awaited once more."""
    hall = Hall(turn_ms=10_000)
    hall.sitting.start()
    hall.tick()
    for _ in range(2):
        hall.wait(10_500)
    turn = hall.sitting.game.turn
    hall.sitting.step()
    hall.sitting.step()  # seats 1 and 2 are awake again: only seat 3 misses for the third time
    hall.wait(10_500)
    assert [event.seat for event in hall.told(SeatHandedToBot)] == [2]
    hall.sitting.send(ReclaimSeat(seat=2))
    chosen = hall.sitting.game.phase
    assert hall.sitting.game.turn == turn + 1
    assert isinstance(chosen, Choosing)
    assert chosen.choices[2] is not None, "what the bot has chosen stands"
    hall.sitting.step()
    hall.sitting.step()
    hall.house.after(hall.sitting.id)
    hall.tick()
    assert hall.sitting.game.turn == turn + 2
    phase = hall.sitting.game.phase
    assert isinstance(phase, Choosing)
    assert phase.choices[2] is None, "the person is awaited"


# ---- outages ----------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("turn_ms", "fair_ms"), [(10_000, 10_000), (60_000, 60_000), (600_000, 60_000)])
def test_nobody_has_too_little_time_after_an_outage(turn_ms: int, fair_ms: int) -> None:
    """Nobody ticked while the deadline passed: first everybody gets the smaller of a turn and a minute, then the clock runs."""
    hall = Hall(turn_ms)
    hall.sitting.start()
    hall.tick()
    hall.sitting.clock.now = deadline(hall) + 3_600_000
    advance(hall.house, hall.sitting.id)  # a worker is back before the ticker: it must not time anybody out
    assert not hall.told(SeatTimedOut)
    hall.tick()
    assert [event.deadline for event in hall.told(ClockExtended)] == [hall.sitting.clock.now + fair_ms]
    assert not hall.told(SeatTimedOut)
    hall.wait(fair_ms - 1_000)
    assert not hall.told(SeatTimedOut)
    hall.wait(2_000)
    assert hall.told(SeatTimedOut)
    assert len(hall.told(ClockExtended)) == 1


def test_a_deadline_in_the_middle_of_an_outage_and_one_soon_after() -> None:
    """Also who still had a little time gets a fair rest; who had more keeps what there was."""
    soon, late = Hall(60_000), Hall(600_000)
    for hall in (soon, late):
        hall.sitting.start()
        hall.tick()
        hall.sitting.clock.now += 50_000
        hall.tick()
    assert [event.deadline for event in soon.told(ClockExtended)] == [soon.sitting.clock.now + 60_000]
    assert not late.told(ClockExtended)


def test_a_store_that_was_away_was_an_outage(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same ticker, which could not look for a while."""
    hall = Hall(20_000)
    hall.sitting.start()
    hall.tick()

    def away() -> int:
        raise StoreUnavailable("no answer")

    with monkeypatch.context() as patched:
        patched.setattr(hall.sitting.store, "now", away)
        with pytest.raises(StoreUnavailable):
            hall.ticker.tick()
    hall.sitting.clock.now += 30_000
    hall.tick()
    assert len(hall.told(ClockExtended)) == 1
    assert not hall.told(SeatTimedOut)


def test_one_ticker_is_away_while_another_watches() -> None:
    """No outage: time-outs came when they were due, and nobody is given more."""
    hall = Hall(20_000)
    other = Ticker(hall.house)
    hall.sitting.start()
    hall.tick()
    for _ in range(10):
        hall.sitting.clock.now += OUTAGE_MS // 2
        other.tick()
    hall.sitting.clock.now += 500
    hall.tick()
    assert not hall.told(ClockExtended)
    assert last_beat(hall.sitting.store) is not None


def test_an_outage_gives_bots_and_games_without_a_clock_nothing() -> None:
    """More time is for people who are awaited."""
    hall = Hall(None)
    hall.sitting.start()
    bots = begun(hall.house, 1)
    hall.tick()
    hall.sitting.clock.now += DAY
    hall.tick()
    for game in (hall.sitting.id, bots):
        assert not [entry for _, entry in hall.sitting.store.read(game) if b"ClockExtended" in entry.e]


def test_a_broken_log_does_not_stop_the_clock(diary: list[EventDict]) -> None:
    """One game that cannot be read is noted; all others get their time."""
    hall = Hall(20_000)
    broken = Append(
        game="a" * 20, expected=0, expected_link=b"", entries=(Entry(b"no event", None, b"link"),), wake=START, key=b"k"
    )
    hall.sitting.store.append(broken)
    hall.sitting.start()
    hall.ticker.tick()
    hall.heard.clear()
    hall.sitting.clock.now += 60_000
    hall.ticker.tick()
    assert len(hall.told(ClockExtended)) == 1
    assert {line["game"] for line in diary if line["event"] == "no_time_given"} == {"a" * 20}


# ---- games that nobody plays ------------------------------------------------------------------------------------------
def test_a_table_that_never_starts_expires() -> None:
    """At its time, not before; its end is in the log with the key that opens everything."""
    hall = Hall()
    hall.sitting.gather()
    hall.sitting.clock.now = START + DAY - 1_000
    hall.tick()
    assert not hall.told(GameClosed)
    hall.wait(2_000)
    assert [(event.reason, event.key) for event in hall.told(GameClosed)] == [("expired", hall.sitting.key.hex())]
    assert not hall.sitting.store.waking(0)


def test_a_game_without_a_clock_is_abandoned_after_a_month() -> None:
    """Thirty days without a move; a move in between, and they begin anew."""
    hall = Hall(None)
    hall.sitting.start()
    hall.sitting.clock.now += ABANDONED_MS - 2_000
    hall.tick()
    hall.sitting.step()
    hall.wait(5_000)
    assert not hall.told(GameClosed)
    hall.sitting.clock.now += ABANDONED_MS
    hall.tick()
    assert [event.reason for event in hall.told(GameClosed)] == ["abandoned"]


# ---- wakes ------------------------------------------------------------------------------------------------------------
def test_a_stale_postpone_neither_revives_nor_delays_a_game() -> None:
    """A ticker that read a wake-up time before the game moved on has no say any more."""
    hall = Hall(None)
    store, clock = hall.sitting.store, hall.sitting.clock
    game = begun(hall.house, 1)
    clock.now += 1_000
    [old] = [wake for wake in store.overdue(0, clock.now) if wake.game == game]
    advance(hall.house, game, steps=3)
    [fresh] = [wake for wake in store.overdue(0, clock.now) if wake.game == game]
    assert not store.postpone(old, clock.now + 30_000)
    assert [wake for wake in store.overdue(0, clock.now) if wake.game == game] == [fresh], "it was delayed"
    while not advance(hall.house, game).rests:
        pass
    assert over(hall.house, game)
    for stale in (old, fresh):
        assert not store.postpone(stale, clock.now)
    assert game not in [wake.game for wake in store.overdue(0, clock.now + DAY * 365)], "it was revived"


def test_the_ticker_leaves_alone_what_is_on_its_way() -> None:
    """Only what is overdue by more than a quarter of a second is handed over, and then it is put off, longer each time."""
    hall = Hall(None)
    clock = hall.sitting.clock
    game = begun(hall.house, 1)
    hall.heard.clear()
    clock.now += GRACE_MS - 1
    assert hall.ticker.tick() == 0
    clock.now += 1
    assert hall.ticker.tick() == 1
    pauses = []
    for _ in range(6):
        before = clock.now
        while not hall.ticker.tick():
            clock.now += 50
        pauses.append(clock.now - before)
    assert hall.heard == [(game,)] * 7
    assert pauses == [1_250, 2_250, 4_250, 8_250, 16_250, 30_250]
    assert isinstance(hall.house.knocks, Silent)
    version = hall.house.table.load(game).game.version
    assert hall.house.knocks.forgiven == [(game, version)] * 7, "a job that is tried again is no failure yet"


def test_two_tickers_hand_a_game_over_once() -> None:
    """Who puts it off first hands it over."""
    hall = Hall(None)
    other = Ticker(hall.house)
    begun(hall.house, 1)
    hall.heard.clear()
    hall.sitting.clock.now += 1_000
    assert (hall.ticker.tick(), other.tick()) == (1, 0)
    assert len(hall.heard) == 1


def test_a_backlog_is_handed_over_in_armfuls() -> None:
    """Many overdue games share their jobs, so that the queue's book-keeping does not bound the house."""
    hall = Hall(None)
    games = {begun(hall.house, seed) for seed in range(100, 100 + 2 * TOGETHER + 1)}
    hall.heard.clear()
    hall.sitting.clock.now += 1_000
    assert hall.ticker.tick() == len(games) > ALONE
    assert [len(job) for job in hall.heard] == [TOGETHER, TOGETHER, 1]
    assert {game for job in hall.heard for game in job} == games


def test_nothing_is_put_off_while_the_queue_is_away() -> None:
    """As soon as it is back, every game is found."""
    hall = Hall(None)
    assert isinstance(hall.house.knocks, Silent)
    hall.house.knocks.down = True
    game = begun(hall.house, 1)
    for _ in range(20):
        hall.sitting.clock.now += 500
        assert hall.ticker.tick() == 0
    hall.house.knocks.down = False
    assert hall.ticker.tick() == 1
    assert hall.heard == [(game,)]


def test_the_reveal_waits_for_no_ticker() -> None:
    """A step that is due needs no clock: it is taken although nobody watched."""
    hall = Hall(10_000)
    hall.sitting.start()
    for _ in range(3):
        hall.sitting.step()
    hall.sitting.clock.now += DAY
    assert advance(hall.house, hall.sitting.id).steps == 1
    assert hall.sitting.game.turn == 2
    assert deadline(hall) == hall.sitting.clock.now + 10_000
