"""How a house is put together: settings, queue, diary and counters."""

from __future__ import annotations

import io
import json
import logging
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
import redis
import structlog
from rq import Queue, SimpleWorker
from rq.job import Job
from rq.serializers import JSONSerializer
from structlog.typing import EventDict

from events.store.memory import MemoryStore
from events.store.streams import StreamStore
from tests.games import Clock
from tests.workers.given import ROOT, Silent, begun, eventually, over
from workers import logs, wiring, worker
from workers.private_file import made_once
from workers.projector import GROUP, Projector
from workers.queue import NAME, RqQueue, connection
from workers.settings import Settings
from workers.ticker import Ticker
from workers.wiring import House
from workers.worker import Porter


# ---- settings ---------------------------------------------------------------------------------------------------------
def test_settings_come_from_the_environment_and_what_is_given_goes_first() -> None:
    """Both spellings of the store's address; an empty variable is none."""
    environ = {"WONDERLOG_DATA": "/games", "WONDERLOG_ACK": "replicated", "REDIS_URL": "redis://one", "WONDERLOG_LOG": ""}
    assert Settings.read(environ) == Settings(data=Path("/games"), ack="replicated", store_url="redis://one")
    both = Settings.read({"REDIS_URL": "redis://one", "WONDERLOG_STORE_URL": "redis://two"}, data="here", queue_url=None)
    assert both == Settings(store_url="redis://two", data=Path("here"))
    assert Settings.read({}) == Settings()


def test_settings_survive_the_way_to_another_process() -> None:
    """What is written into an environment is read from it again."""
    settings = Settings(data=Path("/d"), queue_url="unix:///q", log="json", unsafe_store=True, member="a", ack="replicated:2")
    assert Settings.read(settings.environment()) == settings


@pytest.mark.parametrize(
    ("environ", "says"),
    [
        ({"WONDERLOG_LOG": "loud"}, "must be auto, json or pretty"),
        ({"WONDERLOG_QUEUE_URL": "amqp://x"}, "must begin with redis://"),
    ],
)
def test_a_setting_that_makes_no_sense_is_refused(environ: dict[str, str], says: str) -> None:
    """With its name and what it may be."""
    with pytest.raises(ValueError, match=says):
        Settings.read(environ)


def test_a_secret_of_the_house_is_made_once(tmp_path: Path) -> None:
    """Eight start at the same time in a folder that is not there yet: all hold the same secret, and nothing else lies there."""
    place = tmp_path / "house" / "operator.token"
    together = threading.Barrier(8)

    def start(number: int) -> bytes:
        together.wait()
        return made_once(place, lambda: b"secret of %d" % number)

    with ThreadPoolExecutor(8) as starting:
        found = set(starting.map(start, range(8)))
    assert found == {place.read_bytes()}
    assert [file.name for file in place.parent.iterdir()] == ["operator.token"]
    assert place.stat().st_mode & 0o777 == 0o600


# ---- the queue --------------------------------------------------------------------------------------------------------
@pytest.fixture
def rq_house(valkey: str) -> Iterator[House]:
    """A house on the embedded Valkey with the real queue; `house()` of the jobs is this one."""
    with redis.Redis.from_url(valkey) as client:
        client.flushall()
    house = House.on(StreamStore(valkey), RqQueue(valkey))
    wiring.move_in(house)
    yield house
    wiring.move_in(None)
    house.close()


def work_off(house: House) -> None:
    """What a worker does until the queue is empty."""
    assert isinstance(house.knocks, RqQueue)
    own = connection(house.knocks.url, None)
    queue = Queue(NAME, connection=own, serializer=JSONSerializer)
    Porter([queue], connection=own, serializer=JSONSerializer).work(burst=True, logging_level="CRITICAL")
    own.close()


def test_a_knock_is_a_job_in_plain_json(rq_house: House) -> None:
    """Named by game and version, spelt one way, kept half a minute when it is done."""
    game = begun(rq_house, 1)
    version = rq_house.table.load(game).game.version
    [identity] = rq_house.queue.job_ids
    assert identity == f"{game}-{version}"
    job = rq_house.queue.fetch_job(identity)
    assert job is not None
    assert json.loads(job.data) == ["workers.jobs.advance", None, [game], {}]
    work_off(rq_house)
    assert over(rq_house, game)
    with redis.Redis.from_url(rq_house.queue_url) as client:
        assert 0 < client.ttl(f"rq:job:{identity}") <= 30
        left = [key.decode() for key in client.scan_iter("rq:*")]
    assert rq_house.queue.started_job_registry.count == 0
    assert not [key for key in left if "execution" in key or "intermediate" in key or key == NAME]


