"""The one way in: load a game, decide, append; and again from the start when somebody else was faster.

A `Table` keeps recent games folded and catches up from the log by its versions, so that a command costs one short read and
one append.  Nothing here is a truth of its own: drop every cache at any moment and nothing is lost.
"""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Callable, Sequence
from threading import Lock

import msgspec
from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from events import codec
from events.catalogue import current, edition
from events.commands import AnswerExtra, AnyCommand, ChooseAction, OpenGame, WithdrawAction, WithdrawExtra
from events.facts import AnyEvent, GameOpened
from events.refusals import Reason, Refusal
from events.rules import Game, due, evolve, initial, outcome, waking
from events.signatures import refuse_unsigned
from events.store.protocol import Append, CommandKey, Conflict, Entry, EventStore

ATTEMPTS = 60
"""How often a command is decided again after lost races; a table has at most seven people and a few workers."""
KEPT = 2048
"""Games that a process keeps folded."""


class UnknownGame(LookupError):
    """No log stands under this id."""


class Kept(Struct, frozen=True):
    """A folded game with its head, its key, and the openings of its names."""

    game: Game
    link: bytes
    key: bytes
    names: dict[str, bytes]


class Receipt(Struct, frozen=True, kw_only=True):
    """What an accepted command answers, and answers again when it is repeated.  link: hex; at: ms, the store's time.

    signature: the host key's, put in by the service that answers; the store does not keep it.
    """

    game: str
    version: int
    link: str
    at: int
    signature: str | UnsetType = UNSET


_receipt = msgspec.json.Decoder(Receipt)


