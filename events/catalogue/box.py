"""Opens the box: reads the card facts, refuses what is misspelt, and finds a card, a deck or a board by its id."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from typing import Any

import msgspec
from msgspec import Struct

from events.catalogue.things import Card, Cost, Face, Project, StageFacts
from events.vocabulary import HAND_SIZE, SIDES, CardId, Resource, Side


class CatalogueError(ValueError):
    """A fact that the box does not understand; the message begins with its path."""


class _Face(Struct, frozen=True, forbid_unknown_fields=True):
    side: Side
    stages: tuple[StageFacts, ...]


class Box:
    """One edition.  Compared by identity, so that it can be a cheap key of a cache.

    cards: by id, in catalogue order; order: id -> place in that order; faces: by (wonder, side); projects: by id;
    digest: SHA-256 (hex) of the rule data without names.
    """

    def __init__(self, base: Mapping[str, Any], edifice: Mapping[str, Any]) -> None:
        """Takes the two parsed documents; raises CatalogueError with the path of the first fault."""
        self.cards: dict[CardId, Card] = _cards(base)
        self.order: dict[CardId, int] = {card: place for place, card in enumerate(self.cards)}
        self.faces: dict[tuple[str, str], Face] = _faces(base, "base") | _faces(edifice, "edifice")
        self.projects: dict[str, Project] = _projects(edifice)
        self.wonders: tuple[str, ...] = tuple(dict.fromkeys(wonder for wonder, _ in self.faces))
        self.guilds: tuple[CardId, ...] = tuple(card.id for card in self.cards.values() if card.type == "guild")
        self.tokens = {
            "cities-1": _numbers(edifice, "tokens_cities_minus_one"),
            "printed": _numbers(edifice, "tokens_printed"),
        }
        self.rule_data = {"base": _rules_only(base), "edifice": _rules_only(edifice)}
        self.digest = hashlib.sha256(msgspec.json.encode(self.rule_data, order="sorted")).hexdigest()
        self._decks = {
            (age, players): tuple(
                (card.id, copy)
                for card in self.cards.values()
                if card.age == age and card.type != "guild"
                for copy, marker in enumerate(card.copies)
                if marker <= players
            )
            for age in (1, 2, 3)
            for players in range(3, 8)
        }
        _check_decks(self)

    def deck(self, age: int, players: int) -> tuple[tuple[CardId, int], ...]:
        """Every (card, copy number) of an Age's deck for 3 to 7 players, guilds not counted (R4), in catalogue order."""
        return self._decks[age, players]

    def sorted(self, cards: Iterable[CardId]) -> tuple[CardId, ...]:
        """Cards in catalogue order: an order that tells nothing."""
        return tuple(sorted(cards, key=self.order.__getitem__))


def _cards(base: Mapping[str, Any]) -> dict[CardId, Card]:
    cards: dict[CardId, Card] = {}
    for place, row in enumerate(base.get("card", ())):
        path = f"base.card[{place}]"
        card = _convert({"copies": (3,) if row.get("type") == "guild" else (), **_renamed(row)}, Card, path)
        if card.id in cards:
            raise CatalogueError(f"{path}.id: {card.id!r} stands twice")
        _check_cost(card.cost, f"{path}.cost")
        if card.colour != base.get("meta", {}).get("colours", {}).get(card.type):
            raise CatalogueError(f"{path}.colour: a {card.type} card is not {card.colour}")
        cards[card.id] = card
    for card in cards.values():
        for source in card.free_from:
            if source not in cards or card.id not in cards[source].allows:
                raise CatalogueError(f"base.card {card.id!r}.free_from: {source!r} does not lead here")
        for follower in card.allows:
            if follower not in cards or card.id not in cards[follower].free_from:
                raise CatalogueError(f"base.card {card.id!r}.allows: {follower!r} is not free from it")
    return cards


class _Wonder(Struct, frozen=True, forbid_unknown_fields=True):
    id: str
    name: str
    produces: Resource
    face: tuple[_Face, ...]
    needs_edifice: bool = False