@pytest.mark.parametrize(("seconds", "often"), [(60.0, False), (0.0, True)])
def test_a_worker_says_that_it_lives_every_few_seconds_and_not_before_each_job(
    rq_house: House, monkeypatch: pytest.MonkeyPatch, seconds: float, often: bool
) -> None:
    """Each time is a journey of its own; what is told together with something else is always told."""
    told: list[object] = []
    heartbeat = SimpleWorker.heartbeat

    def tell(self: SimpleWorker, timeout: int | None = None, pipeline: Any = None) -> None:
        told.append(pipeline)
        heartbeat(self, timeout, pipeline)

    monkeypatch.setattr(SimpleWorker, "heartbeat", tell)
    monkeypatch.setattr(worker, "BEAT_SECONDS", seconds)
    games = [begun(rq_house, number) for number in range(1, 4)]
    work_off(rq_house)
    assert all(over(rq_house, game) for game in games)
    alone = told.count(None)
    assert alone >= 2 * len(games) if often else alone == 0
    assert len(told) - alone >= len(games)


def test_a_job_that_fails_stays_on_the_list_until_it_is_tried_again(rq_house: House) -> None:
    """FailedJobRegistry keeps it and `status` counts it; a new try takes it off, and a new failure puts it on again."""
    unknown = "e" * 20
    for _ in range(2):
        rq_house.knock([unknown], 0, "ticker")
        work_off(rq_house)
        assert list(rq_house.queue.failed_job_registry.get_job_ids()) == [f"{unknown}-0"]
        assert rq_house.gauges()["wonderlog_failed_jobs"] == 1
        rq_house.knocks.forgive(unknown, 0)
        assert rq_house.gauges()["wonderlog_failed_jobs"] == 0


