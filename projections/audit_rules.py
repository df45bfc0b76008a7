"""Plays a recorded game again: what each command led to, by the rules and the key, must be what stands in the log."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import UNSET
from msgspec.structs import replace

from events import codec, facts as f
from events.codec import EVERYTHING
from events.commands import AnyCommand, TakeSeat, TimeOut
from events.facts import AnyEvent
from events.refusals import Refusal
from events.rules import Game, due, evolve, initial, outcome
from events.rules.state import ENGINE
from events.sealed import Opening, exact
from events.signatures import refuse_unsigned
from projections.audit_commands import OWED, command_of
from projections.audit_kinds import Kind, Unproved
from projections.audit_moves import check_move
from projections.audit_papers import Papers
from projections.audit_partial import as_recorded, in_public, partly_decided, same_in_public
from projections.audit_report import Findings, differences, moment, plain, shown
from projections.audit_seals import Known

SECRET_PARTS = ("seal", "nonce")
WHAT: dict[str, str] = {
    "GameOpened": "the opening of the table",
    "SeatTaken": "somebody's sitting down",
    "GameStarted": "the deal of boards and projects",
    "EntropyRevealed": "a seat's part of the deal",
    "AgeDealt": "the deal of the Age",
    "CardDrawn": "the card drawn from the pile",
    "ActionChosen": "a choice",
    "SeatTimedOut": "what was chosen when the time was over",
    "TurnRevealed": "what was turned over",
    "CoinsPaid": "a payment",
    "CoinsReceived": "an income",
    "CardBuilt": "a building",
    "StageBuilt": "a wonder stage",
    "CardDiscarded": "a discarded card",
    "ParticipationTaken": "a token of the Edifice",
    "ExtraAsked": "what was asked",
    "ExtraChosen": "an answer",
    "ExtraRevealed": "the answers that were turned over",
    "HandsPassed": "the hands that were passed on",
    "AgeEnded": "the end of the Age",
    "ConflictsResolved": "the conflicts",
    "RewardGranted": "a reward",
    "PenaltySuffered": "a penalty",
    "GameScored": "the score",
    "GameClosed": "the end of the game",
}


def play_again(papers: Papers, own: Known, known: Known, found: Findings) -> None:
    """Refolds the log and decides every command again; stops at the first that does not fit, since all later ones hang on it.

    own: what the reader may open; known: that and what was turned over later.
    """
    if papers.box is None:
        found.note(Unproved.NO_EDITION, "That the rules were kept: the edition of the box is unknown.")
        return
    full = papers.viewer == EVERYTHING and papers.key is not None
    opened = own if full else known
    events = _all_seen(papers, opened, found)
    replay = Replay(papers, events, full, initial(papers.box), found)
    try:
        replay.run()
    except Exception as error:  # noqa: BLE001 - a crafted log may be nonsense in any way: that is a finding, not our failure
        sentence = f"From event {replay.place + 1} on the log is no game: nothing can be made of it."
        found.add(Kind.NO_GAME, replay.place + 1, "event", type(error).__name__, None, sentence)
    if replay.place < len(papers.lines):
        sentence = f"Whatever follows event {replay.place}: it was not decided again, since what comes before it does not fit."
        found.note(Unproved.NOT_DECIDED_AGAIN, sentence)


def _all_seen(papers: Papers, opened: Known, found: Findings) -> list[AnyEvent]:
    """The events as the reader sees them, up to the first whose opened values are none."""
    seen: list[AnyEvent] = []
    for version, event in enumerate(papers.events, 1):
        openings = opened.get(version, {})
        try:
            seen.append(_seen(event, openings))
        except (ValueError, TypeError, LookupError):
            sentence = f"What is opened at event {version} is nothing that can lie there."
            found.add(Kind.IMPOSSIBLE_VALUE, version, "openings", None, None, sentence)
            break
        for path, value in (*codec.seals(seen[-1]), *((name, getattr(seen[-1], name)) for name in codec.ERASABLE[type(event)])):
            if value.value is not UNSET and exact(value.value) != openings[path].bytes.encode():
                sentence = f"What is opened at event {version} ({path}) is not written in the one way."
                found.add(Kind.VALUE_FORM, version, path, openings[path].bytes, exact(value.value), sentence)
    return seen


def _seen(event: AnyEvent, opened: Mapping[str, Opening]) -> AnyEvent:
    """An event with what is opened of it; of a name the nonce too, since no key gives it."""
    if not opened:
        return event
    seen = codec.with_openings(event, opened.values())
    if isinstance(seen, f.SeatTaken) and "name" in opened:
        return replace(seen, name=replace(seen.name, nonce=opened["name"].nonce))
    return seen


class Replay:
    """One log, played again.  place: how many events have been found right; game: as it stands after them."""

    def __init__(self, papers: Papers, events: Sequence[AnyEvent], full: bool, game: Game, found: Findings) -> None:
        self.papers, self.events, self.full, self.game, self.found = papers, events, full, game, found
        self.place = 0

    def run(self) -> None:
        """One command after the other, to the end or the first that does not fit."""
        while self.place < len(self.events):
            event = self.events[self.place]
            check_move(self.papers, self.place + 1, event, self.game, self.found)
            try:
                right, after = self._decided(event)
            except Refusal as refusal:
                words = f"is not allowed: {refusal.message}"
                self._wrong(Kind.NOT_ALLOWED, "event", type(event).__name__, str(refusal.reason), words)
                return
            if not right or not self._same(right):
                return
            self._count(event)
            self.game = after if self.full else self._folded(len(right))
            self.place += len(right)

    def _decided(self, event: AnyEvent) -> tuple[Sequence[AnyEvent], Game]:
        """What the rules make of the command that this event answers to; nothing, with a finding, if there is no such command."""
        command = command_of(self.game, event, self.papers.key or bytes(32))
        if isinstance(command, OWED) and not self._was_due(command):
            return (), self.game
        if not self.full:
            right = partly_decided(self.papers, self.game, self.events, self.place)
            if right is not None:
                return as_recorded(self.game, right, self.events[self.place :]), self.game
        if command is None:
            words = "follows from nothing that anybody asked for or the game owed"
            self._wrong(Kind.NOT_ASKED_FOR, "type", type(event).__name__, None, words)
            return (), self.game
        right, after = outcome(self.game, command)
        if isinstance(command, TakeSeat):
            refuse_unsigned(self.game, command)  # a key that is none, or a bot's
        return (right if self.full else as_recorded(self.game, right, self.events[self.place :])), after

    def _was_due(self, command: AnyCommand) -> bool:
        step = due(self.game, command.at)
        same = type(step) is type(command)
        if isinstance(command, TimeOut) and isinstance(step, TimeOut):
            same = (step.seat, step.city) == (command.seat, command.city)
        if not same:
            owed = type(step).__name__ if step is not None else None
            self._wrong(Kind.NOT_DUE, "event", type(command).__name__, owed, f"was not due then: the game owed {owed or 'nothing'}")
        return same

    def _same(self, right: Sequence[AnyEvent]) -> bool:
        """Whether the log says the same, event by event."""
        for version, event in enumerate(right, self.place + 1):
            if version > len(self.events):
                if version <= len(self.papers.lines):
                    return False  # it cannot be read, and that is said
                sentence = f"The log ends in the middle of a step: after event {version - 1} comes {type(event).__name__}."
                self.found.add(Kind.STEP_CUT_OFF, version, "event", None, type(event).__name__, sentence)
                return False
            if not self._equal(version, event):
                return False
        return True

    def _equal(self, version: int, right: AnyEvent) -> bool:
        recorded = self.events[version - 1]
        if isinstance(right, f.GameOpened) and isinstance(recorded, f.GameOpened) and 1 <= recorded.engine < ENGINE:
            right = replace(right, engine=recorded.engine)
        key = self.papers.key
        if self.full or (key is not None and isinstance(right, (f.GameStarted, f.AgeDealt))):
            return self._equal_bytes(version, recorded, right, key or b"")
        if same_in_public(recorded, right, key is not None):
            return True
        self._differ(version, recorded, in_public(recorded, key is not None), in_public(right, key is not None))
        return False

    def _equal_bytes(self, version: int, recorded: AnyEvent, right: AnyEvent, key: bytes) -> bool:
        if right == recorded or (self.full and laid_over(right, recorded) == recorded):
            return True  # the seals were checked against the key when they were opened, the bytes against the event
        written = codec.write(right, version, self.papers.game, key).e
        line = self.papers.lines[version - 1]
        if written == line:
            return True
        public = exact(self.papers.events[version - 1])  # today's shape of an old line
        if written == public or _erased(recorded, written, public):
            return True
        one, other = bare(recorded), bare(right)
        if not self.full or not differences(one, other):
            one, other = json.loads(public), json.loads(written)
        self._differ(version, recorded, one, other)
        return False

    def _differ(self, version: int, recorded: AnyEvent, one: Any, other: Any) -> None:
        kind = type(recorded).__name__
        different = differences(one, other)
        if one.get("type") != other.get("type"):
            different = [("type", one.get("type"), other.get("type"))]
        for field, was, should in different[:8]:
            what = WHAT.get(kind, kind)
            said = f"is recorded with {field} {shown(was)}; the rules and the deal give {shown(should)}."
            sentence = f"{self._when(recorded)}: {what} {said}"
            self.found.add(Kind.RULES_DIFFER, version, field, was, should, sentence)

    def _wrong(self, kind: Kind, field: str, recorded: Any, recomputed: Any, words: str) -> None:
        event = self.events[self.place]
        what = WHAT.get(type(event).__name__, type(event).__name__)
        self.found.add(kind, self.place + 1, field, recorded, recomputed, f"{self._when(event)}: {what} {words}.")

    def _when(self, event: AnyEvent) -> str:
        """When it was, for people; the first letter is a capital."""
        words = moment(getattr(event, "age", self.game.age), getattr(event, "turn", self.game.turn) or 1)
        return words[0].upper() + words[1:]

    def _folded(self, count: int) -> Game:
        game = self.game
        for event in self.events[self.place : self.place + count]:
            game = evolve(game, event)
        return game

    def _count(self, event: AnyEvent) -> None:
        self.found.checked["decisions"] += 1
        if self.papers.key is not None:
            self.found.checked["draws"] += _draws(self.papers.opened.options, event)


def _draws(options: f.Options, event: AnyEvent) -> int:
    """How many labelled draws begin with this event: boards, a side for each city, three projects, the first deck; later a deck,
    in the third Age the guilds too."""
    match event:
        case f.AgeDealt(age=age):
            return 2 if age == 3 else 1
        case f.GameStarted() | f.EntropyRevealed(derived=True):
            cities = 3 if options.players == 2 else options.players
            return 2 + cities + (3 if options.edifice else 0)
        case _:
            return 0


def laid_over(right: AnyEvent, recorded: AnyEvent) -> AnyEvent:
    """What the rules say, with the seals and nonces of the record: the same as the record if every value is the same."""
    kind = type(right)
    if kind is not type(recorded):
        return right
    if kind in codec.OPENING:
        return replace(right, openings=_nonces_over(right.openings, recorded.openings))  # type: ignore[union-attr]
    changed: dict[str, Any] = {}
    for name in codec.SEALED[kind]:
        one, other = getattr(right, name), getattr(recorded, name)
        if isinstance(one, tuple) and isinstance(other, tuple) and len(one) == len(other):
            changed[name] = tuple(replace(own, seal=its.seal) for own, its in zip(one, other, strict=True))
        elif one is not None and other is not None and not isinstance(one, tuple):
            changed[name] = replace(one, seal=other.seal)
    for name in codec.ERASABLE[kind]:
        changed[name] = replace(getattr(right, name), seal=getattr(recorded, name).seal)
    return replace(right, **changed) if changed else right


def _nonces_over(right: Sequence[Opening], recorded: Sequence[Opening]) -> tuple[Opening, ...]:
    if len(right) != len(recorded):
        return tuple(right)
    return tuple(replace(own, nonce=its.nonce) for own, its in zip(right, recorded, strict=True))


def _erased(recorded: AnyEvent, written: bytes, line: bytes) -> bool:
    """A name that was erased: everything but its seal is the same."""
    if not isinstance(recorded, f.SeatTaken) or recorded.name.value is not UNSET:
        return False
    one, other = json.loads(line), json.loads(written)
    one["name"] = other["name"] = None
    return bool(one == other)


def bare(event: AnyEvent) -> dict[str, Any]:
    """An event as plain data without seals and nonces, the values themselves where they are known."""
    return dict(_without(plain(event)))


def _without(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without(inner) for key, inner in value.items() if key not in SECRET_PARTS}
    return [_without(inner) for inner in value] if isinstance(value, (list, tuple)) else value
