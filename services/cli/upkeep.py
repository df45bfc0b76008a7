"""Upkeep of the house: writing the views again from the logs, and taking finished games out of the store."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from events.codec import EVERYTHING
from events.rules.state import Over
from events.store.protocol import EventStore
from projections.audit import audit
from projections.bundle import bundle
from projections.rebuild import rebuild_all, rebuild_game
from services.cli.openings import unknown_game, visit_house
from services.cli.voice import Data, InJson, Stop, StoreUrl, aside, flag, page, refused, say_document
from workers.wiring import House

EXAMPLES = {
    "rebuild": ("wonderlog rebuild", "wonderlog rebuild GAME", "wonderlog rebuild --data DIR --json"),
    "archive": (
        "wonderlog archive --dry-run                  what would go",
        "wonderlog archive --older-than 30 --to DIR   finished games that nobody has touched for 30 days",
        "wonderlog archive GAME --older-than 0        this one, now",
    ),
}
DAY_MS = 24 * 3600 * 1000
Game = Annotated[str, Parameter(help="Only these games. [default: all]", show_default=False)]


# ---- rebuild ------------------------------------------------------------------------------------------------------------
def rebuild(*games: Game, data: Data = None, store: StoreUrl = None, json: InJson = False) -> None:
    """Write everything that people see again, from the logs alone: the same bytes as before. Nothing else happens by it.

    The house may stay open meanwhile. Keys of --json: games (how many were rebuilt), events (in their logs), seconds.
    """
    began = time.monotonic()
    with visit_house(data, store, *games) as house:
        known = set(_all_games(house.store))
        if unknown := [game for game in games if game not in known]:
            raise unknown_game(unknown[0])
        done = ((game, rebuild_game(house.store, game)) for game in games) if games else rebuild_all(house.store)
        count = events = 0
        with counting("rebuilding", len(games) or len(known)) as step:
            for _, version in done:
                count += 1
                events += version
                step()
    seconds = time.monotonic() - began
    if json:
        say_document({"games": count, "events": events, "seconds": round(seconds, 3)})
    else:
        page().print(
            f"The views of {count} game{'' if count == 1 else 's'} are written again from {events:,} events ({seconds:.1f} s)."
        )


def _all_games(store: EventStore) -> Iterator[str]:
    for place in range(store.partitions):
        yield from store.games(place)


@contextmanager
def counting(what: str, total: int) -> Iterator[Callable[[], None]]:
    """A bar on standard error, where somebody watches."""
    if not aside().is_terminal or total == 0:
        yield lambda: None
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    with Progress(
        TextColumn(what), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(), console=aside(), transient=True
    ) as bar:
        task = bar.add_task(what, total=total)
        yield lambda: bar.advance(task)


# ---- archive ------------------------------------------------------------------------------------------------------------
def archive(
    *games: Game,
    older_than: Annotated[float, Parameter(help="Days since the last event.")] = 30.0,
    to: Annotated[
        Path | None, Parameter(show_default=False, help="Where bundles go. [default: archive in the data folder]")
    ] = None,
    dry_run: Annotated[bool, flag("Only say what would go.")] = False,
    data: Data = None,
    store: StoreUrl = None,
    json: InJson = False,
) -> int:
    """Take finished games out of the store: each as a bundle that holds everything, read back and audited before the log goes.

    A tombstone stays in the log's place, so that no game of that name begins again; scores and views stay. A game whose audit
    finds anything stays where it is, and the exit status is 1. Keys of --json: archived, kept (with
    findings), files, dry_run.
    """
    if older_than < 0:
        raise refused("Days are not negative.", "For instance --older-than 30")
    with visit_house(data, store, *games) as house:
        folder = to or house.settings.data / "archive"
        chosen = list(_finished(house, games, house.store.now() - int(older_than * DAY_MS)))
        gone: list[str] = []
        left: list[str] = []
        files: list[str] = []
        with counting("archiving", len(chosen)) as step:
            for game in chosen:
                if dry_run:
                    gone.append(game)
                elif (file := _archive(house, game, folder)) is None:
                    left.append(game)
                else:
                    gone.append(game)
                    files.append(str(file))
                step()
    if json:
        say_document({"archived": gone, "kept": left, "files": files, "dry_run": dry_run})
    else:
        _say(gone, left, folder, dry_run)
    return 1 if left else 0


def _say(gone: list[str], left: list[str], folder: Path, dry_run: bool) -> None:
    count = f"{len(gone)} finished game{'' if len(gone) == 1 else 's'}"
    page().print(f"{count} would go to {folder}." if dry_run else f"{count} went to {folder}.", markup=False)
    for game in gone if dry_run else ():
        page().print(f"  {game}", markup=False)
    for game in left:
        page().print(f"{game} stays: its audit has findings. See them: wonderlog audit", style="red", markup=False)


def _finished(house: House, games: Iterable[str], before: int) -> Iterator[str]:
    """The closed games among these (or all) whose last event is old enough.  Raises Stop for a game that is not there."""
    wanted = tuple(games)
    for game in wanted or tuple(_all_games(house.store)):
        if house.store.head(game) is None:
            raise refused(f"There is no game {game} here.", "It may be in the archive already.", reason="unknown-game")
        kept = house.table.load(game).game
        closed = isinstance(kept.phase, Over) and kept.phase.reason is not None
        if closed and kept.at <= before:
            yield game
        elif wanted:
            why = "was touched too lately (--older-than 0)" if closed else "is not over"
            raise refused(f"{game} {why}.", "Only finished games are archived.", reason="not-finished")


def _archive(house: House, game: str, folder: Path) -> Path | None:
    """One game: bundle, written through to the disk, read back, audited; only then is the log dropped.  None: it stays."""
    entries = house.store.read(game)
    names, key = house.store.names(game), house.store.key(game)
    assert key is not None
    raw = bundle(entries, names, key, EVERYTHING, house.host_key)
    if not audit(raw).clean:
        return None
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    file = folder / f"{game}.zip"
    _write_through(file, raw)
    if file.read_bytes() != raw:
        raise Stop(f"{file} cannot be read back as it was written.", "Is the disk full or broken? No log was dropped.")
    house.store.archive(game)
    house.table.forget(game)
    return file


def _write_through(file: Path, raw: bytes) -> None:
    """The file is whole on the disk, or not there."""
    part = file.with_suffix(".part")
    handle = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    try:
        with os.fdopen(handle, "wb") as opened:
            opened.write(raw)
            opened.flush()
            os.fsync(opened.fileno())
        part.replace(file)
        directory = os.open(file.parent, os.O_RDONLY)
        try:
            os.fsync(directory)
        finally:
            os.close(directory)
    except OSError as error:
        part.unlink(missing_ok=True)
        raise Stop(f"{file} cannot be written: {error.strerror}.", "No log was dropped.") from None
