"""One moment of a game, as a value: the cities in their ring, what is awaited, and what lies in the middle of the table.

The same shapes hold what the server knows and what one viewer knows: an unknown card is None.
"""

from __future__ import annotations

from typing import TypeVar

from msgspec import Struct

from events.catalogue import Box
from events.facts import ActValue, Options, Sheet
from events.vocabulary import BotKind, CardId, Question, Side

# gc=False: values made of values cannot form a ring, so the collector need not look for one (a random game 1 % faster).

ENGINE = 1
"""The version of the rules' code that a new game records; a changed rule is a new number on which `decide` branches."""


class City(Struct, frozen=True, kw_only=True, gc=False):
    """What stands before one seat.  options, under: one entry a built stage; rewards: projects whose reward it has.

    hand: in catalogue order, but for a card that was drawn and not taken, which stands at its end until the hands pass (R91).
    """

    wonder: str
    side: Side
    coins: int = 3
    built: tuple[CardId, ...] = ()
    options: tuple[str | None, ...] = ()
    under: tuple[CardId | None, ...] = ()
    hand: tuple[CardId | None, ...] = ()
    tokens: tuple[int, ...] = ()
    debts: tuple[int, ...] = ()
    participates: tuple[int, ...] = ()
    rewards: tuple[str, ...] = ()

    @property
    def stages(self) -> int:
        """How many stages are built."""
        return len(self.options)


class Person(Struct, frozen=True, kw_only=True, gc=False):
    """Who sits on a chair.  bot: a bot from the start; stand_in: a bot that plays until the person returns."""

    name: str | None
    bot: BotKind | None = None
    stand_in: BotKind | None = None
    token: str | None = None
    commitment: str | None = None
    entropy: str | None = None
    wonder: str | None = None
    side: Side | None = None
    public_key: str | None = None
    missed: int = 0
    abort: bool = False

    @property
    def plays_itself(self) -> BotKind | None:
        """The bot that chooses for this chair now, if any."""
        return self.bot or self.stand_in


class Choice(Struct, frozen=True, kw_only=True, gc=False):
    """A choice that lies face down: where it was recorded, and what it is for those who may know."""

    number: int
    version: int
    act: ActValue | None
    card: CardId | None
    card_signature: str | None = None


class Edifice(Struct, frozen=True, kw_only=True, gc=False):
    """One Age's project.  state: open, completed or failed; tokens: left on the card."""

    project: str
    state: str = "open"
    tokens: int = 0


class Gathering(Struct, frozen=True, tag=True, gc=False):
    """Seats are being taken; `recommit`: the reveals were interrupted, everyone commits anew."""

    expires: int = 0
    recommit: bool = False


class Choosing(Struct, frozen=True, kw_only=True, tag=True, gc=False):
    """A turn is being chosen.  One choice and the last number a city."""

    deadline: int | None
    choices: tuple[Choice | None, ...]
    numbers: tuple[int, ...]


class Resolving(Struct, frozen=True, tag=True, gc=False):
    """In the middle of a reveal; never at rest."""


class Extra(Struct, frozen=True, kw_only=True, tag=True, gc=False):
    """An extra question: the cities it is about, the seats that answer, the cards on offer, the answers so far."""

    question: Question
    cities: tuple[int, ...]
    seats: tuple[int, ...]
    offers: tuple[tuple[CardId | None, ...], ...]
    deadline: int | None
    answers: tuple[Choice | None, ...]
    numbers: tuple[int, ...]


class Closing(Struct, frozen=True, tag=True, gc=False):
    """An Age ends: what is still owed, in order."""

    owed: tuple[str, ...]


class Over(Struct, frozen=True, kw_only=True, tag=True, gc=False):
    """Scored or closed.  reason None: scored, not yet closed."""

    sheets: tuple[Sheet, ...] = ()
    places: tuple[tuple[int, ...], ...] = ()
    reason: str | None = None


Phase = Gathering | Choosing | Resolving | Extra | Closing | Over


class Game(Struct, frozen=True, kw_only=True, gc=False):
    """A game after `version` events.

    people: one a seat; cities: one a place in the ring (with two players one more, `free`); discard: in discarding order;
    picks: cities that may still build from the discard pile this turn (R41); drawn: the card in the holder's other hand.
    """

    box: Box
    id: str = ""
    version: int = 0
    at: int = 0
    opened_at: int = 0
    host: str = ""
    key: str = ""
    options: Options | None = None
    engine: int = ENGINE
    catalogue: str = ""
    rematch_of: str | None = None
    people: tuple[Person | None, ...] = ()
    cities: tuple[City, ...] = ()
    free: int | None = None
    age: int = 0
    turn: int = 0
    phase: Phase = Gathering()
    discard: tuple[CardId | None, ...] = ()
    edifice: tuple[Edifice, ...] = ()
    picks: tuple[int, ...] = ()
    holder: int | None = None
    drawn: CardId | None = None
    has_drawn: bool = False
    pile: tuple[CardId | None, ...] = ()

    @property
    def rules(self) -> Options:
        """The options, once the table is open."""
        assert self.options is not None
        return self.options

    @property
    def seats(self) -> list[int]:
        """The cities that hold a hand: all but the Free City, whose place a position may put anywhere in the ring."""
        return [city for city in range(len(self.cities)) if city != self.free]

    def called(self, city: int) -> str:
        """What people call a city: its player's name, or the Free City."""
        if city == self.free:
            return "the Free City"
        person = self.people[city] if city < len(self.people) else None
        return (person.name if person else None) or f"seat {city + 1}"

    def answerer(self, city: int) -> int:
        """The seat that decides for a city: the holder for the Free City (R95), else its own."""
        if city == self.free:
            assert self.holder is not None
            return self.holder
        return city


def initial(box: Box) -> Game:
    """The moment before anything happened."""
    return Game(box=box)


T = TypeVar("T")


def with_one(items: tuple[T, ...], place: int, changed: T) -> tuple[T, ...]:
    """The same with one changed."""
    many = list(items)
    many[place] = changed
    return tuple(many)


def with_city(game: Game, city: int, changed: City) -> tuple[City, ...]:
    """The ring with one city changed."""
    return with_one(game.cities, city, changed)


def with_person(game: Game, seat: int, person: Person | None) -> tuple[Person | None, ...]:
    """The chairs with one changed."""
    return with_one(game.people, seat, person)
