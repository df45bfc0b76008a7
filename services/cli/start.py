"""The host says "begin": a table that was opened here is filled with bots where friends are missing, and starts."""

from __future__ import annotations

import time
from contextlib import ExitStack
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from events.rules.state import Game, Gathering
from events.vocabulary import BotKind
from services.cli import gathering, voice
from services.cli.client import Client
from services.cli.eyewitness import Eyewitness, Follower
from services.cli.keepsakes import Drawer, Keepsake, folder
from services.cli.visits import USUAL, own_house
from services.cli.voice import InJson, flag, page, refused, say_document

EXAMPLES = {
    "start": (
        "wonderlog start GAME                  everybody is there: begin",
        "wonderlog start GAME --fill builder   bots for the seats that are still free",
        "wonderlog start GAME --watch          the same, and the game is told as it happens",
    )
}
PATIENCE = 10.0


def start(
    game: Annotated[str, Parameter(help="The table, as `wonderlog new` printed it.")],
    /,
    *,
    fill: Annotated[BotKind | None, Parameter(show_default=False, help="Bots for the seats that are free.")] = None,
    wait: Annotated[float, Parameter(help="Seconds to wait for people who are not ready yet.")] = PATIENCE,
    watch: Annotated[bool, flag("Stay, and tell the game as it happens.")] = False,
    url: Annotated[str | None, Parameter(show_default=False, help="The house. [default: the one where it was opened]")] = None,
    data: Annotated[
        Path | None, Parameter(show_default=False, help="The folder that was named to `new`, if one was: the secrets lie in it.")
    ] = None,
    json: InJson = False,
) -> None:
    """Begin a table that you opened here, once all its seats are taken; --fill gives the free ones to bots first.

    The host's secret is taken from where `wonderlog new` or `wonderlog play` kept it. People get ready by themselves while their
    page or their `wonderlog play` is open; who is not yet is waited for. A table that has begun is left as it is. Keys of --json:
    game, url, players, bots, people, started, over, version.
    """
    if json:
        voice.speak_aside()
    if not 0 <= wait <= 3600:
        raise refused(f"Nobody can wait {wait:g} seconds.", "From 0 to 3600: --wait 60")
    drawer = Drawer(folder(data))
    kept = _kept(drawer, game)
    with ExitStack() as stack:
        own = url is None and kept.url is None and kept.data is not None
        address = stack.enter_context(own_house(Path(str(kept.data)))) if own else url or kept.url or USUAL
        client = Client(address)
        stack.callback(client.close)
        witness = Eyewitness(kept.game)
        witness.see_all(client.lines(kept.game, 0))
        _begin(client, drawer, kept, witness, fill, wait)
        page().print(_said(witness.game), style="bold", markup=False)
        if watch:
            gathering.watch(client, drawer, kept, witness)
        else:
            page().print(f"{client.url}/table/{kept.game}", style="dim", markup=False, soft_wrap=True)
        plain = gathering.document(witness, client.url)
    if json:
        say_document(plain)


def _kept(drawer: Drawer, game: str) -> Keepsake:
    """What the host has kept of a table.  Raises Stop if nothing proves that it is the host's."""
    kept = drawer.find(game)
    if kept is None or kept.host is None:
        raise refused(
            f"No host's secret of table {game} lies in {drawer.place}.",
            "Only who opened a table can begin it: ask there, or name the folder that was named to `wonderlog new`: --data DIR",
            reason="not-yours",
        )
    return kept


def _begin(client: Client, drawer: Drawer, kept: Keepsake, witness: Eyewitness, fill: BotKind | None, wait: float) -> None:
    """Everything from here to the first hand.  Raises Stop if somebody is missing; nothing but --fill has happened then."""
    if _gathering(witness) and any(person is None for person in witness.game.people):
        if fill is None:
            raise refused(
                f"{_free(witness.game)}, so the table cannot begin yet.",
                f"Bots for them: wonderlog start {kept.game} --fill builder; "
                f"or friends join with: wonderlog play {kept.game} --url {client.url}",
                reason="not-ready",
            )
        gathering.add_bots(client, kept, fill)
        witness.see_all(client.lines(kept.game, witness.version))
    follower = Follower(client, witness)
    try:
        end = time.monotonic() + wait
        while _gathering(witness):
            kept = gathering.prepare(client, drawer, kept, witness)
            witness.see_all(client.lines(kept.game, witness.version))
            if _gathering(witness):
                left = end - time.monotonic()
                if left <= 0:
                    raise _not_ready(witness.game)
                follower.wait(min(left, 1.0))
    finally:
        follower.close()
    if not witness.game.cities:
        raise refused(f"Table {kept.game} was closed before it began.", "Open another one: wonderlog new", reason="game-over")


def _gathering(witness: Eyewitness) -> bool:
    return isinstance(witness.game.phase, Gathering)


def _free(game: Game) -> str:
    free = sum(person is None for person in game.people)
    return f"{free} of {len(game.people)} seats {'is' if free == 1 else 'are'} free"


def _not_ready(game: Game) -> voice.Stop:
    waiting = [str(one.name) for one in game.people if one is not None and one.bot is None and one.entropy is None]
    if not waiting:
        return refused(f"{_free(game)}: somebody has just left.", "Ask again.", reason="not-ready")
    return refused(
        f"Not ready yet: {', '.join(waiting)}.",
        "They get ready by themselves while their page or their `wonderlog play` is open. To wait longer: --wait 120",
        reason="not-ready",
    )


def _said(game: Game) -> str:
    people = [str(one.name) for one in game.people if one is not None and one.bot is None]
    bots = sum(one is not None and one.bot is not None for one in game.people)
    company = [*people, *([f"{bots} bot{'s' if bots > 1 else ''}"] if bots else [])]
    return f"Table {game.id} has begun: {', '.join(company)}."
