"""A seat moves to another device by a code that is good once, for ten minutes, and cannot be guessed."""

from __future__ import annotations

import hashlib
import threading
from typing import Any

import httpx
import pytest
from structlog.testing import capture_logs

from events.store.memory import wall_clock
from services.api import handovers
from tests.api.given import Player, ProjectingStore, Sitting, Somebody, fresh, reason, sha
from workers.wiring import House

TICKET, SEALED = sha("a ticket"), "ab" * 300
MINUTE = 60_000


@pytest.fixture
def ada(sitting: Sitting) -> Player:
    return sitting.people[0]


@pytest.fixture
def bo(sitting: Sitting) -> Player:
    return sitting.people[1]


def lay(player: Player, ticket: str = TICKET, sealed: str = SEALED, **more: Any) -> httpx.Response:
    return player.post(f"{player.path}/handovers", ticket=ticket, sealed=sealed, **more)


def claim(sitting: Sitting, ticket: str = TICKET, **more: Any) -> httpx.Response:
    return sitting.spectator.post(f"{sitting.path}/handovers/claim", ticket=ticket, **more)


def find(sitting: Sitting, ticket: str = TICKET) -> httpx.Response:
    return sitting.client.post("/handovers/find", json={"ticket": ticket})


def state(player: Player) -> str:
    return str(player.get(f"{player.path}/handovers").json()["state"])


def later(store: ProjectingStore, monkeypatch: pytest.MonkeyPatch, ms: int) -> None:
    monkeypatch.setattr(store, "_clock", lambda: wall_clock() + ms)


def test_a_seat_is_laid_down_and_taken_up_once(sitting: Sitting, ada: Player, bo: Player) -> None:
    """The first who shows the ticket gets exactly what was laid down; the seat hears of it; nothing stands in the log."""
    version = sitting.version
    assert state(ada) == "none"
    laid = lay(ada).json()
    assert laid["until"] - sitting.client.get("/lobby").json()[0]["opened_at"] >= 10 * MINUTE
    assert {key: laid[key] for key in ("game", "seat", "state")} == {"game": sitting.game, "seat": 0, "state": "open"}
    assert state(ada) == "open"
    assert state(bo) == "none"
    assert find(sitting).json() == {"game": sitting.game}
    assert claim(sitting).json() == {"game": sitting.game, "sealed": SEALED}
    assert state(ada) == "taken"
    assert reason(claim(sitting), 409) == "code-used"
    assert find(sitting).status_code == 200
    assert sitting.version == version


def test_lost_replies_are_harmless(sitting: Sitting, ada: Player) -> None:
    """Each request again gets the first answer, also when much has happened since."""
    first = lay(ada, command_id="laid")
    assert lay(ada, command_id="laid").content == first.content
    taken = claim(sitting, command_id="mine")
    assert taken.status_code == 200
    for _ in range(2):
        assert claim(sitting, command_id="mine").content == taken.content
    assert lay(ada, command_id="laid").content == first.content
    assert state(ada) == "taken"
    assert reason(lay(ada, command_id="laid", sealed="cd" * 300), 409) == "command-reused"
    assert reason(lay(ada, command_id="laid", ticket=sha("another")), 409) == "command-reused"


def test_a_late_repetition_lays_nothing_down_again(sitting: Sitting, ada: Player) -> None:
    """The older code stays replaced, and the one that was taken back stays away."""
    first = lay(ada, command_id="first")
    assert lay(ada, sha("newer")).status_code == 200
    assert lay(ada, command_id="first").content == first.content
    assert reason(claim(sitting), 404) == "unknown-code"
    assert ada.delete(f"{ada.path}/handovers", ticket=sha("newer")).json()["state"] == "none"
    assert lay(ada, command_id="first").content == first.content
    assert state(ada) == "none"
    assert reason(claim(sitting, sha("newer")), 404) == "unknown-code"


