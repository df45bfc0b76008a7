"""Plays a position out: from one moment set up by hand, through the plays that follow, to what the rules make of them."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from events.catalogue import Box, current
from events.commands import AnswerExtra, ChooseAction
from events.facts import AnyEvent
from events.refusals import Reason, Refusal
from events.rules.clock import awaited
from events.rules.decide import outcome
from events.rules.due import due
from events.rules.effects import shields
from events.rules.legal import Play, legal
from events.rules.position_document import bad, options_of, read_document, set_up
from events.rules.position_format import Document, PlayEntry, action_of
from events.rules.scoring import sheet
from events.rules.state import Choosing, Extra, Game, Over
from events.rules.story import Story
from events.rules.turn import draw
from events.vocabulary import HAND_SIZE

Plain = dict[str, Any]


class PositionRefused(Exception):
    """A document or a play that the rules do not allow; `plain` is the output that says so."""

    def __init__(self, play: int, refusal: Refusal, city: str | None) -> None:
        super().__init__(refusal.message)
        self.plain: Plain = {
            "error": {
                "play": play,
                **({"city": city} if city is not None else {}),
                "reason": str(refusal.reason),
                "message": refusal.message,
            }
        }


def answer(plain: Mapping[str, Any], strict: bool = False) -> Plain:
    """The position after the last play, as the fixed output format has it.  Raises PositionRefused."""
    game, events, _ = play_out(plain, strict)
    return report(game, events)


def document(plain: Mapping[str, Any], strict: bool = False) -> Plain:
    """The position after the last play as an input document again.  Raises PositionRefused, also when no turn is awaited."""
    game, _, read = play_out(plain, strict)
    if not isinstance(game.phase, Choosing):
        refusal = Refusal(Reason.BAD_POSITION, "document: only a position in which a turn is chosen can be written as one")
        raise PositionRefused(len(read.play), refusal, None)
    return _as_document(game, read)


def legal_answer(plain: Mapping[str, Any], seat: str, strict: bool = False) -> list[Plain]:
    """The legal plays of the city with this name; [] if it is not awaited.  Raises PositionRefused."""
    game, _, _ = play_out(plain, strict)
    for city, person in enumerate(game.people):
        if person is not None and person.name == seat:
            return [play_in_words(play) for play in legal(game, city)]
    raise PositionRefused(0, bad("seat", f"no city is called {seat!r}"), None)


def play_out(plain: Mapping[str, Any], strict: bool = False) -> tuple[Game, list[AnyEvent], Document]:
    """Sets up, plays every [[play]], and does what needs nobody after each."""
    box = current()
    try:
        read = read_document(plain, box)
        if strict:
            _check_conserved(read, box)
    except Refusal as refusal:
        raise PositionRefused(0, refusal, None) from None
    key = hashlib.sha256(b"position\n" + read.seed.encode()).digest()
    story = Story(set_up(read, box), 0)
    if not story.game.has_drawn:
        draw(story)
    for number, entries in enumerate(read.play, 1):
        _play(story, number, entries)
        _settle(story, key)
    return story.game, story.events, read


def _play(story: Story, number: int, entries: Mapping[str, PlayEntry]) -> None:
    """A whole turn, or the answers to an extra question; seats in list order, the Free City last."""
    start = story.game
    waiting = {city for _, city in awaited(start)}
    for city in sorted(range(len(start.cities)), key=lambda place: (place == start.free, place)):
        name = start.called(city) if city != start.free else _name(start, city)
        entry = entries.get(name)
        try:
            if entry is None:
                if city in waiting:
                    raise Refusal(Reason.MISSING_CHOICE, f"{name} is awaited.", city)
            elif city not in waiting:
                raise Refusal(Reason.NOT_AWAITED, f"{name} is not awaited.", city)
            else:
                _answer(story, city, entry)
        except Refusal as refusal:
            raise PositionRefused(number, refusal, name) from None


def _name(game: Game, city: int) -> str:
    person = game.people[city]
    assert person is not None
    assert person.name is not None
    return person.name


def _answer(story: Story, city: int, entry: PlayEntry) -> None:
    game = story.game
    act, card = action_of(entry)
    if isinstance(game.phase, Extra):
        _tell(story, AnswerExtra(seat=game.answerer(city), city=city, age=game.age, turn=game.turn, card=card, act=act))
        return
    seat = game.answerer(city)
    _tell(story, ChooseAction(seat=seat, city=city, age=game.age, turn=game.turn, card=card or "", act=act))


def _tell(story: Story, command: Any) -> None:
    events, story.game = outcome(story.game, command)
    story.events += events


def _settle(story: Story, key: bytes) -> None:
    while not isinstance(story.game.phase, Over):
        command = due(story.game, 0)
        if command is None:
            return
        _tell(story, replace(command, key=key) if hasattr(command, "key") else command)


# ---- output -----------------------------------------------------------------------------------------------------------
def report(game: Game, events: list[AnyEvent]) -> Plain:
    """The output document of a game that was set up from a position."""
    phase = game.phase
    over = isinstance(phase, Over)
    kind = phase.question if isinstance(phase, Extra) else "choose"
    waiting = sorted(city for _, city in awaited(game))
    plain: Plain = {
        "age": game.age,
        "turn": game.turn,
        "phase": "over" if over else "extra" if isinstance(phase, Extra) else "choose",
        "awaiting": [{"city": _name(game, city), "kind": kind} for city in waiting],
        "cities": {_name(game, city): _city_report(game, city) for city in range(len(game.cities))},
        "discard": list(game.discard),
    }
    if game.edifice:
        plain["edifice"] = [
            {"age": age, "project": one.project, "state": one.state, "tokens": one.tokens}
            for age, one in enumerate(game.edifice, 1)
        ]
    if game.free is not None:
        plain |= {"holder": _name(game, game.holder or 0), "drawn": game.drawn, "pile": list(game.pile)}
    plain["places"] = _places(game, phase.places) if isinstance(phase, Over) else None
    plain["events"] = [type(event).__name__ for event in events]
    return plain


def _places(game: Game, places: tuple[tuple[int, ...], ...]) -> list[Any]:
    return [_name(game, place[0]) if len(place) == 1 else [_name(game, city) for city in place] for place in places]


def _city_report(game: Game, city: int) -> Plain:
    own = game.cities[city]
    counted = sheet(game, city)
    return {
        "coins": own.coins,
        "stages": own.stages,
        "options": _options(game, city),
        "built": list(own.built),
        "hand": list(game.box.sorted(card for card in own.hand if card is not None)),
        "tokens": list(own.tokens),
        "debts": list(own.debts),
        "participates": list(own.participates),
        "rewards": list(own.rewards),
        "shields": shields(game.box, own),
        "score": {**counted.points, "total": counted.total},
    }


def _options(game: Game, city: int) -> dict[str, str]:
    return {str(number): option for number, option in enumerate(game.cities[city].options, 1) if option is not None}


def play_in_words(play: Play) -> Plain:
    """One legal play in the format of the document."""
    ways = [list(payment) for payment in play.payments]
    match play.kind:
        case "build" | "pick":
            return {play.kind: play.card, "payments": ways, "free": play.free}
        case "stage":
            return {"stage": play.card, "payments": ways, "participate": bool(play.joinable), "options": list(play.options)}
        case "decline":
            return {"decline": True}
        case _:
            return {play.kind: play.card}


def _as_document(game: Game, read: Document) -> Plain:
    rules = options_of(read, game.box)
    plain: Plain = {
        "rules": {
            name: getattr(rules, name) for name in ("edifice_tokens", "edifice_reward", "edifice_penalty", "free_city_control")
        },
        "seed": read.seed,
        "age": game.age,
        "turn": game.turn,
        "discard": list(game.discard),
    }
    if game.edifice:
        plain["edifice"] = [msgspec.to_builtins(one) for one in game.edifice]
    if game.free is not None:
        plain |= {"holder": _name(game, game.holder or 0), "pile": list(game.pile)}
        if game.drawn is not None:
            plain["drawn"] = game.drawn
    plain["city"] = [_city_document(game, city) for city in range(len(game.cities))]
    return plain


def _city_document(game: Game, city: int) -> Plain:
    own = game.cities[city]
    told = _city_report(game, city)
    kept = ("stages", "options", "coins", "built", "hand", "tokens", "debts", "participates", "rewards")
    plain = {"name": _name(game, city), "wonder": own.wonder, "side": own.side, **{name: told[name] for name in kept}}
    return {**plain, "free": True} if city == game.free else plain


# ---- strict -----------------------------------------------------------------------------------------------------------
def _check_conserved(read: Document, box: Box) -> None:
    """`--strict`: every card is one of the copies of this player count, no Age's card comes early, and none is missing."""
    n = len(read.city)
    players = n - sum(city.free for city in read.city)
    held = Counter(read.discard) + Counter(read.pile or ()) + Counter([read.drawn] if read.drawn is not None else [])
    for city in read.city:
        held += Counter(city.built) + Counter(city.hand)
    copies = Counter(card for age in (1, 2, 3) for card, _ in box.deck(age, n))
    for card, count in held.items():
        facts = box.cards[card]
        allowed = 1 if facts.type == "guild" else copies[card]
        if count > allowed:
            raise bad("strict", f"{card!r} lies here {count} times; {n} cities have {allowed} of it")
        if facts.age > read.age:
            raise bad("strict", f"{card!r} is a card of Age {facts.age}")
    guilds = sum(box.cards[card].type == "guild" for card in held)
    if guilds > n + 2:
        raise bad("strict", f"{guilds} guilds are in play; {n} cities use {n + 2} (R4)")
    here = sum(held.values()) + sum(city.stages for city in read.city)
    if here != HAND_SIZE * n * read.age:
        raise bad("strict", f"{here} cards are here; by Age {read.age} {HAND_SIZE * n * read.age} were dealt to {players} players")
