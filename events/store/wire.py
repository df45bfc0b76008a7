"""The wire between the house and its store: one server or a cluster of them, and what a broken wire means."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from typing import Any, Protocol, TypeVar
from urllib.parse import unquote, urlsplit

import redis
from redis.backoff import NoBackoff
from redis.cluster import ClusterNode, RedisCluster
from redis.exceptions import (
    AskError,
    ClusterError,
    MasterDownError,
    MovedError,
    NoPermissionError,
    RedisClusterException,
    RedisError,
)
from redis.maint_notifications import MaintNotificationsConfig
from redis.retry import Retry

from events.store.protocol import StoreError, StoreUnavailable

T = TypeVar("T")
Words = Sequence[str | bytes | int]  # a command and its arguments

REPLY_SECONDS = 5.0  # redis-py's own default, said aloud because blocking reads need more
BLOCK_SECONDS = 5.0  # the longest single blocking read
CLUSTER_SCHEMES = {"redis+cluster": False, "rediss+cluster": True}  # scheme -> TLS

# Replies that mean "not now": the request may be repeated when the server has loaded, failed over or found room again.
NOT_NOW = {
    "BUSY", "CLUSTERDOWN", "LOADING", "MASTERDOWN", "MISCONF", "MOVED", "ASK", "TRYAGAIN", "NOREPLICAS", "OOM", "READONLY",
    "UNBLOCKED", "background",  # "background loading ..."
}  # fmt: skip

# Read as they come: redis-py would build dictionaries that nobody needs, at a third of the speed.
RAW = ("XRANGE", "XREVRANGE", "XREADGROUP", "XAUTOCLAIM", "XPENDING", "XINFO GROUPS")


def send(client: Any, *words: str | bytes | int) -> Any:
    """One command, as it stands, and its reply."""
    return client.execute_command(*words)


def send_all(client: Any, requests: Iterable[Words]) -> list[Any]:
    """Many commands in one journey; errors stand among the replies, unchanged."""
    pipe = client.pipeline(transaction=False)
    for words in requests:
        send(pipe, *words)
    return list(pipe.execute(raise_on_error=False))


def gather(
    of: Callable[[str], redis.Redis], asked: Sequence[tuple[str, Words]], fine: Callable[[Exception], bool] = lambda error: False
) -> list[Any]:
    """The replies to (key, command) pairs, in their order: one journey to each node.  Raises the first redis error but for those
    that are `fine`, which stand among the replies."""
    journeys: dict[int, tuple[redis.Redis, list[int]]] = {}
    for number, (key, _) in enumerate(asked):
        client = of(key)
        journeys.setdefault(id(client), (client, []))[1].append(number)
    replies: dict[int, Any] = {}
    for client, numbers in journeys.values():
        replies.update(zip(numbers, send_all(client, [asked[number][1] for number in numbers]), strict=True))
    for reply in replies.values():
        if isinstance(reply, Exception) and not fine(reply):
            raise reply
    return [replies[number] for number in range(len(asked))]


def raw(client: redis.Redis) -> redis.Redis:
    """The client, with stream replies left as the server sends them."""
    for command in RAW:
        client.set_response_callback(command, lambda reply, **_: reply)
    return client


def translated(error: Exception) -> StoreError:
    """What an error of the wire means to the caller."""
    code = (str(error).split(maxsplit=1) or [""])[0].rstrip(":")
    if isinstance(error, redis.ConnectionError | redis.TimeoutError | ClusterError | RedisClusterException | OSError):
        return StoreUnavailable(f"the store cannot be reached: {error}")
    if code in NOT_NOW or isinstance(error, AskError | MasterDownError | redis.ReadOnlyError | redis.OutOfMemoryError):
        return StoreUnavailable(f"the store cannot answer now: {error}")
    if isinstance(error, NoPermissionError) or "ACL failure in script" in str(error):
        return StoreError(f"the store's access rules do not let this user do it: {error}")
    return StoreError(f"the store refused: {error}")


class Servers(Protocol):
    """Which client reaches which partition's keys."""

    shares_streams: bool  # one blocking read can follow several partitions

    def of(self, key: str) -> redis.Redis:
        """The client for the node that holds this key."""

    def patient(self, key: str) -> redis.Redis:
        """The same node; waits longer than a blocking read lasts, and repeats nothing by itself."""

    def listener(self) -> redis.Redis:
        """A client of its own for a subscription."""

    def primaries(self) -> Iterable[redis.Redis]:
        """One client for each server that takes writes."""

    def refresh(self) -> None:
        """The servers changed places: look again."""

    def close(self) -> None: ...


class OneServer:
    """A single server (or a name that always leads to the primary)."""

    shares_streams = True

    def __init__(self, quick: redis.Redis, patient: redis.Redis, listener: Callable[[], redis.Redis]) -> None:
        self._quick, self._patient, self._listener = raw(quick), raw(patient), listener

    def of(self, key: str) -> redis.Redis:
        return self._quick

    def patient(self, key: str) -> redis.Redis:
        return self._patient

    def listener(self) -> redis.Redis:
        return self._listener()

    def primaries(self) -> Iterable[redis.Redis]:
        return [self._quick]

    def refresh(self) -> None:
        # After a failover the name leads elsewhere, but pooled connections still lead to the old primary.
        for client in (self._quick, self._patient):
            client.connection_pool.disconnect(inuse_connections=False)

    def close(self) -> None:
        for client in (self._quick, self._patient):
            client.close()
            client.connection_pool.disconnect()


