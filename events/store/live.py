"""Word of mouth for those who watch a table: this game has come to that move."""

from __future__ import annotations

import time
from contextlib import suppress
from typing import Any

import redis
from redis.client import PubSub
from redis.exceptions import RedisClusterException, RedisError

from events.store.protocol import StoreUnavailable
from events.store.wire import Servers, ask, translated

CHANNEL = "wl:live"


def told(game: str, version: int) -> str:
    """What is said when a game has come to a version."""
    return f"{game} {version}"


class Live:
    """Messages of the form "<game> <version>"; one subscription for each store object, renewed by itself."""

    def __init__(self, servers: Servers) -> None:
        self._servers = servers
        self._subscription: PubSub | None = None
        self._client: redis.Redis | None = None
        self._missed = False  # the subscription was lost, and the caller has not yet been told that it is back

    def publish(self, game: str, version: int) -> None:
        ask(self._servers, CHANNEL, lambda client: client.publish(CHANNEL, told(game, version)))

    def listen(self, timeout_ms: int) -> list[tuple[str, int]]:
        end = time.monotonic() + timeout_ms / 1000
        try:
            if self._subscription is None:
                self._subscribe(end)
            if self._missed:
                self._missed = False
                raise StoreUnavailable("the subscription was lost and is back: lines may be missing")
            return self._heard(end)
        except (RedisError, RedisClusterException, OSError) as error:
            self._drop()
            raise translated(error) from error

    def _subscribe(self, end: float) -> None:
        """Returns when the server has confirmed it, so that what is published from now on is heard."""
        client: Any = self._servers.listener()
        self._client = client  # kept: it closes its connections when it is forgotten
        self._subscription = subscription = client.pubsub()
        subscription.subscribe(CHANNEL)
        end = max(end, time.monotonic() + 1.0)
        while time.monotonic() < end:
            message = subscription.get_message(timeout=0.1)
            if message and message["type"] == "subscribe":
                return
        self._drop()
        raise StoreUnavailable("the store does not confirm a subscription")

    def _heard(self, end: float) -> list[tuple[str, int]]:
        """What has come, and what comes first if nothing has."""
        subscription: Any = self._subscription
        heard: list[tuple[str, int]] = []
        while True:
            left = 0.0 if heard else max(0.0, end - time.monotonic())
            message = subscription.get_message(timeout=left)
            if message is None:
                # Also after an answered health check: only the time says whether to wait on.
                if heard or time.monotonic() >= end:
                    return heard
            elif message["type"] == "message":
                game, _, version = message["data"].decode().rpartition(" ")
                heard.append((game, int(version)))
            elif message["type"] == "subscribe":
                # redis-py subscribed anew behind our back.
                raise StoreUnavailable("the subscription was lost and is back: lines may be missing")

    def _drop(self) -> None:
        self._missed = True
        self.close()

    def close(self) -> None:
        subscription, self._subscription = self._subscription, None
        if subscription is not None:
            with suppress(RedisError, OSError):  # it may be broken already
                subscription.close()
