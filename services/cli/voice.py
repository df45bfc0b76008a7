"""How the command line speaks: documents for programs, words and tables for people, and one way to say no."""

from __future__ import annotations

import functools
import json
import sys
from pathlib import Path
from typing import Annotated, Any

from cyclopts import Parameter
from rich.console import Console
from rich.text import Text

FAILED = 1
REFUSED = 2


def flag(words: str) -> Parameter:
    """A switch that is off until it is named."""
    return Parameter(negative=(), show_default=False, help=words)


InJson = Annotated[bool, flag("Answer in JSON, for programs.")]
Data = Annotated[
    Path | None, Parameter(show_default=False, help="The folder of the house's games. [default: $WONDERLOG_DATA or data]")
]
StoreUrl = Annotated[
    str | None,
    Parameter(
        show_default=False, help="The address of a Valkey or Redis instead. [default: $WONDERLOG_STORE_URL or the folder's own]"
    ),
]


class Stop(Exception):
    """The command cannot go on: why, what would help (`advice`), and the exit status (2 refused, 1 failed).

    reason: a word for programs, one of `events.refusals.Reason` where the rules refuse.
    """

    def __init__(self, message: str, advice: str = "", *, reason: str = "failed", status: int = FAILED) -> None:
        super().__init__(message)
        self.advice, self.reason, self.status = advice, reason, status


def refused(message: str, advice: str = "", *, reason: str = "usage") -> Stop:
    """A request that cannot be granted as it stands: exit status 2."""
    return Stop(message, advice, reason=reason, status=REFUSED)


@functools.cache
def _console(error: bool) -> Console:
    return Console(stderr=error, highlight=False, soft_wrap=False)


_spoken_aside = False


def speak_aside(aside: bool = True) -> None:
    """From now on what is for people goes to standard error: standard output is for a program."""
    global _spoken_aside
    _spoken_aside = aside


def page() -> Console:
    """Standard output, for people."""
    return _console(_spoken_aside)


def aside() -> Console:
    """Standard error: progress, and what is no part of the answer."""
    return _console(True)


def complain(message: str, advice: str = "") -> None:
    """An error for people, with what to do about it."""
    aside().print(Text.assemble(("No: ", "bold red"), message))
    if advice:
        aside().print(Text(f"    {advice}", style="dim"))


def say_document(plain: Any) -> None:
    """One line of JSON; escaped where the terminal or pipe does not speak UTF-8."""
    speaks = (sys.stdout.encoding or "").lower().replace("-", "") == "utf8"
    sys.stdout.write(json.dumps(plain, ensure_ascii=not speaks, separators=(", ", ": ")) + "\n")
    sys.stdout.flush()


def say_bytes(document: bytes) -> None:
    """A document that is JSON already, byte for byte, and a line feed."""
    sys.stdout.flush()
    sys.stdout.buffer.write(document + b"\n")
    sys.stdout.buffer.flush()
