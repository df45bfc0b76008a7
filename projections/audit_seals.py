"""Checks what was opened against the seals, and what the host signed against the log."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Literal

import msgspec
from msgspec import UNSET

from events import codec
from events.codec import ERASABLE, EVERYTHING, OPENING
from events.facts import AnyEvent
from events.sealed import Opening, exact, nonce_of, opens, seal_of
from events.signatures import host_message, signed_by
from events.transact import Receipt
from projections.audit_kinds import Kind, Unproved
from projections.audit_papers import Papers
from projections.audit_report import Findings
from projections.bundle import HEADED, HEADS, OPENINGS, Head

Known = dict[int, dict[str, Opening]]
"""version -> path -> what was opened there."""

BY_HOST: tuple[Literal["receipt", "head"], ...] = ("receipt", "head")

_opening = msgspec.json.Decoder(Opening)
_head = msgspec.json.Decoder(Head)


def check_openings(papers: Papers, found: Findings) -> tuple[Known, Known]:
    """(what the bundle opens for its reader, that and what later events opened to all), every opening checked against its seal."""
    seals = {version: dict(_all_seals(event)) for version, event in enumerate(papers.events, 1) if _has_seals(event)}
    own: Known = {}
    listed = []
    for opening in _listed(papers, found):
        listed.append((opening.version, opening.path))
        if _fits(papers, opening, seals, opening.version, OPENINGS, found):
            own.setdefault(opening.version, {})[opening.path] = opening
    _check_complete(papers, seals, own, listed, found)
    all_known: Known = {version: dict(paths) for version, paths in own.items()}
    for version, event in enumerate(papers.events, 1):
        if type(event) in OPENING:
            for place, opening in enumerate(event.openings):  # type: ignore[union-attr]
                if opening == own.get(opening.version, {}).get(opening.path):
                    found.checked["seals"] += 1  # the very same one was found right above
                elif _fits(papers, opening, seals, version, f"openings/{place}", found):
                    all_known.setdefault(opening.version, {})[opening.path] = opening
    return own, all_known


def _has_seals(event: AnyEvent) -> bool:
    return bool(codec.SEALED[type(event)] or ERASABLE[type(event)])


def _all_seals(event: AnyEvent) -> Iterable[tuple[str, Any]]:
    yield from codec.seals(event)
    for name in ERASABLE[type(event)]:
        yield name, getattr(event, name)


def _listed(papers: Papers, found: Findings) -> Iterable[Opening]:
    """The openings of openings.jsonl, each in its one encoding and all in the order of the log."""
    for number, line in enumerate(papers.openings, 1):
        try:
            opening = _opening.decode(line)
        except msgspec.MsgspecError:
            found.add(
                Kind.DAMAGED_OPENING, 0, f"{OPENINGS}/{number}", line[:200], None, f"Line {number} of {OPENINGS} is no opening."
            )
            continue
        if exact(opening) != line:
            sentence = "An opening is not written in the one way."
            found.add(Kind.OPENING_FORM, opening.version, f"{OPENINGS}/{number}", line, exact(opening), sentence)
        yield opening


def _fits(papers: Papers, opening: Opening, seals: dict[int, Any], version: int, field: str, found: Findings) -> bool:
    """Whether an opening opens a seal of the log, with the nonce that the game's key gives, once that is known."""
    found.checked["seals"] += 1
    sealed = seals.get(opening.version, {}).get(opening.path)
    if sealed is None or sealed.seal is UNSET:
        found.add(
            Kind.NOTHING_SEALED,
            version,
            field,
            opening.path,
            None,
            f"Something is opened at event {opening.version} where nothing was sealed.",
        )
        return False
    by_key = papers.key is not None and hasattr(sealed, "readers")
    if by_key and papers.key is not None:
        nonce = nonce_of(papers.key, opening.version, opening.path)
        value = opening.bytes.encode()
        if opening.nonce == nonce.hex() and seal_of(nonce, papers.game, opening.version, opening.path, value) == sealed.seal:
            return True
    try:
        fits = opens(opening, papers.game, sealed.seal)
    except (ValueError, TypeError):
        fits = False
    if not fits:
        sentence = f"What is opened at event {opening.version} ({opening.path}) is not what was sealed there."
        found.add(Kind.SEAL_DIFFERS, version, field, opening.bytes, sealed.seal, sentence)
        return False
    if by_key:
        sentence = f"The seal of event {opening.version} ({opening.path}) was not made with the game's key."
        found.add(Kind.OTHER_GAME_KEY, version, f"{field}/nonce", opening.nonce, nonce.hex(), sentence)
    return True


