"""A store on a server: what the server forgets, when it is away, and what it must promise."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import redis

from events.store import feed
from events.store.protocol import Conflict, ForeignStore, NotReplicated, StoreError, StoreUnavailable, UnsafeStore
from events.store.safety import problems
from events.store.streams import StreamStore
from events.store.wire import send, translated
from tests.store.given import asked, command, entry, eventually, every_byte, link, running, written


@pytest.fixture
def client(valkey: str) -> Iterator[redis.Redis]:
    """A plain client on an empty server."""
    with redis.Redis.from_url(valkey) as plain:
        plain.flushall()
        yield plain


@pytest.fixture
def store(valkey: str, client: redis.Redis) -> Iterator[StreamStore]:
    found = StreamStore(valkey)
    yield found
    found.close()


def test_a_log_is_a_plain_stream(store: StreamStore, client: redis.Redis) -> None:
    """Anyone can read it with a shell: entry id <version>-0; fields e, l, s if something is sealed, c if somebody asked."""
    store.append(asked("g", 0, entries=(entry(1), entry(2, b"sealed")), command=command("c")))
    store.append(asked("g", 2))
    (log,) = client.keys("wl:{????}:log:g")
    assert client.xrange(log) == [
        (b"1-0", {b"e": b'{"v":1}', b"l": link(1), b"c": b"c"}),
        (b"2-0", {b"e": b'{"v":2}', b"l": link(2), b"s": b"sealed", b"c": b"c"}),
        (b"3-0", {b"e": b'{"v":3}', b"l": link(3)}),
    ]


def test_a_game_s_keys_share_one_slot(store: StreamStore, client: redis.Redis) -> None:
    """So one script may write them all, on a cluster too."""
    store.append(asked("g", 0, command=command("c"), wake=5, key=b"k", names={"1/name": b"Ada"}))
    store.save_views("g", 1, {"table": b"1"})
    store.save_rows("lobby", "g", 1, b"1")
    keys = {key.decode() for key in client.scan_iter("wl:*")} - {"wl:{afps}:partitions"}
    shelf = f"wl:{{{next(iter(keys)).split('{')[1][:4]}}}:"
    own = {"log:g", "cmd:g", "key:g", "names:g", "wakes", "feed", "games", "views:g", "view:table:g", "row:lobby", "row-at:lobby"}
    assert keys == {shelf + key for key in own}


def test_scripts_vanish_and_the_store_goes_on(store: StreamStore, client: redis.Redis) -> None:
    """As they do at each restart of the server."""
    written(store, "g", wake=5)
    client.script_flush()
    assert store.append(asked("g", 3, wake=5)).version == 4
    client.script_flush()
    assert store.settle("g", 4, 7)
    client.script_flush()
    assert store.save_views("g", 4, {"table": b"4"})
    client.script_flush()
    with pytest.raises(Conflict):
        store.append(asked("g", 3))


def test_a_deleted_last_entry_cannot_be_written_anew(store: StreamStore, client: redis.Redis) -> None:
    """Somebody with more rights than sense took a move out: the log refuses to go on, rather than fork."""
    written(store, "g", wake=5)
    (log,) = client.keys("wl:{????}:log:g")
    client.xdel(log, "3-0")
    with pytest.raises(StoreError):
        store.append(asked("g", 2, wake=9))
    assert store.head("g") == (2, link(2))
    assert store.overdue(store.partition("g"), 10)[0].at == 5


def test_the_number_of_partitions_is_fixed(valkey: str, store: StreamStore) -> None:
    """By the first start; another number is refused, with nothing written."""
    written(store, "g")
    other = StreamStore(valkey, partitions=256)
    with pytest.raises(ForeignStore, match="16 partitions, not 256"):
        other.append(asked("h", 0))
    with pytest.raises(ForeignStore):
        other.check()
    assert other.read("h") == []
    StreamStore(valkey, partitions=16).append(asked("h", 0))


def test_a_store_that_is_away_comes_back_by_itself(binary: Path, tmp_path: Path) -> None:
    """Killed and started again: StoreUnavailable in between, nothing acknowledged is lost, the same object goes on."""
    with running(binary, tmp_path) as (url, process):
        store = StreamStore(url)
        for version in range(50):
            store.append(asked("g", version, command=command(str(version))))
        process.kill()
        process.wait()
        for ask in (
            lambda: store.append(asked("g", 50)),
            lambda: store.read("g"),
            lambda: store.follow([0], "views", "one", 1, 10),
            lambda: store.overdue(0, 1),
            lambda: store.publish("g", 1),
            lambda: list(store.games(0)),
            store.check,
            store.now,
        ):
            with pytest.raises(StoreUnavailable):
                ask()
    with running(binary, tmp_path):
        assert [version for version, _ in store.read("g")] == list(range(1, 51))
        assert store.append(asked("g", 49, command=command("49"))).repeated
        assert store.append(asked("g", 50)).version == 51
        store.close()


def test_a_listener_learns_that_it_may_have_missed_something(binary: Path, tmp_path: Path) -> None:
    """Once the subscription is back, it is told so one last time; what is published from then on is heard."""
    with running(binary, tmp_path) as (url, process):
        listener, store = StreamStore(url), StreamStore(url)
        assert listener.listen(0) == []
        process.kill()
        process.wait()
        with pytest.raises(StoreUnavailable):
            listener.listen(2000)
        with pytest.raises(StoreUnavailable):
            listener.listen(0)
    with running(binary, tmp_path):
        with pytest.raises(StoreUnavailable, match="lines may be missing"):
            listener.listen(2000)
        store.publish("g", 8)
        assert eventually(lambda: listener.listen(1000)) == [("g", 8)]
        listener.close()
        store.close()


def test_a_listener_that_is_cut_off_is_told(client: redis.Redis, valkey: str) -> None:
    """The server closed only its connection."""
    listener, store = StreamStore(valkey), StreamStore(valkey)
    assert listener.listen(0) == []
    client.client_kill_filter(_type="pubsub")
    told = 0
    heard: list[tuple[str, int]] = []
    while not heard:
        try:
            heard = listener.listen(200)
        except StoreUnavailable:
            told += 1
        else:
            store.publish("g", 1)
    assert 1 <= told <= 2
    assert heard[0] == ("g", 1)
    listener.close()
    store.close()


def test_lines_whose_reply_was_lost_are_found_again(store: StreamStore, monkeypatch: pytest.MonkeyPatch) -> None:
    """The server gave them to a follower whose connection broke: its next question gets them first."""
    place = store.partition("g")
    assert store.follow([place], "views", "one", 10, 0) == []
    written(store, "g")
    with monkeypatch.context() as patched:

        def lose_the_reply(client: redis.Redis, *words: str) -> None:
            send(client, *words)
            raise redis.ConnectionError("the reply was lost")

        patched.setattr(feed, "send", lose_the_reply)
        with pytest.raises(StoreUnavailable, match="the reply was lost"):
            store.follow([place], "views", "one", 10, 0)
    assert [item.version for _, item in store.follow([place], "views", "one", 10, 0)] == [3]


def test_an_answer_is_not_awaited_for_ever() -> None:
    """A server that accepts connections and says nothing is away."""
    with socket.create_server(("127.0.0.1", 0)) as silent:
        port = silent.getsockname()[1]
        store = StreamStore(f"redis://127.0.0.1:{port}/0?socket_timeout=0.1&socket_connect_timeout=0.1")
        start = time.monotonic()
        with pytest.raises(StoreUnavailable):
            store.read("g")
        assert time.monotonic() - start < 4
        store.close()


@pytest.mark.parametrize(
    "reply",
    [
        redis.BusyLoadingError("Redis is loading the dataset in memory"),
        redis.ReadOnlyError("You can't write against a read only replica."),
        redis.exceptions.MasterDownError("Link with MASTER is down"),
        redis.OutOfMemoryError("command not allowed when used memory > 'maxmemory'."),
        redis.ResponseError("MISCONF Errors writing to the AOF file: No space left on device"),
        redis.ResponseError("NOREPLICAS Not enough good replicas to write."),
        redis.exceptions.ClusterDownError("CLUSTERDOWN The cluster is down"),
        redis.exceptions.MovedError("0 127.0.0.1:7001"),
        redis.TimeoutError("Timeout reading from socket"),
        redis.exceptions.RedisClusterException("Redis Cluster cannot be connected."),
    ],
    ids=lambda reply: type(reply).__name__,
)
def test_not_now_is_not_no(reply: Exception) -> None:
    """What may be repeated is told apart from what never will be."""
    assert isinstance(translated(reply), StoreUnavailable)


def test_no_is_no() -> None:
    """A missing right or a broken key is no outage."""
    for reply in (redis.exceptions.NoPermissionError("no"), redis.ResponseError("WRONGTYPE Operation against a key")):
        assert not isinstance(translated(reply), StoreUnavailable)


def test_an_append_waits_for_its_replicas(binary: Path, tmp_path: Path) -> None:
    """Not reached: written, but not acknowledged; repeated with its id it counts once a replica has it."""
    near, far = tmp_path / "primary", tmp_path / "replica"
    near.mkdir()
    far.mkdir()
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with running(binary, near, "--port", str(port), "--repl-diskless-sync-delay", "0") as (url, _):
        store = StreamStore(url, ack=1, wait_ms=50)
        asking = asked("g", 0, command=command("c"), answer=b"yes")
        for _ in range(2):
            with pytest.raises(NotReplicated, match="0 of 1"):
                store.append(asking)
        with pytest.raises(Conflict):
            store.append(asked("g", 0))
        with running(binary, far, "--replicaof", "127.0.0.1", str(port)) as (copy, _):

            def acknowledged() -> bool:
                try:
                    return store.append(asking).repeated
                except NotReplicated:
                    return False

            assert eventually(acknowledged)
            assert store.append(asked("g", 1, command=command("d"))).version == 2
            replica = StreamStore(copy)
            assert replica.read("g") == store.read("g")
            with pytest.raises(StoreUnavailable):
                replica.append(asked("g", 2))
            replica.close()
        store.close()


def test_a_safe_server_passes(store: StreamStore) -> None:
    """The embedded one is."""
    store.check()


UNSAFE = {
    "no file": (["--appendonly", "no"], ["appendonly yes"]),
    "a second may be lost": (["--appendfsync", "everysec"], ["appendfsync always"]),
    "games may be dropped": (["--maxmemory-policy", "allkeys-lru"], ["maxmemory-policy noeviction"]),
    "all of it": (
        ["--appendonly", "no", "--appendfsync", "no", "--maxmemory-policy", "volatile-ttl"],
        ["appendonly yes", "appendfsync always", "maxmemory-policy noeviction"],
    ),
}


@pytest.mark.parametrize("case", UNSAFE)
def test_an_unsafe_server_is_refused(binary: Path, tmp_path: Path, case: str) -> None:
    """With one sentence for each setting that says what to set."""
    wrong, advice = UNSAFE[case]
    with running(binary, tmp_path, *wrong) as (url, _):
        store = StreamStore(url)
        with pytest.raises(UnsafeStore) as refusal:
            store.check()
        store.close()
    assert len(refusal.value.problems) == len(advice)
    for sentence, setting in zip(refusal.value.problems, advice, strict=True):
        assert f"set `{setting}`" in sentence


def test_what_cannot_be_seen_is_said(client: redis.Redis, valkey: str) -> None:
    """A user who may not read the settings sees some of them elsewhere, and is told which one it cannot."""
    client.acl_setuser("blind", enabled=True, passwords=["+secret"], categories=["+@all"], commands=["-config"], keys=["*"])
    try:
        store = StreamStore(f"{valkey}?username=blind&password=secret")
        with pytest.raises(UnsafeStore) as refusal:
            store.check()
        store.close()
    finally:
        client.acl_deluser("blind")
    (sentence,) = refusal.value.problems
    assert sentence.startswith("appendfsync cannot be seen")


class Says:
    """A server that answers two questions."""

    def __init__(self, **info: object) -> None:
        self._info = info

    def info(self, _section: str) -> dict[str, object]:
        return self._info

    def execute_command(self, *_words: str) -> dict[str, str]:
        return {"appendonly": "yes", "appendfsync": "always", "maxmemory-policy": "noeviction"}


@pytest.mark.parametrize(
    ("info", "sentence"),
    [
        ({"redis_version": "6.2.14"}, "the server speaks Redis 6.2.14"),
        ({"redis_version": "7.2.4", "aof_last_write_status": "err"}, "the last write to the append-only file failed"),
    ],
)
def test_settings_are_not_all(info: dict[str, object], sentence: str) -> None:
    """An old server knows no feed ids and no access selectors; a full disk keeps nothing."""
    (problem,) = problems(Says(**info))  # type: ignore[arg-type]
    assert problem.startswith(sentence)


def test_a_refusal_writes_nothing(store: StreamStore, client: redis.Redis) -> None:
    """Not even when replicas are waited for, where only a repeated command touches its own answer."""
    written(store, "g", command=command("c"))
    before = every_byte(client)
    waiting = StreamStore(store._servers, ack=1, wait_ms=1)
    with pytest.raises(NotReplicated):
        waiting.append(asked("g", 0, 3, command=command("c")))
    with pytest.raises(Conflict):
        waiting.append(asked("g", 2))
    assert every_byte(client) == before
