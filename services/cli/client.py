"""Speaks to a house over HTTP: each request is repeated after a lost reply, and every refusal comes back in words."""

from __future__ import annotations

import http.client
import json
import secrets
import time
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote, urlsplit

import msgspec
from msgspec import Raw, Struct

from events.sealed import Opening
from services.cli.voice import REFUSED, Stop, refused

SECONDS = 15.0
"""The longest wait for a reply; the house itself answers a waiting request after 10."""
QUIET_SECONDS = 40.0
"""A live stream says something every 15 s; when it is silent for so long it is taken for dead."""
TRIES = 6
Plain = dict[str, Any]


class Line(Struct, frozen=True, kw_only=True):
    """One event of a viewer's stream: its exact public bytes, its link (hex), what the viewer may open."""

    version: int
    event: Raw
    link: str
    openings: tuple[Opening, ...]


_line = msgspec.json.Decoder(Line)
_lines = msgspec.json.Decoder(list[Line])


class Turned(Stop):
    """The house refuses a request: nothing has changed."""


class Unreachable(Stop):
    """Nobody answers at the address."""


def fresh() -> str:
    """A new id of a command, or a new secret: 32 random bytes, hex."""
    return secrets.token_hex(32)


class Client:
    """One house at one address.  token: the secret that is shown with each request."""

    def __init__(self, url: str, token: str | None = None) -> None:
        parts = urlsplit(url if "//" in url else f"http://{url}")
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise refused(f"{url!r} is no address of a house.", "For instance --url http://127.0.0.1:8777")
        self.url, self.token = f"{parts.scheme}://{parts.netloc}", token
        self._kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
        self._place, self._path = parts.netloc, parts.path.rstrip("/")
        self._connection: http.client.HTTPConnection | None = None
        self.head: Plain | None = None
        """The last head of a log that the host signed, as the live stream brought it."""

    def shown(self, token: str | None) -> Client:
        """The same house, for somebody else."""
        return Client(self.url + self._path, token)

    # -- requests -----------------------------------------------------------------------------------------------
    def read(self, path: str, **query: object) -> Any:
        """What stands at an address.  Raises Turned, Unreachable."""
        asked = "&".join(f"{name}={quote(str(value))}" for name, value in query.items() if value is not None)
        return self._ask("GET", f"{path}?{asked}" if asked else path, None)

    def command(self, method: str, path: str, **body: Any) -> Plain:
        """Changes something; with one command id however often it must be sent.  Raises Turned, Unreachable."""
        body = {"command_id": fresh(), **{name: value for name, value in body.items() if value is not None}}
        answer: Plain = self._ask(method, path, json.dumps(body).encode())
        return answer

    def lines(self, game: str, after: int, whose: str | None = None) -> list[Line]:
        """The viewer's stream above a version, as far as it goes now; whose: other eyes than one's own ("all")."""
        eyes = "" if whose is None else f"&as={whose}"
        return _lines.decode(self._bytes("GET", f"/games/{game}/events?after={after}{eyes}", None))

    def content(self, path: str) -> bytes:
        """The bytes that stand at an address.  Raises Turned, Unreachable."""
        return self._bytes("GET", path, None)

    def _ask(self, method: str, path: str, body: bytes | None) -> Any:
        return json.loads(self._bytes(method, path, body))

    def _bytes(self, method: str, path: str, body: bytes | None) -> bytes:
        pause = 0.1
        for attempt in range(1, TRIES + 1):
            try:
                status, headers, content = self._once(method, path, body)
            except (OSError, http.client.HTTPException) as error:
                self.close()
                if attempt == TRIES or isinstance(error, ConnectionRefusedError):
                    advice = "Open it with `wonderlog serve`, or name another one with --url."
                    raise Unreachable(f"No house answers at {self.url}.", advice, reason="unreachable") from None
            else:
                if status < 400:
                    return content
                if status != 503 or attempt == TRIES:
                    raise _turned(status, content)
                pause = max(pause, float(headers.get("Retry-After", "0") or 0))
            time.sleep(pause)
            pause *= 2
        raise AssertionError("the last try returns or raises")

    def _once(self, method: str, path: str, body: bytes | None) -> tuple[int, http.client.HTTPMessage, bytes]:
        if self._connection is None:
            self._connection = self._kind(self._place, timeout=SECONDS)
        self._connection.request(method, self._path + path, body, self._headers(body))
        reply = self._connection.getresponse()
        return reply.status, reply.headers, reply.read()

    def _headers(self, body: bytes | None) -> dict[str, str]:
        headers = {"Accept": "application/json"}
        if self.token is not None:
            headers["Authorization"] = f"Bearer {self.token}"
        return headers if body is None else {**headers, "Content-Type": "application/json"}

    def close(self) -> None:
        """Lets go of the connection; the next request makes a new one."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    # -- live ---------------------------------------------------------------------------------------------------
    def live(self, game: str, after: int) -> Iterator[Line]:
        """The viewer's stream from a version on, as it happens, over a connection of its own; ends when it is cut off.

        Raises Turned, OSError, http.client.HTTPException."""
        connection = self._kind(self._place, timeout=QUIET_SECONDS)
        try:
            headers = {**self._headers(None), "Accept": "text/event-stream", "Last-Event-ID": str(after)}
            connection.request("GET", f"{self._path}/games/{game}/live", headers=headers)
            reply = connection.getresponse()
            if reply.status >= 400:
                raise _turned(reply.status, reply.read())
            if reply.status == 204:
                return
            event = b""
            while line := reply.readline():
                if line.startswith(b"event:"):
                    event = line[6:].strip()
                elif line.startswith(b"data:") and event == b"head":
                    self.head = json.loads(line[5:])
                elif line.startswith(b"data:") and not event:
                    yield _line.decode(line[5:])
                elif line == b"\n":
                    event = b""
        finally:
            connection.close()


def _turned(status: int, content: bytes) -> Turned:
    try:
        problem = json.loads(content)
        return Turned(str(problem["detail"]), reason=str(problem["reason"]), status=REFUSED)
    except (ValueError, KeyError, TypeError):
        return Turned(f"The house answers {status}.", "Is this address a Wonderlog?", reason=f"http-{status}")


def answers(url: str) -> bool:
    """Whether a house is open at an address."""
    client = Client(url)
    try:
        status, _, content = client._once("GET", "/healthz", None)
    except (OSError, http.client.HTTPException):
        return False
    finally:
        client.close()
    return status == 200 and b"<" not in content[:1]
