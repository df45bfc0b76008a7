"""Real worker processes on a real store: whatever is lost, doubled or killed, each game comes to the same end."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from contextlib import ExitStack
from functools import partial
from pathlib import Path

import redis

from events.store.binaries import candidates
from events.store.embedded import reachable, server_process, socket_path
from events.store.protocol import StoreUnavailable
from projections.rebuild import views_of
from projections.views import load
from tests.processes import alive
from tests.store.given import running
from tests.workers.given import ROOT, Opened, begun, eventually, opened, over, quiet, story
from workers.projector import GROUP
from workers.wiring import House

SEEDS = (1, 2)


def play(house: House, seeds: tuple[int, ...] = SEEDS, seconds: float = 60.0) -> list[str]:
    """Tables of bots, played to the end by whoever serves this store."""
    games = [begun(house, seed) for seed in seeds]
    eventually(lambda: all(over(house, game) for game in games), seconds)
    return games


def as_if_nothing_had_happened(house: House, games: list[str], seeds: tuple[int, ...] = SEEDS) -> None:
    """Every event is there once, in its place; nobody has to be woken any more; every view shows the end."""
    for game, seed in zip(games, seeds, strict=True):
        assert story(house.store, game) == quiet(seed)
    eventually(lambda: not sum(house.store.waking(place) for place in range(house.store.partitions)))
    for game in games:
        right = views_of(house.store, game).documents()
        eventually(partial(shown, house, game, right))


def shown(house: House, game: str, right: dict[str, bytes]) -> bool:
    return all((load(house.store, game, name) or (0, b""))[1] == document for name, document in right.items())


def test_games_of_bots_finish(tmp_path: Path) -> None:
    """One worker and the clock: tables of bots play to the end, and nothing is left to do."""
    with opened(tmp_path) as house:
        as_if_nothing_had_happened(house.house, play(house.house))
        assert not house.house.gauges()["wonderlog_failed_jobs"]


def test_every_job_comes_twice(tmp_path: Path) -> None:
    """Two workers hear every knock twice, often at the same time: a duplicate finds nothing to do."""
    with opened(tmp_path, "twice", workers=2) as house:
        as_if_nothing_had_happened(house.house, play(house.house))
        assert not house.house.gauges()["wonderlog_failed_jobs"]


def test_every_knock_is_lost(tmp_path: Path) -> None:
    """No appender's knock arrives: the ticker alone finds every game again."""
    with opened(tmp_path, "dropped") as house:
        games = [begun(house.house, seed) for seed in SEEDS]
        eventually(lambda: all(over(house.house, game) for game in games), 60.0)
        as_if_nothing_had_happened(house.house, games)


def test_workers_are_killed_in_the_middle_of_their_work(tmp_path: Path) -> None:
    """kill -9 between deciding and appending, and between appending and hearing of it, three times each."""
    with opened(tmp_path, "killed", workers=2) as house:
        as_if_nothing_had_happened(house.house, play(house.house))
        assert len(list(tmp_path.glob("before-*"))) == 3, "no worker died before its append"
        assert len(list(tmp_path.glob("after-*"))) == 3, "no worker died after its append"
        assert sum(line["event"] == "part_ended" for line in house.lines) == 6


# ---- projectors -------------------------------------------------------------------------------------------------------
def project(data: Path, member: str) -> subprocess.Popen[str]:
    """Another projector, in a process of its own."""
    source = (
        "import sys, threading\n"
        "from pathlib import Path\n"
        "from workers import projector\n"
        "from workers.settings import Settings\n"
        "from workers.wiring import House\n"
        "house = House.open(Settings(data=Path(sys.argv[1]), member=sys.argv[2], log='json'))\n"
        "projector.run(house, threading.Event())\n"
    )
    return subprocess.Popen([sys.executable, "-c", source, str(data), member], cwd=ROOT, stderr=subprocess.DEVNULL, text=True)


def members(house: House) -> dict[str, int]:
    """The projectors that have read something, each with its unfinished lines."""
    with redis.Redis.from_url(house.url) as client:
        found: dict[str, int] = {}
        for feed in client.keys("wl:*:feed"):
            for one in client.xinfo_consumers(feed, GROUP):
                name = one["name"].decode()
                found[name] = found.get(name, 0) + one["pending"]
        return found


def frozen_at_work(house: House, process: subprocess.Popen[str], member: str) -> bool:
    """Stops the process; True if that caught it with lines that it has not finished."""
    process.send_signal(signal.SIGSTOP)
    if members(house)[member]:
        return True
    process.send_signal(signal.SIGCONT)
    return False


