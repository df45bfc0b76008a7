"""Who watches the clock: the ticker's heartbeat, so that nobody's time runs out while nobody could look at it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from events.store.protocol import EventStore
    from workers.wiring import House

# The heartbeat is kept like a view of a game that is none (an id has twenty hex digits): the store refuses to turn it back.
PLACE, NAME = "clock", "beat"
BEAT_MS = 1_000
OUTAGE_MS = 4_000
"""A longer silence is an outage: whoever sat at a table then may have been unable to play."""
FAIR_MS = 60_000
"""The least that everybody has after an outage, if a turn is not shorter."""


def beat(store: EventStore, now: int) -> None:
    """The clock is being watched at `now` (ms)."""
    store.save_views(PLACE, now, {NAME: b""})


def last_beat(store: EventStore) -> int | None:
    """When the clock was last watched (ms); None: never."""
    found = store.load_view(PLACE, NAME)
    return found[0] if found else None


def trusted(house: House) -> bool:
    """Whether a ticker watches the clock now; if not, it looks after everybody's time as soon as it is back."""
    last = last_beat(house.store)
    return last is not None and house.store.now() - last <= OUTAGE_MS
