"""Many games of bots, one after the other: how the wonders compare, and how fast the rules are."""

from __future__ import annotations

import hashlib
import secrets
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Annotated, Any, Literal

from cyclopts import Parameter

from events import codec
from events.catalogue import current
from events.commands import OpenGame, StartGame, TakeSeat
from events.facts import AnyEvent, Options
from events.rules.state import Game, Over
from events.vocabulary import BotKind
from services.cli import games, rulesets
from services.cli.games import undisturbed
from services.cli.openings import open_house
from services.cli.rulesets import BotWord, Edifice, Players, RulesChoice, SidesChoice, rules_of
from services.cli.statistics import Tally
from services.cli.voice import Data, InJson, StoreUrl, aside, flag, page, refused, say_document
from workers.wiring import House

EXAMPLES = {
    "simulate": (
        "wonderlog simulate --players 4 --bot builder",
        "wonderlog simulate --games 1000 --edifice --bot mixed --seed spring",
        "wonderlog simulate --games 20 --through store --data /tmp/tables",
    )
}
MOST = 1_000_000
Bot = Annotated[BotWord, Parameter(help="Who plays: random, builder, or mixed (by turns).")]
Seed = Annotated[
    str | None, Parameter(show_default=False, help="Any text: the same seed gives the same games. [default: a new one]")
]
Through = Annotated[
    Literal["memory", "store"], Parameter(help="Where the games live: in memory, or in the house's store by its one write path.")
]


def simulate(
    *,
    players: Players = 4,
    games: Annotated[int, Parameter(help="How many games.")] = 200,
    bot: Bot = "random",
    edifice: Edifice = False,
    rules: RulesChoice = "booklet",
    sides: SidesChoice = "dealt",
    seed: Seed = None,
    encode: Annotated[bool, flag("In memory: write each game down too, with seals, openings and links.")] = False,
    through: Through = "memory",
    data: Data = None,
    store: StoreUrl = None,
    json: InJson = False,
) -> None:
    """Let bots play games to their end; compare the wonders, the kinds of points, and the Edifice's projects.

    Scores are means over all cities. The CPU seconds are the games' own: every legal play of every seat and turn listed, every
    choice made, every event produced (with --encode also written down, with --through store also kept). Keys of --json: games,
    players, bots, edifice, rules, seed, through, encoded, cpu_seconds, seconds, games_per_cpu_second, events_per_game,
    bytes_per_game, mean_scores, wonders, by_bot, projects, and with --through store game_ids. docs/cli.md explains them.
    """
    if not 1 <= games <= MOST:
        raise refused(f"{games} games cannot be played: 1 to {MOST:,}.", "For instance --games 500")
    if through == "memory" and (data is not None or store is not None):
        raise refused("A simulation in memory has no store.", "Add --through store, or leave --data and --store out.")
    if through == "store" and encode:
        raise refused("A store writes every game down anyway.", "Leave --encode out.")
    options = rulesets.options(current(), players, edifice=edifice, rules=rules_of(rules), sides=sides, listed=False)
    series = Series(options, rulesets.bot_kinds(bot, players), secrets.token_hex(4) if seed is None else seed)
    if through == "memory":
        with _progress(games) as advance, undisturbed():
            series.in_memory(games, encode, advance)
    else:
        with open_house(data, store) as house, _progress(games) as advance:
            series.through_store(house, games, advance)
    plain = series.plain(rules, through, encode)
    if json:
        say_document(plain)
    else:
        show(series, plain)


