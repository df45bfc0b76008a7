"""The deal: every draw is an order that anyone can recompute once the game's key is published."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from events import facts as f
from events.catalogue import Box
from events.facts import BoardDealt, Options
from events.refusals import Reason, Refusal
from events.rules.free_city import first_holder
from events.rules.state import Closing, Game
from events.rules.story import GAME, Story
from events.rules.turn import draw
from events.sealed import Sealed, mac, maker
from events.vocabulary import HAND_SIZE, SIDES, CardId, Side


def seed_of(key: bytes, entropies: Iterable[str]) -> bytes:
    """The seed: HMAC-SHA256 of the game key over the entropies (hex) in seat order."""
    return mac(key, b"seed\n" + b"".join(bytes.fromhex(entropy) for entropy in entropies))


def shuffled(seed: bytes, label: str, items: Sequence[tuple[str, int]]) -> list[str]:
    """The items (id, copy number) in the order of HMAC-SHA256(seed, label, id, copy).

    >>> shuffled(bytes(32), "projects/1", [("a", 0), ("b", 0)]) == shuffled(bytes(32), "projects/1", [("b", 0), ("a", 0)])
    True
    """
    place = maker(seed)
    keyed = [(place(f"{label}\n{item}\n{copy}".encode()), item) for item, copy in items]
    keyed.sort()
    return [item for _, item in keyed]


def ring(options: Options) -> int:
    """Cities in the ring: the players', with two one more."""
    return 3 if options.players == 2 else options.players


def boards(game: Game, seed: bytes) -> tuple[BoardDealt, ...]:
    """R2: what seats chose, the rest dealt: boards by the label "boards", sides by "sides"; no board twice."""
    options = game.rules
    wishes: list[tuple[str | None, Side | None]] = [(p.wonder, p.side) if p else (None, None) for p in game.people]
    if options.players == 2:
        wishes.append(options.free_city or (None, None))
    taken = {wonder for wonder, _ in wishes if wonder}
    rest = iter(shuffled(seed, "boards", [(wonder, 0) for wonder in options.wonders if wonder not in taken]))
    dealt = []
    for place, (wonder, side) in enumerate(wishes):
        fixed: Side | None = side or (options.sides if options.sides != "dealt" else None)
        drawn = shuffled(seed, f"sides/{place}", [(each, 0) for each in SIDES])[0]
        dealt.append(BoardDealt(wonder or next(rest), fixed or (SIDES[0] if drawn == "day" else SIDES[1])))
    return tuple(dealt)


def projects(box: Box, seed: bytes) -> tuple[str, ...]:
    """R60: one project of each Age."""
    return tuple(
        shuffled(seed, f"projects/{age}", [(project.id, 0) for project in box.projects.values() if project.age == age])[0]
        for age in (1, 2, 3)
    )


def deck(box: Box, seed: bytes, age: int, players: int) -> list[CardId]:
    """R4: the Age's deck, shuffled; Age III with players + 2 guilds (five with two players, whose deck is that of three)."""
    counted = max(players, 3)
    items = list(box.deck(age, counted))
    if age == 3:
        guilds = shuffled(seed, "guilds", [(guild, 0) for guild in box.guilds])
        items += [(guild, 0) for guild in guilds[: counted + 2]]
    return shuffled(seed, f"age/{age}", items)


def deal(story: Story, age: int, seed: bytes) -> None:
    """R5, R90, R93: seven cards a hand; with two players the other seven are the pile, and the holder draws."""
    game = story.game
    players = game.rules.players
    cards = deck(game.box, seed, age, players)
    hands = [game.box.sorted(cards[HAND_SIZE * place : HAND_SIZE * (place + 1)]) for place in range(players)]
    pile = tuple(cards[HAND_SIZE * players :]) if game.free is not None else ()
    turn_ms = game.rules.turn_ms
    story.tell(
        f.AgeDealt(
            at=story.at,
            by=GAME,
            age=age,
            size=HAND_SIZE,
            hands=tuple(Sealed(readers=(seat,), value=hand) for seat, hand in zip(game.seats, hands, strict=True)),
            pile=None if game.free is None else Sealed(readers=(), value=pile),
            pile_size=len(pile),
            holder=None if game.free is None else first_holder(game.free, age),
            deadline=None if turn_ms is None else story.at + turn_ms,
        )
    )
    draw(story)


def deal_age(story: Story, seed: bytes) -> None:
    """The next Age, when the last one is settled."""
    game = story.game
    if not (isinstance(game.phase, Closing) and game.phase.owed == ("deal",)):
        raise Refusal(Reason.NOTHING_DUE, "No Age is due.")
    deal(story, game.age + 1, seed)