class Cluster:
    """The nodes of a Redis or Valkey cluster: each request goes straight to the node that holds its partition."""

    shares_streams = False

    def __init__(self, cluster: RedisCluster) -> None:
        self._cluster: Any = cluster
        self._raw: dict[int, redis.Redis] = {}

    def of(self, key: str) -> redis.Redis:
        return self._client(self._cluster.get_node_from_key(key))

    def patient(self, key: str) -> redis.Redis:
        return self.of(key)  # nothing blocks here: streams of different slots cannot be read together

    def listener(self) -> redis.Redis:
        # A cluster passes each message on to all its nodes.
        return next(iter(self.primaries()))

    def primaries(self) -> Iterable[redis.Redis]:
        return [self._client(node) for node in self._cluster.get_primaries()]

    def _client(self, node: ClusterNode) -> redis.Redis:
        client: redis.Redis = self._cluster.get_redis_connection(node)
        if self._raw.get(id(client)) is not client:
            self._raw[id(client)] = raw(client)
        return client

    def refresh(self) -> None:
        self._raw.clear()
        self._cluster.nodes_manager.initialize()

    def close(self) -> None:
        self._cluster.close()


def one_retry() -> Retry:
    """A connection that the server closed while it lay idle is replaced at once; what times out is the caller's matter."""
    return Retry(NoBackoff(), 1, supported_errors=(redis.ConnectionError,))


def no_retry() -> Retry:
    return Retry(NoBackoff(), 0)


def connect(url: str) -> Servers:
    """Servers for `redis://`, `rediss://`, `unix://` or, for a cluster, `redis+cluster://host:port,host:port`.

    Nothing is sent yet (a cluster's nodes are asked for their table).  Raises ValueError for another address,
    StoreUnavailable if no node of a cluster answers.
    """
    parts = urlsplit(url)
    if parts.scheme in CLUSTER_SCHEMES:
        return _connect_cluster(url)
    settings: dict[str, Any] = {"protocol": 3, "socket_connect_timeout": REPLY_SECONDS}
    if parts.scheme != "unix":
        settings["maint_notifications_config"] = MaintNotificationsConfig(enabled=False)
    else:
        del settings["socket_connect_timeout"]
    quick = redis.Redis.from_url(url, socket_timeout=REPLY_SECONDS, retry=one_retry(), **settings)
    patient = redis.Redis.from_url(url, socket_timeout=BLOCK_SECONDS + REPLY_SECONDS, retry=no_retry(), **settings)

    def listener() -> redis.Redis:
        return redis.Redis.from_url(url, socket_timeout=REPLY_SECONDS, retry=no_retry(), health_check_interval=10, **settings)

    return OneServer(quick, patient, listener)


def _connect_cluster(url: str) -> Servers:
    parts = urlsplit(url)
    login, _, hosts = parts.netloc.rpartition("@")
    user, _, password = login.partition(":")
    nodes: list[tuple[str, int]] = []
    for host in hosts.split(","):
        name, _, port = host.rpartition(":")
        nodes.append((name, int(port)) if name else (port, 6379))
    node: Any = ClusterNode  # untyped in redis-py
    try:
        cluster = RedisCluster(
            startup_nodes=[node(*place) for place in nodes],
            username=unquote(user) or None,
            password=unquote(password) or None,
            ssl=CLUSTER_SCHEMES[parts.scheme],
            protocol=3,
            socket_timeout=REPLY_SECONDS,
            socket_connect_timeout=REPLY_SECONDS,
            maint_notifications_config=MaintNotificationsConfig(enabled=False),
        )
    except (RedisError, RedisClusterException) as error:
        raise translated(error) from error
    return Cluster(cluster)


def ask(servers: Servers, key: str, call: Callable[[redis.Redis], T]) -> T:
    """`call` with the client of the key's node; a node that has moved is looked for once.  Raises only StoreErrors."""
    try:
        try:
            return call(servers.of(key))
        except MovedError:
            servers.refresh()
            return call(servers.of(key))
    except (RedisError, RedisClusterException) as error:
        raise away(servers, error) from error


def request(servers: Servers, key: str, *words: str | bytes | int) -> Any:
    """One command to the key's node, and its reply.  Raises only StoreErrors."""
    return ask(servers, key, lambda client: send(client, *words))


def away(servers: Servers, error: Exception) -> StoreError:
    """What the error means; if the store is away, the next request looks for it anew."""
    meaning = translated(error)
    if isinstance(meaning, StoreUnavailable):
        with suppress(RedisError, RedisClusterException):  # still away: the first error says what the caller must know
            servers.refresh()
    return meaning
