"""How fast the house is on this machine: `make bench`."""

from __future__ import annotations

Figure = tuple[str, float, str]
"""What was measured, the figure, its unit."""


def times(usual: int, size: float) -> int:
    """How often a benchmark of this size does what it usually does so many times: once at least."""
    return max(1, round(usual * size))