def test_a_code_is_taken_back(sitting: Sitting, ada: Player, bo: Player) -> None:
    """By its own seat, and only that code; one that was used is not."""
    address = f"{ada.path}/handovers"
    lay(ada)
    assert ada.delete(address, ticket=sha("another")).json()["state"] == "open"
    assert bo.delete(address, ticket=TICKET).json()["state"] == "none"
    assert state(ada) == "open"
    assert [ada.delete(address, ticket=TICKET).json()["state"] for _ in range(2)] == ["none", "none"]
    assert reason(claim(sitting), 404) == "unknown-code"
    lay(ada, sha("second"))
    claim(sitting, sha("second"))
    assert ada.delete(address, ticket=sha("second")).json()["state"] == "taken"


def test_ten_minutes_and_no_more(sitting: Sitting, ada: Player, store: ProjectingStore, monkeypatch: pytest.MonkeyPatch) -> None:
    """A code that has run out is refused in the words for one that never was; nothing of it is left."""
    lay(ada)
    later(store, monkeypatch, 10 * MINUTE - 5_000)
    assert find(sitting).status_code == 200
    later(store, monkeypatch, 10 * MINUTE + 1)
    gone, never = claim(sitting), claim(sitting, sha("never"))
    assert reason(gone, 404) == "unknown-code"
    assert gone.content == never.content
    assert find(sitting).content == find(sitting, sha("never")).content
    assert state(ada) == "none"
    assert not any(SEALED.encode() in slip for _, slip in store._slips.values())


