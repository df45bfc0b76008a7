"""The box in its immutable editions: what every card, board and project is, as printed."""

from events.catalogue.box import Box, CatalogueError
from events.catalogue.editions import current, edition

__all__ = ["Box", "CatalogueError", "current", "edition"]
