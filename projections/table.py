"""The table as everybody sees it: who sits where, what stands in each city, whose choice is awaited, and what is at stake."""

from __future__ import annotations

from events.facts import ConflictsResolved, Options
from events.rules.dealing import ring
from events.rules.position_format import PRESETS
from events.rules.state import Choosing, Closing, Extra, Game, Gathering, Over, Person
from events.vocabulary import LEFTWARD
from projections.city import CityDoc, city_document
from projections.documents import (
    AwaitedDoc,
    Clock,
    ConflictsDoc,
    DiscardDoc,
    FreeCityDoc,
    GatheringDoc,
    ProjectDoc,
    ResultDoc,
    Ruleset,
    SeatDoc,
    TableDoc,
)  # fmt: skip

PHASES = {
    "Gathering": "gathering", "Choosing": "choose", "Resolving": "reveal", "Extra": "extra", "Closing": "closing", "Over": "over",
}  # fmt: skip
"""State -> the word in documents; "reveal" is seen only when a replay stops in the middle of a turn's consequences."""


def city_documents(game: Game) -> tuple[CityDoc, ...]:
    """Every city of the ring."""
    return tuple(city_document(game, place) for place in range(len(game.cities)))


def table_document(game: Game, conflicts: tuple[ConflictsResolved, ...], cities: tuple[CityDoc, ...]) -> TableDoc:
    """The table, with its cities as `city_documents` draws them.

    `game` must be a spectator's fold: what it does not know cannot be shown."""
    return TableDoc(
        game=game.id,
        version=game.version,
        at=game.at,
        phase=PHASES[type(game.phase).__name__],
        age=game.age,
        turn=game.turn,
        passing=passing(game),
        ruleset=ruleset(game),
        clock=Clock(turn_ms=game.rules.turn_ms, deadline=deadline(game)),
        opened_at=game.opened_at,
        host=game.host,
        rematch_of=game.rematch_of,
        gathering=gathering(game),
        seats=tuple(seat_document(seat, person) for seat, person in enumerate(game.people)),
        awaiting=awaiting(game),
        owed=game.phase.owed if isinstance(game.phase, Closing) else (),
        cities=cities,
        discard=DiscardDoc(count=len(game.discard), known=tuple(card for card in game.discard if card is not None)),
        edifice=projects(game),
        conflicts=tuple(ConflictsDoc(age=one.age, cities=one.cities) for one in conflicts),
        free_city=free_city(game),
        result=result(game),
        closed=game.phase.reason if isinstance(game.phase, Over) else None,
    )


def preset(options: Options) -> str:
    """The name of the rule preset that the options are, or "custom"."""
    for name, values in PRESETS.items():
        if all(getattr(options, option) == value for option, value in values.items()):
            return name
    return "custom"


def ruleset(game: Game) -> Ruleset:
    """Every option, with the engine and the edition of the box."""
    return Ruleset(preset=preset(game.rules), options=game.rules, engine=game.engine, catalogue=game.catalogue)


def passing(game: Game) -> str | None:
    """Where the hands go after this turn (R6, R92); None before the first deal."""
    if not game.age:
        return None
    if game.free is not None:
        return "border"
    return "left" if LEFTWARD[game.age - 1] else "right"


def deadline(game: Game) -> int | None:
    """When the open question's time is over."""
    return game.phase.deadline if isinstance(game.phase, (Choosing, Extra)) else None


def gathering(game: Game) -> GatheringDoc | None:
    """What is still missing before the start; None once it began."""
    if not isinstance(game.phase, Gathering):
        return None
    people = game.people
    return GatheringDoc(
        expires=game.phase.expires,
        recommit=game.phase.recommit,
        full=all(people),
        revealable=all(one is not None and bool(one.bot or one.commitment) for one in people),
        startable=all(one is not None and bool(one.bot or one.entropy) for one in people),
    )


def seat_document(seat: int, person: Person | None) -> SeatDoc:
    """One chair; nothing of the secret that proves who sits there."""
    if person is None:
        return SeatDoc(seat=seat, taken=False)
    return SeatDoc(
        seat=seat,
        taken=True,
        name=person.name,
        bot=person.bot,
        stand_in=person.stand_in,
        committed=bool(person.bot or person.commitment),
        ready=bool(person.bot or person.entropy),
        signed=person.public_key is not None,
        wonder=person.wonder,
        side=person.side,
        missed=person.missed,
        agrees_to_abort=person.abort,
    )


def awaiting(game: Game) -> tuple[AwaitedDoc, ...]:
    """Every open question in the order of the ring, the Free City's last; answered ones too, for they may be changed."""
    phase = game.phase
    if isinstance(phase, Choosing):
        return tuple(
            AwaitedDoc(seat=game.answerer(city), city=city, kind="choose", chosen=choice is not None)
            for city, choice in enumerate(phase.choices)
        )
    if isinstance(phase, Extra):
        return tuple(
            AwaitedDoc(seat=seat, city=city, kind=phase.question, chosen=answer is not None)
            for seat, city, answer in zip(phase.seats, phase.cities, phase.answers, strict=True)
        )
    return ()


def projects(game: Game) -> tuple[ProjectDoc, ...]:
    """The three projects; () without the expansion (R60, R61)."""
    if not game.edifice:
        return ()
    start = game.box.tokens[game.rules.edifice_tokens][ring(game.rules)]
    found = []
    for age, one in enumerate(game.edifice, 1):
        facts = game.box.projects[one.project]
        found.append(
            ProjectDoc(
                age=age,
                project=one.project,
                state=one.state,
                tokens=one.tokens,
                of=start,
                coins=facts.coins,
                holders=tuple(place for place, city in enumerate(game.cities) if age in city.participates),
                reward=facts.reward,
                penalty=facts.penalty,
            )
        )
    return tuple(found)


def free_city(game: Game) -> FreeCityDoc | None:
    """The neutral city of two players (R90-R93)."""
    if game.free is None:
        return None
    return FreeCityDoc(city=game.free, holder=game.holder, pile=len(game.pile), has_drawn=game.has_drawn)


def result(game: Game) -> ResultDoc | None:
    """Who won; None until the game is scored."""
    if not isinstance(game.phase, Over) or not game.phase.sheets:
        return None
    return ResultDoc(places=game.phase.places, totals=tuple(sheet.total for sheet in game.phase.sheets))
