"""Opens a table: for friends who join it by a line that is printed, for bots, or for both."""

from __future__ import annotations

import secrets
import time
from pathlib import Path
from typing import Annotated, Any

from cyclopts import Parameter

from events.catalogue import current
from events.commands import OpenGame, StartGame, TakeSeat
from events.vocabulary import BotKind
from projections.chronicle import Chronicle
from projections.eyes import SPECTATOR, Eyes
from services.cli import gathering, rulesets, screens, voice
from services.cli.client import Client, answers, fresh
from services.cli.eyewitness import Eyewitness, chapters_of
from services.cli.keepsakes import Drawer, Keepsake, folder, hashed
from services.cli.openings import open_house
from services.cli.rulesets import Edifice, Players, RulesChoice, SidesChoice
from services.cli.visits import USUAL
from services.cli.voice import Data, InJson, StoreUrl, flag, page, refused, say_document
from workers.wiring import House

EXAMPLES = {
    "new": (
        "wonderlog new --players 5                    a table for five, on the house that is open here",
        "wonderlog new --players 4 --bots random      a table of bots: it plays by itself",
        "wonderlog new --bots builder --watch         the same, told as it happens",
        "wonderlog new --bots builder --people 2      two seats stay free",
        "wonderlog new --players 2 --rules free_city_control=turn",
    )
}
EXPIRES_MS = 24 * 3600 * 1000


def new(
    *,
    players: Players = 4,
    bots: Annotated[BotKind | None, Parameter(show_default=False, help="Bots for the seats that are not kept for people.")] = None,
    people: Annotated[
        int | None, Parameter(show_default=False, help="Seats that stay free. [default: all without --bots, none with them]")
    ] = None,
    edifice: Edifice = True,
    rules: RulesChoice = "booklet",
    sides: SidesChoice = "dealt",
    turn_seconds: Annotated[int | None, Parameter(show_default=False, help="Time for each choice. [default: no clock]")] = None,
    unlisted: Annotated[bool, flag("Only who knows the id can join.")] = False,
    watch: Annotated[bool, flag("Begin when all are ready, and tell the game as it happens.")] = False,
    url: Annotated[str | None, Parameter(show_default=False, help="A house. [default: the one that is open here]")] = None,
    data: Data = None,
    store: StoreUrl = None,
    json: InJson = False,
) -> None:
    """Open a table on a house that is open, or, with --data or --store and no --url, directly in its store (with bots only).

    You are its host; the secret that proves it is kept in ~/.config/wonderlog/seats (or in the data folder that is named). A table
    of bots begins at once, one with people when you say so (`wonderlog start GAME`). With --watch this command stays, begins when
    all are ready, and tells the game. Keys of --json: game, url (null: in the store), players, bots, people, started, over,
    version, kept (the file with the host's secret).
    """
    if json:
        voice.speak_aside()
    free = people if people is not None else 0 if bots else players
    if not 0 <= free <= players or (bots is None and free < players):
        advice = "Name the bots for the other seats: --bots builder" if 0 <= free <= players else "For instance --people 2"
        raise refused(f"{free} of {players} seats cannot be kept for people.", advice)
    drawer = Drawer(folder(data))
    wishes: dict[str, Any] = {"players": players, "edifice": edifice, "sides": sides, "listed": not unlisted}
    wishes["rules"] = rulesets.rules_of(rules)
    if turn_seconds is not None:
        wishes["turn_seconds"] = turn_seconds
    if url is None and (data is not None or store is not None):
        if free or bots is None:
            raise refused(
                "People sit down at a house that is open.", "Open it with `wonderlog serve`, then leave --data and --store out."
            )
        with open_house(data, store) as house:
            plain = _in_store(house, drawer, wishes, bots, data, watch)
    else:
        if url is None and not answers(USUAL):
            raise refused(
                "No house is open here.", "Open one with `wonderlog serve`, or name one with --url.", reason="unreachable"
            )
        plain = _in_house(Client(url or USUAL), drawer, wishes, bots, free, watch, data)
    if json:
        say_document(plain)


