"""Opens a bundle and looks at its bytes: is every line whole, every link right, and nothing there that should not be?"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence

import msgspec
from msgspec import Struct
from msgspec.structs import asdict

from events import codec
from events.catalogue import Box, CatalogueError, edition
from events.codec import EVERYTHING
from events.facts import AnyEvent, GameClosed, GameOpened
from events.sealed import exact
from events.upcasts import CURRENT
from projections.archive import Unreadable, pack, unpack
from projections.audit_kinds import Kind
from projections.audit_report import Findings
from projections.bundle import CATALOGUE, EVENTS, HEADS, LINKS, MANIFEST, MEMBERS, OPENINGS, Manifest, manifest_of, viewer_of

_manifest = msgspec.json.Decoder(Manifest)


class Papers(Struct, frozen=True, kw_only=True):
    """A bundle laid out on the table.

    lines: the bytes of each event; events: what they say to everybody, up to the first that says nothing; links: recomputed, the
    first is l_0; box None: no such edition; key None: not published.
    """

    manifest: Manifest
    viewer: int
    lines: tuple[bytes, ...]
    events: tuple[AnyEvent, ...]
    links: tuple[bytes, ...]
    openings: tuple[bytes, ...]
    heads: tuple[bytes, ...]
    opened: GameOpened
    box: Box | None
    key: bytes | None

    @property
    def game(self) -> str:
        """The game's id."""
        return self.opened.game


def lay_out(raw: bytes, found: Findings) -> Papers:
    """The papers of a bundle, their bytes checked.  Raises archive.Unreadable if this is no bundle at all."""
    members = unpack(raw)
    for name in MEMBERS:
        if name not in members:
            raise Unreadable(f"{name} is missing")
    ordered = {name: members[name] for name in MEMBERS}
    if found.unless(
        Kind.STRAY_MEMBERS,
        set(members) == set(MEMBERS),
        0,
        "zip",
        sorted(members),
        sorted(MEMBERS),
        "The bundle has members that do not belong in it.",
    ):
        found.unless(
            Kind.ZIP_FORM,
            pack(ordered) == raw,
            0,
            "zip",
            None,
            None,
            "The zip is not packed in the one way in which bundles are packed.",
        )
    lines = _lines(EVENTS, members[EVENTS], found)
    events = _events(lines, found)
    if not events or not isinstance(events[0], GameOpened):
        raise Unreadable("the log does not begin with the opening of a game")
    opened = events[0]
    manifest, viewer = _read_manifest(members[MANIFEST], opened)
    links = _links(opened.game, lines, _lines(LINKS, members[LINKS], found), found)
    papers = Papers(
        manifest=manifest,
        viewer=viewer,
        lines=lines,
        events=events,
        links=links,
        openings=_lines(OPENINGS, members[OPENINGS], found),
        heads=_lines(HEADS, members[HEADS], found),
        opened=opened,
        box=_box(opened, members[CATALOGUE], found),
        key=_key(events[-1]),
    )
    _check_manifest(papers, members[MANIFEST], found)
    _check_order(papers, found)
    return papers


def _lines(name: str, content: bytes, found: Findings) -> tuple[bytes, ...]:
    found.unless(
        Kind.CUT_OFF,
        not content or content.endswith(b"\n"),
        0,
        name,
        None,
        None,
        f"{name} does not end with a line feed: it was cut off.",
    )
    return tuple(content.removesuffix(b"\n").split(b"\n")) if content else ()


def _events(lines: Sequence[bytes], found: Findings) -> tuple[AnyEvent, ...]:
    events = []
    for version, line in enumerate(lines, 1):
        try:
            event = codec.parse(line)
        except (codec.BrokenRecord, ValueError, TypeError, RecursionError):
            found.add(
                Kind.DAMAGED_EVENT, version, "event", line[:200], None, f"Event {version} is no event of a game: it was damaged."
            )
            break
        if not canonical(line, event):
            found.add(
                Kind.EVENT_FORM, version, "event", line, exact(event), f"Event {version} is not written as the table writes it."
            )
        events.append(event)
    found.checked["events"] = len(events)
    return tuple(events)


