"""What a player types and what it means: a card's number, how to use it, what to pay, and what to choose."""

from __future__ import annotations

from msgspec import Struct

from events.facts import ActValue
from events.rules.legal import Play
from events.rules.state import Extra, Game
from events.rules.trade import Payment
from events.vocabulary import CardId
from services.cli.hand import Offer, payment_words

KINDS = {"b": "build", "s": "stage", "d": "discard"}
JOIN = "join"
HELP = """\
  2          build card 2                 s2         put card 2 under the next stage
  d2         discard card 2 for 3 coins   s2 join    and take part in the Age's project
  2 a        pay the first way            s2 shield  and take that option
  hint       what a builder bot would do  auto       do it
  t  table   n  neighbours   c  the story so far   p  points   h  this help
  bot        let a bot play on for you    q          leave; the game waits for you"""


class Misread(ValueError):
    """What was typed cannot be done; the message says what can."""


class Move(Struct, frozen=True):
    """A play with all its choices made; `payments`: the ways to pay that are left to choose from, if there are several."""

    kind: str
    card: CardId | None
    payments: tuple[Payment, ...]
    participate: bool = False
    option: str | None = None

    def act(self, way: int = 0) -> ActValue:
        """The move with one of its payments."""
        left, right = self.payments[way] if self.payments else (0, 0)
        return ActValue(kind=self.kind, left=left, right=right, participate=self.participate, option=self.option)  # type: ignore[arg-type]

    def body(self, way: int = 0) -> dict[str, object]:
        """The move as a house is asked for it."""
        if self.kind == "decline":
            return {"decline": True}
        plain: dict[str, object] = {self.kind: self.card}
        if self.kind in ("build", "stage"):
            left, right = self.payments[way] if self.payments else (0, 0)
            plain |= {"left": left, "right": right}
        if self.participate:
            plain["participate"] = True
        if self.option is not None:
            plain["option"] = self.option
        return plain


def of_act(act: ActValue, card: CardId | None) -> Move:
    """What a bot would do, as a move."""
    return Move(act.kind, card, ((act.left, act.right),), act.participate, act.option)


def read(text: str, game: Game, city: int, offers: list[Offer]) -> Move:
    """The move that is meant.  Raises Misread with what is wrong."""
    words = text.lower().split()
    if not words:
        raise Misread("Type the number of a card, or h for help.")
    phase = game.phase
    if isinstance(phase, Extra) and phase.question == "pick" and words[0] in ("no", "decline", "0", "-"):
        return Move("decline", None, ())
    letter = words[0][0] if words[0][0] in KINDS else ""
    number, rest = words[0][len(letter) :], words[1:]
    if letter and not number and rest:
        number, rest = rest[0], rest[1:]
    if not number.isdecimal() or not 1 <= int(number) <= len(offers):
        raise Misread(f"{words[0]!r} is no card here: type a number from 1 to {len(offers)}, or h for help.")
    offer = offers[int(number) - 1]
    play = _play(offer, KINDS.get(letter), game)
    return _chosen(play, rest)


def _play(offer: Offer, kind: str | None, game: Game) -> Play:
    """The play that is meant; without a letter: build, pick or lose."""
    wanted = (kind,) if kind else ("build", "pick", "lose")
    for one in wanted:
        if one in offer.plays:
            return offer.plays[one]
    name = game.box.cards[offer.card].name
    if kind == "stage":
        raise Misread("No stage can be built now; the line under the hand says why.")
    if kind == "discard":
        raise Misread("This card cannot be discarded here.")
    raise Misread(offer.why_not or f"{name} cannot be built.")


def _chosen(play: Play, words: list[str]) -> Move:
    """Takes the words behind the card: `join`, an option, a way to pay (a letter, or coins left and right)."""
    joins = JOIN in words
    rest = [word for word in words if word != JOIN]
    if joins and play.kind != "stage":
        raise Misread("Only a stage can take part in a project.")
    if joins and not play.joinable:
        raise Misread("This stage cannot take part in the project now; the line under the hand says why.")
    ways = play.joinable if joins else play.payments
    option = next((word for word in rest if word in play.options), None)
    rest = [word for word in rest if word != option]
    if play.options and option is None:
        raise Misread(f"This stage has a choice: add one of {', '.join(play.options)}.")
    return Move(play.kind, play.card, _ways(ways, rest), joins, option)


def _ways(ways: tuple[Payment, ...], words: list[str]) -> tuple[Payment, ...]:
    match words:
        case []:
            return ways
        case [letter] if len(letter) == 1 and letter.isalpha() and ord(letter) - ord("a") < len(ways):
            return (ways[ord(letter) - ord("a")],)
        case [left, right] if left.isdecimal() and right.isdecimal():
            if (int(left), int(right)) in ways:
                return ((int(left), int(right)),)
            raise Misread(f"{left} to the left and {right} to the right do not pay for it.")
        case _:
            raise Misread(f"{' '.join(words)!r} is not understood; h for help.")


def ways_in_words(game: Game, city: int, move: Move) -> list[str]:
    """The payments that are left to choose from: "a) 2 to Bo"."""
    return [f"{chr(ord('a') + place)}) {payment_words(game, city, way) or 'nothing'}" for place, way in enumerate(move.payments)]


def move_words(game: Game, city: int, move: Move, way: int = 0) -> str:
    """The move in a few words: "build Baths, 2 to Bo"."""
    if move.kind == "decline":
        return "build nothing from the discard pile"
    assert move.card is not None
    name = game.box.cards[move.card].name
    parts = [f"stage {game.cities[city].stages + 1} with {name} under it" if move.kind == "stage" else f"{move.kind} {name}"]
    if move.option is not None:
        parts.append(move.option)
    if move.participate:
        parts.append("taking part in the project")
    if move.payments and (paid := payment_words(game, city, move.payments[way])):
        parts.append(paid)
    return ", ".join(parts)