# ---- at a house ---------------------------------------------------------------------------------------------------------
def _in_house(
    client: Client, drawer: Drawer, wishes: dict[str, Any], bots: BotKind | None, free: int, watch: bool, data: Path | None
) -> dict[str, Any]:
    kept = gathering.open_table(client, drawer, wishes, None)
    if bots is not None:
        gathering.add_bots(client, kept, bots, int(wishes["players"]) - free)
    witness = Eyewitness(kept.game)
    witness.see_all(client.lines(kept.game, 0))
    gathering.prepare(client, drawer, kept, witness)
    witness.see_all(client.lines(kept.game, witness.version))
    page().print(f"Table {kept.game} is open.", style="bold", markup=False)
    if free:
        page().print("Friends join with:")
        page().print(f"  wonderlog play {kept.game} --url {client.url}", style="cyan", markup=False, soft_wrap=True)
    if watch:
        gathering.watch(client, drawer, kept, witness)
    elif free:
        page().print("When they are there, or to let bots have the seats that are free, begin with:")
        where = "" if data is None else f" --data {data}"
        page().print(f"  wonderlog start {kept.game}{where}", style="cyan", markup=False, soft_wrap=True)
    else:
        page().print(f"The bots are playing: {client.url}/table/{kept.game}", style="dim", markup=False, soft_wrap=True)
    return gathering.document(witness, client.url) | {"kept": str(drawer.path(kept.game))}


# ---- in a store ---------------------------------------------------------------------------------------------------------
def _in_store(
    house: House, drawer: Drawer, wishes: dict[str, Any], bots: BotKind, data: Path | None, watch: bool
) -> dict[str, Any]:
    """The same commands, through the one write path; the workers of the house, if it is open, play the game."""
    seconds = wishes.pop("turn_seconds", None)
    options = rulesets.options(current(), wishes.pop("players"), turn_seconds=seconds, **wishes)
    secret, command_id = fresh(), fresh()
    game = rulesets.game_id(hashed(secret), command_id)
    kept = Keepsake(game=game, data=str(data.resolve()) if data is not None else None, host=secret)
    path = drawer.keep(kept)
    table = house.table
    opening = OpenGame(
        game=game, host=hashed(secret), options=options, key=secrets.token_bytes(32), expires=house.store.now() + EXPIRES_MS
    )
    table.transact(game, opening, actor="host", command_id=command_id, body=command_id.encode())
    for seat in range(options.players):
        name = f"{bots.capitalize()} {seat + 1}"
        table.transact(game, TakeSeat(seat=seat, name=name, nonce=secrets.token_hex(32), bot=bots))
    house.after(table.transact(game, StartGame()))
    page().print(f"Table {game} is open, and the bots are at it.", style="bold", markup=False)
    if watch:
        _watch_log(house, game)
    last = house.table.load(game).game
    return {
        "game": game,
        "url": None,
        "players": options.players,
        "bots": options.players,
        "people": 0,
        "started": True,
        "over": rulesets.is_over(last),
        "version": last.version,
        "kept": str(path),
    }


def _watch_log(house: House, name: str) -> None:
    """Tells a game from its log; moves it on, too, since there may be no worker.  Two at it do no harm."""
    from workers.handlers import advance

    eyes, chronicle, told = Eyes(SPECTATOR), Chronicle(), 0
    names = house.store.names(name)
    while not (eyes.version and rulesets.is_over(eyes.game)):
        advance(house, name, steps=12)
        for version, entry in house.store.read(name, eyes.version):
            before = eyes.game if eyes.version else None
            event = eyes.see(version, entry, names)
            chronicle.tell(version, before or eyes.game, event, eyes.game)
        if told < eyes.version:
            screens.tell(chapters_of(chronicle), told)
            told = eyes.version
        else:
            time.sleep(0.05)
    screens.end(eyes.game)
