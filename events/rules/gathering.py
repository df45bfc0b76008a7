"""Before the first turn: opening a table, sitting down, making the deal fair, and beginning."""

from __future__ import annotations

import re

from events import facts as f
from events.commands import (
    AgreeAbort,
    CancelTable,
    CloseGame,
    CommitEntropy,
    HandToBot,
    LeaveSeat,
    OpenGame,
    ReclaimSeat,
    RemoveSeat,
    RevealEntropy,
    StartGame,
    TakeSeat,
)  # fmt: skip
from events.facts import Options
from events.refusals import Reason, Refusal
from events.rules.dealing import boards, deal, projects, ring, seed_of
from events.rules.state import ENGINE, Game, Gathering, Over, Person
from events.rules.story import GAME, Story
from events.sealed import Erasable, bot_entropy, commitment
from events.vocabulary import STARTING_COINS

NAME_LENGTH = 40
SHORTEST_TURN_MS, LONGEST_TURN_MS = 10_000, 7 * 24 * 3600 * 1000
HOST = "host"


def open_game(story: Story, command: OpenGame) -> None:
    """The first event: the rules, the box and the commitment to the key."""
    game = story.game
    if game.version:
        raise Refusal(Reason.ALREADY_STARTED, "This table is open already.")
    _refuse_options(game, command.options)
    story.tell(
        f.GameOpened(
            at=story.at,
            by=HOST,
            game=command.game,
            host=command.host,
            key=commitment(command.key),
            options=command.options,
            engine=ENGINE,
            catalogue=game.box.digest,
            expires=command.expires,
            rematch_of=command.rematch_of,
        )
    )


def _refuse_options(game: Game, options: Options) -> None:
    box = game.box

    def no(message: str) -> Refusal:
        return Refusal(Reason.BAD_OPTIONS, message)

    if not 2 <= options.players <= 7:
        raise no(f"A game has 2 to 7 players, not {options.players} (R1).")
    if len(set(options.wonders)) != len(options.wonders):
        raise no("A wonder board is named twice (R2).")
    for wonder in options.wonders:
        if wonder not in box.wonders:
            raise Refusal(Reason.UNKNOWN_WONDER, f"There is no wonder {wonder!r}.")
        if box.faces[wonder, "day"].needs_edifice and not options.edifice:
            raise no(f"{box.faces[wonder, 'day'].name} is played with the Edifice only (R2).")
    if len(options.wonders) < ring(options):
        raise no(f"{ring(options)} cities need as many boards; {len(options.wonders)} are included.")
    if options.free_city is not None and options.players != 2:
        raise no("Only the two-player game has a Free City.")
    if options.free_city is not None and options.free_city[0] not in options.wonders:
        raise no("The Free City's board is not among the boards included.")
    if options.turn_ms is not None and not SHORTEST_TURN_MS <= options.turn_ms <= LONGEST_TURN_MS:
        raise no("A clock gives 10 seconds to 7 days a turn.")


def is_hash(text: str | None) -> bool:
    """Whether a text is 32 bytes in lower-case hex."""
    return text is not None and re.fullmatch(r"[0-9a-f]{64}", text) is not None


def _gathering(game: Game) -> Gathering:
    if isinstance(game.phase, Over):
        raise Refusal(Reason.GAME_OVER, "This table is closed.")
    if not isinstance(game.phase, Gathering):
        raise Refusal(Reason.ALREADY_STARTED, "The game has started.")
    return game.phase


def _person(game: Game, seat: int) -> Person:
    person = game.people[seat] if 0 <= seat < len(game.people) else None
    if person is None:
        raise Refusal(Reason.UNKNOWN_SEAT, f"Nobody sits on seat {seat + 1}.")
    return person