def _faces(document: Mapping[str, Any], source: str) -> dict[tuple[str, str], Face]:
    faces: dict[tuple[str, str], Face] = {}
    for place, row in enumerate(document.get("wonder", ())):
        path = f"{source}.wonder[{place}]"
        wonder: _Wonder = _convert(row, _Wonder, path)
        if len(wonder.face) != len(SIDES):
            raise CatalogueError(f"{path}.face: a board has a day and a night side")
        for number, face in enumerate(wonder.face):
            if face.side != SIDES[number]:
                raise CatalogueError(f"{path}.face[{number}].side: the day side comes first, then the night side")
            if (wonder.id, face.side) in faces:
                raise CatalogueError(f"{path}.id: {wonder.id!r} stands twice")
            for step, stage in enumerate(face.stages):
                _check_cost(stage.cost, f"{path}.face[{number}].stages[{step}].cost")
            faces[wonder.id, face.side] = Face(
                wonder=wonder.id,
                side=face.side,
                name=wonder.name,
                produces=wonder.produces,
                stages=face.stages,
                needs_edifice=wonder.needs_edifice,
            )
    return faces


def _projects(edifice: Mapping[str, Any]) -> dict[str, Project]:
    projects: dict[str, Project] = {}
    for place, row in enumerate(edifice.get("project", ())):
        path = f"edifice.project[{place}]"
        project = _convert({**row, "name": row.get("name", {}).get("en")}, Project, path)
        if project.id in projects:
            raise CatalogueError(f"{path}.id: {project.id!r} stands twice")
        if project.age not in (1, 2, 3):
            raise CatalogueError(f"{path}.age: there is no Age {project.age}")
        projects[project.id] = project
    return projects


def _convert(plain: Any, kind: Any, path: str) -> Any:
    try:
        return msgspec.convert(plain, kind)
    except msgspec.ValidationError as error:
        text, _, where = str(error).partition(" - at ")
        inside = where.rpartition("`$")[2].rstrip("`")  # a bad key is told as "`key` in `$.cost`"
        raise CatalogueError(f"{path}{inside}: {text}") from None


def _renamed(row: Mapping[str, Any]) -> dict[str, Any]:
    """`from` is a Python keyword; the typed effect calls it `sellers`."""
    effects = [{("sellers" if key == "from" else key): value for key, value in effect.items()} for effect in row.get("effects", ())]
    return {**row, "effects": effects}


def _check_cost(cost: Cost, path: str) -> None:
    for what, amount in cost.items():
        if amount < 1:
            raise CatalogueError(f"{path}.{what}: {amount} is no amount")


def _numbers(edifice: Mapping[str, Any], name: str) -> dict[int, int]:
    table = edifice.get("meta", {}).get(name)
    if not isinstance(table, Mapping) or sorted(table) != ["3", "4", "5", "6", "7"]:
        raise CatalogueError(f"edifice.meta.{name}: a number of tokens for 3 to 7 cities")
    return {int(players): tokens for players, tokens in table.items()}


def _rules_only(document: Mapping[str, Any]) -> dict[str, Any]:
    """The facts without names: a corrected translation is not a new edition; `[[variant]]` rows are not used."""

    def bare(value: Any) -> Any:
        if isinstance(value, Mapping):
            return {key: bare(inner) for key, inner in value.items() if key != "name"}
        return [bare(inner) for inner in value] if isinstance(value, list) else value

    return {key: bare(value) for key, value in document.items() if key != "variant"}


def _check_decks(box: Box) -> None:
    """R4, R5: seven cards a player in every Age, for 3 to 7 players."""
    for players in range(3, 8):
        for age in (1, 2, 3):
            guilds = players + 2 if age == 3 else 0
            if len(box.deck(age, players)) + guilds != HAND_SIZE * players:
                raise CatalogueError(f"Age {age} for {players} players: the deck does not make {HAND_SIZE} cards a player")
    if len(box.guilds) < 9:
        raise CatalogueError("the box needs at least nine guilds")