def test_a_projector_is_stopped_and_resumed(tmp_path: Path) -> None:
    """Two projectors share all partitions; one is frozen in the middle of its work, and later goes on with old news: the views
    are those of the log."""
    with opened(tmp_path) as house:
        other = project(tmp_path / "data", "other")
        try:
            eventually(lambda: "other" in members(house.house))
            first = begun(house.house, 1)
            eventually(lambda: frozen_at_work(house.house, other, "other"))
            games = [first, begun(house.house, 2)]
            eventually(lambda: all(over(house.house, game) for game in games), 60.0)
            other.send_signal(signal.SIGCONT)
            eventually(lambda: not any(members(house.house).values()))
            as_if_nothing_had_happened(house.house, games)
        finally:
            other.kill()
            other.wait()


# ---- coming and going -------------------------------------------------------------------------------------------------
def test_the_house_is_closed_and_opened_again(tmp_path: Path) -> None:
    """SIGTERM ends every process within a few seconds; started again, all games are there and go on."""
    with opened(tmp_path) as house:
        parts = house.parts()
        assert len(parts) == 2
        games = [begun(house.house, seed) for seed in SEEDS]
        began = time.monotonic()
    assert time.monotonic() - began < 8
    assert not any(alive(pid) for pid in parts)
    assert not reachable(socket_path(tmp_path / "data" / "store")), "the store still runs"
    with opened(tmp_path) as house:
        eventually(lambda: all(over(house.house, game) for game in games), 60.0)
        as_if_nothing_had_happened(house.house, games)


def test_no_part_outlives_its_supervisor(tmp_path: Path) -> None:
    """kill -9 of the supervisor: worker and clock notice, and end by themselves."""
    with opened(tmp_path) as house:
        parts = house.parts()
        house.process.kill()
        eventually(lambda: not any(alive(pid) for pid in parts))


def test_a_part_that_falls_over_is_started_again(tmp_path: Path) -> None:
    """kill -9 of every part: others take their places, and games go on."""
    with opened(tmp_path) as house:
        for pid in (old := house.parts()):
            os.kill(pid, signal.SIGKILL)
        eventually(lambda: len(house.parts()) == 2 and not set(house.parts()) & set(old))
        as_if_nothing_had_happened(house.house, play(house.house))


def test_a_house_that_cannot_open_says_why(tmp_path: Path) -> None:
    """A part that never served ends the house with status 1, and nothing is left running."""
    (tmp_path / "data").write_text("a file where the folder should be")
    environment = {**os.environ, "WONDERLOG_DATA": str(tmp_path / "data"), "WONDERLOG_LOG": "json", "REDIS_URL": ""}
    arguments = [sys.executable, "-m", "tests.workers.troubled", "plain", "1", str(tmp_path)]
    ended = subprocess.run(arguments, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=30)
    assert ended.returncode == 1
    assert "not_opened" in ended.stderr
    assert not ended.stdout


def test_the_store_dies_and_comes_back(tmp_path: Path) -> None:
    """kill -9 of the store itself: its owner starts it again, and everybody goes on where the log stands."""
    with opened(tmp_path) as house:
        games = [begun(house.house, seed) for seed in SEEDS]
        os.kill(server_process(socket_path(tmp_path / "data" / "store")), signal.SIGKILL)
        eventually(lambda: all(finished(house, game) for game in games), 60.0)
        as_if_nothing_had_happened(house.house, games)


def finished(house: Opened, game: str) -> bool:
    try:
        return over(house.house, game)
    except StoreUnavailable:
        return False


# ---- a queue of its own -----------------------------------------------------------------------------------------------
def test_the_queue_is_down_for_a_while(tmp_path: Path) -> None:
    """A queue on a server of its own dies with all its jobs: what is played meanwhile is accepted, and is found when another
    queue stands in its place.  Without a queue again, the house can still be closed."""
    place = tmp_path / "queue"
    place.mkdir()
    binary = next(candidates())
    with ExitStack() as stack:
        url, server = stack.enter_context(running(binary, place, "--appendonly", "no"))
        house = stack.enter_context(opened(tmp_path, queue_url=url))
        server.kill()
        server.wait()
        games = [begun(house.house, seed) for seed in SEEDS]
        assert all(house.house.table.load(game).game.age == 1 for game in games), "a command was not accepted"
        assert house.house.gauges()["wonderlog_waking_games"] == len(games)
        assert any(line["event"] == "not_woken" for line in house.lines) or not house.house.knocks.answers()
        (place / "s").unlink()
        stack.enter_context(running(binary, place, "--appendonly", "no"))
        eventually(lambda: all(over(house.house, game) for game in games), 60.0)
        as_if_nothing_had_happened(house.house, games)
        began = time.monotonic()
    assert time.monotonic() - began < 5, "a part had to be killed"
