"""A disputed turn on one sheet, for people: what was offered, chosen, revealed, paid, and by which ruling."""

from __future__ import annotations

import re
from typing import Annotated

import msgspec
from cyclopts import Parameter

from events.codec import EVERYTHING, SPECTATOR
from events.refusals import Refusal
from events.rules.state import Over
from projections.dispute import dispute as sheet_of
from projections.dispute_sheet import ChoiceSheet, DisputeDoc, QuestionSheet
from projections.eyes import Eyes
from services.cli.keepsakes import hashed
from services.cli.proofs import kept_of
from services.cli.records import Record, fetch
from services.cli.voice import Data, InJson, StoreUrl, page, refused, say_bytes

EXAMPLES = {
    "dispute": (
        "wonderlog dispute GAME --seat 2 --turn 1.4          Age I, turn 4",
        "wonderlog dispute GAME --seat 2 --turn 3.6 --json",
    )
}
AGES = ("", "I", "II", "III")


def dispute(
    game: Annotated[str, Parameter(help="The game's id.")],
    /,
    *,
    seat: Annotated[int, Parameter(help="Whose turn: a seat from 0.")],
    turn: Annotated[str, Parameter(help="Which turn: Age and turn, such as 2.5.")],
    url: Annotated[str | None, Parameter(show_default=False, help="A house, where its store is elsewhere.")] = None,
    data: Data = None,
    store: StoreUrl = None,
    json: InJson = False,
) -> None:
    """Show one turn of one seat: what it was offered, chose and when, whether that was accepted, what was revealed, what it cost
    and why, which rulings applied, and who signed what, each with the version of the event that says so.

    While the game runs, others' cards stay hidden. With --json: the document of docs/audit.md.
    """
    found = re.fullmatch(r"([123])\.([1-6])", turn)
    if found is None:
        raise refused(f"{turn!r} is no turn.", "An Age and a turn, such as --turn 2.5")
    record = fetch(game, kept_of(game, data), url, data, store)
    try:
        sheet = sheet_of(record.entries, record.names, _viewer(game, record, data), int(found[1]), int(found[2]), seat)
    except Refusal as refusal:
        raise refused(refusal.message, reason=refusal.reason.value) from None
    if json:
        say_bytes(msgspec.json.encode(sheet))
    else:
        _tell(sheet)


def _viewer(game: str, record: Record, data: Data) -> int:
    """Everything once the game is closed; before that one's own seat, or a spectator."""
    last = Eyes(SPECTATOR).see_all(record.entries, {}).game
    if isinstance(last.phase, Over) and last.phase.reason is not None:
        return EVERYTHING
    kept = kept_of(game, data)
    if kept is None or kept.token is None:
        return SPECTATOR
    own = hashed(kept.token)
    return next((place for place, person in enumerate(last.people) if person and person.token == own), SPECTATOR)


def _tell(sheet: DisputeDoc) -> None:
    out = page()
    signs = "signs its moves" if sheet.key else "has no key: its moves are unsigned"
    out.print(
        f"Age {AGES[sheet.age]}, turn {sheet.turn}: {sheet.name} (seat {sheet.seat + 1}), who {signs}.", style="bold", markup=False
    )
    for question in sheet.questions:
        _question(question)


def _question(one: QuestionSheet) -> None:
    out = page()
    out.print(f"\nAsked: {one.question}, for {one.name}", style="bold cyan", markup=False)
    cards = "hidden from this reader" if one.offer.cards is None else ", ".join(one.offer.cards)
    drawn = f"; drawn: {one.offer.drawn}" if one.offer.drawn else ""
    out.print(f"  offered  event {one.offer.version}: {cards}{drawn}", markup=False)
    for choice in one.choices:
        _choice(choice)
    for back in one.taken_back:
        words = f"event {back.version}, number {back.number} ({back.why}); signature: {back.signature}"
        out.print(f"  taken back  {words}", markup=False)
    if one.price is not None:
        out.print(f"  price  {one.price.text}", markup=False)
    for step in one.followed:
        out.print(f"  then  event {step.version}: {' '.join(step.text) or step.type}", markup=False)
    for ruling, words in one.rulings.items():
        out.print(f"  {ruling}  {words}", style="dim", markup=False)


def _choice(choice: ChoiceSheet) -> None:
    act = choice.act
    what = "face down" if act is None else f"{act.kind} {choice.card or '(a card that stays face down)'}"
    if act is not None and (act.left or act.right):
        what += f", {act.left} to the left, {act.right} to the right"
    if act is not None and act.option:
        what += f", {act.option}"
    if act is not None and act.participate:
        what += ", joining the project"
    who = "the written default, time was over" if choice.timed_out else "the bot" if choice.by == "game" else "the player"
    shown = f", turned over by event {choice.revealed}" if choice.revealed else ""
    words = f"event {choice.version}, number {choice.number}, by {who}: {what}; {choice.fate}{shown}"
    page().print(f"  chosen  {words}; signature: {choice.signature}", markup=False)