class Table:
    """All games of one store, for one process.  Safe to share between threads."""

    def __init__(self, store: EventStore) -> None:
        self.store = store
        self._kept: OrderedDict[str, Kept] = OrderedDict()
        self._lock = Lock()

    # -- reading ------------------------------------------------------------------------------------------------
    def load(self, game: str) -> Kept:
        """The game at its head.  Raises UnknownGame, StoreUnavailable, codec.BrokenRecord."""
        kept = self.known(game)
        return self._caught_up(game, kept, self.store.read(game, kept.game.version if kept else 0))

    def known(self, game: str) -> Kept | None:
        """The game as this process last saw it, without asking the store; None if it has not, or not lately."""
        with self._lock:
            return self._kept.get(game)

    def _now_and_load(self, game: str) -> tuple[int, Kept]:
        """The store's time, and the game at its head.  Raises as `load`."""
        kept = self.known(game)
        now, entries = self.store.read_now(game, kept.game.version if kept else 0)
        return now, self._caught_up(game, kept, entries)

    def _caught_up(self, game: str, kept: Kept | None, entries: Sequence[tuple[int, Entry]]) -> Kept:
        if kept is None:
            if not entries:
                raise UnknownGame(game)
            kept = self._first(game, entries[0][1])
        return self._keep(game, self._catch_up(game, kept, entries)) if entries else kept

    def _first(self, game: str, entry: Entry) -> Kept:
        opened = codec.parse(entry.e)
        if not isinstance(opened, GameOpened):
            raise codec.BrokenRecord(f"the log of {game} does not begin with GameOpened")
        key = self.store.key(game)
        if key is None:
            raise codec.BrokenRecord(f"the key of {game} is missing")
        return Kept(initial(edition(opened.catalogue)), codec.first_link(game), key, {})

    def _catch_up(self, name: str, kept: Kept, entries: Sequence[tuple[int, Entry]]) -> Kept:
        game, names = kept.game, kept.names
        if any(b'"type":"SeatTaken"' in entry.e for _, entry in entries):
            names = self.store.names(name)
        for version, entry in entries:
            game = evolve(game, codec.read(version, entry.e, entry.s, names))
        return Kept(game, entries[-1][1].l, kept.key, names)

    def _keep(self, game: str, kept: Kept) -> Kept:
        with self._lock:
            known = self._kept.get(game)
            if known is None or known.game.version <= kept.game.version:
                self._kept[game] = kept
            self._kept.move_to_end(game)
            while len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        return kept

    def forget(self, game: str) -> None:
        """Drops what is kept of a game (after a name was erased, say)."""
        with self._lock:
            self._kept.pop(game, None)

    # -- writing ------------------------------------------------------------------------------------------------
    def transact(
        self, game: str, command: AnyCommand, *, actor: str | None = None, command_id: str | None = None, body: bytes = b""
    ) -> Receipt:
        """Decides and appends one command.

        actor, command_id, body: who asks, the client's id of the command and the exact request, so that a repeated request
        gets the first answer.  Raises Refusal (nothing changed), UnknownGame, and the store's errors.
        """
        command_key = None
        if actor is not None and command_id is not None:
            command_key = CommandKey(actor, command_id, hashlib.sha256(body).hexdigest())
        try:
            if isinstance(command, OpenGame):
                return self._open(command, command_key)
            receipt = self._decide(game, lambda kept: command, command_key, self._refuse)
        except Refusal:
            repeated = self._repeated(game, command_key)
            if repeated is None:
                raise
            return repeated
        assert receipt is not None
        return receipt

    def step(self, game: str, choose: Callable[[Kept], AnyCommand | None]) -> Receipt | None:
        """Decides and appends what `choose` makes of the game as it stands now, again after each lost race; None: nothing."""
        return self._decide(game, choose, None)

    def _refuse(self, kept: Kept, command: AnyCommand) -> None:
        """What a person's command must be beside playable: signed where the seat has a key, and true about what was seen."""
        if isinstance(command, (ChooseAction, WithdrawAction, AnswerExtra, WithdrawExtra)) and command.seen is not None:
            seen = command.seen
            if seen.link != self._link(kept, seen.version):
                raise Refusal(Reason.WRONG_SEEN, f"The log has no such link at version {seen.version}.", command.city)
        refuse_unsigned(kept.game, command)

    def _link(self, kept: Kept, version: int) -> str | None:
        """The link (hex) at a version, mostly that of the head; None if the log has not come to it."""
        if version == kept.game.version:
            return kept.link.hex()
        if not 1 <= version < kept.game.version:
            return None
        found = self.store.read(kept.game.id, version - 1, 1)
        return found[0][1].l.hex() if found else None

    def _repeated(self, game: str, command_key: CommandKey | None) -> Receipt | None:
        """The first answer to a command that the table would refuse now because it was accepted before.

        The store itself is asked, by an append that it cannot carry out but answers from its memory: it refuses another body
        and, with replicas, waits again before it answers."""
        if command_key is None or self.store.accepted(game, command_key.actor, command_key.id) is None:
            return None
        link = codec.first_link(game)
        never = (Entry(b"", None, link),)
        answer = self.store.append(Append(game=game, expected=0, expected_link=link, entries=never, wake=None, command=command_key))
        return _receipt.decode(answer.answer)

    def _open(self, command: OpenGame, command_key: CommandKey | None) -> Receipt:
        kept = Kept(initial(current()), codec.first_link(command.game), command.key, {})
        command = replace(command, at=self.store.now())
        events, after = outcome(kept.game, command)
        try:
            return self._append(command.game, kept, events, after, command_key)
        except Conflict:
            raise Refusal(Reason.ALREADY_STARTED, "This table is open already.") from None

    def _decide(
        self,
        game: str,
        choose: Callable[[Kept], AnyCommand | None],
        command_key: CommandKey | None,
        refuse: Callable[[Kept, AnyCommand], None] | None = None,
    ) -> Receipt | None:
        for _ in range(ATTEMPTS):
            now, kept = self._now_and_load(game)
            command = choose(kept)
            if command is None:
                return None
            changes: dict[str, object] = {"at": max(now, kept.game.at)}
            if hasattr(command, "key"):
                changes["key"] = kept.key
            events, after = outcome(kept.game, replace(command, **changes))
            if refuse is not None:
                refuse(kept, command)
            try:
                return self._append(game, kept, events, after, command_key)
            except Conflict:
                continue
        raise Conflict(self.load(game).game.version)

    def _append(self, game: str, kept: Kept, events: tuple[AnyEvent, ...], after: Game, command_key: CommandKey | None) -> Receipt:
        link, names, entries = kept.link, dict(kept.names), []
        fresh: dict[str, bytes] = {}
        for version, event in enumerate(events, kept.game.version + 1):
            written = codec.write(event, version, game, kept.key)
            link = codec.next_link(link, written.e)
            entries.append(Entry(written.e, written.s, link))
            fresh |= written.names
        receipt = Receipt(game=game, version=after.version, link=link.hex(), at=after.at)
        accepted = self.store.append(
            Append(
                game=game,
                expected=kept.game.version,
                expected_link=kept.link,
                entries=tuple(entries),
                wake=waking(after),
                command=command_key,
                answer=msgspec.json.encode(receipt),
                key=kept.key if kept.game.version == 0 else None,
                names=fresh,
            )
        )
        if accepted.repeated:
            return _receipt.decode(accepted.answer)
        self._keep(game, Kept(after, link, kept.key, names | fresh))
        return receipt

    # -- what is owed -------------------------------------------------------------------------------------------
    def settle(self, kept: Kept) -> bool:
        """Writes the wake-up time of a game in which nothing is due; False if the log went on meanwhile."""
        return self.store.settle(kept.game.id, kept.game.version, waking(kept.game))

    def owes(self, kept: Kept) -> bool:
        """Whether something is due now."""
        return due(kept.game, self.store.now()) is not None
