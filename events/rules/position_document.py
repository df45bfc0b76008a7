"""Reads a position document: refuses unknown keys, ids and values with their path, and sets the table up."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import UNSET

from events.catalogue import Box
from events.facts import Options
from events.refusals import Reason, Refusal
from events.rules.building import stage_options
from events.rules.position_format import BESIDE, PRESETS, CityEntry, Document, PlayEntry, ProjectEntry, RuleTable, action_of
from events.rules.state import Choosing, City, Edifice, Game, Person, initial


def bad(path: str, message: str) -> Refusal:
    """A refusal of the document; its message begins with the path."""
    return Refusal(Reason.BAD_POSITION, f"{path}: {message}")


def read_document(plain: Mapping[str, Any], box: Box) -> Document:
    """The typed document.  Raises Refusal (`bad-position`) with the path of the first fault."""
    try:
        document = msgspec.convert(dict(plain), Document)
    except msgspec.ValidationError as error:
        text, _, where = str(error).partition(" - at `$")
        path = _full_path(plain, where.strip("`.")) + _field_at_fault(text)
        raise bad(path.lstrip(".") or "document", text) from None
    _check_ring(document, box)
    for place, city in enumerate(document.city):
        _check_city(city, f"city[{place}]", box)
    _check_cards(document.discard, "discard", box)
    _check_two_players(document, box)
    _check_edifice(document, box)
    for number, play in enumerate(document.play):
        for name, entry in play.items():
            _check_play(entry, name, f"play[{number}].{name}", document, box)
    return document


def _field_at_fault(text: str) -> str:
    """msgspec gives the table's path; the key that is unknown or missing in it belongs to the path too."""
    found = re.fullmatch(r"Object (?:contains unknown|missing required) field `(.*)`", text)
    return f".{found[1]}" if found else ""


def _full_path(plain: Mapping[str, Any], where: str) -> str:
    """msgspec writes `[...]` for a key of a table; the name of the city at fault is put in its place."""
    if not where.startswith("play[") or "[...]" not in where:
        return where
    number = int(where[5 : where.index("]")])
    for name, entry in plain["play"][number].items():
        try:
            msgspec.convert(entry, PlayEntry)
        except msgspec.ValidationError:
            return where.replace("[...]", f".{name}", 1)
    return where


def _check_ring(document: Document, box: Box) -> None:
    names = [city.name for city in document.city]
    if len(set(names)) != len(names):
        raise bad("city", "two cities have one name")
    free = [city for city in document.city if city.free]
    if free and (len(free) > 1 or len(document.city) != 3):
        raise bad("city", "with a Free City there are exactly three cities, one of them free")
    if not 3 <= len(document.city) <= 7:
        raise bad("city", f"a ring has 3 to 7 cities, not {len(document.city)}")
    seen: set[str] = set()
    for place, city in enumerate(document.city):
        if city.wonder not in box.wonders:
            raise bad(f"city[{place}].wonder", f"unknown wonder {city.wonder!r}")
        if city.wonder in seen:
            raise bad(f"city[{place}].wonder", f"{city.wonder!r} is dealt twice (R2)")
        if box.faces[city.wonder, city.side].needs_edifice and document.edifice is None:
            raise bad(f"city[{place}].wonder", f"{city.wonder!r} needs the Edifice (R2)")
        seen.add(city.wonder)
    sizes = {len(city.hand) for city in document.city if not city.free}
    if len(sizes) > 1:
        raise bad("city", "all hands must have the same number of cards")


def _check_cards(cards: tuple[str, ...], path: str, box: Box) -> None:
    for place, card in enumerate(cards):
        if card not in box.cards:
            raise bad(f"{path}[{place}]", f"unknown card {card!r}")


def _check_city(city: CityEntry, path: str, box: Box) -> None:
    _check_cards(city.built, f"{path}.built", box)
    _check_cards(city.hand, f"{path}.hand", box)
    names = [box.cards[card].name for card in city.built]
    for place, name in enumerate(names):
        if name in names[:place]:
            raise bad(f"{path}.built[{place}]", f"{name} stands twice (R19)")
    if city.free and city.hand:
        raise bad(f"{path}.hand", "the Free City has no hand")
    stages = box.faces[city.wonder, city.side].stages
    if city.stages > len(stages):
        raise bad(f"{path}.stages", f"this board has {len(stages)} stages")
    for number, stage in enumerate(stages[: city.stages], 1):
        words, word = stage_options(stage), city.options.get(str(number))
        if words and word is None:
            raise bad(f"{path}.options.{number}", f"stage {number} was built with one of {', '.join(words)}")
        if word is not None and word not in words:
            raise bad(f"{path}.options.{number}", f"unknown option {word!r}")
    for key in city.options:
        if key not in {str(number) for number in range(1, city.stages + 1)}:
            raise bad(f"{path}.options.{key}", "no such stage is built")
    for place, project in enumerate(city.rewards):
        if project not in box.projects or project in city.rewards[:place]:
            raise bad(f"{path}.rewards[{place}]", f"unknown or repeated project {project!r}")
    if len(set(city.participates)) != len(city.participates):
        raise bad(f"{path}.participates", "one token a city and Age (R62)")


