"""Somebody at the table: sees the hand, chooses, changes, waits, hears the story, and counts at the end."""

from __future__ import annotations

import time
from collections.abc import Callable

from msgspec.structs import replace

from events.rules.clock import awaited
from events.rules.state import Choosing, Extra, Game, Gathering
from events.vocabulary import CardId
from services.cli import drawing, gathering, moves, scores, screens
from services.cli.asking import Left, Player
from services.cli.client import Client, Turned
from services.cli.eyewitness import Eyewitness, Follower
from services.cli.hand import offers
from services.cli.keepsakes import Drawer, Keepsake
from services.cli.moves import Misread, Move
from services.cli.neighbours import market
from services.cli.signing import signed_body
from services.cli.voice import page
from workers import bots

UNDO = ("u", "undo")
PATIENCE = 1.0
"""Seconds after which a waiting player is told for whom."""


class Sitting:
    """One seat of one table, from the gathering to the score."""

    def __init__(self, client: Client, drawer: Drawer, kept: Keepsake) -> None:
        assert kept.seat is not None
        self.client, self.drawer, self.kept, self.seat = client.shown(kept.token), drawer, kept, kept.seat
        self.witness = Eyewitness(kept.game)
        self.witness.see_all(self.client.lines(kept.game, 0))
        self.follower = Follower(self.client, self.witness)
        self.player = Player()
        self.told = 0
        self.looks: dict[str, Callable[[], None]] = {
            "t": lambda: page().print(drawing.table(self.game, self.seat)),
            "n": lambda: page().print(market(self.game, self.seat)),
            "c": lambda: self._tell(0),
            "p": lambda: page().print(scores.score_table(self.game)),
            "h": lambda: page().print(moves.HELP, style="dim", markup=False),
        }

    @property
    def game(self) -> Game:
        """The table as this seat knows it."""
        return self.witness.game

    def close(self) -> None:
        """Stops following the table."""
        self.follower.close()
        self.client.close()

    def play(self) -> None:
        """Until the game is over or the player leaves."""
        try:
            self._gather()
            self._come_back()
            while not self.witness.over:
                question = self._question()
                if question is None:
                    self._wait()
                else:
                    self._news()
                    self._answer(*question)
        except (Left, KeyboardInterrupt):
            self._say_goodbye()
            return
        self._keep(None)
        self._news()
        screens.end(self.game)

    # -- before the first turn ----------------------------------------------------------------------------------
    def _gather(self) -> None:
        if not isinstance(self.game.phase, Gathering):
            return
        own = self.game.people[self.seat]
        page().print(f"You are {own.name if own else 'nobody'}, on seat {self.seat + 1} of {len(self.game.people)}.")
        asked = False
        while isinstance(self.game.phase, Gathering):
            self.kept = gathering.prepare(self.client, self.drawer, self.kept, self.witness)
            free = sum(person is None for person in self.game.people)
            if free and not asked:
                asked = True
                page().print(f"{free} seat{'s are' if free > 1 else ' is'} free. A friend joins with:", style="bold")
                page().print(f"  wonderlog play {self.game.id} --url {self.client.url}", style="cyan", markup=False, soft_wrap=True)
            self._hear(PATIENCE)

    def _come_back(self) -> None:
        """Whoever left the seat to a bot takes it back."""
        person = self.game.people[self.seat]
        if person is not None and person.stand_in and not self.witness.over:
            self.client.command("POST", f"/games/{self.game.id}/seats/{self.seat}/reclaim")
            page().print("You take your seat back from the bot.", style="dim")
            self._catch_up()

    # -- listening ----------------------------------------------------------------------------------------------
    def _hear(self, seconds: float) -> str | None:
        """Waits for the table or a line; what is typed while one waits is a line, a script's lines are for the next question."""
        if self.player.echo:
            self.player.bell(self.follower.bell, seconds)
            line = self.player.next_if(UNDO)
        else:
            line = self.player.said(self.follower.bell, seconds)
        self.follower.catch_up()
        return line

    def _catch_up(self) -> None:
        """Everything up to the head of the log: what was appended together is then seen together."""
        self.witness.see_all(self.client.lines(self.game.id, self.witness.version))

    def _question(self) -> tuple[int, CardId | None] | None:
        """(city, the holder's own card for the Free City) of the next question for this seat."""
        mine = [city for seat, city in awaited(self.game) if seat == self.seat]
        if not mine or not self._mine(mine[0]):
            return None
        self._catch_up()
        phase, city = self.game.phase, mine[0]
        if not self._mine(city):
            return None
        own = phase.choices[self.seat] if isinstance(phase, Choosing) and city == self.game.free else None
        return city, own.card if own else None

    def _wait(self) -> None:
        """The others choose; the own choice may still be changed."""
        since, said = time.monotonic(), False
        while not self.witness.over and self._question() is None:
            line = self._hear(0.2)
            if line is not None:
                self._while_waiting(line.lower())
            if not said and time.monotonic() - since > PATIENCE and (names := self._others()):
                said = True
                undo = " u takes your choice back." if self._changeable() else ""
                page().print(f"Waiting for {names}.{undo}", style="dim")

    def _others(self) -> str:
        return ", ".join(dict.fromkeys(drawing.called(self.game, seat) for seat, _ in awaited(self.game)))

    def _changeable(self) -> bool:
        phase = self.game.phase
        if isinstance(phase, Choosing):
            return phase.choices[self.seat] is not None and not all(phase.choices)
        return isinstance(phase, Extra) and len(phase.cities) > 1 and self.seat in phase.seats and not all(phase.answers)

    def _while_waiting(self, line: str) -> None:
        if line in UNDO:
            where = "extras" if isinstance(self.game.phase, Extra) else "choices"
            self._send("DELETE", where, {})
        elif line in self.looks:
            self.looks[line]()
        elif line == "q":
            raise Left
        elif line:
            page().print("While you wait: u takes your choice back; t, n, c, p, h show; q leaves.", style="dim")

    # -- choosing -----------------------------------------------------------------------------------------------
    def _answer(self, city: int, own: CardId | None) -> None:
        screens.question(self.game, self.seat, city, own)
        question = self._moment()
        while self._mine(city) and self._moment() == question:
            line = self._asked(city)
            if line is None:
                page().print("The table has moved on.", style="yellow")
                return
            try:
                move = self._understood(line, city, own)
                if move is None:
                    continue
                way = self._way(city, move)
            except Misread as misread:
                page().print(f"  {misread}", style="yellow", markup=False)
                continue
            where = "extras" if isinstance(self.game.phase, Extra) else "choices"
            if self._send("POST", where, {"city": city, **move.body(way)}):
                who = "You" if city == self.seat else f"For {drawing.called(self.game, city)} you"
                page().print(f"  {who} {moves.move_words(self.game, city, move, way)}.", style="green", markup=False)
                self._catch_up()
                return
            self._catch_up()

    def _moment(self) -> tuple[object, ...]:
        """Which question is open: a choice that comes too late must not be taken for the next turn's."""
        phase = self.game.phase
        return (self.game.age, self.game.turn, phase.question if isinstance(phase, Extra) else type(phase))

    def _mine(self, city: int) -> bool:
        """Whether this seat is still asked about a city, and nobody plays for it."""
        person = self.game.people[self.seat]
        return (self.seat, city) in awaited(self.game) and not (person is not None and person.plays_itself)

    def _asked(self, city: int) -> str | None:
        """What the player types; None if the question has gone meanwhile."""
        page().print(self._prompt(city), end="", style="bold cyan")
        question = self._moment()
        while True:
            line = self.player.said(self.follower.bell, 60.0)
            if line is not None:
                return line
            if self.player.ended:
                page().print()
                raise Left
            self.follower.catch_up()
            if not self._mine(city) or self._moment() != question:
                page().print()
                return None

    def _prompt(self, city: int) -> str:
        whose = "Your choice" if city == self.seat else f"Your choice for {drawing.called(self.game, city)}"
        deadline = self.game.phase.deadline if isinstance(self.game.phase, (Choosing, Extra)) else None
        left = f" ({max(0, deadline // 1000 - int(time.time()))} s left)" if deadline else ""
        return f"{whose}{left}, h for help: "

    def _understood(self, line: str, city: int, own: CardId | None) -> Move | None:
        """The move that was typed; None if it was something else, which is done.  Raises Misread, Left."""
        word = line.lower()
        if word in self.looks:
            self.looks[word]()
            return None
        match word:
            case "q" | "quit" | "exit":
                raise Left
            case "hint" | "auto":
                move = moves.of_act(*bots.choose("builder", self.game, self.seat, city))
                if word == "auto":
                    return move
                page().print(f"  A builder bot would {moves.move_words(self.game, city, move)}.", style="cyan", markup=False)
                return None
            case "bot":
                self.client.command("POST", f"/games/{self.game.id}/seats/{self.seat}/bot", bot="builder")
                self._catch_up()
                page().print("A builder bot plays on for you. Come back with: ", end="")
                page().print(f"wonderlog play {self.game.id}", style="cyan")
                return None
            case _:
                return moves.read(line, self.game, city, offers(self.game, city, own))

    def _way(self, city: int, move: Move) -> int:
        """Which of several payments; a person is asked.  Raises Misread."""
        if len(move.payments) < 2:
            return 0
        words = moves.ways_in_words(self.game, city, move)
        page().print("  Pay " + "   ".join(words), markup=False)
        letter = self.player.ask("  Which way? ").lower()
        place = ord(letter) - ord("a") if len(letter) == 1 else -1
        if not 0 <= place < len(move.payments):
            raise Misread(f"There are the ways a to {chr(ord('a') + len(move.payments) - 1)}; choose again.")
        return place

    def _send(self, method: str, where: str, body: dict[str, object]) -> bool:
        game = self.game
        seen = {"version": game.version, "link": self.witness.link}
        try:
            if self.kept.key is not None:
                body = signed_body(self.kept.key, game, self.seat, seen, body)
            self._keep(self.client.command(method, f"/games/{game.id}/{where}", age=game.age, turn=game.turn, seen=seen, **body))
        except Turned as turned:
            page().print(f"  No: {turned}", style="yellow", markup=False)
            return False
        if method == "DELETE":
            page().print("  Your choice is back in your hand.", style="green")
            self._catch_up()
        return True

    def _keep(self, receipt: dict[str, object] | None) -> None:
        """The host's last receipt and signed head: with them an audit finds whatever is changed afterwards."""
        self.kept = replace(self.kept, receipt=receipt or self.kept.receipt, head=self.client.head or self.kept.head)
        self.drawer.keep(self.kept)

    def _news(self) -> None:
        """What has happened since it was last told."""
        self._tell(self.told)
        self.told = self.witness.version

    def _tell(self, after: int) -> None:
        screens.tell(self.witness.chapters(), after)

    def _say_goodbye(self) -> None:
        page().print("\nThe game waits for you. Come back with:", style="bold")
        url = "" if self.kept.data else f" --url {self.client.url}"
        page().print(f"  wonderlog play {self.game.id}{url}", style="cyan", markup=False, soft_wrap=True)