def test_a_job_that_is_lost_under_a_worker_s_hands_is_done_again(rq_house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """The queue goes away as the job begins: the ticker hands the game over once more, and then nothing has failed."""
    game = begun(rq_house, 1)
    identity = f"{game}-{rq_house.table.load(game).game.version}"
    prepare = Porter.prepare_job_execution

    def lost(*more: object, **also: object) -> Any:
        raise redis.ConnectionError("gone")

    def prepared(self: Porter, job: Job, remove_from_intermediate_queue: bool = False) -> None:
        monkeypatch.setattr(Porter, "prepare_job_execution", prepare)
        monkeypatch.setattr(self._journey, "execute", lost)
        prepare(self, job, remove_from_intermediate_queue)

    monkeypatch.setattr(Porter, "prepare_job_execution", prepared)
    work_off(rq_house)
    assert not over(rq_house, game)
    assert list(rq_house.queue.failed_job_registry.get_job_ids()) == [identity]
    eventually(Ticker(rq_house).tick)
    work_off(rq_house)
    assert over(rq_house, game)
    assert rq_house.gauges()["wonderlog_failed_jobs"] == 0


def test_a_queue_that_does_not_answer_is_left_alone_for_a_while(tmp_path: Path) -> None:
    """Whoever has just played does not wait for it twice."""
    knocks = RqQueue(f"unix://{tmp_path}/nobody")
    house = House.on(MemoryStore(), knocks)
    assert knocks.knock(house, ["a"], 1, True) == "queue-ConnectionError"
    began = time.perf_counter()
    assert knocks.knock(house, ["a"], 1, True) == "queue-silent"
    assert time.perf_counter() - began < 0.01
    assert not knocks.answers()
    assert knocks.figures() == {}
    knocks.forgive("a", 1)
    knocks.close()


def test_a_cluster_cannot_hold_the_queue() -> None:
    """It says what to set."""
    with pytest.raises(ValueError, match="WONDERLOG_QUEUE_URL"):
        RqQueue("redis+cluster://one:1,two:2")


def test_a_house_of_ones_own(tmp_path: Path) -> None:
    """A folder: its store and its queue run on servers of their own, and end with the last house."""
    settings = Settings(data=tmp_path / "data", log="json")
    with redis.Redis.from_url((first := House.open(settings)).queue_url) as client:
        assert client.config_get("appendfsync")["appendfsync"] == "no"
        assert first.queue_url != first.url
    second = House.open(settings)
    assert (second.url, second.queue_url) == (first.url, first.queue_url)
    game = begun(first, 1)
    assert second.queue.job_ids == [f"{game}-{second.table.load(game).game.version}"]
    first.close()
    assert second.store.head(game)
    second.close()
    second.close()


# ---- the diary --------------------------------------------------------------------------------------------------------
@pytest.fixture
def written(monkeypatch: pytest.MonkeyPatch, diary: list[EventDict]) -> io.StringIO:
    """What reaches stderr."""
    output = io.StringIO()
    monkeypatch.setattr(sys, "stderr", output)
    logs.configure("json")
    return output


def test_a_line_has_its_facts_and_nothing_secret(written: io.StringIO) -> None:
    """JSON, one line, the facts that are known; a word for a secret is dropped with its value."""
    log = logs.diary("a part")
    logs.line(log, "reveal_turn", game="g", version=7, events=3, ms=1.23456, command="RevealTurn")
    log.warning("careless", token="SECRET", hand=("SECRET",), key="SECRET", game="g")
    first, second = map(json.loads, written.getvalue().splitlines())
    assert {name: first[name] for name in ("event", "level", "part", "game", "version", "events", "ms", "command")} == {
        "event": "reveal_turn", "level": "info", "part": "a part", "game": "g", "version": 7, "events": 3, "ms": 1.23,
        "command": "RevealTurn",
    }  # fmt: skip
    assert "seat" not in first
    assert second["game"] == "g"
    assert "SECRET" not in written.getvalue()


def test_libraries_write_into_the_same_diary(written: io.StringIO) -> None:
    """RQ's warnings join it; what follows the first line of an error (a traceback may quote anything) stays out."""
    logging.getLogger("rq.worker").error("it failed\nTraceback: hand altar")
    logging.getLogger("rq.worker").info("a job was done")
    [line] = map(json.loads, written.getvalue().splitlines())
    assert (line["level"], line["part"], line["says"]) == ("error", "rq.worker", "it failed")


def test_on_a_terminal_lines_are_for_people(monkeypatch: pytest.MonkeyPatch, diary: list[EventDict]) -> None:
    """`pretty` is not JSON."""
    output = io.StringIO()
    monkeypatch.setattr(sys, "stderr", output)
    logs.configure("pretty")
    logs.line(logs.diary(), "deal_age", game="g", ms=1.0)
    assert "deal_age" in output.getvalue()
    assert not output.getvalue().startswith("{")


@pytest.fixture(autouse=True)
def _library_loggers() -> Iterator[None]:
    """Puts back what `configure` has changed for libraries."""
    loggers = [logging.getLogger(name) for name in ("rq.worker", "rq.job", "rq.queue")]
    before = [(one.level, list(one.handlers), one.propagate) for one in loggers]
    yield
    for one, (level, handlers, propagate) in zip(loggers, before, strict=True):
        one.setLevel(level)
        one.handlers[:] = handlers
        one.propagate = propagate
    structlog.reset_defaults()


# ---- the counters -----------------------------------------------------------------------------------------------------
def test_figures_of_the_store_stand_beside_the_counters() -> None:
    """Games that wait and how long the longest has, computed when they are asked for."""
    clock = Clock()
    house = House.on(MemoryStore(clock), Silent())
    begun(house, 1)
    clock.now += 5_000
    text = house.metrics.exposition(house.gauges).decode()
    assert "wonderlog_waking_games 1.0" in text
    assert "wonderlog_overdue_games 1.0" in text
    assert "wonderlog_oldest_overdue_ms 5000.0" in text
    appends = len(house.store.follow(range(house.store.partitions), "somebody else", "one", 1000, 0))
    assert f"wonderlog_feed_behind_lines {appends}.0" in text
    projector = Projector(house)
    eventually(lambda: projector.look(100))
    assert house.store.behind(GROUP) == [0]
    assert "wonderlog_feed_behind_lines 0.0" in house.metrics.exposition(house.gauges).decode()
    assert 'wonderlog_knocks_total{outcome="sent",path="fast"} 1.0' in text


def test_the_counters_of_all_processes_are_added_up(tmp_path: Path) -> None:
    """Two processes that share a folder count apart; whoever is asked shows the sum."""
    source = (
        "import sys\n"
        "from workers import metrics\n"
        "metrics.share(sys.argv[1])\n"
        "own = metrics.Metrics()\n"
        "own.handled.labels('reveal_turn').inc(int(sys.argv[2]))\n"
        "print(own.exposition().decode())\n"
    )
    for count, total in ((2, "2.0"), (3, "5.0")):
        shown = subprocess.run(
            [sys.executable, "-c", source, str(tmp_path), str(count)], cwd=ROOT, capture_output=True, text=True, check=True
        ).stdout
        assert f'wonderlog_handled_total{{handler="reveal_turn"}} {total}' in shown
