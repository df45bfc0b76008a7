"""What a failed project takes is chosen over HTTP by all concerned at once: sealed, changed, taken back, opened together."""

from __future__ import annotations

import httpx

from tests.api.given import Player, Sitting, as_body

TABLES = 40
"""A table is played until somebody must choose what to lose; most come to it in their first or second Age."""


def stinting(play: dict[str, object]) -> int:
    """Builds before anything else; never joins, so that each project fails."""
    return 0 if "build" in play else 1 if "discard" in play else 2


def asked_to_lose(client: httpx.Client) -> tuple[Sitting, list[Player]]:
    """A table of three at which two seats or more must choose what to lose, and those seats."""
    for _ in range(TABLES):
        table = Sitting(client, 3, edifice=True).join("Ada", "Bo", "Cy").start()
        for player, question, view in table.moves():
            if question["kind"] == "lose":
                seats = [asked["seat"] for asked in view["awaiting"]]
                if len(seats) > 1:
                    return table, [one for one in table.people if one.seat in seats]
            plays = sorted(question["plays"], key=stinting)
            way = {key: value for key, value in as_body(question, view, plays[0]).items() if key != "participate"}
            path = "choices" if question["kind"] == "choose" else "extras"
            assert player.post(f"{table.path}/{path}", way).status_code == 200
    raise AssertionError("no table came to a choice of what to lose")


def test_losses_are_sealed_changed_and_opened_together(client: httpx.Client) -> None:
    """R67: nobody sees an answer before the last one; until then it may be changed and taken back; then all are carried out."""
    table, asked = asked_to_lose(client)
    first, last = asked[0], asked[-1]
    question, view = first.questions()[0], first.view()
    one, other = (as_body(question, view, play) for play in question["plays"][:2])
    before = last.view()
    debt = (-2, -3, -5)[before["age"] - 1]
    assert not any(debt in city["debts"] for city in before["cities"]), "nothing of the evaluation was carried out yet"
    assert before["edifice"][before["age"] - 1]["state"] == "failed"

    assert first.post(f"{table.path}/extras", one).status_code == 200
    assert first.post(f"{table.path}/extras", other).status_code == 200
    seen = last.view()
    assert [entry["chosen"] for entry in seen["awaiting"] if entry["seat"] == first.seat] == [True]
    assert [city["built"] for city in seen["cities"]] == [city["built"] for city in before["cities"]]
    assert seen["you"]["questions"] == before["you"]["questions"], "another's answer shows to nobody"
    assert first.view()["you"]["questions"][0]["chosen"]["card"] == other["lose"]

    moment = {"age": view["age"], "turn": view["turn"], "city": first.seat}
    assert first.delete(f"{table.path}/extras", moment).status_code == 200
    assert first.view()["you"]["questions"][0]["chosen"] is None
    assert first.post(f"{table.path}/extras", other).status_code == 200
    for player in asked[1:]:
        mine = player.questions()[0]
        assert player.post(f"{table.path}/extras", as_body(mine, player.view(), mine["plays"][0])).status_code == 200
    after = table.table
    assert other["lose"] in after["discard"]["known"]
    assert other["lose"] not in after["cities"][first.seat]["built"]
    assert one["lose"] in after["cities"][first.seat]["built"]


def test_a_building_of_another_colour_is_refused(client: httpx.Client) -> None:
    """What was not asked about cannot be given up, and a wrong kind of answer is none."""
    table, asked = asked_to_lose(client)
    seat = asked[0]
    question, view = seat.questions()[0], seat.view()
    body = as_body(question, view, question["plays"][0])
    spared = [card for card in view["cities"][seat.seat]["built"] if card not in question["cards"]]
    foreign = next(card for card in ("palace", "lodge", "arsenal") if card not in question["cards"])
    tried = [{**body, "lose": card} for card in (*spared, foreign)]
    for wrong in tried:
        assert seat.post(f"{table.path}/extras", wrong).json()["reason"] == "not-offered"
    pick = {key: value for key, value in body.items() if key != "lose"} | {"pick": question["cards"][0]}
    assert seat.post(f"{table.path}/extras", pick).json()["reason"] == "not-offered"
    assert seat.view()["you"]["questions"][0]["chosen"] is None
