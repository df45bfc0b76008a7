"""The box: counted, cross-checked, refused with its path where it is misspelt, and never changed once released."""

from __future__ import annotations

import copy
from importlib import resources
from typing import Any

import pytest

from events.catalogue import Box, CatalogueError, current, edition
from events.catalogue.editions import RELEASED
from tests.rules.oracle import BASE, EDIFICE

BOX = current()


def test_the_released_edition_never_changes():
    """A game of any age keeps its own cards: digest of the rule data, found by it, and not by another."""
    assert RELEASED == {"first": "5135b1c1abf062bb6fecb6b61be2a95b6f9cccde60e0d307557d40ce1a8fdf55"}
    assert edition(RELEASED["first"]) is BOX
    assert BOX.digest == Box(BASE, EDIFICE).digest == RELEASED["first"]
    with pytest.raises(CatalogueError, match="no edition"):
        edition("00" * 32)


def test_every_folder_of_editions_is_released_and_has_its_digest():
    """CI fails when a file of a released edition changes, or when one lies there unannounced."""
    folder = resources.files("events.catalogue") / "editions"
    folders = sorted(place.name for place in folder.iterdir() if place.is_dir() and not place.name.startswith("_"))
    assert folders == sorted(RELEASED)
    for name, digest in RELEASED.items():
        assert edition(digest).digest == digest, name


def test_a_comment_or_a_name_in_another_language_is_no_new_edition():
    changed = copy.deepcopy(EDIFICE)
    changed["project"][0]["name"]["fr"] = "Quartier"
    assert Box(BASE, changed).digest == BOX.digest


@pytest.mark.parametrize("change", [
    lambda base, edifice: base["card"][0].update(copies=[3, 5]) or base["card"][1].update(copies=[3, 4]),
    lambda base, edifice: base["card"][16].update(cost={"wood": 1}),
    lambda base, edifice: base["card"][0]["effects"][0].update(sellable=False),
    lambda base, edifice: base["wonder"][0].update(produces="loom"),
    lambda base, edifice: edifice["project"][0].update(coins=3),
    lambda base, edifice: edifice["meta"]["tokens_printed"].update({"7": 6}),
    lambda base, edifice: edifice["wonder"][1].update(needs_edifice=False),
])  # fmt: skip
def test_a_changed_fact_is_a_new_edition(change):
    base, edifice = copy.deepcopy(BASE), copy.deepcopy(EDIFICE)
    change(base, edifice)
    assert Box(base, edifice).digest != BOX.digest


def test_what_is_in_the_box():
    """70 Age cards in 138 copies, 10 guilds, 9 boards with two sides, 15 projects, five an Age."""
    cards = [card for card in BOX.cards.values() if card.type != "guild"]
    assert (len(cards), sum(len(card.copies) for card in cards), len(BOX.guilds)) == (70, 138, 10)
    assert [sum(len(card.copies) for card in cards if card.age == age) for age in (1, 2, 3)] == [49, 49, 40]
    assert (len(BOX.wonders), len(BOX.faces)) == (9, 18)
    assert [sum(project.age == age for project in BOX.projects.values()) for age in (1, 2, 3)] == [5, 5, 5]
    assert [wonder for wonder in BOX.wonders if BOX.faces[wonder, "day"].needs_edifice] == ["ur"]


@pytest.mark.parametrize("players", range(3, 8))
def test_every_deck_makes_seven_cards_a_player(players):
    """R4, R5."""
    for age in (1, 2, 3):
        deck = BOX.deck(age, players)
        assert len(deck) + (players + 2 if age == 3 else 0) == 7 * players
        assert len(set(deck)) == len(deck)


def test_catalogue_order_is_the_files_order():
    assert BOX.sorted(["palace", "altar", "lumber-yard", "altar"]) == ("lumber-yard", "altar", "altar", "palace")
    assert list(BOX.cards) == [row["id"] for row in BASE["card"]]


def card(place: int, **changed: Any) -> Any:
    return lambda base, edifice: base["card"][place].update(changed)


def effect(place: int, **changed: Any) -> Any:
    return lambda base, edifice: base["card"][place]["effects"][0].update(changed)


def stage(**changed: Any) -> Any:
    return lambda base, edifice: base["wonder"][2]["face"][1]["stages"][0].update(changed)


def project(place: int, **changed: Any) -> Any:
    return lambda base, edifice: edifice["project"][place].update(changed)


