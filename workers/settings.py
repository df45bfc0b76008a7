"""Where the house keeps its games and how it talks about them: what may be set, from the environment or the command line."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal, get_args
from urllib.parse import urlsplit

from msgspec import Struct

LogStyle = Literal["auto", "json", "pretty"]
QUEUE_SCHEMES = ("redis", "rediss", "unix")


class Settings(Struct, frozen=True, kw_only=True):
    """One set for all processes of a house.

    data: the folder of the embedded store, used when no store_url is given.  queue_url: where RQ keeps its jobs, by default
    the store's own server, or a small one beside the embedded store.  ack: "appended", "replicated" or "replicated:<number>".
    log: auto is pretty on a terminal and JSON elsewhere.  unsafe_store: open a store that could lose a move.  member: this
    process's name in the projectors' group.  host_key: the file of the key that signs receipts and heads, by default one in
    `data`, made at the first need; houses on several machines share one.
    """

    data: Path = Path("data")
    store_url: str | None = None
    queue_url: str | None = None
    ack: str = "appended"
    log: LogStyle = "auto"
    unsafe_store: bool = False
    member: str | None = None
    host_key: Path | None = None

    @classmethod
    def read(cls, environ: Mapping[str, str] | None = None, **given: Any) -> Settings:
        """The settings of the environment; what is given (and is not None) goes first.  Raises ValueError."""
        environ = os.environ if environ is None else environ
        found: dict[str, Any] = {name: environ[variable] for name, variable in VARIABLES.items() if environ.get(variable)}
        if "store_url" not in found and environ.get("REDIS_URL"):
            found["store_url"] = environ["REDIS_URL"]
        found |= {name: value for name, value in given.items() if value is not None}
        found["data"] = Path(found.get("data", cls().data))
        if found.get("host_key") is not None:
            found["host_key"] = Path(found["host_key"])
        if isinstance(found.get("unsafe_store"), str):
            found["unsafe_store"] = _yes(found["unsafe_store"])
        settings = cls(**found)
        settings.check()
        return settings

    def check(self) -> None:
        """Raises ValueError for a value that nothing could be made of."""
        if self.log not in get_args(LogStyle):
            raise ValueError(f"WONDERLOG_LOG is {self.log!r}: it must be auto, json or pretty")
        if self.queue_url is not None and urlsplit(self.queue_url).scheme not in QUEUE_SCHEMES:
            raise ValueError("WONDERLOG_QUEUE_URL must begin with redis://, rediss:// or unix://")

    def environment(self) -> dict[str, str]:
        """The same settings as variables, for a process that is started with them."""
        shown = {name: getattr(self, name) for name in VARIABLES}
        return {VARIABLES[name]: _text(value) for name, value in shown.items() if value not in (None, False)}


VARIABLES = {
    "data": "WONDERLOG_DATA",
    "store_url": "WONDERLOG_STORE_URL",
    "queue_url": "WONDERLOG_QUEUE_URL",
    "ack": "WONDERLOG_ACK",
    "log": "WONDERLOG_LOG",
    "unsafe_store": "WONDERLOG_UNSAFE_STORE",
    "member": "WONDERLOG_MEMBER",
    "host_key": "WONDERLOG_HOST_KEY",
}


def _text(value: object) -> str:
    return "1" if value is True else str(value)


def _yes(word: str) -> bool:
    return word.strip().lower() in ("1", "true", "yes", "on")
