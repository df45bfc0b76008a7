"""A dishonest host at work: changes a log and makes everything fit again that its own keys can make fit.

It knows the game's key and the host's key.  It makes links, seals, nonces, openings, manifest and heads anew, and the heads that
unsigned seats say they saw.  It cannot sign for a seat, and it cannot take back a receipt or a head that somebody kept.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterable
from typing import Any

from events.codec import first_link, next_link
from events.sealed import nonce_of, seal_of
from projections.archive import pack, unpack
from projections.bundle import HEADED
from tests.audit.given import HOST, Played
from workers.host_key import HostKey

Plain = dict[str, Any]
HEADED_NAMES = {kind.__name__ for kind in HEADED}


def compact(value: Any) -> bytes:
    """JSON as the table writes it."""
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode()


class Forger:
    """events: public data, values: version-independent sealed values by place and path; change them, then `bundle()`."""

    def __init__(self, played: Played, host: HostKey = HOST) -> None:
        entries = played.store.read(played.game)
        self.game, self.host = played.game, host
        self.key = played.table.load(played.game).key
        self.events: list[Plain] = [json.loads(entry.e) for _, entry in entries]
        self.values: list[Plain] = [json.loads(entry.s) if entry.s else {} for _, entry in entries]
        self.numbers = list(range(1, len(entries) + 1))
        self.names = {place: json.loads(opening) for place, opening in played.store.names(played.game).items()}
        self.manifest = json.loads(unpack(played.bundle())["manifest.json"])
        self.catalogue = unpack(played.bundle())["catalogue.json"]
        self.signed = {event["seat"] for event in self.events if event["type"] == "SeatTaken" and event["public_key"]}
        self.turned_over_again = self.seen_again = True

    def copy(self) -> Forger:
        """Another try on the same game."""
        other = copy.copy(self)
        other.events, other.values = copy.deepcopy(self.events), copy.deepcopy(self.values)
        other.numbers, other.manifest = list(self.numbers), copy.deepcopy(self.manifest)
        return other

    # -- making it fit ------------------------------------------------------------------------------------------
    def bundle(self) -> bytes:
        """The forged bundle, open to everybody."""
        now = {old: new for new, old in enumerate(self.numbers, 1)}
        link = first_link(self.game)
        links, lines, openings, heads = [link], [], [], []
        for version, (event, values) in enumerate(zip(self.events, self.values, strict=True), 1):
            openings += self.sealed(version, event, values)
            self.turned_over(event, now)
            self.seen(event, now, links)
            lines.append(compact(event))
            link = next_link(link, lines[-1])
            links.append(link)
            if event.get("type") in HEADED_NAMES:
                head = self.host.head(self.game, version, link)
                heads.append({"version": version, "link": head.link, "signature": head.signature})
        first, last = self.events[0], self.events[-1]
        self.manifest |= {"game": first["game"], "versions": len(lines), "link": link.hex(), "closed": last.get("reason")}
        self.manifest |= {"catalogue": first["catalogue"], "host_key": self.host.public}
        self.manifest["ruleset"] = {"engine": first["engine"], "options": first["options"]}
        return pack(
            {
                "manifest.json": compact(self.manifest) + b"\n",
                "events.jsonl": joined(lines),
                "links.txt": joined(one.hex().encode() for one in links[1:]),
                "openings.jsonl": joined(map(compact, openings)),
                "heads.jsonl": joined(map(compact, heads)),
                "catalogue.json": self.catalogue,
            }
        )

    def sealed(self, version: int, event: Plain, values: Plain) -> Iterable[Plain]:
        """Seals made anew; their openings."""
        for path, value in values.items():
            raw, nonce = compact(value), nonce_of(self.key, version, path)
            try:
                at(event, path)["seal"] = seal_of(nonce, self.game, version, path, raw)
            except (LookupError, TypeError):
                continue  # the place itself was forged away
            yield {"version": version, "path": path, "nonce": nonce.hex(), "bytes": raw.decode()}
        if event.get("type") == "SeatTaken":
            name = self.names[f"{self.numbers[version - 1]}/name"]
            if not isinstance(event.get("name"), dict):
                return
            event["name"]["seal"] = seal_of(bytes.fromhex(name["nonce"]), self.game, version, "name", name["bytes"].encode())
            yield {"version": version, "path": "name", "nonce": name["nonce"], "bytes": name["bytes"]}

    def turned_over(self, event: Plain, now: dict[int, int]) -> None:
        """What an event opens is what lies there now."""
        if not self.turned_over_again:
            return
        for one in event.get("openings", ()):
            version = now.get(one["version"], one["version"])
            values = self.values[version - 1] if version <= len(self.values) else {}
            one |= {"version": version, "nonce": nonce_of(self.key, version, one["path"]).hex()}
            if one["path"] in values:
                one["bytes"] = compact(values[one["path"]]).decode()

    def seen(self, event: Plain, now: dict[int, int], links: list[bytes]) -> None:
        """An unsigned seat saw whatever the host says."""
        seen = event.get("seen")
        if self.seen_again and isinstance(seen, dict) and event.get("seat") not in self.signed:
            version = now.get(seen["version"], seen["version"])
            if version < len(links):
                event["seen"] = {"version": version, "link": links[version].hex()}

    def without(self, place: int) -> None:
        """One event fewer."""
        del self.events[place], self.values[place], self.numbers[place]

    def twice(self, place: int) -> None:
        """One event again, right behind itself."""
        self.events.insert(place, copy.deepcopy(self.events[place]))
        self.values.insert(place, copy.deepcopy(self.values[place]))
        self.numbers.insert(place, self.numbers[place])

    def swapped(self, place: int) -> None:
        """One event and the next change places."""
        for rows in (self.events, self.values, self.numbers):
            rows[place], rows[place + 1] = rows[place + 1], rows[place]  # type: ignore[index]


def joined(parts: Iterable[bytes]) -> bytes:
    """Lines."""
    return b"".join(part + b"\n" for part in parts)


def at(event: Plain, path: str) -> Any:
    """The thing at a path such as hands/2."""
    found: Any = event
    for step in path.split("/"):
        found = found[int(step)] if isinstance(found, list) else found[step]
    return found


# ---- every field ------------------------------------------------------------------------------------------------------
def leaves(value: Any, path: tuple[Any, ...] = ()) -> Iterable[tuple[Any, ...]]:
    """The paths of every leaf of plain data, and of every list."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from leaves(inner, (*path, key))
    elif isinstance(value, list):
        yield path
        for place, inner in enumerate(value):
            yield from leaves(inner, (*path, place))
    else:
        yield path


