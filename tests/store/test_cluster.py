"""A store on many servers: each game on the node that holds its partition."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
import redis

from events.store.protocol import Conflict, Row, StoreUnavailable
from events.store.streams import StreamStore
from tests.store.given import asked, command, eventually, running, written

pytestmark = pytest.mark.slow

NODES = 3
SLOTS = 16384


def free_port() -> int:
    """A port whose cluster bus (10,000 above) is a port, too."""
    while True:
        with socket.create_server(("127.0.0.1", 0)) as found:
            port = int(found.getsockname()[1])
        if port < 55_000:
            return port


@pytest.fixture(scope="module")
def cluster(binary: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[int]]:
    """Three servers on this machine that share the slots; their ports."""
    with ExitStack() as stack:
        ports: list[int] = []
        nodes: list[redis.Redis] = []
        for _ in range(NODES):
            ports.append(free_port())
            options = [
                "--port",
                str(ports[-1]),
                "--bind",
                "127.0.0.1",
                "--cluster-enabled",
                "yes",
                "--cluster-node-timeout",
                "2000",
            ]
            url, _ = stack.enter_context(running(binary, tmp_path_factory.mktemp("node"), *options))
            nodes.append(stack.enter_context(redis.Redis.from_url(url, protocol=2)))
        share = SLOTS // NODES + 1
        for number, node in enumerate(nodes):
            node.execute_command("CLUSTER", "ADDSLOTSRANGE", number * share, min((number + 1) * share, SLOTS) - 1)
            if number:
                node.execute_command("CLUSTER", "MEET", "127.0.0.1", ports[0])
        eventually(lambda: all("cluster_state:ok" in str(node.execute_command("CLUSTER", "INFO")) for node in nodes), 30)
        eventually(lambda: all(str(node.execute_command("CLUSTER", "SLOTS")).count("127.0.0.1") == NODES for node in nodes), 30)
        yield ports


@pytest.fixture
def store(cluster: list[int]) -> Iterator[StreamStore]:
    found = StreamStore(f"redis+cluster://127.0.0.1:{cluster[0]},127.0.0.1:{cluster[1]}", claim_after_ms=60_000)
    yield found
    found.close()


def test_a_cluster_has_256_partitions_on_all_its_nodes(store: StreamStore, cluster: list[int]) -> None:
    """Games spread; each reads back, is refused, woken and viewed as on one server."""
    store.check()
    assert store.partitions == 256
    games = [f"spread-{number}" for number in range(60)]
    for game in games:
        written(store, game, wake=5, command=command("c"), key=b"k", names={"1/name": b"Ada"})
        with pytest.raises(Conflict):
            store.append(asked(game, 1))
        assert store.append(asked(game, 0, command=command("c"))).repeated
        assert [version for version, _ in store.read(game)] == [1, 2, 3]
        assert store.overdue(store.partition(game), 5)[0].at == 5
        assert store.settle(game, 3, None)
        assert store.save_views(game, 3, {"table": b"3", "hand": b"3"})
        assert store.load_view(game, "hand") == (3, b"3")
        assert store.save_rows("lobby", game, 3, game.encode())
        assert store.show(game, 4, {"table": b"4"}, (Row("lobby", 2, b"old"), Row("standings", 4, b"4")))
        assert store.load_views(game, ("table", "hand")) == {"table": (4, b"4"), "hand": (3, b"3")}
        assert [version for version, _ in store.read_now(game, 2)[1]] == [3]
        assert store.read_named(game, 3) == ([], {"1/name": b"Ada"})
        assert store.swap_slip(game, "one", None, game.encode(), 60_000)
        assert store.slip(game, "one") == game.encode()
    assert store.load_rows("lobby") == {game: game.encode() for game in games}
    assert sorted(game for place in range(256) for game in store.games(place)) == sorted(games)
    for port in cluster:
        with redis.Redis(port=port) as node:
            assert 5 < len(node.keys("wl:*:log:*")) < 45
    store.drop_views(games[0])
    assert store.load_view(games[0], "hand") is None
    store.archive(games[0])
    assert store.read(games[0]) == []


def test_a_group_follows_feeds_on_all_nodes(store: StreamStore) -> None:
    """Asked again and again, as they cannot be waited for together; an append ends the wait."""
    places = range(256)
    while found := store.follow(places, "views", "one", 100, 0):
        for place, item in found:
            store.acknowledge(place, "views", [item.id])
    assert not any(store.behind("views"))
    games = {f"feed-{number}" for number in range(10)}

    def play() -> None:
        for game in sorted(games):
            written(store, game)

    waiting = threading.Thread(target=play)
    waiting.start()
    seen: set[str] = set()
    while seen != games:
        found = store.follow(places, "views", "one", 100, 10_000)
        assert found
        seen |= {item.game for _, item in found}
    waiting.join()
    assert {place for place, count in enumerate(store.behind("views")) if count} == {store.partition(game) for game in games}
    assert not any(store.fell_behind(place, "views") for place in places)


def test_word_of_mouth_reaches_every_node(store: StreamStore, cluster: list[int]) -> None:
    """Who listens at one node hears what is published at another."""
    other = StreamStore(f"redis+cluster://127.0.0.1:{cluster[2]}")
    assert store.listen(0) == []
    heard: list[tuple[str, int]] = []

    def hear() -> bool:
        other.publish("g", 7)
        heard.extend(store.listen(50))
        return bool(heard)

    eventually(hear)
    assert heard[0] == ("g", 7)
    other.close()


def test_a_partition_that_moves_is_found_again(store: StreamStore, cluster: list[int]) -> None:
    """Its slot goes to another node: the same store object follows."""
    game = next(name for number in range(500) if store.partition(name := f"move-{number}") == 1)
    written(store, game)
    slot = 64
    nodes = [redis.Redis(port=port) for port in cluster]
    ids = [node.execute_command("CLUSTER", "MYID").decode() for node in nodes]
    source = next(number for number, node in enumerate(nodes) if node.execute_command("CLUSTER", "COUNTKEYSINSLOT", slot))
    target = (source + 1) % NODES
    nodes[target].execute_command("CLUSTER", "SETSLOT", slot, "IMPORTING", ids[source])
    nodes[source].execute_command("CLUSTER", "SETSLOT", slot, "MIGRATING", ids[target])
    keys = nodes[source].execute_command("CLUSTER", "GETKEYSINSLOT", slot, 100)
    nodes[source].execute_command("MIGRATE", "127.0.0.1", cluster[target], "", 0, 5000, "KEYS", *keys)
    for number in (target, source):
        nodes[number].execute_command("CLUSTER", "SETSLOT", slot, "NODE", ids[target])

    def appended() -> bool:
        try:
            return store.append(asked(game, 3, command=command("after the move"))).version == 4
        except StoreUnavailable:
            return False

    assert eventually(appended)
    assert [version for version, _ in store.read(game)] == [1, 2, 3, 4]
    for node in nodes:
        node.close()