def test_a_used_code_is_known_as_long_as_it_would_have_lasted(
    sitting: Sitting, ada: Player, store: ProjectingStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So a device whose reply was lost may ask again for all that time."""
    lay(ada)
    first = claim(sitting, command_id="mine")
    later(store, monkeypatch, 9 * MINUTE)
    assert claim(sitting, command_id="mine").content == first.content
    assert reason(claim(sitting), 409) == "code-used"
    later(store, monkeypatch, 11 * MINUTE)
    assert reason(claim(sitting, command_id="mine"), 404) == "unknown-code"


def test_codes_cannot_be_guessed(sitting: Sitting, ada: Player, store: ProjectingStore, monkeypatch: pytest.MonkeyPatch) -> None:
    """After twenty wrong ones the table answers no other for some minutes; the right one it takes, since nobody who guesses shall
    keep a seat from moving."""
    lay(ada)
    for number in range(handovers.MOST_WRONG):
        assert reason(claim(sitting, sha(f"guess {number}")), 404) == "unknown-code"
    refused = claim(sitting, sha("one more guess"))
    assert reason(refused, 429) == "too-many-tries"
    assert 0 < int(refused.headers["retry-after"]) <= 601
    assert state(ada) == "open"
    assert claim(sitting).status_code == 200
    assert state(ada) == "taken"
    other = Sitting(sitting.client).join("Cy")
    assert reason(claim(other, sha("one more guess")), 404) == "unknown-code"
    later(store, monkeypatch, 10 * MINUTE + 1)
    lay(ada, sha("later"))
    assert claim(sitting, sha("later")).status_code == 200


def test_nor_can_they_be_looked_for_at_random(sitting: Sitting, ada: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where no table is named, wrong codes are counted by their beginning."""
    monkeypatch.setattr(handovers, "MOST_ASTRAY", 3)
    wrong = [f"00{sha(str(number))[2:]}" for number in range(4)]
    assert [reason(find(sitting, ticket), 404) for ticket in wrong[:3]] == ["unknown-code"] * 3
    assert reason(find(sitting, wrong[3]), 429) == "too-many-tries"
    assert reason(find(sitting, f"01{wrong[0][2:]}"), 404) == "unknown-code"
    lay(ada, right := f"00{sha('right')[2:]}")
    assert find(sitting, right).status_code == 200


def test_one_of_many_devices_gets_it(sitting: Sitting, ada: Player) -> None:
    """Eight at the same time: one has it, seven are told that it was used."""
    lay(ada)
    answers: list[int] = []
    threads = [threading.Thread(target=lambda: answers.append(claim(sitting).status_code)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(answers) == [200] + [409] * 7


@pytest.mark.parametrize("method", ["POST", "GET", "DELETE"])
def test_only_a_seat_moves(sitting: Sitting, method: str) -> None:
    """Spectators and the host are refused, strangers are not known, and a table that is not there has nothing."""
    address = f"{sitting.path}/handovers"
    body = {"ticket": TICKET, **({"sealed": SEALED} if method == "POST" else {})}

    def ask(somebody: Somebody) -> httpx.Response:
        return somebody.get(address) if method == "GET" else somebody.send(method, address, body)

    for somebody in (sitting.spectator, sitting.host):
        assert reason(ask(somebody), 403) == "not-yours"
    assert reason(ask(Somebody(sitting.client, "nobody's secret")), 401) == "unknown-token"
    assert reason(claim(sitting), 404) == "unknown-code"
    assert reason(sitting.spectator.post(f"/games/{'0' * 20}/handovers/claim", ticket=TICKET), 404) == "unknown-game"


@pytest.mark.parametrize(
    "change",
    [
        {"ticket": None},
        {"ticket": TICKET.upper()},
        {"ticket": TICKET[:-1]},
        {"ticket": TICKET + "0"},
        {"ticket": 7},
        {"sealed": None},
        {"sealed": ""},
        {"sealed": "ab" * 32},
        {"sealed": "a" * 101},
        {"sealed": "ab" * 1025},
        {"sealed": "xy" * 100},
        {"surprise": 1},
    ],
)
def test_a_parcel_that_cannot_be(sitting: Sitting, ada: Player, change: dict[str, Any]) -> None:
    """Refused by its shape, and nothing lies there."""
    body = {key: value for key, value in {"ticket": TICKET, "sealed": SEALED, **change}.items() if value is not None}
    assert reason(ada.post(f"{ada.path}/handovers", body), 422) == "invalid-body"
    assert state(ada) == "none"
    if "ticket" in change:
        given = {"ticket": change["ticket"]} if change["ticket"] is not None else {}
        assert reason(sitting.spectator.post(f"{sitting.path}/handovers/claim", given), 422) == "invalid-body"
        assert reason(sitting.client.post("/handovers/find", json=given), 422) == "invalid-body"


def test_the_diary_tells_nothing(sitting: Sitting, ada: Player) -> None:
    """Neither a ticket nor a parcel nor a command's id, whether it is accepted or refused."""
    with capture_logs() as diary:
        lay(ada, command_id="a-secret-id")
        claim(sitting, sha("wrong"))
        find(sitting)
        find(sitting, sha("wrong"))
        claim(sitting)
        claim(sitting)
    assert [line["status"] for line in diary if line["event"] == "request"] == [200, 404, 200, 404, 200, 409]
    for secret in (TICKET, SEALED, sha("wrong"), "a-secret-id", ada.secret or ""):
        assert secret not in repr(diary)


def test_a_seat_that_was_left_has_no_code(client: httpx.Client) -> None:
    """What somebody laid down who has stood up since is not given to anybody."""
    table = Sitting(client).join("Ada", "Bo")
    ada = table.people[0]
    lay(ada)
    assert ada.delete(f"{ada.path}/seats/0").status_code == 200
    assert reason(claim(table), 404) == "unknown-code"


def test_the_house_keeps_no_secret_of_it_in_its_log(house: House, sitting: Sitting, ada: Player) -> None:
    """Laying down, taking up and taking back leave every byte of the log, and every view, as it was."""
    before = hashlib.sha256(repr(house.store.read(sitting.game)).encode()).hexdigest()
    lay(ada, command_id=fresh())
    claim(sitting)
    ada.delete(f"{ada.path}/handovers", ticket=TICKET)
    assert hashlib.sha256(repr(house.store.read(sitting.game)).encode()).hexdigest() == before
