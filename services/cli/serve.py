"""The whole house in one command: store, workers, ticker, projector and API, until Ctrl-C."""

from __future__ import annotations

import os
import socket
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from services.cli import STARTED, door
from services.cli.openings import settings_of
from services.cli.voice import Data, InJson, Stop, StoreUrl, flag, page, refused, say_document
from workers import supervise
from workers.settings import Settings
from workers.wiring import House

EXAMPLES = {
    "serve": (
        "wonderlog serve                          for this machine: http://127.0.0.1:8777",
        "wonderlog serve --host 0.0.0.0           for everybody on the local network",
        "wonderlog serve --port 8777 --data DIR   another port and place",
    )
}
PORT = 8777

Host = Annotated[str, Parameter(help="Where to listen: 127.0.0.1 for this machine alone, 0.0.0.0 for the local network.")]
Port = Annotated[int, Parameter(help="The port; 0 takes one that is free.")]
Unsafe = Annotated[bool, flag("Open a store that could lose a move (and say so).")]


def serve(
    *,
    host: Host = "127.0.0.1",
    port: Port = PORT,
    data: Data = None,
    store: StoreUrl = None,
    workers: Annotated[
        int | None, Parameter(show_default=False, help="Processes that move games on. [default: one for each core but one]")
    ] = None,
    unsafe_store: Unsafe = False,
    quiet: Annotated[bool, flag("Write the diary into the data folder (diary.log) instead of here.")] = False,
    json: InJson = False,
) -> int:
    """Open the whole house and keep it open: store, workers, ticker, projector, API and pages.

    It prints its address when it is ready. Ctrl-C ends every process and the store; when it is opened again, all games are there.
    With --json it prints one line when it is ready, with the keys url, share (the address for the local network, or null), data,
    store, workers, pid and ready_seconds.
    """
    count = max(1, min(8, (os.cpu_count() or 2) - 1)) if workers is None else workers
    if not 1 <= count <= 64:
        raise refused(f"{count} workers cannot be had: 1 to 64.", "One for each core is plenty: --workers 2")
    settings = settings_of(data, store, unsafe=unsafe_store)
    place = door.bind(host, port)
    port = place.getsockname()[1]

    def say() -> None:
        seconds = time.monotonic() - STARTED
        if json:
            say_document(_plain(settings, host, port, count, seconds))
        else:
            page().print(_banner(settings, host, port, seconds))

    if quiet:
        _quietly(settings.data)
    door.prepare()  # imported before the parts are forked, so that it is done once
    try:
        status = supervise.run(settings, (*supervise.parts(count), supervise.Part("api", _api(place))), say)
    finally:
        place.close()
    if status:
        where = settings.data / "diary.log" if quiet else "the lines above"
        raise Stop("The house could not be opened.", f"{where} say why.", reason="not-opened")
    if not json:
        page().print("Closed. All games are kept.", style="dim")
    return 0


def _api(place: socket.socket) -> Callable[[House, threading.Event, Callable[[], None]], int]:
    return lambda house, stop, ready: door.serve(door.application(house), place, stop, ready)


def _quietly(data: Path) -> None:
    """From now on everything on standard error, of all parts, is written into a file."""
    data.mkdir(parents=True, exist_ok=True)
    sys.stderr.flush()
    diary = os.open(data / "diary.log", os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    os.dup2(diary, sys.stderr.fileno())
    os.close(diary)


def _plain(settings: Settings, host: str, port: int, workers: int, seconds: float) -> dict[str, object]:
    return {
        "url": door.url(host, port),
        "share": door.shared(host, port),
        "data": str(settings.data.resolve()),
        "store": "own" if settings.store_url is None else "named",
        "workers": workers,
        "pid": os.getpid(),
        "ready_seconds": round(seconds, 3),
    }


def _banner(settings: Settings, host: str, port: int, seconds: float) -> Panel:
    """Where the house is, what to do first, and how to leave."""
    address = door.url(host, port)
    grid = Table.grid(padding=(0, 2))
    grid.add_column(style="dim", no_wrap=True)
    grid.add_column(overflow="fold")
    grid.add_row("address", Text(address, style="bold cyan"))
    if (share := door.shared(host, port)) is not None:
        grid.add_row("to share", Text(f"{share}  (everybody on your network)", style="bold cyan"))
    url = "" if port == PORT else f" --url {address}"
    grid.add_row(
        "try", Text(f"wonderlog play{url}", style="bold").append("  in a second terminal: a game against bots", "not bold dim")
    )
    grid.add_row("", Text(address).append("  the same in a browser", "dim"))
    grid.add_row("", Text(f"{address}/schema").append("  what programs can ask", "dim"))
    grid.add_row("games", str(settings.data.resolve()) if settings.store_url is None else "in the store that was named")
    grid.add_row("leave", "Ctrl-C; all games are kept")
    return Panel(grid, title=f"Wonderlog is open ({seconds:.1f} s)", title_align="left", border_style="green", expand=False)