def other(value: Any) -> Any:
    """Something else of the same kind."""
    match value:
        case bool():
            return not value
        case int():
            return value + 1
        case str() if value.isdigit() and len(value) < 4:
            return str(int(value) + 1)
        case str():
            last = "0" if value[-1:] != "0" else "1"
            return (value[:-1] + last) if len(value) > 30 else value + "x"
        case None:
            return "x"
        case list():
            return value[:-1] if value else ["x"]
        case _:
            raise AssertionError(f"no other {value!r}")


SYNONYMS: dict[str, Callable[[Any], Any]] = {
    "bot": lambda bot: {"random": "builder", "builder": "random", None: "random"}[bot],
    "why": lambda why: {"asked": "own-choice", "own-choice": "asked", "action": "leftover", "leftover": "action"}.get(why, "cost"),
    "side": lambda side: "night" if side == "day" else "day",
    "question": lambda question: "pick" if question != "pick" else "lose",
    "kind": lambda kind: {"build": "discard", "discard": "build", "stage": "discard", "coins": "debt"}.get(kind, "coins"),
    "by": lambda by: "game" if by != "game" else "seat:0",
    "free": lambda free: "chain" if free is None else None,
    "to": lambda to: 1 if to in (None, 0) else 0 if isinstance(to, int) else "left" if to == "right" else "right",
    "deadline": lambda deadline: 1_800_000_000_000 if deadline is None else deadline + 1,
    "turn_ms": lambda turn_ms: 60_000 if turn_ms is None else turn_ms + 1,
    "reason": lambda reason: "aborted" if reason == "finished" else "finished",
    "holder": lambda holder: 0 if holder != 0 else 1,
    "free_city": lambda free_city: 0,
    "option": lambda option: "age-1" if option is None else None,
    "rematch_of": lambda game: "0" * 20,
    "signature": lambda signature: "00" * 64 if signature is None else other(signature),
    "public_key": lambda key: "ab" * 32 if key is None else None,
    "edifice_tokens": lambda rule: "printed" if rule == "cities-1" else "cities-1",
    "edifice_reward": lambda rule: "at-once" if rule == "age-end" else "age-end",
    "edifice_penalty": lambda rule: "before-conflicts" if rule == "after-conflicts" else "after-conflicts",
    "free_city_control": lambda rule: "turn" if rule == "age" else "age",
    "boards": lambda rule: "chosen" if rule == "dealt" else "dealt" if isinstance(rule, str) else rule[:-1],
    "sides": lambda rule: "day" if rule == "dealt" else "dealt",
    "origin": lambda origin: "pile" if origin != "pile" else "hand",
}
"""Where a nonsense value would be refused for its shape alone, a sensible other one."""


def changed(event: Plain, path: tuple[Any, ...]) -> None:
    """Changes the value at a path into another one."""
    found: Any = event
    for step in path[:-1]:
        found = found[step]
    name, value = path[-1], found[path[-1]]
    found[name] = SYNONYMS[name](value) if name in SYNONYMS and not isinstance(value, list) else other(value)
