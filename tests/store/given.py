"""A few entries to write down, and servers to write them to."""

from __future__ import annotations

import hashlib
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import redis

from events.store.embedded import answers, settings
from events.store.protocol import Append, CommandKey, Entry, EventStore

HOUR = 3_600_000


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


def every_byte(client: redis.Redis) -> dict[bytes, bytes]:
    """All keys with their exact contents."""
    return {key: client.dump(key) for key in client.scan_iter(count=1000)}  # type: ignore[misc]


@contextmanager
def running(binary: Path, folder: Path, *more: str) -> Iterator[tuple[str, subprocess.Popen[bytes]]]:
    """A server with the embedded settings and `more`; (its address, its process)."""
    at = folder / "s"
    process = subprocess.Popen([binary, *settings(folder, at), *more], cwd=folder, start_new_session=True)
    try:
        eventually(lambda: answers(at) or process.poll() is not None or _asks_for_a_password(at))
        assert process.poll() is None, (folder / "server.log").read_text()
        yield f"unix://{at}", process
    finally:
        process.kill()
        process.wait()


def _asks_for_a_password(at: Path) -> bool:
    client = redis.Redis(unix_socket_path=str(at))
    try:
        return bool(client.ping())
    except redis.AuthenticationError:
        return True
    except redis.ConnectionError:
        return False
    finally:
        client.close()
