"""The store is asked and answers in step; each request that does so gets a thread of its own for as long as it takes."""

from __future__ import annotations

import functools
from collections.abc import Awaitable, Callable
from typing import ParamSpec, TypeVar

from anyio import to_thread

P = ParamSpec("P")
T = TypeVar("T")


def in_thread(handler: Callable[P, T]) -> Callable[P, Awaitable[T]]:
    """An async handler that runs this one in a thread.

    Litestar's own `sync_to_thread` wraps a handler twice where two methods share an address, and then never runs it.
    """

    @functools.wraps(handler)
    async def threaded(*given: P.args, **named: P.kwargs) -> T:
        return await to_thread.run_sync(functools.partial(handler, *given, **named))

    return threaded