class Series:
    """Games with the same seats and options; adds them up as they end."""

    def __init__(self, options: Options, kinds: Sequence[BotKind], seed: str) -> None:
        self.options, self.kinds, self.seed = options, kinds, seed
        self.tally = Tally()
        self.cpu = self.seconds = 0.0
        self.bytes = 0
        self.ids: list[str] = []

    def in_memory(self, count: int, encode: bool, advance: Callable[[], None]) -> None:
        """Plays in this process, without a store."""
        box = current()
        for number in range(count):
            key = games.key_of(self.seed, number)
            choosers = [games.chooser(kind, key + bytes([seat])) for seat, kind in enumerate(self.kinds)]
            with self._timed():
                game, events = games.begin(box, self.options, self.kinds, key)
                game = games.play_on(game, choosers, key, events)
                if encode:
                    self.bytes += games.encode(game.id, key, events)
            self.tally.add(game, self.kinds, events)
            advance()

    def through_store(self, house: House, count: int, advance: Callable[[], None]) -> None:
        """Opens, fills and starts each table and moves it on, as the services and workers of the house do it."""
        from workers.handlers import advance as move_on

        for number in range(count):
            with self._timed():
                name = self._open(house, number)
                while not isinstance(house.table.load(name).game.phase, Over):
                    move_on(house, name)
            self.ids.append(name)
            game, events = self._read(house, name)
            self.tally.add(game, self.kinds, events)
            advance()

    def _open(self, house: House, number: int) -> str:
        """A new table full of bots, begun.  Its key is new each time: the seed gives bots' choices nothing to hold on to here."""
        secret = secrets.token_bytes(32)
        host = hashlib.sha256(secret).hexdigest()
        name = hashlib.sha256(f"{host}\nsimulate-{number}".encode()).hexdigest()[:20]
        table = house.table
        expires = house.store.now() + 3600 * 1000
        table.transact(name, OpenGame(game=name, host=host, options=self.options, key=secrets.token_bytes(32), expires=expires))
        for seat, kind in enumerate(self.kinds):
            nonce = secrets.token_hex(32)
            table.transact(name, TakeSeat(seat=seat, name=f"{kind.capitalize()} {seat + 1}", nonce=nonce, bot=kind))
        table.transact(name, StartGame())
        return name

    def _read(self, house: House, name: str) -> tuple[Game, list[AnyEvent]]:
        entries = house.store.read(name)
        self.bytes += sum(len(entry.e) + len(entry.s or b"") + len(entry.l) for _, entry in entries)
        names = house.store.names(name)
        return house.table.load(name).game, [codec.read(version, entry.e, entry.s, names) for version, entry in entries]

    @contextmanager
    def _timed(self) -> Iterator[None]:
        began, cpu = time.perf_counter(), time.process_time()
        yield
        self.cpu += time.process_time() - cpu
        self.seconds += time.perf_counter() - began

    def plain(self, rules: str, through: str, encoded: bool) -> dict[str, Any]:
        """The whole series as a document."""
        tally = self.tally
        plain: dict[str, Any] = {
            "games": tally.games,
            "players": self.options.players,
            "bots": list(self.kinds),
            "edifice": self.options.edifice,
            "rules": rules,
            "seed": self.seed if through == "memory" else None,
            "through": through,
            "encoded": encoded or through == "store",
            "cpu_seconds": round(self.cpu, 4),
            "seconds": round(self.seconds, 4),
            "games_per_cpu_second": round(tally.games / self.cpu, 2) if self.cpu else None,
            "events_per_game": round(tally.events / tally.games, 1),
            "bytes_per_game": round(self.bytes / tally.games) if self.bytes else None,
            "mean_scores": tally.all.means(),
            "wonders": {wonder: group.plain() for wonder, group in sorted(tally.wonders.items())},
            "by_bot": {kind: group.plain() for kind, group in sorted(tally.bots.items())},
        }
        if self.options.edifice:
            projects = sorted(tally.projects.items(), key=lambda item: (item[1].age, item[0]))
            plain["projects"] = {project: fate.plain() for project, fate in projects}
        if through == "store":
            plain["game_ids"] = self.ids
        return plain


@contextmanager
def _progress(count: int) -> Iterator[Callable[[], None]]:
    """A bar on standard error, where somebody watches; called once for each game."""
    if not aside().is_terminal:
        yield lambda: None
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("playing"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=aside(), transient=True) as bar:
        task = bar.add_task("playing", total=count)
        due = 0.0
        waiting = 0

        def advance() -> None:
            nonlocal due, waiting
            waiting += 1
            if (now := time.monotonic()) >= due:  # a game takes 3 ms, drawing the bar as long
                due = now + 0.1
                bar.advance(task, waiting)
                waiting = 0

        yield advance


def show(series: Series, plain: dict[str, Any]) -> None:
    """The series for people."""
    from services.cli import reports

    for part in reports.series(series.tally, plain):
        page().print(part)
