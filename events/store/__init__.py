"""The shelf on which the logs of all games stand: `open_store` finds it or builds one."""

from events.store.opening import OpenedStore, open_store

__all__ = ["OpenedStore", "open_store"]
