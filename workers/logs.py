"""The house's diary: one line for each thing that was done, and never a word about anybody's cards."""

from __future__ import annotations

import logging
import sys
from collections.abc import Mapping, MutableMapping
from typing import Any

import structlog
from structlog.typing import EventDict, FilteringBoundLogger, WrappedLogger

from workers.settings import LogStyle

SECRET = frozenset({
    "act", "authorization", "body", "card", "cards", "drawn", "entropy", "hand", "hands", "key", "nonce", "offers", "option",
    "payment", "pile", "s", "sealed", "secret", "token", "value",
})  # fmt: skip
"""Names that no line may carry, whoever writes it."""


def configure(style: LogStyle = "auto") -> None:
    """Sets up the diary of this process, on stderr.  Lines of libraries (warnings and worse) join it, without tracebacks."""
    pretty = style == "pretty" or (style == "auto" and sys.stderr.isatty())
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            without_secrets,
            structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty()) if pretty else structlog.processors.JSONRenderer(),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.INFO),
        logger_factory=structlog.WriteLoggerFactory(sys.stderr),
        cache_logger_on_first_use=False,
    )
    for name in ("rq.worker", "rq.job", "rq.queue"):
        library = logging.getLogger(name)
        library.handlers[:] = [_Joining(level=logging.WARNING)]
        library.setLevel(logging.WARNING)
        library.propagate = False


def without_secrets(logger: WrappedLogger, method: str, line: MutableMapping[str, Any]) -> Mapping[str, Any]:
    """The last guard: a line that names a secret loses it."""
    return {name: value for name, value in line.items() if name not in SECRET}


class _Joining(logging.Handler):
    """Takes the first line of what a library says: the rest is a traceback, whose messages may quote what they choked on."""

    def emit(self, record: logging.LogRecord) -> None:
        write = diary(record.name).error if record.levelno >= logging.ERROR else diary(record.name).warning
        write("library", says=record.getMessage().partition("\n")[0])


def diary(name: str = "wonderlog") -> FilteringBoundLogger:
    """The logger of one part of the house."""
    logger: FilteringBoundLogger = structlog.get_logger(name, part=name)
    return logger


def line(
    log: FilteringBoundLogger,
    what: str,
    *,
    ms: float,
    game: str | None = None,
    version: int | None = None,
    seat: int | None = None,
    command: str | None = None,
    events: int | None = None,
    reason: str | None = None,
    **more: int | str,
) -> None:
    """The canonical line of one job, handler or request: what was done to which game, how far it came, how long it took (ms).

    reason: why it was refused or failed; such a line is a warning."""
    facts: EventDict = {
        "game": game, "version": version, "seat": seat, "command": command, "events": events, "ms": round(ms, 2), "reason": reason,
        **more,
    }  # fmt: skip
    write = log.info if reason is None else log.warning
    write(what, **{name: value for name, value in facts.items() if value is not None})


def place(error: BaseException) -> str:
    """Where it happened; the message itself may quote what nobody should read in a diary."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return f"{trace.tb_frame.f_code.co_filename}:{trace.tb_lineno}" if trace is not None else "unknown"
