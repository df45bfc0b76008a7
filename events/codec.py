"""How a fact becomes bytes and bytes become a fact: the public bytes, the sealed ones apart, and the chain of links.

`e` is deterministic JSON; a value of a `Sealed` field stands in it as its seal only.  `s` is a JSON object from the path
of each sealed value to its exact bytes.  A link is SHA-256 over the previous link's 32 bytes and the bytes of `e`.
"""

from __future__ import annotations

import hashlib
import typing
from collections.abc import Iterable, Mapping
from typing import Any

import msgspec
from msgspec import Raw, Struct
from msgspec.structs import replace

from events import facts
from events.facts import AnyEvent
from events.sealed import Erasable, Opening, Sealed, exact, nonce_of, seal_of
from events.upcasts import CURRENT, upcast

SPECTATOR = -1
"""The viewer who may read no seal."""
EVERYTHING = -2
"""The server itself, and everyone once the game's key is published."""


class Written(Struct, frozen=True, gc=False):
    """An event as bytes.  names: erasable openings by "<version>/<path>", kept outside the log."""

    e: bytes
    s: bytes | None
    names: dict[str, bytes]


class NameOpening(Struct, frozen=True):
    """What opens an erasable value: its nonce (hex) and its exact bytes, as text."""

    nonce: str
    bytes: str


class BrokenRecord(ValueError):
    """Stored bytes that are no event; the message says where."""


def first_link(game: str) -> bytes:
    """l_0 of a game."""
    return hashlib.sha256(b"wonderlog/1" + game.encode()).digest()


def next_link(previous: bytes, e: bytes) -> bytes:
    """l_n from l_(n-1) and the raw bytes of e_n."""
    return hashlib.sha256(previous + e).digest()


# ---- which fields hold seals ------------------------------------------------------------------------------------------
def _fields(event: type[Struct], of: type) -> tuple[tuple[str, Any], ...]:
    """(field, type of the value) of the fields that hold an `of`, or a tuple of them."""
    found = []
    for name, hint in typing.get_type_hints(event).items():
        for part in (hint, *typing.get_args(hint)):
            if typing.get_origin(part) is of:
                found.append((name, typing.get_args(part)[0]))
                break
    return tuple(found)


EVENTS: tuple[type[Struct], ...] = typing.get_args(facts.AnyEvent)
SEALED: dict[type, tuple[str, ...]] = {event: tuple(name for name, _ in _fields(event, Sealed)) for event in EVENTS}
ERASABLE: dict[type, tuple[str, ...]] = {event: tuple(name for name, _ in _fields(event, Erasable)) for event in EVENTS}
OPENING: frozenset[type] = frozenset(event for event in EVENTS if "openings" in event.__struct_fields__)
_VALUES: dict[tuple[type, str], msgspec.json.Decoder[Any]] = {
    (event, name): msgspec.json.Decoder(kind)
    for event in EVENTS
    for name, kind in (*_fields(event, Sealed), *_fields(event, Erasable))
}
_decode_event = msgspec.json.Decoder(AnyEvent).decode
_decode_sealed = msgspec.json.Decoder(dict[str, Raw]).decode
_decode_name = msgspec.json.Decoder(NameOpening).decode


# ---- writing ----------------------------------------------------------------------------------------------------------
def write(event: AnyEvent, version: int, game: str, key: bytes) -> Written:
    """The bytes of one event: seals made, openings' nonces filled in."""
    kind = type(event)
    if kind in OPENING:
        return Written(exact(_with_nonces(event, key)), None, {})
    sealed, erasable = SEALED[kind], ERASABLE[kind]
    if not sealed and not erasable:
        return Written(exact(event), None, {})
    secret: dict[str, Raw] = {}
    names: dict[str, bytes] = {}
    changed: dict[str, Any] = {}
    for name in sealed:
        value = getattr(event, name)
        if isinstance(value, tuple):
            changed[name] = tuple([_seal(one, f"{name}/{place}", version, game, key, secret) for place, one in enumerate(value)])
        elif value is not None:
            changed[name] = _seal(value, name, version, game, key, secret)
    for name in erasable:
        changed[name] = _seal_name(getattr(event, name), name, version, game, names)
    return Written(exact(replace(event, **changed)), exact(secret) if secret else None, names)


def _seal(sealed: Sealed[Any], path: str, version: int, game: str, key: bytes, secret: dict[str, Raw]) -> Sealed[Any]:
    value = exact(sealed.value)
    secret[path] = Raw(value)
    return Sealed(readers=sealed.readers, seal=seal_of(nonce_of(key, version, path), game, version, path, value))


def _seal_name(erasable: Erasable[Any], path: str, version: int, game: str, names: dict[str, bytes]) -> Erasable[Any]:
    value = exact(erasable.value)
    assert isinstance(erasable.nonce, str)
    names[f"{version}/{path}"] = exact(NameOpening(erasable.nonce, value.decode()))
    return Erasable(seal=seal_of(bytes.fromhex(erasable.nonce), game, version, path, value))


