"""Is a game what it says it is?  The audit for people and programs, of a bundle or of a game in a house."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import msgspec
from cyclopts import Parameter
from msgspec import Struct

from events.transact import Receipt
from projections.archive import Unreadable, unpack
from projections.audit import audit as audited
from projections.audit_report import Report
from projections.bundle import MANIFEST, Manifest
from services.cli.proofs import fetch_bundle, kept_of
from services.cli.voice import FAILED, Data, InJson, StoreUrl, page, refused, say_bytes

EXAMPLES = {
    "audit": (
        "wonderlog audit game.zip",
        "wonderlog audit game.zip --receipt mine.json --host-key HEX",
        "wonderlog audit GAME                          a game of this house, or one that you play elsewhere",
    )
}


class Kept(Struct, frozen=True):
    """A receipt as a command answered it, or a head as the live stream brought it."""

    version: int
    link: str
    signature: str
    game: str | None = None
    at: int = 0


def audit(
    what: Annotated[str, Parameter(help="A bundle's file, or a game's id.")],
    /,
    *,
    receipt: Annotated[
        tuple[Path, ...], Parameter(show_default=False, help="A file of receipts or signed heads, JSON, one or more a file.")
    ] = (),
    host_key: Annotated[str | None, Parameter(show_default=False, help="The host's public key, if you know it (hex).")] = None,
    url: Annotated[str | None, Parameter(show_default=False, help="A house, where its store is elsewhere.")] = None,
    data: Data = None,
    store: StoreUrl = None,
    json: InJson = False,
) -> int:
    """Recompute everything in a game and compare: bytes, links, seals, the deal, every consequence, signatures, heads, receipts.

    Exit status 0 without a finding, 1 with findings, 2 if there is nothing to audit. What no audit can prove is said, too. A
    receipt of your own seat that is kept here is used by itself. Keys of --json: those of docs/audit.md.
    """
    given = [one for file in receipt for one in _receipts(file)]
    if Path(what).is_file():
        raw, known = _read(Path(what)), host_key
    else:
        raw, of_house = fetch_bundle(what, None, url, data, store)
        known = host_key or of_house
        kept = kept_of(what, data)
        given += [msgspec.convert(one, Kept) for one in (kept.receipt, kept.head) if one] if kept else []
    try:
        game = msgspec.json.decode(unpack(raw)[MANIFEST], type=Manifest).game
        report = audited(raw, [_receipt(one, game) for one in given], known)
    except (Unreadable, KeyError, msgspec.MsgspecError) as error:
        raise refused(f"This is no bundle: {error}.", "wonderlog export GAME -o FILE writes one.", reason="unreadable") from None
    if json:
        say_bytes(msgspec.json.encode(report))
    else:
        _tell(report)
    return 0 if report.clean else FAILED


def _read(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError as error:
        raise refused(f"{file} cannot be read: {error.strerror}.", reason="unreadable") from None


def _receipts(file: Path) -> Sequence[Kept]:
    """One receipt, a list of them, or one a line."""
    content = _read(file).strip()
    for read in (_one, _list, _by_line):
        try:
            found = read(content)
        except msgspec.MsgspecError:
            continue
        if found:
            return found
    advice = "A receipt is what a command answers: game, version, link, signature."
    raise refused(f"{file} holds no receipt.", advice, reason="unreadable")


def _one(content: bytes) -> list[Kept]:
    return [msgspec.json.decode(content, type=Kept)]


def _list(content: bytes) -> list[Kept]:
    return msgspec.json.decode(content, type=list[Kept])


def _by_line(content: bytes) -> list[Kept]:
    return [msgspec.json.decode(line, type=Kept) for line in content.splitlines() if line.strip()]


def _receipt(one: Kept, game: str) -> Receipt:
    """A head names no game: it is of the one that is audited, or its signature does not fit."""
    return Receipt(game=one.game or game, version=one.version, link=one.link, at=one.at, signature=one.signature)


def _tell(report: Report) -> None:
    out = page()
    seen = "everything open" if report.complete else f"as {report.viewer} may see it"
    out.print(f"Game {report.game}: {report.version} events, {seen}.", style="bold", markup=False)
    counts = ", ".join(f"{count} {what}" for what, count in report.checked.items() if count and what != "events")
    out.print(f"Recomputed and compared: {counts}.", markup=False)
    for finding in report.findings:
        where = f"event {finding.version}" if finding.version else "the bundle"
        out.print(f"  {where}, {finding.field}: {finding.sentence}", style="red", markup=False)
    if report.more:
        out.print(f"  and {report.more} more.", style="red")
    out.print("Not proved by any audit:")
    for sentence in report.not_proved:
        out.print(f"  · {sentence}", style="dim", markup=False)
    if report.clean:
        out.print("Nothing is wrong with this game.", style="bold green")
    else:
        count = len(report.findings) + report.more
        out.print(f"{count} finding{'' if count == 1 else 's'}: this is not the game that was played.", style="bold red")