def _check_complete(papers: Papers, seals: dict[int, Any], own: Known, listed: list[tuple[int, str]], found: Findings) -> None:
    """Everything that the reader may open is there, in the order of the log, nothing else, nothing twice."""
    right = []
    for version, paths in seals.items():
        opened = own.get(version, {})
        for path, sealed in paths.items():
            readable = _readable(papers.viewer, sealed)
            if path in opened:
                right.append((version, path))
                if not readable and hasattr(sealed, "readers"):
                    sentence = f"Event {version} ({path}) is open to somebody who may not read it."
                    found.add(Kind.OPEN_TO_STRANGERS, version, f"{OPENINGS}/{path}", None, None, sentence)
            elif readable:
                sentence = f"Event {version} ({path}) should be open to this reader and is not."
                found.add(Kind.CLOSED_TO_READER, version, f"{OPENINGS}/{path}", None, None, sentence)
    found.unless(
        Kind.OPENINGS_DIFFER,
        listed == right,
        0,
        OPENINGS,
        None,
        None,
        "The openings are not those of the log, each once and in its order.",
    )


def _readable(viewer: int, sealed: Any) -> bool:
    readers = getattr(sealed, "readers", None)
    return readers is not None and (viewer == EVERYTHING or viewer in readers)


# ---- what the host signed ---------------------------------------------------------------------------------------------
def check_heads(papers: Papers, host_key: str | None, found: Findings) -> None:
    """One signature of the host at every event that ends a reveal or an Age, over the link as it is in this log."""
    if host_key is None:
        found.unless(
            Kind.HEADS_WITHOUT_KEY,
            not papers.heads,
            0,
            HEADS,
            len(papers.heads),
            0,
            "There are signed heads, but no key is named that signed them.",
        )
        found.note(Unproved.NOTHING_SIGNED, "That this is the log that the table had: the host signed nothing in this bundle.")
        return
    due = [version for version, event in enumerate(papers.events, 1) if isinstance(event, HEADED)]
    heads = []
    for number, line in enumerate(papers.heads, 1):
        try:
            head = _head.decode(line)
        except msgspec.MsgspecError:
            found.add(Kind.DAMAGED_HEAD, 0, f"{HEADS}/{number}", line[:200], None, f"Line {number} of {HEADS} is no signed head.")
            continue
        found.unless(
            Kind.HEAD_FORM,
            exact(head) == line,
            head.version,
            f"{HEADS}/{number}",
            line,
            exact(head),
            "A head is not written in the one way.",
        )
        heads.append(head)
        _check_head(papers, host_key, head, found)
    signed = [head.version for head in heads]
    found.unless(
        Kind.HEADS_DIFFER,
        signed == due,
        0,
        HEADS,
        signed,
        due,
        "The host did not sign exactly the heads of all reveals, of the Ages' ends and of the end.",
    )


def _check_head(papers: Papers, host_key: str, head: Head, found: Findings) -> None:
    found.checked["heads"] += 1
    link = papers.links[head.version].hex() if 0 < head.version < len(papers.links) else None
    sentence = f"The host signed another log: at event {head.version} its link is not this one's."
    found.unless(Kind.HEAD_OF_ANOTHER_LOG, head.link == link, head.version, f"{HEADS}/link", head.link, link, sentence)
    message = host_message("head", papers.game, head.version, head.link)
    found.unless(
        Kind.HEAD_SIGNATURE,
        signed_by(host_key, message, head.signature),
        head.version,
        f"{HEADS}/signature",
        head.signature,
        None,
        f"The head of event {head.version} is not signed by the host's key.",
    )


def check_receipts(papers: Papers, host_key: str | None, receipts: Sequence[Receipt], found: Findings) -> None:
    """What the host once signed for somebody must stand in this log."""
    if not receipts:
        sentence = (
            "That nothing was replaced since it was played by whoever holds the host's key: only a receipt or a head that "
            "somebody kept can show that."
        )
        found.note(Unproved.NO_RECEIPT, sentence)
    for receipt in receipts:
        found.checked["receipts"] += 1
        version = receipt.version
        if not found.unless(
            Kind.RECEIPT_OF_ANOTHER_GAME,
            receipt.game == papers.game,
            version,
            "receipt/game",
            receipt.game,
            papers.game,
            "This receipt is of another game.",
        ):
            continue
        signature = None if receipt.signature is UNSET else receipt.signature
        by_host = host_key is not None and any(
            signed_by(host_key, host_message(what, receipt.game, version, receipt.link), signature) for what in ("receipt", "head")
        )
        sentence = f"The receipt of version {version} is not signed by the key of this host."
        if not found.unless(Kind.RECEIPT_SIGNATURE, by_host, version, "receipt/signature", signature, host_key, sentence):
            continue
        link = papers.links[version].hex() if 0 < version < len(papers.links) else None
        sentence = (
            f"The receipt says that the log had come to version {version}; this one ends before it."
            if link is None
            else f"At version {version} the host once had another log than this one: something up to there was changed."
        )
        found.unless(
            Kind.RECEIPT_BEYOND_THE_END if link is None else Kind.RECEIPT_OF_ANOTHER_LOG,
            receipt.link == link,
            version,
            "receipt/link",
            receipt.link,
            link,
            sentence,
        )
