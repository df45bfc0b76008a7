"""Tables over HTTP: who opens them, who sits there, and how they play."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from itertools import count
from typing import Any

import httpx

from events.codec import SPECTATOR
from events.store.memory import MemoryStore
from events.store.protocol import Accepted, Append, StoreUnavailable
from projections.project import Projections

_numbers = count(1)


class ProjectingStore(MemoryStore):
    """A store in memory with its projector inside: views are written, then told of, before an append returns.

    away: every call fails, as when the server cannot be reached."""

    def __init__(self) -> None:
        super().__init__()
        self.projections = Projections(self)
        self.away = False

    def append(self, request: Append) -> Accepted:
        self.refuse_if_away()
        accepted = super().append(request)
        if not accepted.repeated:
            self.publish(request.game, self.projections.project(request.game))
        return accepted

    def refuse_if_away(self) -> None:
        if self.away:
            raise StoreUnavailable("the store is away")


def _guarded(name: str) -> Any:
    plain = getattr(MemoryStore, name)

    def call(self: ProjectingStore, *given: Any, **named: Any) -> Any:
        self.refuse_if_away()
        return plain(self, *given, **named)

    return call


for _name in ("now", "read", "head", "key", "names", "erase_name", "accepted", "load_view", "load_rows", "save_views", "listen"):
    setattr(ProjectingStore, _name, _guarded(_name))


def sha(text: str) -> str:
    """What the house knows of a secret."""
    return hashlib.sha256(text.encode()).hexdigest()


def fresh() -> str:
    """A command id that was not used yet."""
    return f"command-{next(_numbers)}"


class Somebody:
    """A client with a secret of its own (None: a spectator)."""

    def __init__(self, client: httpx.Client, secret: str | None = None) -> None:
        self.client, self.secret = client, secret
        self.headers = {"Authorization": f"Bearer {secret}"} if secret else {}

    def get(self, path: str, **query: Any) -> httpx.Response:
        return self.client.get(path, params=query or None, headers=self.headers)

    def send(self, method: str, path: str, body: dict[str, Any] | None = None, **more: Any) -> httpx.Response:
        """A command; its id is made here unless given as `command_id`."""
        body = {"command_id": fresh(), **(body or {}), **more}
        return self.client.request(method, path, json=body, headers=self.headers)

    def post(self, path: str, body: dict[str, Any] | None = None, **more: Any) -> httpx.Response:
        return self.send("POST", path, body, **more)

    def delete(self, path: str, body: dict[str, Any] | None = None, **more: Any) -> httpx.Response:
        return self.send("DELETE", path, body, **more)


class Player(Somebody):
    """A person with a seat and a part of the deal."""

    def __init__(self, client: httpx.Client, name: str, table: str) -> None:
        super().__init__(client, f"secret-of-{name}-{fresh()}")
        self.name, self.table, self.path = name, table, f"/games/{table}"
        self.entropy = sha(f"entropy of {name}")
        self.seat = -1

    def sitting(self, **more: Any) -> dict[str, Any]:
        """The body of a request for a seat."""
        assert self.secret is not None
        commitment = hashlib.sha256(bytes.fromhex(self.entropy)).hexdigest()
        return {"name": self.name, "token": sha(self.secret), "entropy": commitment, **more}

    def sit(self, **more: Any) -> httpx.Response:
        answer = self.client.post(f"{self.path}/seats", json={"command_id": fresh(), **self.sitting(**more)})
        if answer.status_code == 201:
            self.seat = self.view()["you"]["seat"]
        return answer

    def ready(self) -> httpx.Response:
        return self.post(f"{self.path}/ready", entropy=self.entropy)

    def view(self, **query: Any) -> dict[str, Any]:
        answer = self.get(self.path, **query)
        assert answer.status_code == 200, answer.text
        return dict(answer.json())

    def questions(self) -> list[dict[str, Any]]:
        """What this seat is asked and has not answered yet."""
        return [question for question in self.view()["you"]["questions"] if question["chosen"] is None]

    def play(self, question: dict[str, Any], view: dict[str, Any], choice: int = 0) -> httpx.Response:
        """Plays the legal play of this number."""
        path = "choices" if question["kind"] == "choose" else "extras"
        return self.post(f"{self.path}/{path}", as_body(question, view, question["plays"][choice % len(question["plays"])]))


def as_body(question: dict[str, Any], view: dict[str, Any], play: dict[str, Any]) -> dict[str, Any]:
    """A listed play as a request, with its first payment and first option."""
    body: dict[str, Any] = {"age": view["age"], "turn": view["turn"], "city": question["city"]}
    for key in ("build", "stage", "discard", "pick", "lose", "decline"):
        if key in play:
            body[key] = play[key]
    if "build" in play or "stage" in play:
        ways = play.get("joinable") or play["payments"]
        body["left"], body["right"] = ways[0]
    if "stage" in play:
        body["participate"] = play["participate"]
        if play["options"]:
            body["option"] = play["options"][0]
    return body


class Sitting:
    """A table with its host and the people at it."""

    def __init__(self, client: httpx.Client, players: int = 3, **options: Any) -> None:
        self.client = client
        self.host = Somebody(client, f"host-{fresh()}")
        assert self.host.secret is not None
        self.opening = {"command_id": fresh(), "host": sha(self.host.secret), "players": players, "edifice": False, **options}
        answer = client.post("/games", json=self.opening)
        assert answer.status_code == 201, answer.text
        self.game: str = answer.json()["game"]
        self.path = f"/games/{self.game}"
        self.people: list[Player] = []
        self.spectator = Somebody(client)

    def join(self, *names: str) -> Sitting:
        """These people sit down."""
        for name in names:
            player = Player(self.client, name, self.game)
            assert player.sit().status_code == 201
            self.people.append(player)
        return self

    def fill(self, bot: str = "random") -> httpx.Response:
        return self.host.post(f"{self.path}/seats", fill=bot)

    def start(self) -> Sitting:
        """All get ready, the host begins."""
        for player in self.people:
            assert player.ready().status_code == 200
        answer = self.host.post(f"{self.path}/start")
        assert answer.status_code == 200, answer.text
        return self

    @property
    def table(self) -> dict[str, Any]:
        """What a spectator sees."""
        return dict(self.spectator.get(self.path).json())

    @property
    def version(self) -> int:
        """How long the log is."""
        return int(self.table["version"])

    def moves(self) -> Iterator[tuple[Player, dict[str, Any], dict[str, Any]]]:
        """(player, question, view) of everything that is asked of people, until the game is closed."""
        while self.table["closed"] is None:
            asked = False
            for player in self.people:
                for question in player.questions():
                    asked = True
                    yield player, question, player.view()
                    break
            assert asked, f"nobody is asked, and the game is not over: {self.table['phase']}"

    def finish(self) -> dict[str, Any]:
        """Plays to the end; what a spectator sees then."""
        for number, (player, question, view) in enumerate(self.moves()):
            answer = player.play(question, view, number)
            assert answer.status_code == 200, answer.text
        return self.table


def reason(answer: httpx.Response, status: int) -> str:
    """The reason of a refusal with this status, in the one shape that refusals have."""
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    problem = answer.json()
    assert set(problem) - {"city"} == {"title", "status", "reason", "detail"}
    assert problem["status"] == status
    return str(problem["reason"])


def lines(text: str) -> list[dict[str, Any]]:
    """The data of server-sent events."""
    events = [part for part in text.split("\n\n") if "event: head" not in part]
    return [json.loads(line.removeprefix("data: ")) for part in events for line in part.splitlines() if line.startswith("data: ")]


__all__ = ["SPECTATOR", "Player", "ProjectingStore", "Sitting", "Somebody", "as_body", "fresh", "lines", "reason", "sha"]
