"""Whether a store keeps what it has promised to keep, before anyone sits down at a table."""

from __future__ import annotations

from typing import Any

import redis
from redis.exceptions import NoPermissionError, ResponseError

from events.store.wire import send

OLDEST = 7

# setting -> (the only safe value, why)
REQUIRED = {
    "appendonly": ("yes", "without the append-only file a restart loses every game"),
    "appendfsync": ("always", "otherwise up to a second of acknowledged moves is lost when the machine stops"),
    "maxmemory-policy": ("noeviction", "otherwise the server drops games when its memory is full"),
}


def problems(client: redis.Redis) -> list[str]:
    """One sentence for each thing that could lose a move, saying what to set; empty if there is none.

    Raises redis errors if the server cannot be asked at all.
    """
    info = _info(client)
    if info is None:
        return ["this user may not ask for INFO: grant +info, or the store's version and settings cannot be seen"]
    found = []
    version = str(info.get("redis_version", "0"))
    if int(version.split(".")[0]) < OLDEST:
        found.append(f"the server speaks Redis {version}: use Redis {OLDEST} or Valkey, or newer")
    seen = _settings(client, info)
    for setting, (safe, why) in REQUIRED.items():
        value = seen.get(setting)
        if value is None:
            found.append(f"{setting} cannot be seen: let this user ask for it (+config|get), or make sure that it is {safe}: {why}")
        elif value != safe:
            found.append(f"{setting} is {value}: set `{setting} {safe}`: {why}")
    if str(info.get("aof_last_write_status", "ok")) != "ok":
        found.append("the last write to the append-only file failed: look at the server's log and its disk")
    return found


def _info(client: redis.Redis) -> dict[str, Any] | None:
    try:
        return dict(client.info("everything"))
    except ResponseError as error:
        if not _refused(error):
            raise
        return None


def _settings(client: redis.Redis, info: dict[str, Any]) -> dict[str, str]:
    """What CONFIG GET tells; where it is refused, what INFO tells."""
    try:
        reply = send(client, "CONFIG", "GET", *REQUIRED)
    except ResponseError as error:
        if not _refused(error):
            raise
        seen = {"maxmemory-policy": info.get("maxmemory_policy")}
        if "aof_enabled" in info:
            seen["appendonly"] = "yes" if int(info["aof_enabled"]) else "no"
        return {setting: str(value) for setting, value in seen.items() if value is not None}
    pairs = reply.items() if isinstance(reply, dict) else zip(reply[::2], reply[1::2], strict=True)
    return {_text(setting): _text(value) for setting, value in pairs}


def _refused(error: ResponseError) -> bool:
    """By the access rules, or because a hosted server does not have the command at all."""
    return isinstance(error, NoPermissionError) or "unknown command" in str(error).lower()


def _text(value: str | bytes) -> str:
    return value.decode() if isinstance(value, bytes) else value