def take_seat(story: Story, command: TakeSeat) -> None:
    """A person or a bot sits down; names are unlike, boards too (R2)."""
    game = story.game
    _gathering(game)
    seat = command.seat
    if seat is None:
        seat = next((place for place, person in enumerate(game.people) if person is None), None)
        if seat is None:
            raise Refusal(Reason.TABLE_FULL, "All seats are taken.")
    if not 0 <= seat < len(game.people):
        raise Refusal(Reason.UNKNOWN_SEAT, f"This table has the seats 1 to {len(game.people)}.")
    if game.people[seat] is not None:
        raise Refusal(Reason.SEAT_TAKEN, f"Seat {seat + 1} is taken.")
    name = command.name.strip()
    if not 1 <= len(name) <= NAME_LENGTH or not name.isprintable():
        raise Refusal(Reason.BAD_OPTIONS, f"A name has 1 to {NAME_LENGTH} printable characters.")
    if any(person and person.name and person.name.casefold() == name.casefold() for person in game.people):
        raise Refusal(Reason.NAME_TAKEN, f"Somebody at this table is called {name} already.")
    if not is_hash(command.nonce):
        raise Refusal(Reason.BAD_OPTIONS, "The name's nonce is 32 bytes in hex.")
    if command.bot is None and not (is_hash(command.token) and is_hash(command.entropy)):
        raise Refusal(Reason.BAD_OPTIONS, "A person's seat needs the hash of its secret and a commitment to its entropy, in hex.")
    if command.token is not None and command.token in (game.host, *(person.token for person in game.people if person)):
        raise Refusal(Reason.SEAT_TAKEN, "Each seat needs a secret of its own: this one is in use at this table.")
    _refuse_board(game, command)
    story.tell(
        f.SeatTaken(
            at=story.at,
            by=HOST if command.bot else f"seat:{seat}",
            seat=seat,
            name=Erasable(value=name, nonce=command.nonce),
            bot=command.bot,
            token=None if command.bot else command.token,
            entropy=None if command.bot else command.entropy,
            wonder=command.wonder,
            side=command.side,
            public_key=command.public_key,
        )
    )


def _refuse_board(game: Game, command: TakeSeat) -> None:
    if command.wonder is None and command.side is None:
        return
    if game.rules.boards != "chosen":
        raise Refusal(Reason.BAD_OPTIONS, "At this table the boards are dealt.")
    if command.side is not None and game.rules.sides not in ("dealt", command.side):
        raise Refusal(Reason.BAD_OPTIONS, f"At this table all play the {game.rules.sides} side.")
    if command.wonder is None:
        return
    if command.wonder not in game.rules.wonders:
        raise Refusal(Reason.UNKNOWN_WONDER, f"{command.wonder!r} is not among this table's boards.")
    free = game.rules.free_city[0] if game.rules.free_city else None
    if command.wonder == free or any(person and person.wonder == command.wonder for person in game.people):
        raise Refusal(Reason.WONDER_TAKEN, f"{command.wonder!r} is taken (R2).")


def leave_seat(story: Story, command: LeaveSeat | RemoveSeat) -> None:
    """Somebody stands up, or is sent away by the host."""
    game = story.game
    _gathering(game)
    _person(game, command.seat)
    removed = isinstance(command, RemoveSeat)
    story.tell(
        f.SeatLeft(
            at=story.at,
            by=HOST if removed else f"seat:{command.seat}",
            seat=command.seat,
            why="removed" if removed else "left",
        )
    )


def commit_entropy(story: Story, command: CommitEntropy) -> None:
    """A fresh commitment after interrupted reveals, so that a newcomer cannot answer to what was already shown."""
    game = story.game
    _gathering(game)
    if _person(game, command.seat).commitment is not None:
        raise Refusal(Reason.ALREADY_READY, "This seat has committed already.")
    if not is_hash(command.entropy):
        raise Refusal(Reason.BAD_OPTIONS, "A commitment is a SHA-256 in hex.")
    story.tell(f.EntropyCommitted(at=story.at, by=f"seat:{command.seat}", seat=command.seat, entropy=command.entropy))


def reveal_entropy(story: Story, command: RevealEntropy) -> None:
    """The "ready" step: when all seats are taken and committed, each opens its part of the deal."""
    game = story.game
    _gathering(game)
    person = _person(game, command.seat)
    if not all(one and (one.bot or one.commitment) for one in game.people):
        raise Refusal(Reason.NOT_READY, "Not all seats are taken and committed yet.")
    if person.entropy is not None:
        raise Refusal(Reason.ALREADY_READY, "This seat is ready already.")
    if not is_hash(command.entropy) or commitment(bytes.fromhex(command.entropy)) != person.commitment:
        raise Refusal(Reason.WRONG_ENTROPY, "This is not what the seat committed to.")
    story.tell(f.EntropyRevealed(at=story.at, by=f"seat:{command.seat}", seat=command.seat, entropy=command.entropy))


