"""Opens the house for one command, and says in plain words why that cannot be done."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import structlog

from events.store.protocol import ForeignStore, StoreError, StoreUnavailable, UnsafeStore
from services.cli.voice import Stop, refused
from workers.settings import Settings
from workers.wiring import House


def settings_of(data: Path | None, store: str | None, *, unsafe: bool = False) -> Settings:
    """The settings of the environment with what the command line names.  Raises Stop."""
    try:
        if data is not None and store is None:
            # A folder that is named is meant, whatever address the environment holds.
            given = Settings.read(data=data, unsafe_store=unsafe or None)
            return Settings.read(
                {}, data=data, ack=given.ack, log=given.log, unsafe_store=given.unsafe_store, host_key=given.host_key
            )
        return Settings.read(data=data, store_url=store, unsafe_store=unsafe or None)
    except ValueError as error:
        raise refused(str(error), "Set it right in the environment, or leave it out.") from None


@contextmanager
def open_house(data: Path | None, store: str | None, *, unsafe: bool = False) -> Iterator[House]:
    """The house of these settings, quiet but for warnings; its store's errors end the command with advice.  Raises Stop."""
    settings = settings_of(data, store, unsafe=unsafe)
    with store_troubles():
        house = House.open(settings)
        structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING))
        house.log = structlog.get_logger("wonderlog", part="wonderlog")
        try:
            yield house
        finally:
            house.close()


@contextmanager
def visit_house(data: Path | None, store: str | None, *games: str) -> Iterator[House]:
    """The same for whoever looks after what is kept, or after these games: a folder that is not there is not made.  Raises Stop."""
    settings = settings_of(data, store)
    if settings.store_url is None and not settings.data.exists():
        if games:
            raise unknown_game(games[0])
        advice = "Name its folder with --data, or open one with `wonderlog serve`."
        raise refused(f"There is no house in {settings.data}: no such folder.", advice, reason="no-house")
    with open_house(data, store) as house:
        yield house


def unknown_game(game: str) -> Stop:
    """Nothing of that name is kept here."""
    return refused(f"There is no game {game} here.", "Is it in another folder? --data DIR", reason="unknown-game")


@contextmanager
def store_troubles() -> Iterator[None]:
    """Turns what a store refuses or cannot do into words with advice.  Raises Stop."""
    try:
        yield
    except UnsafeStore as error:
        advice = "Set it so, or open it all the same with --unsafe-store or WONDERLOG_UNSAFE_STORE=1."
        raise Stop(f"This store could lose a move: {error}.", advice, reason="unsafe-store") from None
    except ForeignStore as error:
        raise Stop(str(error), "Name another folder with --data, or the server that wrote it.", reason="foreign-store") from None
    except StoreUnavailable as error:
        advice = "Does the server run? --store or WONDERLOG_STORE_URL name another one, --data a folder of its own."
        raise Stop(_sentence(error), advice, reason="store-unavailable") from None
    except StoreError as error:
        raise Stop(f"The store refuses: {error}", "wonderlog status shows how it is.", reason="store") from None
    except (PermissionError, NotADirectoryError, FileExistsError) as error:
        raise Stop(f"The folder of the games cannot be used: {error}", "Name another one with --data.", reason="data") from None


def _sentence(error: Exception) -> str:
    text = str(error) or type(error).__name__
    return text[0].upper() + text[1:]
