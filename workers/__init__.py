"""What happens next at a table when nobody is asking: cards are turned over, Ages dealt, clocks run out, bots move."""

from workers.settings import Settings
from workers.wiring import House

__all__ = ["House", "Settings"]
