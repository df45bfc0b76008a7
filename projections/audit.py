"""Is this game what it says it is?  Everything in a bundle recomputed and compared, by anyone, without trust in the house.

In this order: the bytes (zip, lines, links, manifest, seals, heads, receipts), before anything is made of them; then the game
itself, played again from its first event with the rules, the box and the key that it names.
"""

from __future__ import annotations

from collections.abc import Sequence

from events import facts as f
from events.codec import EVERYTHING
from events.transact import Receipt
from projections.archive import Unreadable
from projections.audit_kinds import Kind, Unproved
from projections.audit_papers import Papers, lay_out
from projections.audit_report import Findings, Report
from projections.audit_rules import play_again
from projections.audit_seals import check_heads, check_openings, check_receipts


def audit(raw: bytes, receipts: Sequence[Receipt] = (), host_key: str | None = None) -> Report:
    """The report on a bundle's bytes.

    receipts: what the host once answered, or heads it once signed, kept by somebody.  host_key: the host's public key (hex) as it
    is known from elsewhere; without it the one that the bundle names is believed.  Raises archive.Unreadable for what is no bundle.
    """
    try:
        return _audited(raw, receipts, host_key)
    except RecursionError:
        raise Unreadable("it is nested more deeply than any game") from None


def _audited(raw: bytes, receipts: Sequence[Receipt], host_key: str | None) -> Report:
    found = Findings()
    papers = lay_out(raw, found)
    own, known = check_openings(papers, found)
    named = papers.manifest.host_key
    if host_key is not None:
        sentence = "The bundle names another host's key than the one you know."
        found.unless(Kind.OTHER_HOST_KEY, named == host_key, 0, "manifest.json/host_key", named, host_key, sentence)
    key = host_key or named
    check_heads(papers, key, found)
    check_receipts(papers, key, receipts, found)
    play_again(papers, own, known, found)
    _say_what_is_not_proved(papers, found)
    return _report(papers, found)


def _say_what_is_not_proved(papers: Papers, found: Findings) -> None:
    found.note(Unproved.HOST_LOOKED, "That the host did not look at hands or at choices that lay face down.")
    found.note(Unproved.HOST_CLOCK, "That the host's clock was right, and that it kept nobody's move back until the time was over.")
    _, unsigned = _signers(papers)
    if unsigned:
        seats = ", ".join(f"seat {seat + 1}" for seat in unsigned)
        found.note(Unproved.UNSIGNED_SEATS, f"That no move of {seats} was the server's: no key was registered there.")
    if found.by_host:
        moves = len(found.by_host)
        found.note(
            Unproved.MOVES_BY_HOST, f"That signed seats agreed to the {moves} moves that the host made for them (bots, time-outs)."
        )
    found.note(
        Unproved.UNSIGNED_WISHES,
        "That sitting down, getting ready, calling a bot or agreeing to end was the seat's own wish: no key signs that.",
    )
    if any(isinstance(event, f.ClockExtended) for event in papers.events):
        found.note(Unproved.OUTAGE, "That there was an outage when the clock was extended.")
    if any(isinstance(event, f.SeatTaken) and event.bot for event in papers.events):
        found.note(Unproved.BOT_PROGRAMS, "That a bot played as its program would: its moves were legal, no more is checked.")
    if not _complete(papers):
        found.note(
            Unproved.UNOPENED,
            "Whatever lies under seals that this reader cannot open: hands, discards, cards under boards, and so the deal.",
        )


def _complete(papers: Papers) -> bool:
    return papers.viewer == EVERYTHING and papers.key is not None


def _signers(papers: Papers) -> tuple[list[int], list[int]]:
    """People's seats with and without a key, as they were when the game began."""
    seats: dict[int, f.SeatTaken] = {}
    for event in papers.events:
        if isinstance(event, f.SeatTaken):
            seats[event.seat] = event
        elif isinstance(event, f.SeatLeft):
            seats.pop(event.seat, None)
    people = sorted(seat for seat, taken in seats.items() if taken.bot is None)
    return [seat for seat in people if seats[seat].public_key], [seat for seat in people if not seats[seat].public_key]


def _report(papers: Papers, found: Findings) -> Report:
    signed, unsigned = _signers(papers)
    return Report(
        game=papers.game,
        version=len(papers.lines),
        at=papers.events[-1].at,
        viewer=papers.manifest.viewer,
        complete=_complete(papers),
        clean=not found.all,
        findings=tuple(found.all),
        more=found.more,
        checked=found.checked,
        signed=tuple(signed),
        unsigned=tuple(unsigned),
        by_host=tuple(found.by_host),
        not_proved=tuple(found.not_proved),
        unproved=tuple(found.not_proved.values()),
    )
