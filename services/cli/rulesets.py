"""How a table is to play, as it is said on the command line."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Annotated, Literal

import msgspec
from cyclopts import Parameter

from events.catalogue import Box
from events.facts import Options
from events.rules.position_format import PRESETS, RuleTable
from events.rules.state import Game, Over
from events.vocabulary import BotKind
from services.cli.voice import refused

Rules = str | Mapping[str, str]
"""A preset by its name, or every option."""
BotWord = Literal["random", "builder", "mixed"]

Players = Annotated[int, Parameter(help="How many cities play, 3 to 7, or 2 with the Free City.")]
Edifice = Annotated[bool, Parameter(negative="--no-edifice", help="With or without the Edifice.")]
RulesChoice = Annotated[
    str,
    Parameter(
        help="How the Edifice and the two-player game are read: booklet, publisher, or options by commas, laid over booklet: "
        "edifice_tokens=printed, edifice_reward=at-once, edifice_penalty=before-conflicts, free_city_control=turn."
    ),
]
SidesChoice = Annotated[Literal["dealt", "day", "night"], Parameter(help="Which sides of the boards are played.")]


def rules_of(word: str) -> Rules:
    """What --rules says.  Raises Stop.

    >>> rules_of("publisher")
    'publisher'
    >>> rules_of("free_city_control=turn")["free_city_control"]
    'turn'
    """
    if word in PRESETS:
        return word
    named = [part.strip().partition("=") for part in word.split(",")]
    try:
        table = msgspec.convert({name: value for name, _, value in named}, RuleTable)
    except msgspec.ValidationError:
        advice = "booklet, publisher, or for instance --rules edifice_tokens=printed,free_city_control=turn"
        raise refused(f"{word!r} are no rules of this game.", advice, reason="bad-options") from None
    return dict(msgspec.structs.asdict(table))


def options(
    box: Box,
    players: int,
    *,
    edifice: bool,
    rules: Rules = "booklet",
    sides: Literal["dealt", "day", "night"] = "dealt",
    turn_seconds: int | None = None,
    listed: bool = True,
) -> Options:
    """The options of a table, all fitting boards included; the rules themselves check them when the table is opened."""
    if not 2 <= players <= 7:
        raise refused(f"A game has 2 to 7 players, not {players}.", "For instance --players 4", reason="bad-options")
    boards = tuple(wonder for wonder in box.wonders if edifice or not box.faces[wonder, "day"].needs_edifice)
    return Options(
        players=players,
        edifice=edifice,
        wonders=boards,
        sides=sides,
        turn_ms=None if turn_seconds is None else turn_seconds * 1000,
        listed=listed,
        **(PRESETS[rules] if isinstance(rules, str) else rules),  # type: ignore[arg-type]
    )


def bot_kinds(word: BotWord, seats: int) -> Sequence[BotKind]:
    """The bots of so many seats; "mixed": builder and random by turns."""
    if word == "mixed":
        return tuple("builder" if seat % 2 == 0 else "random" for seat in range(seats))
    return (word,) * seats


def game_id(host: str, command_id: str) -> str:
    """The id of a game follows from the host's hash and the command that opens it, as over HTTP."""
    return hashlib.sha256(f"{host}\n{command_id}".encode()).hexdigest()[:20]


def is_over(game: Game) -> bool:
    """Whether the log is closed."""
    return isinstance(game.phase, Over) and game.phase.reason is not None