def canonical(line: bytes, event: AnyEvent) -> bool:
    """Whether these are the very bytes in which the table writes this event."""
    if exact(event) == line:
        return True
    try:
        raw = json.loads(line)
        today = raw.get("v") == CURRENT.get(raw.get("type"), 1)
        return not today and json.dumps(raw, separators=(",", ":"), ensure_ascii=False).encode() == line
    except (ValueError, AttributeError):
        return False


def _links(game: str, lines: Sequence[bytes], written: Sequence[bytes], found: Findings) -> tuple[bytes, ...]:
    """All links recomputed; the first that differs is the finding, since every later one hangs on it."""
    links = [codec.first_link(game)]
    for line in lines:
        links.append(codec.next_link(links[-1], line))
    found.unless(
        Kind.LINK_COUNT,
        len(written) == len(lines),
        0,
        LINKS,
        len(written),
        len(lines),
        "There is not one link for each event: lines are missing or added.",
    )
    for version, (link, one) in enumerate(zip(links[1:], written, strict=False), 1):
        if link.hex().encode() != one:
            found.add(
                Kind.BROKEN_LINK,
                version,
                "link",
                one[:200],
                link.hex(),
                f"The chain breaks at event {version}: it, or one before it, was changed.",
            )
            break
    return tuple(links)


def _read_manifest(raw: bytes, opened: GameOpened) -> tuple[Manifest, int]:
    try:
        manifest = _manifest.decode(raw)
    except msgspec.MsgspecError as error:
        raise Unreadable(f"manifest.json: {error}") from None
    viewer = viewer_of(manifest.viewer, opened.options.players)
    if viewer is None:
        raise Unreadable(f"manifest.json: there is no viewer {manifest.viewer!r}")
    return manifest, viewer


def _check_manifest(papers: Papers, raw: bytes, found: Findings) -> None:
    last, links = papers.events[-1], papers.links
    host_key = papers.manifest.host_key
    right = manifest_of(papers.opened, last, len(papers.lines), links[-1], papers.viewer, host_key)
    recorded, recomputed = asdict(papers.manifest), asdict(right)
    for name, value in recomputed.items():
        found.unless(
            Kind.MANIFEST_DIFFERS,
            recorded[name] == value,
            0,
            f"{MANIFEST}/{name}",
            recorded[name],
            value,
            f"The manifest says another {name} than the log.",
        )
    if recorded == recomputed:
        found.unless(
            Kind.MANIFEST_FORM,
            raw == exact(right) + b"\n",
            0,
            MANIFEST,
            raw,
            exact(right),
            "The manifest is not written in the one right way.",
        )
    closed = isinstance(last, GameClosed)
    found.unless(
        Kind.OPEN_TOO_EARLY,
        closed or papers.viewer != EVERYTHING,
        0,
        MANIFEST,
        papers.manifest.viewer,
        None,
        "Everything is open, but the game is not over.",
    )


def _box(opened: GameOpened, raw: bytes, found: Findings) -> Box | None:
    digest = hashlib.sha256(raw).hexdigest()
    sentence = "The card data in the bundle are not those with which the game was played."
    found.unless(Kind.OTHER_CARDS, digest == opened.catalogue, 0, CATALOGUE, digest, opened.catalogue, sentence)
    try:
        return edition(opened.catalogue)
    except CatalogueError:
        found.add(
            Kind.UNKNOWN_EDITION,
            1,
            "catalogue",
            opened.catalogue,
            None,
            "No edition of the box with this digest was ever released.",
        )
        return None


def _key(last: AnyEvent) -> bytes | None:
    if not isinstance(last, GameClosed):
        return None
    try:
        return bytes.fromhex(last.key)
    except ValueError:
        return b""


def _check_order(papers: Papers, found: Findings) -> None:
    """Times never run backwards, and nothing comes after the end."""
    before = 0
    for version, event in enumerate(papers.events, 1):
        if event.at < before:
            found.add(Kind.TIME_BACKWARDS, version, "at", event.at, before, f"Event {version} happened before the one it follows.")
        before = max(before, event.at)
        if isinstance(event, GameClosed) and version < len(papers.events):
            found.add(Kind.AFTER_THE_END, version + 1, "event", None, None, "Something happens after the end of the game.")
