"""A full game in the terminal: against bots, or with friends in other terminals and browsers."""

from __future__ import annotations

import getpass
from pathlib import Path
from typing import Annotated, Any

from cyclopts import Parameter

from events.rules.state import Gathering, Over
from events.vocabulary import BotKind
from services.cli import gathering, voice
from services.cli.client import Client
from services.cli.keepsakes import Drawer, Keepsake, folder
from services.cli.rulesets import Edifice, Players, Rules, RulesChoice, SidesChoice, rules_of
from services.cli.sitting import Sitting
from services.cli.visits import own_house, some_house
from services.cli.voice import InJson, flag, refused, say_document

EXAMPLES = {
    "play": (
        "wonderlog play                              a game against three bots",
        "wonderlog play --players 5 --people 2       a friend joins with the line that is printed",
        "wonderlog play GAME --url http://HOST:8777  join a friend's table, or come back to it",
        "wonderlog play --last                       come back to the last game",
    )
}
BOT = "builder"


def play(
    game: Annotated[str | None, Parameter(show_default=False, help="A table to join or to come back to.")] = None,
    /,
    *,
    url: Annotated[
        str | None, Parameter(show_default=False, help="A house. [default: the open one here, or one of your own]")
    ] = None,
    data: Annotated[Path | None, Parameter(show_default=False, help="The folder of your own house's games.")] = None,
    name: Annotated[str | None, Parameter(show_default=False, help="What the others call you. [default: who you are here]")] = None,
    players: Players = 4,
    people: Annotated[int, Parameter(help="How many of the seats are for people, yours included; bots take the others.")] = 1,
    bot: Annotated[BotKind, Parameter(help="Which bots.")] = "builder",
    edifice: Edifice = True,
    rules: RulesChoice = "booklet",
    sides: SidesChoice = "dealt",
    turn_seconds: Annotated[int | None, Parameter(show_default=False, help="Time for each choice. [default: no clock]")] = None,
    last: Annotated[bool, flag("Come back to the game that you sat down to last.")] = False,
    json: InJson = False,
) -> int:
    """Play a game in the terminal.

    Your hand is shown with what each card costs you, what it does, and why it cannot be built; a card's number builds it. Until
    all have chosen you may change your mind. You may leave at any time: the game waits for you, and your seat's secret is kept
    in ~/.config/wonderlog/seats (or in the data folder that is named). With --json the conversation goes to standard error, and
    at the end one line comes out: game, url, version, seat, started, over, places (names), scores (totals by name).

    Lines may come from a pipe too: `yes auto | wonderlog play` lets a bot choose for you, turn by turn.
    """
    if json:
        voice.speak_aside()
    drawer = Drawer(folder(data))
    kept = _found(drawer, game, last)
    if kept is not None and kept.data is not None and url is None:
        with own_house(Path(kept.data)) as address:
            return _sit(Client(address), drawer, kept, json)
    with some_house(url or (kept.url if kept else None), data) as place:
        client = Client(place.url)
        if kept is None or kept.token is None:
            mine = name or _own_name()
            own = str(place.data) if place.data else None
            if game is not None:
                kept = kept or Keepsake(game=game, url=None if own else client.url, data=own)
                kept = gathering.sit_down(client, drawer, kept, mine)
            else:
                wishes = _wishes(players, edifice, rules_of(rules), sides, turn_seconds, people)
                kept = _new(client, drawer, wishes, own, mine, players - people, bot)
        return _sit(client, drawer, kept, json)


def _found(drawer: Drawer, game: str | None, last: bool) -> Keepsake | None:
    if last:
        if (latest := drawer.latest()) is None:
            raise refused("No game is kept here.", "Begin one: wonderlog play")
        return latest
    return drawer.find(game) if game is not None else None


def _wishes(players: int, edifice: bool, rules: Rules, sides: str, turn_seconds: int | None, people: int) -> dict[str, Any]:
    if not 1 <= people <= players:
        raise refused(f"{people} people cannot sit on {players} seats.", "For instance --players 4 --people 2")
    wishes: dict[str, Any] = {"players": players, "edifice": edifice, "rules": rules, "sides": sides, "listed": people > 1}
    return wishes if turn_seconds is None else {**wishes, "turn_seconds": turn_seconds}


def _new(client: Client, drawer: Drawer, wishes: dict[str, Any], data: str | None, name: str, bots: int, bot: BotKind) -> Keepsake:
    kept = gathering.open_table(client, drawer, wishes, data)
    kept = gathering.sit_down(client, drawer, kept, name)
    gathering.add_bots(client, kept, bot, bots)
    return kept


def _own_name() -> str:
    try:
        return getpass.getuser().capitalize()[:30] or "You"
    except (KeyError, OSError):
        return "You"


def _sit(client: Client, drawer: Drawer, kept: Keepsake, json: bool) -> int:
    sitting = Sitting(client, drawer, kept)
    try:
        sitting.play()
    finally:
        sitting.close()
    if json:
        say_document(_plain(sitting))
    return 0


def _plain(sitting: Sitting) -> dict[str, Any]:
    game = sitting.witness.game
    sheets = game.phase.sheets if isinstance(game.phase, Over) else ()
    places = game.phase.places if isinstance(game.phase, Over) else ()
    return {
        "game": game.id,
        "url": sitting.client.url,
        "version": game.version,
        "seat": sitting.seat,
        "started": not isinstance(game.phase, Gathering),
        "over": isinstance(game.phase, Over),
        "places": [[game.called(city) for city in place] for place in places],
        "scores": {game.called(one.city): one.total for one in sheets},
    }