def _with_nonces(event: Any, key: bytes) -> Any:
    filled = tuple([replace(one, nonce=nonce_of(key, one.version, one.path).hex()) for one in event.openings])
    return replace(event, openings=filled)


# ---- reading ----------------------------------------------------------------------------------------------------------
def parse(e: bytes) -> AnyEvent:
    """The public event; older shapes are raised to today's.  Raises BrokenRecord, also for what a newer Wonderlog wrote."""
    try:
        event = _decode_event(e)
    except msgspec.MsgspecError as error:
        return _parse_old(e, str(error))
    return event if event.v == CURRENT.get(type(event).__name__, 1) else _parse_old(e, "")


def _parse_old(e: bytes, problem: str) -> AnyEvent:
    try:
        return _decode_event(exact(upcast(e)))
    except (msgspec.MsgspecError, LookupError, TypeError) as error:
        raise BrokenRecord(problem or str(error)) from None


def read(version: int, e: bytes, s: bytes | None, names: Mapping[str, bytes], viewer: int = EVERYTHING) -> AnyEvent:
    """The event as a viewer may know it: a seat's number, SPECTATOR or EVERYTHING.  A seal it may not read stays shut."""
    event = parse(e)
    kind = type(event)
    sealed, erasable = SEALED[kind], ERASABLE[kind]
    if not sealed and not erasable:
        return event
    secret = _secret(s)
    changed: dict[str, Any] = {}
    for name in sealed:
        value = getattr(event, name)
        decode = _VALUES[kind, name].decode
        if isinstance(value, tuple):
            changed[name] = tuple(_open(one, secret.get(f"{name}/{place}"), decode, viewer) for place, one in enumerate(value))
        elif value is not None:
            changed[name] = _open(value, secret.get(name), decode, viewer)
    for name in erasable:
        kept = names.get(f"{version}/{name}")
        if kept is not None:
            opening = _decode_name(kept)
            value = _VALUES[kind, name].decode(opening.bytes)
            changed[name] = replace(getattr(event, name), value=value, nonce=opening.nonce)
    return replace(event, **changed)


def _open(sealed: Sealed[Any], value: Raw | None, decode: Any, viewer: int) -> Sealed[Any]:
    if value is None or not (viewer == EVERYTHING or viewer in sealed.readers):
        return sealed
    try:
        return replace(sealed, value=decode(value))
    except msgspec.MsgspecError as error:
        raise BrokenRecord(f"a sealed value: {error}") from None


def _secret(s: bytes | None) -> dict[str, Raw]:
    """The sealed values of an entry by their paths."""
    try:
        return _decode_sealed(s) if s is not None else {}
    except msgspec.MsgspecError as error:
        raise BrokenRecord(f"the sealed values: {error}") from None


def seals(event: AnyEvent) -> Iterable[tuple[str, Sealed[Any]]]:
    """(path, sealed) of every seal in an event."""
    for name in SEALED[type(event)]:
        value = getattr(event, name)
        if isinstance(value, tuple):
            for place, one in enumerate(value):
                yield f"{name}/{place}", one
        elif value is not None:
            yield name, value


def openings(version: int, e: bytes, s: bytes | None, names: Mapping[str, bytes], key: bytes, viewer: int) -> tuple[Opening, ...]:
    """What a viewer may open of one entry: its own seals, and the names that are not erased."""
    event = parse(e)
    found = []
    if s is not None:
        secret = _secret(s)
        for path, one in seals(event):
            if viewer == EVERYTHING or viewer in one.readers:
                if path not in secret:
                    raise BrokenRecord(f"version {version}: the sealed value {path} is missing")
                value = bytes(secret[path]).decode()
                found.append(Opening(version=version, path=path, nonce=nonce_of(key, version, path).hex(), bytes=value))
    for name in ERASABLE[type(event)]:
        kept = names.get(f"{version}/{name}")
        if kept is not None:
            opening = _decode_name(kept)
            found.append(Opening(version=version, path=name, nonce=opening.nonce, bytes=opening.bytes))
    return tuple(found)


def with_openings(event: AnyEvent, opened: Iterable[Opening]) -> AnyEvent:
    """A public event with openings put in, as a client or the audit sees it.  Seals are not checked here."""
    kind = type(event)
    found = {one.path: one for one in opened}
    changed: dict[str, Any] = {}
    for name in (*SEALED[kind], *ERASABLE[kind]):
        value = getattr(event, name)
        decode = _VALUES[kind, name].decode
        if isinstance(value, tuple):
            changed[name] = tuple(
                replace(one, value=decode(found[f"{name}/{place}"].bytes)) if f"{name}/{place}" in found else one
                for place, one in enumerate(value)
            )
        elif value is not None and name in found:
            changed[name] = replace(value, value=decode(found[name].bytes))
    return replace(event, **changed) if changed else event
