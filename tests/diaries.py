"""What the house writes into its diary while a test runs."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import structlog
from structlog.typing import EventDict


@contextmanager
def noted() -> Iterator[list[EventDict]]:
    """The lines that are written meanwhile; whatever an earlier test has configured, they go nowhere else."""
    before = structlog.get_config()
    structlog.reset_defaults()
    with structlog.testing.capture_logs() as lines:
        yield lines
    structlog.configure(**before)