def start_game(story: Story, command: StartGame) -> None:
    """Bots' entropies, boards, projects, and the first Age, all from the seed that nobody chose."""
    game = story.game
    _gathering(game)
    waiting = [game.called(seat) for seat, one in enumerate(game.people) if one is None or not (one.bot or one.entropy)]
    if waiting:
        raise Refusal(Reason.NOT_READY, f"Not ready yet: {', '.join(waiting)}.")
    for seat, person in enumerate(game.people):
        if person is not None and person.bot:
            entropy = bot_entropy(command.key, seat).hex()
            story.tell(f.EntropyRevealed(at=story.at, by=GAME, seat=seat, entropy=entropy, derived=True))
    seed = seed_of_game(story.game, command.key)
    edifice = game.rules.edifice
    story.tell(
        f.GameStarted(
            at=story.at,
            by=HOST,
            boards=boards(game, seed),
            coins=STARTING_COINS,
            projects=projects(game.box, seed) if edifice else (),
            tokens=game.box.tokens[game.rules.edifice_tokens][ring(game.rules)] if edifice else 0,
            free_city=game.rules.players if game.rules.players == 2 else None,
        )
    )
    deal(story, 1, seed)


def seed_of_game(game: Game, key: bytes) -> bytes:
    """The seed of the deal, once every seat's entropy is open."""
    return seed_of(key, (person.entropy or "" for person in game.people if person is not None))


def hand_to_bot(story: Story, command: HandToBot) -> None:
    """A seat asks a bot to play on."""
    game = story.game
    person = _playing(game, command.seat)
    if person.plays_itself:
        raise Refusal(Reason.NOT_ALLOWED, "A bot plays for this seat already.")
    story.tell(f.SeatHandedToBot(at=story.at, by=f"seat:{command.seat}", seat=command.seat, bot=command.bot))


def reclaim_seat(story: Story, command: ReclaimSeat) -> None:
    """The person is back; what the bot chose stands until it is changed."""
    game = story.game
    person = _playing(game, command.seat)
    if not person.stand_in:
        raise Refusal(Reason.NOT_ALLOWED, "No bot plays for this seat.")
    story.tell(f.SeatReclaimed(at=story.at, by=f"seat:{command.seat}", seat=command.seat))


def _playing(game: Game, seat: int) -> Person:
    if isinstance(game.phase, Over):
        raise Refusal(Reason.GAME_OVER, "The game is over.")
    if isinstance(game.phase, Gathering):
        raise Refusal(Reason.NOT_STARTED, "The game has not started yet.")
    return _person(game, seat)


def agree_abort(story: Story, command: AgreeAbort) -> None:
    """All people together may end a game unfinished."""
    game = story.game
    person = _playing(game, command.seat)
    if person.abort:
        raise Refusal(Reason.ALREADY_READY, "This seat has agreed already.")
    story.tell(f.AbortAgreed(at=story.at, by=f"seat:{command.seat}", seat=command.seat))
    if all(one is None or one.bot or one.abort for one in story.game.people):
        story.tell(f.GameClosed(at=story.at, by=GAME, reason="aborted", key=command.key.hex()))


def cancel_table(story: Story, command: CancelTable) -> None:
    """The host may close what has not begun, and a table where only bots play."""
    game = story.game
    if isinstance(game.phase, Over):
        raise Refusal(Reason.GAME_OVER, "This table is closed.")
    if not isinstance(game.phase, Gathering) and not all(one and one.bot for one in game.people):
        raise Refusal(Reason.NOT_ALLOWED, "A running game is ended by all its people together.")
    reason = "cancelled" if isinstance(game.phase, Gathering) else "aborted"
    story.tell(f.GameClosed(at=story.at, by=HOST, reason=reason, key=command.key.hex()))  # type: ignore[arg-type]


def close_game(story: Story, command: CloseGame) -> None:
    """A table that never started expires; a game that nobody plays is abandoned."""
    game = story.game
    if isinstance(game.phase, Over):
        raise Refusal(Reason.GAME_OVER, "This table is closed.")
    reason = "expired" if isinstance(game.phase, Gathering) else "abandoned"
    story.tell(f.GameClosed(at=story.at, by=GAME, reason=reason, key=command.key.hex()))  # type: ignore[arg-type]
