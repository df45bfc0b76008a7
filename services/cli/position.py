"""Positions set up by hand: what follows from their plays, and what may be played next."""

from __future__ import annotations

import json
import sys
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated, Any

from cyclopts import Parameter

from events.rules import position as positions
from services.cli.voice import REFUSED, flag, page, refused, say_document

Plain = dict[str, Any]
EXAMPLES = {
    "position": (
        "wonderlog position docs/position.toml",
        "wonderlog position *.toml --json",
        "wonderlog position now.json --document > next.json",
    ),
    "legal": (
        "wonderlog legal docs/position.toml --seat Ada",
        "wonderlog legal - --seat Ada --json < now.json",
    ),
}
LARGEST = 4 * 1024 * 1024  # bytes; a position with a whole game of plays has some 20,000


class Unreadable(ValueError):
    """A file that holds no position at all."""


def position(
    *files: Annotated[Path, Parameter(allow_leading_hyphen=True, help="Position documents, TOML or JSON; - is standard input.")],
    json: Annotated[bool, flag("One line of JSON for each file.")] = False,
    document: Annotated[bool, flag("Instead: the position reached, as an input document (JSON).")] = False,
    strict: Annotated[bool, flag("Refuse cards that the box does not hold for these players.")] = False,
) -> int:
    """Play positions out and show what follows: coins, cities, discard pile, Edifice, scores and events.

    A position is what a FEN is to chess: any moment of a game, set up by hand, with the plays that follow. A refused document or
    play is told with its reason, and the exit status is then 2.
    """
    if not files:
        files = (Path("-"),)
    if document:
        return _each(files, lambda plain: say_document(positions.document(plain, strict)), in_json=True)
    if json:
        return _each(files, lambda plain: say_document(positions.answer(plain, strict)), in_json=True)
    return _each(files, lambda plain: _show(plain, strict), in_json=False)


def legal(
    file: Annotated[Path, Parameter(allow_leading_hyphen=True, help="A position document, TOML or JSON; - is standard input.")],
    *,
    seat: Annotated[str, Parameter(help="The name of the city; with two players also the Free City's.")],
    json: Annotated[bool, flag("The list in JSON.")] = False,
    strict: Annotated[bool, flag("Refuse cards that the box does not hold for these players.")] = False,
) -> int:
    """List every play that a city may make in a position, with every payment. A city that is not awaited has none."""

    def tell(plain: Mapping[str, Any]) -> None:
        plays = positions.legal_answer(plain, seat, strict)
        if json:
            say_document(plays)
        else:
            _show_legal(plain, seat, plays, strict)

    return _each((file,), tell, in_json=json)


def _each(files: tuple[Path, ...], tell: Callable[[Mapping[str, Any]], None], *, in_json: bool) -> int:
    """Does the same with every file; 2 if one of them was refused."""
    for file in files:
        if str(file).startswith("-") and str(file) != "-":
            raise refused(
                f"There is no option {file}.", "wonderlog position --help lists them; a file of that name is ./" + str(file)
            )
    status = 0
    for file in files:
        try:
            tell(read(file))
        except (positions.PositionRefused, Unreadable) as refusal:
            status = REFUSED
            plain = refusal.plain if isinstance(refusal, positions.PositionRefused) else _bad(str(refusal))
            if in_json:
                say_document(plain)
            else:
                _show_refusal(file, plain["error"])
    return status


def _bad(message: str) -> Plain:
    return {"error": {"play": 0, "reason": "bad-position", "message": message}}


# ---- reading ----------------------------------------------------------------------------------------------------------
def read(file: Path) -> Mapping[str, Any]:
    """The document in a file: by its ending, else by its first character.  Raises Unreadable."""
    name = "standard input" if str(file) == "-" else str(file)
    try:
        data = sys.stdin.buffer.read(LARGEST + 1) if str(file) == "-" else _bytes(file)
    except OSError as error:
        raise Unreadable(f"document: {name} cannot be read: {error.strerror or error}") from None
    if len(data) > LARGEST:
        raise Unreadable(f"document: {name} has more than {LARGEST // 1024 // 1024} MiB")
    try:
        return parse(data.decode("utf-8-sig"), file.suffix.lower())
    except UnicodeDecodeError as error:
        raise Unreadable(f"document: {name} is not UTF-8 (byte {error.start})") from None
    except RecursionError:
        raise Unreadable(f"document: {name} is nested too deeply") from None
    except ValueError as error:
        raise Unreadable(f"document: {name}: {error}") from None


def _bytes(file: Path) -> bytes:
    with file.open("rb") as opened:
        return opened.read(LARGEST + 1)


def parse(text: str, suffix: str = "") -> Mapping[str, Any]:
    """The document in a text.  Raises ValueError with the place of the first fault."""
    in_json = suffix == ".json" or (suffix != ".toml" and text.lstrip().startswith("{"))
    if not in_json:
        return tomllib.loads(text)
    plain = json.loads(text, object_pairs_hook=_once, parse_constant=_no_number)
    if not isinstance(plain, dict):
        raise ValueError("a position is a table (an object), not a list or a value")
    try:
        json.dumps(plain, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        raise ValueError("a lone surrogate is no text") from None
    return plain


def _once(pairs: list[tuple[str, Any]]) -> Plain:
    plain = dict(pairs)
    if len(plain) < len(pairs):
        twice = next(key for place, (key, _) in enumerate(pairs) if key in [one for one, _ in pairs[:place]])
        raise ValueError(f"the key {twice!r} stands twice")
    return plain


def _no_number(word: str) -> Any:
    raise ValueError(f"{word} is no number")


# ---- for people -------------------------------------------------------------------------------------------------------
def _show(plain: Mapping[str, Any], strict: bool) -> None:
    from services.cli import drawing
    from services.cli.scores import score_table

    game, events, _ = positions.play_out(plain, strict)
    answer = positions.report(game, events)
    page().print(drawing.table(game))
    page().print(drawing.hands(game))
    page().print(score_table(game))
    if answer["events"]:
        page().print(f"events: {' · '.join(answer['events'])}", style="dim")
    page().print()


def _show_refusal(file: Path, error: Plain) -> None:
    from rich.text import Text

    where = f", {error['city']}" if "city" in error else ""
    place = f"play {error['play']}{where}" if error["play"] else "the document"
    line = Text.assemble(("Refused: ", "bold red"), (f"{file}, {place}: ", ""), (error["reason"], "bold"))
    page().print(line)
    page().print(Text(f"  {error['message']}"))


def _show_legal(plain: Mapping[str, Any], seat: str, plays: list[Plain], strict: bool) -> None:
    from services.cli import drawing
    from services.cli.hand import plays_table

    game, _, _ = positions.play_out(plain, strict)
    page().print(drawing.table(game))
    if not plays:
        page().print(f"{seat} is not awaited: there is nothing to choose.")
        return
    city = next(place for place, person in enumerate(game.people) if person is not None and person.name == seat)
    page().print(plays_table(game, city))
