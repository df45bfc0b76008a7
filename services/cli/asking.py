"""Listens to the player: a line at a time, from the keyboard or a script, and to the table's bell at the same time."""

from __future__ import annotations

import os
import select
import sys
from collections.abc import Collection

from services.cli.voice import page


class Left(Exception):
    """Nobody is at the keyboard any more."""


class Player:
    """Lines from standard input.

    ended: there are no more.  echo: they come from a script, and are shown as a terminal shows what is typed."""

    def __init__(self) -> None:
        self._handle = sys.stdin.fileno()
        self._buffer = b""
        self.ended = False
        self.echo = not os.isatty(self._handle)

    def ask(self, prompt: str) -> str:
        """The next line.  Raises Left at the end of the input."""
        page().print(prompt, end="", style="bold cyan")
        while (line := self._line()) is None:
            if self.ended:
                page().print()
                raise Left
            self._read()
        return line

    def said(self, bell: int, seconds: float) -> str | None:
        """A line, if one comes before the bell rings or the time is over; the bell is silenced.

        At the end of a script it only listens to the bell."""
        line = self._line()
        if line is not None:
            return line
        listening = [bell] if self.ended else [bell, self._handle]
        heard, _, _ = select.select(listening, [], [], seconds)
        if bell in heard:
            os.read(bell, 4096)
        if self._handle in heard:
            self._read()
            return self._line()
        return None

    def bell(self, bell: int, seconds: float) -> None:
        """Waits for the bell alone, at most so long; it is silenced."""
        heard, _, _ = select.select([bell], [], [], seconds)
        if heard:
            os.read(bell, 4096)

    def next_if(self, words: Collection[str]) -> str | None:
        """The next line of a script, if it is one of these words; it is left for later otherwise."""
        if b"\n" not in self._buffer and not self.ended and select.select([self._handle], [], [], 0)[0]:
            self._read()
        line, _, _ = self._buffer.partition(b"\n")
        return self._line() if line.decode(errors="replace").strip().lower() in words else None

    def _read(self) -> None:
        data = os.read(self._handle, 4096)
        self.ended = not data
        self._buffer += data if data or not self._buffer or self._buffer.endswith(b"\n") else b"\n"

    def _line(self) -> str | None:
        line, newline, rest = self._buffer.partition(b"\n")
        if not newline:
            return None
        self._buffer = rest
        text = line.decode(errors="replace").strip()
        if self.echo:
            page().print(text, markup=False)
        return text