MISTAKES: dict[str, tuple[Any, str]] = {
    "a resource that is none": (card(4, cost={"gold": 1}), "base.card[4].cost"),
    "no units of a resource": (card(16, cost={"stone": 0}), "base.card[16].cost.stone"),
    "a kind of effect that is none": (effect(13, kind="pionts"), "base.card[13].effects[0]"),
    "a field of an effect": (effect(13, amonut=3), "base.card[13].effects[0]"),
    "an effect without its amount": (lambda b, e: b["card"][13]["effects"][0].pop("amount"), "base.card[13].effects[0]"),
    "a resource in an effect": (effect(0, any_of=["wod"]), "base.card[0].effects[0].any_of[0]"),
    "a symbol": (effect(24, any_of=["wheel"]), "base.card[24].effects[0].any_of[0]"),
    "a seller": (effect(18, **{"from": ["up"]}), "base.card[18].effects[0]"),
    "a type": (card(0, type="brown"), "base.card[0].type"),
    "a field of a card": (card(0, copys=[3]), "base.card[0]"),
    "an age that is no number": (card(0, age="one"), "base.card[0].age"),
    "an id twice": (card(1, id="lumber-yard"), "base.card[1].id"),
    "a chain to nowhere": (card(13, allows=["panteon"]), "base.card 'altar'.allows"),
    "a chain from nowhere": (card(35, free_from=["bath"]), "base.card 'temple'.free_from"),
    "a chain one way only": (card(13, allows=[]), "base.card 'pantheon'.free_from"),
    "a copy too few": (card(0, copies=[3]), "Age 1 for 4 players"),
    "a card of another colour": (card(0, colour="red"), "base.card[0].colour"),
    "what a board makes": (lambda b, e: b["wonder"][0].update(produces="glas"), "base.wonder[0].produces"),
    "a field of a board": (lambda b, e: b["wonder"][0].update(needs_edifise=True), "base.wonder[0]"),
    "a board twice": (lambda b, e: b["wonder"][1].update(id="alexandria"), "base.wonder[1]"),
    "a side": (lambda b, e: b["wonder"][0]["face"][0].update(side="dusk"), "base.wonder[0].face[0].side"),
    "a side twice": (lambda b, e: b["wonder"][0]["face"][1].update(side="day"), "base.wonder[0].face[1]"),
    "a side too few": (lambda b, e: b["wonder"][0]["face"].pop(), "base.wonder[0]"),
    "a stage's cost": (stage(cost={"ston": 2}), "base.wonder[2].face[1]"),
    "a stage's effect": (stage(effects=[{"kind": "point", "amount": 1}]), "base.wonder[2].face[1].stages[0].effects[0]"),
    "a project's penalty": (project(3, penalty={"kind": "lose_coin", "amount": 2}), "edifice.project[3].penalty"),
    "a penalty's type": (project(0, penalty={"kind": "discard", "type": "yellow"}), "edifice.project[0].penalty.type"),
    "a project's field": (project(0, coin=2), "edifice.project[0]"),
    "a project's reward": (lambda b, e: e["project"][0]["reward"][0].update(types=["raw"]), "edifice.project[0].reward[0]"),
    "a project twice": (project(1, id="artisan-district"), "edifice.project[1].id"),
    "a project of no Age": (project(0, age=4), "edifice.project[0].age"),
    "an option of a board": (
        lambda b, e: e["wonder"][0]["face"][0]["stages"][1]["effects"][1]["options"]["coins"][0].update(kind="coin"),
        "edifice.wonder[0].face[0].stages[1].effects[1]",
    ),
    "a table of tokens": (lambda b, e: e["meta"].pop("tokens_printed"), "edifice.meta"),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_refused_with_its_path(mistake):
    """Nothing misspelt gets into a game."""
    change, path = MISTAKES[mistake]
    base, edifice = copy.deepcopy(BASE), copy.deepcopy(EDIFICE)
    change(base, edifice)
    with pytest.raises(CatalogueError) as refused:
        Box(base, edifice)
    assert path in str(refused.value)


def test_which_cards_share_a_name_is_a_rule():
    """R19: Glassworks, Loom and Press of Age II are the buildings of Age I; every other name stands once."""
    names: dict[str, list[str]] = {}
    for card in BOX.cards.values():
        names.setdefault(card.name, []).append(card.id)
    assert [cards for cards in names.values() if len(cards) > 1] == [
        ["glassworks-1", "glassworks-2"], ["loom-1", "loom-2"], ["press-1", "press-2"]]  # fmt: skip
