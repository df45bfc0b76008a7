"""A few entries to write down, and servers to write them to."""

from __future__ import annotations

import hashlib
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import redis

from events.store import OpenedStore
from events.store.embedded import settings
from events.store.protocol import Append, CommandKey, Entry, EventStore
from events.store.wire import no_retry

HOUR = 3_600_000
Opener = Callable[..., OpenedStore]
"""Opens the store of a folder, and closes it when the test ends."""


def link(version: int) -> bytes:
    return hashlib.sha256(str(version).encode()).digest()


def entry(version: int, sealed: bytes | None = None) -> Entry:
    return Entry(b'{"v":%d}' % version, sealed, link(version))


def asked(game: str, expected: int, count: int = 1, **more: Any) -> Append:
    """An append of `count` entries after version `expected`."""
    entries = tuple(entry(expected + number) for number in range(1, count + 1))
    given = {"wake": None, "expected_link": link(expected), "entries": entries} | more
    return Append(game=game, expected=expected, **given)


def command(identity: str, body: str = "a body", actor: str = "host") -> CommandKey:
    return CommandKey(actor, identity, hashlib.sha256(body.encode()).hexdigest())


def written(store: EventStore, game: str, count: int = 3, **more: Any) -> None:
    store.append(asked(game, 0, count, **more))


def eventually(true: Callable[[], Any], seconds: float = 10.0) -> Any:
    """What `true` gives as soon as it gives something; fails after the deadline."""
    end = time.monotonic() + seconds
    while not (found := true()):
        assert time.monotonic() < end, "it never came true"
        time.sleep(0.005)
    return found


def socket_of(data: Path) -> Path:
    return data.resolve() / "store" / "socket"


OTHER = """
import sys
from pathlib import Path
from events.store import open_store
from events.store.protocol import Append, Entry
with open_store(Path(sys.argv[1]), environ={}) as house:
    game = sys.argv[2]
    seen = len(house.store.read(game))
    entries = (Entry(b"{}", None, b"l" * 32),)
    house.store.append(Append(game=game, expected=seen, expected_link=b"l" * 32, entries=entries, wake=None))
    print(seen, house.origin, flush=True)
    sys.stdin.read()
"""


def other_process(data: Path, game: str = "g") -> subprocess.Popen[str]:
    """Another program on the same folder: it appends to a game, says what it saw, and stays until its input ends."""
    program = [sys.executable, "-c", OTHER, str(data), game]
    return subprocess.Popen(program, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def said(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    return process.stdout.readline().strip()


def leave(process: subprocess.Popen[str]) -> None:
    process.communicate()
    assert process.returncode == 0


def every_byte(client: redis.Redis) -> dict[bytes, bytes]:
    """All keys with their exact contents."""
    return {key: client.dump(key) for key in client.scan_iter(count=1000)}  # type: ignore[misc]


@contextmanager
def running(binary: Path, folder: Path, *more: str) -> Iterator[tuple[str, subprocess.Popen[bytes]]]:
    """A server with the embedded settings and `more`; (its address, its process)."""
    with _started([binary, *settings(folder, folder / "s"), *more], folder) as process:
        yield f"unix://{folder / 's'}", process


DEPLOYED = Path(__file__).parents[2] / "deploy" / "store"
USERS = ("wonderlog", "queue", "archivist", "operator")


@contextmanager
def running_as_deployed(binary: Path, folder: Path) -> Iterator[str]:
    """A server with deploy/store/valkey.conf and users.acl, each user's password being its name; its address."""
    rules = (DEPLOYED / "users.acl").read_text()
    for user in USERS:
        rules = rules.replace(f"@{user.upper()}@", hashlib.sha256(user.encode()).hexdigest())
    (folder / "users.acl").write_text(rules)
    place = ["--port", "0", "--unixsocket", str(folder / "s"), "--dir", str(folder), "--logfile", str(folder / "server.log")]
    with _started([binary, DEPLOYED / "valkey.conf", *place, "--aclfile", str(folder / "users.acl")], folder):
        yield f"unix://{folder / 's'}"


def as_user(url: str, user: str) -> str:
    return f"{url}?username={user}&password={user}"


@contextmanager
def _started(program: list[str | Path], folder: Path) -> Iterator[subprocess.Popen[bytes]]:
    process = subprocess.Popen(program, cwd=folder, start_new_session=True)
    try:
        eventually(lambda: _up(folder / "s") or process.poll() is not None)
        assert process.poll() is None, (folder / "server.log").read_text()
        yield process
    finally:
        process.kill()
        process.wait()


def _up(at: Path) -> bool:
    """It answers, if only to ask for a password."""
    client = redis.Redis(unix_socket_path=str(at), retry=no_retry())
    try:
        return bool(client.ping())
    except redis.AuthenticationError:
        return True
    except redis.ConnectionError:
        return False
    finally:
        client.close()
