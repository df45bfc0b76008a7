"""Fair dealing in public: how many games each host opened, finished and broke off, and which finished games an audit faults."""

from __future__ import annotations

import msgspec
from msgspec import Struct

from events.codec import EVERYTHING
from events.rules.state import Game, Over
from events.store.protocol import EventStore
from projections.audit import audit
from projections.bundle import bundle
from projections.documents import encode

AUDITS = "audits"
"""The aggregate of finished games that an audit faults; a game without findings leaves its checkpoint, and no row."""
FINISHED = "finished"


class DealingRow(Struct, frozen=True, kw_only=True):
    """One game of a host.  closed: why it is over, None while it is not; started: cards were dealt."""

    game: str
    opened_at: int
    started: bool
    closed: str | None


class HostDoc(Struct, frozen=True, kw_only=True):
    """What a host did with its tables.  host: SHA-256 of its secret; at: of the last table that it opened.

    aborted: dealt and not finished, so that nobody can shop for deals unseen; cancelled: closed before the deal.
    """

    host: str
    opened: int
    finished: int
    aborted: int
    cancelled: int
    running: int
    at: int


class AuditRow(Struct, frozen=True, kw_only=True):
    """A finished game with findings: how many, and the first in words."""

    game: str
    version: int
    at: int
    findings: int
    first: str


def table_of(host: str) -> str:
    """The aggregate of one host's games."""
    return f"host/{host}"


def dealing_row(game: Game) -> bytes:
    """The row that a game leaves in its host's record: another one when it is dealt, and when it closes."""
    closed = game.phase.reason if isinstance(game.phase, Over) else None
    return encode(DealingRow(game=game.id, opened_at=game.opened_at, started=bool(game.cities), closed=closed))


def save_dealings(store: EventStore, game: Game, version: int) -> None:
    """Audits a game that has closed, once, then writes that row.  version: of the last event that changed something.

    In this order, so that whoever dies in between leaves the row to be written, and with it the audit, by the next one.
    """
    if isinstance(game.phase, Over) and game.phase.reason is not None and store.row_version(AUDITS, game.id) < game.version:
        save_audit(store, game.id)
    store.save_rows(table_of(game.host), game.id, version, dealing_row(game))


def save_audit(store: EventStore, game: str) -> None:
    """Audits a closed game and keeps what was found."""
    entries, key = store.read(game), store.key(game)
    if not entries or key is None:
        return
    report = audit(bundle(entries, store.names(game), key, EVERYTHING, None))
    row = None
    if not report.clean:
        count = len(report.findings) + report.more
        row = encode(AuditRow(game=game, version=report.version, at=report.at, findings=count, first=report.findings[0].sentence))
    store.save_rows(AUDITS, game, report.version, row)


def host_document(store: EventStore, host: str) -> HostDoc:
    """A host's record."""
    rows = [msgspec.json.decode(row, type=DealingRow) for row in store.load_rows(table_of(host)).values()]
    over = [row for row in rows if row.closed is not None]
    return HostDoc(
        host=host,
        opened=len(rows),
        finished=sum(row.closed == FINISHED for row in over),
        aborted=sum(row.started and row.closed != FINISHED for row in over),
        cancelled=sum(not row.started for row in over),
        running=len(rows) - len(over),
        at=max((row.opened_at for row in rows), default=0),
    )


def faulted(store: EventStore) -> list[AuditRow]:
    """Finished games with findings, the latest first."""
    rows = [msgspec.json.decode(row, type=AuditRow) for row in store.load_rows(AUDITS).values()]
    return sorted(rows, key=lambda row: (-row.at, row.game))
