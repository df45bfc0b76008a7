"""How the house is: its games by phase, what is overdue, how far behind the views are, and which jobs failed."""

from __future__ import annotations

from collections import Counter
from typing import Annotated, Any

import msgspec
from rich.table import Table
from rich.text import Text

from events import codec
from events.facts import GameClosed
from services.cli.openings import visit_house
from services.cli.voice import Data, InJson, StoreUrl, flag, page, say_document
from workers.projector import GROUP
from workers.wiring import House

EXAMPLES = {
    "status": ("wonderlog status", "wonderlog status --data DIR --json --check", "wonderlog status --store redis://store:6379/0")
}
LATE_MS = 2000
"""A game that has been due for so long is overdue: the ticker looks ten times a second."""
MOST_GAMES = 2_000
"""Beyond so many, games are counted, not looked into."""
PHASES = ("gathering", "choose", "extra", "reveal", "closing", "over")


def status(
    *,
    check: Annotated[bool, flag("End with status 1 if something needs a look.")] = False,
    data: Data = None,
    store: StoreUrl = None,
    json: InJson = False,
) -> int:
    """Show how the house is: `ok`, or what needs a look: failed jobs, games that nobody moves on though they are due, a queue
    that is away.

    Exit status 1 if the store cannot be reached. Keys of --json: ok, store (where, partitions, unsafe), games (all, by_phase;
    beyond 2,000 they are counted as unknown), waking (games with a time at which somebody looks again), overdue (games,
    oldest_ms), views (behind: games whose views are older than their log, of so many that were looked at), feed_behind (lines,
    one for each append, that the projectors have not done yet), feed_fell_behind (partitions), queue (reached, length, failed).
    """
    with visit_house(data, store) as house:
        plain = look(house)
    if json:
        say_document(plain)
    else:
        show(plain)
    return 1 if check and not plain["ok"] else 0


def look(house: House) -> dict[str, Any]:
    """Everything that can be seen from the store and the queue.  Raises StoreUnavailable."""
    store = house.store
    now, places = store.now(), range(store.partitions)
    wakes = store.overdue_anywhere(now - LATE_MS, limit=10_000)
    phases, behind, looked = _games(house)
    figures = house.knocks.figures()
    failed, reached = int(figures.get("wonderlog_failed_jobs", 0)), house.knocks.answers()
    return {
        "ok": not wakes and not failed and reached,
        "store": {"where": house.opened.origin, "partitions": store.partitions, "unsafe": list(house.opened.warnings)},
        "games": {"all": sum(phases.values()), "by_phase": dict(sorted(phases.items()))},
        "waking": sum(store.waking(place) for place in places),
        "overdue": {"games": len(wakes), "oldest_ms": max((now - wake.at for wake in wakes), default=0)},
        "views": {"behind": behind, "of": looked},
        "feed_behind": sum(store.behind(GROUP)),
        "feed_fell_behind": [place for place in places if _fell_behind(house, place)],
        "queue": {
            "reached": reached,
            "length": int(figures.get("wonderlog_queue_length", 0)),
            "failed": failed,
        },
    }


def _fell_behind(house: House, place: int) -> bool:
    return house.store.fell_behind(place, GROUP)


def _games(house: House) -> tuple[Counter[str], int, int]:
    """(games by phase, games whose views are older than their log, games that were looked into)."""
    store = house.store
    phases: Counter[str] = Counter()
    behind = looked = 0
    for place in range(store.partitions):
        for game in store.games(place):
            if looked >= MOST_GAMES:
                phases["unknown"] += 1
                continue
            looked += 1
            view = store.load_view(game, "table")
            head = store.head(game)
            version = head[0] if head else 0
            if view is not None and view[0] >= version:
                phases[_phase(view[1])] += 1
                continue
            behind += 1
            phases[_phase_of_log(house, game, version)] += 1
    return phases, behind, looked


class _Table(msgspec.Struct):
    phase: str


_table = msgspec.json.Decoder(_Table)


def _phase(document: bytes) -> str:
    return _table.decode(document).phase


def _phase_of_log(house: House, game: str, version: int) -> str:
    """From the log, where no view is as new: the last event says whether it is over; else the game is folded."""
    entries = house.store.read(game, version - 1)
    if entries and isinstance(codec.parse(entries[-1][1].e), GameClosed):
        return "over"
    from projections.table import PHASES as WORDS

    try:
        return WORDS[type(house.table.load(game).game.phase).__name__]
    except (codec.BrokenRecord, LookupError):
        return "unreadable"


def _games_words(count: int) -> str:
    return f"{count} game{'' if count == 1 else 's'}"


def show(plain: dict[str, Any]) -> None:
    """The same for people."""
    grid = Table.grid(padding=(0, 2))
    grid.add_column(style="dim", no_wrap=True)
    grid.add_column(overflow="fold")
    good = Text("all is well", style="bold green") if plain["ok"] else Text("needs a look", style="bold red")
    grid.add_row("house", good)
    grid.add_row("store", f"{plain['store']['where']}, {plain['store']['partitions']} partitions")
    for warning in plain["store"]["unsafe"]:
        grid.add_row("", Text(warning, style="yellow"))
    phases = plain["games"]["by_phase"]
    words = ", ".join(f"{count} {phase}" for phase, count in phases.items())
    grid.add_row("games", f"{plain['games']['all']}{': ' + words if words else ''}")
    grid.add_row("waking", f"{_games_words(plain['waking'])} to be looked at again at a set time")
    overdue = plain["overdue"]
    late = Text(f"{_games_words(overdue['games'])}, the oldest for {overdue['oldest_ms'] / 1000:.0f} s", style="red")
    grid.add_row("overdue", late if overdue["games"] else "nothing")
    if overdue["games"]:
        grid.add_row("", "Is a worker and a ticker running? `wonderlog serve`, or `wonderlog work` and `wonderlog tick`")
    views = plain["views"]
    grid.add_row("views", f"{views['behind']} of {views['of']} games are behind their log" if views["behind"] else "up to date")
    lines = plain["feed_behind"]
    grid.add_row("feed", f"{lines} append{'s wait' if lines != 1 else ' waits'} for the projector" if lines else "all is projected")
    if lines and views["behind"]:
        grid.add_row("", "Is a projector running? `wonderlog serve`, or `wonderlog project`")
    if plain["feed_fell_behind"]:
        grid.add_row("", Text("lines were dropped unread: the projector looks at every game when it starts", style="yellow"))
    queue = plain["queue"]
    if not queue["reached"]:
        grid.add_row("queue", Text("cannot be reached; games are moved on when it is back", style="red"))
    else:
        grid.add_row("queue", f"{queue['length']} jobs wait")
        failed = Text(f"{queue['failed']} jobs (kept for a week in RQ's registry)", style="red")
        grid.add_row("failed", failed if queue["failed"] else "nothing")
    page().print(grid)