def _check_two_players(document: Document, box: Box) -> None:
    if not any(city.free for city in document.city):
        for name in ("holder", "pile", "drawn"):
            if getattr(document, name) is not None:
                raise bad(name, "only the two-player game has this")
        return
    if document.holder not in {city.name for city in document.city if not city.free}:
        raise bad("holder", "the holder is one of the two players")
    _check_cards(document.pile or (), "pile", box)
    if document.drawn is not None:
        _check_cards((document.drawn,), "drawn", box)
        hand = next(city.hand for city in document.city if city.name == document.holder)
        if document.drawn in hand:
            raise bad("drawn", "a hand never holds the drawn card")


def _check_edifice(document: Document, box: Box) -> None:
    if document.edifice is None:
        return
    if len(document.edifice) != 3:
        raise bad("edifice", "three projects, of the Ages I, II, III")
    most = box.tokens[options_of(document, box).edifice_tokens][len(document.city)]
    for place, entry in enumerate(document.edifice):
        path, age = f"edifice[{place}]", place + 1
        if entry.project not in box.projects:
            raise bad(f"{path}.project", f"unknown project {entry.project!r}")
        if box.projects[entry.project].age != age:
            raise bad(f"{path}.project", f"{entry.project!r} is no project of Age {age}")
        if entry.tokens is not None and entry.tokens > most:
            raise bad(f"{path}.tokens", f"there are {most} tokens at most (R61)")
        problem = _contradiction(document, entry, age, box)
        if problem:
            raise bad(f"{path}.state", problem)


def _contradiction(document: Document, entry: ProjectEntry, age: int, box: Box) -> str | None:
    """Why a project's state does not fit the Age or its tokens (R64, R65); None if it does."""
    at_once = options_of(document, box).edifice_reward == "at-once"
    match entry.state:
        case "completed" if entry.tokens:
            return "a completed project has no token left"
        case "completed" if age > document.age or (age == document.age and not at_once):
            return "this project cannot be completed yet"
        case "failed" if entry.tokens == 0:
            return "a failed project has a token left"
        case "failed" if age >= document.age:
            return "this project cannot have failed yet"
        case "open" if age < document.age:
            return "this project's Age is over"
        case "open" if age == document.age and at_once and entry.tokens == 0:
            return "with no token left it would be completed at once"
        case _:
            return None


def _check_play(entry: PlayEntry, name: str, path: str, document: Document, box: Box) -> None:
    if name not in {city.name for city in document.city}:
        raise bad(path, "no such city")
    actions = [action for action in BESIDE if getattr(entry, action) is not UNSET]
    if len(actions) != 1:
        raise bad(path, f"one of {', '.join(BESIDE)}, not {len(actions)} of them")
    for key in ("left", "right", "participate", "option"):
        if getattr(entry, key) is not UNSET and key not in BESIDE[actions[0]]:
            raise bad(f"{path}.{key}", f"nothing of that kind stands beside {actions[0]!r}")
    _, card = action_of(entry)
    if card is not None and card not in box.cards:
        raise bad(f"{path}.{actions[0]}", f"unknown card {card!r}")


def options_of(document: Document, box: Box) -> Options:
    """The game's options."""
    single = document.rules if isinstance(document.rules, RuleTable) else RuleTable(**PRESETS[document.rules])  # type: ignore[arg-type]
    free = sum(city.free for city in document.city)
    return Options(
        players=len(document.city) - free,
        edifice=document.edifice is not None,
        wonders=box.wonders,
        **msgspec.structs.asdict(single),
    )


def set_up(document: Document, box: Box) -> Game:
    """The game at the document's moment, nothing played yet."""
    options = options_of(document, box)
    names = [city.name for city in document.city]
    n = len(names)
    free = next((place for place, city in enumerate(document.city) if city.free), None)
    most = box.tokens[options.edifice_tokens][n]
    return msgspec.structs.replace(
        initial(box),
        id="position",
        options=options,
        catalogue=box.digest,
        people=tuple(Person(name=name) for name in names),
        cities=tuple(_city(entry, box) for entry in document.city),
        free=free,
        age=document.age,
        turn=document.turn,
        phase=Choosing(deadline=None, choices=(None,) * n, numbers=(0,) * n),
        discard=document.discard,
        edifice=tuple(_project(entry, most) for entry in document.edifice or ()),
        holder=names.index(document.holder) if document.holder is not None else None,
        drawn=document.drawn,
        has_drawn=document.drawn is not None,
        pile=document.pile or (),
    )


def _project(entry: ProjectEntry, most: int) -> Edifice:
    all_left = 0 if entry.state == "completed" else most
    return Edifice(project=entry.project, state=entry.state, tokens=all_left if entry.tokens is None else entry.tokens)


def _city(entry: CityEntry, box: Box) -> City:
    return City(
        wonder=entry.wonder,
        side=entry.side,
        coins=entry.coins,
        built=entry.built,
        options=tuple(entry.options.get(str(number)) for number in range(1, entry.stages + 1)),
        under=(None,) * entry.stages,
        hand=box.sorted(entry.hand),
        tokens=entry.tokens,
        debts=entry.debts,
        participates=tuple(sorted(entry.participates)),
        rewards=entry.rewards,
    )
