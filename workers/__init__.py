"""What happens next at a table when nobody is asking: cards are turned over, Ages dealt, clocks run out, bots move."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from workers.wiring import House


def run_worker(house: House) -> int:
    """Works on the queue until SIGTERM or SIGINT; the exit status.  Only in a process's main thread."""
    from workers.worker import run  # RQ takes a quarter of a second to import

    return run(house)
