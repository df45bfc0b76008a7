"""Who may touch the shelf: the house can do all that it needs (the suite runs as its user), and destroy nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
import redis
from rq import Queue, SimpleWorker
from rq.serializers import JSONSerializer

from events.store.partitions import TAGS
from events.store.protocol import StoreError, UnsafeStore
from events.store.streams import StreamStore
from tests.store.given import DEPLOYED, as_user, asked, command, every_byte, written


@pytest.fixture
def operator(deployed: str) -> Iterator[redis.Redis]:
    """Sees everything; begins with an empty server."""
    with redis.Redis.from_url(as_user(deployed, "operator")) as client:
        client.flushall()
        yield client


@pytest.fixture
def house(deployed: str, operator: redis.Redis) -> Iterator[StreamStore]:
    """Two recorded games, written by the house's own user."""
    store = StreamStore(as_user(deployed, "wonderlog"))
    written(store, "g", command=command("c"), wake=5, key=b"k" * 32, names={"1/name": b"Ada"})
    written(store, "h")
    store.save_views("g", 3, {"table": b"3"})
    yield store
    store.close()


LOG, KEY, COMMANDS, FEED, WAKES = "log:g", "key:g", "cmd:g", "feed", "wakes"

DESTRUCTIVE = [
    ("DEL", LOG),
    ("UNLINK", LOG),
    ("XTRIM", LOG, "MAXLEN", "0"),
    ("XDEL", LOG, "1-0"),
    ("XSETID", LOG, "9-0"),
    ("SET", LOG, "x"),
    ("GETDEL", KEY),
    ("GETSET", KEY, "x"),
    ("SET", KEY, "x"),
    ("SETRANGE", KEY, "0", "x"),
    ("DEL", KEY),
    ("RENAME", LOG, LOG + "2"),
    ("RENAME", LOG + "2", LOG),
    ("COPY", KEY, LOG, "REPLACE"),
    ("RESTORE", LOG, "0", "x", "REPLACE"),
    ("EXPIRE", LOG, "0"),
    ("PEXPIREAT", LOG, "1"),
    ("MOVE", LOG, "1"),
    ("SORT", COMMANDS, "STORE", LOG),
    ("ZUNIONSTORE", LOG, "1", WAKES),
    ("ZRANGESTORE", LOG, WAKES, "0", "-1"),
    ("BITOP", "NOT", LOG, KEY),
    ("HDEL", COMMANDS, "4:host:c"),
    ("DEL", COMMANDS),
    ("DEL", FEED),
    ("XTRIM", FEED, "MAXLEN", "0"),
    ("XGROUP", "DESTROY", FEED, "views"),
    ("DEL", WAKES),
    ("SREM", "games", "g"),
    ("DEL", "names:g"),
    ("SET", "partitions", "1"),
]
WHOLE_SERVER = [
    ("FLUSHALL",),
    ("FLUSHDB",),
    ("SWAPDB", "0", "1"),
    ("CONFIG", "SET", "appendfsync", "no"),
    ("CONFIG", "RESETSTAT"),
    ("SHUTDOWN", "NOSAVE"),
    ("REPLICAOF", "127.0.0.1", "1"),
    ("ACL", "SETUSER", "wonderlog", "+@all"),
    ("ACL", "LIST"),
    ("FUNCTION", "FLUSH"),
    ("CLIENT", "KILL", "TYPE", "normal"),
    ("MONITOR",),
    ("KEYS", "*"),
]


def on_shelf(store: StreamStore, words: tuple[str, ...]) -> list[str]:
    """The words with the key names of game g's partition."""
    shelf = store._shelves[store.partition("g")]
    kinds = re.compile(r"(log|key|cmd|names):g2?$|feed$|wakes$|games$")
    return [
        f"wl:{{{TAGS[0]}}}:partitions" if word == "partitions" else shelf + word if kinds.fullmatch(word) else word
        for word in words
    ]


@pytest.mark.parametrize("words", DESTRUCTIVE + WHOLE_SERVER, ids=" ".join)
def test_the_house_can_destroy_nothing(house: StreamStore, deployed: str, operator: redis.Redis, words: tuple[str, ...]) -> None:
    """Neither by a command nor by a script; every byte is as before."""
    before = every_byte(operator)
    real = on_shelf(house, words)
    with redis.Redis.from_url(as_user(deployed, "wonderlog"), protocol=3) as client:
        with pytest.raises(redis.exceptions.NoPermissionError):
            client.execute_command(*real)
        if words in DESTRUCTIVE:
            keys = [word for word in real if word.startswith("wl:")]
            call = ", ".join(f"'{word}'" for word in real)
            with pytest.raises(redis.ResponseError, match=r"(?i)permission|can't access|NOPERM"):
                client.eval(f"return redis.call({call})", len(keys), *keys)
    assert every_byte(operator) == before


def test_only_the_archivist_archives(house: StreamStore, deployed: str, operator: redis.Redis) -> None:
    """The house is told that it may not; the archivist drops that game and no other, and cannot write moves."""
    before = every_byte(operator)
    with pytest.raises(StoreError, match="access rules"):
        house.archive("g")
    assert every_byte(operator) == before
    archivist = StreamStore(as_user(deployed, "archivist"))
    with pytest.raises(StoreError, match="access rules"):
        archivist.append(asked("g", 3))
    assert every_byte(operator) == before
    archivist.archive("g")
    assert house.read("g") == []
    assert len(house.read("h")) == 3
    archivist.close()


def test_the_house_sees_that_its_server_is_safe(house: StreamStore, operator: redis.Redis) -> None:
    """With the settings that we deploy; and sees it when somebody changes them."""
    house.check()
    operator.config_set("appendfsync", "everysec")
    try:
        with pytest.raises(UnsafeStore, match="appendfsync is everysec"):
            house.check()
    finally:
        operator.config_set("appendfsync", "always")


def test_strangers_are_not_let_in(deployed: str) -> None:
    """Nobody without a password, nobody with a wrong one."""
    for url in (deployed, f"{deployed}?username=wonderlog&password=wrong", f"{deployed}?username=default&password="):
        with redis.Redis.from_url(url) as client, pytest.raises(redis.AuthenticationError):
            client.ping()


def test_the_queue_has_a_user_of_its_own(deployed: str, operator: redis.Redis, house: StreamStore) -> None:
    """RQ works on the same server where nobody wants a second one; it cannot even read the logs."""
    with redis.Redis.from_url(as_user(deployed, "queue")) as client:
        queue = Queue("moves", connection=client, serializer=JSONSerializer)
        job = queue.enqueue("operator.add", 2, 3)
        assert SimpleWorker([queue], connection=client, serializer=JSONSerializer).work(burst=True, logging_level="ERROR")
        assert job.return_value() == 5
        (log,) = operator.keys("wl:{????}:log:g")
        with pytest.raises(redis.exceptions.NoPermissionError):
            client.xrange(log)


def test_the_rules_hold_no_password() -> None:
    """As they lie in the repository they do not even load: every password has to be filled in."""
    rules = (DEPLOYED / "users.acl").read_text()
    users = re.findall(r"^user (\w+) (.*)$", rules, re.MULTILINE)
    assert [name for name, _ in users] == ["default", "wonderlog", "queue", "archivist", "operator"]
    assert all(re.match(rf"on #@{name.upper()}@ ", rest) for name, rest in users if name != "default")
    assert dict(users)["default"] == "off"
    assert "nopass" not in rules
    assert ">" not in rules
