"""The words of the chronicle, one catalogue a language: what happened is told as a key with numbers, and put into words here.

A template's placeholders are the names of a line's parameters; SPOKEN says how each is put into words.  Another language is
another catalogue with the same keys.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from msgspec import Struct

from events.catalogue import Box

Param = int | str | tuple[int, ...]


class Line(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Something that happened: a phrase's key, its parameters, and what belongs to it (payments, gains)."""

    key: str
    params: dict[str, Param]
    parts: tuple[Line, ...] = ()


ENGLISH: dict[str, str] = {
    # gathering
    "opened": "A table for {players} is opened.",
    "opened-edifice": "A table for {players} is opened, with the Edifice.",
    "opened-rematch": "A rematch for {players} is opened.",
    "opened-rematch-edifice": "A rematch for {players} is opened, with the Edifice.",
    "sat-down": "{city} takes seat {number}.",
    "sat-down-bot": "{city}, a bot ({bot}), takes seat {number}.",
    "left": "{city} leaves the table.",
    "removed": "{city} is sent away by the host.",
    "recommitted": "{city} gets ready anew.",
    "ready": "{city} is ready.",
    "started": "The game begins, each city with {coins}.",
    "plays-board": "{city} plays {wonder}, {side}.",
    "project-open": "Project of Age {age}: {project}, {tokens}.",
    # dealing and choosing
    "age-dealt": "Age {age} begins: {cards} to each hand.",
    "holder": "{city} holds the card of the Free City.",
    "drew": "{city} draws a card; {cards} left in the pile.",
    "chose": "{city} has chosen.",
    "chose-for": "{city} has chosen for {other}.",
    "withdrew": "{city} takes the choice back.",
    "withdrew-own-choice": "{city} changed the own choice: the one for {other} no longer fits and is taken back.",
    "timed-out": "Time is over for {city}: the written default is played.",
    "revealed": "The cards are turned over.",
    # consequences
    "paid-neighbour": "{city} pays {coins} to {to}.",
    "paid-bank": "{city} pays {coins} to the bank.",
    "paid-project": "{city} pays {coins} for the project.",
    "received": "{city} receives {coins} from {thing}.",
    "received-stage": "{city} receives {coins} from stage {number}.",
    "received-discard": "{city} receives {coins} for a discarded card.",
    "built": "{city} builds {card}",
    "built-chain": "{city} builds {card}, free by {chain}",
    "built-colour": "{city} builds {card}, free as the first of its colour",
    "built-first": "{city} builds {card}, free as the first card of the Age",
    "built-last": "{city} builds {card}, free as the last card of the Age",
    "built-discard": "{city} builds {card} from the discard pile",
    "stage": "{city} builds stage {number}",
    "stage-option": "{city} builds stage {number}, taking {option}",
    "discarded": "{city} discards a card",
    "leftovers": "The leftovers are discarded: {cards}.",
    "pile-discarded": "The rest of the pile is discarded: {cards}.",
    "joined": "{city} joins {project}; {tokens} left.",
    "joined-box": "{city} takes a token of {project} from the box.",
    "asked-last-card": "{city} may play its last card.",
    "asked-pick": "{city} may build from the discard pile.",
    "asked-lose": "{cities} must choose a building to lose.",
    "answered": "{city} has answered.",
    "withdrew-answer": "{city} takes the answer back.",
    "answers-revealed": "The answers are turned over.",
    "answer-revealed": "{city} answers.",
    "declined": "{city} builds nothing from the discard pile.",
    "passed-left": "The hands go to the left.",
    "passed-right": "The hands go to the right.",
    "passed-border": "The hands cross the Border.",
    "age-ended": "Age {age} ends.",
    "won": "{city} beats {other}, {shields} to {theirs}: {points}.",
    "tied": "{city} and {other} are level with {shields} each.",
    "completed": "{project} is completed by {cities}.",
    "failed": "{project} has failed, {tokens} left. To suffer: {cities}.",
    "rewarded": "{city} has the reward of {project}",
    "penalty-coins": "{city} loses {coins} to {project}.",
    "penalty-discard": "{city} loses {card} to {project}.",
    "penalty-tokens": "{city} loses victory tokens worth {points} to {project}.",
    "penalty-debt": "{city} cannot suffer {project} whole and takes a Debt token: {points}.",
    "evaluated": "{project} is settled; its tokens leave the boards.",
    "scored": "{city}: {points}, place {place}.",
    "scored-free": "{city}: {points}, out of the ranking.",
    # time and persons
    "clock-extended": "The clock is set back after an interruption.",
    "bot-takes-over": "A bot ({bot}) takes over for {city}.",
    "returned": "{city} is back.",
    "agreed-to-abort": "{city} agrees to end the game.",
    "closed-finished": "The game is closed; every card can be turned over.",
    "closed-aborted": "The game is ended unfinished, as all agreed.",
    "closed-cancelled": "The table is closed by the host.",
    "closed-abandoned": "Nobody played on: the game is closed.",
    "closed-expired": "The table never began and is closed.",
    # parts: what belongs to a line, in brackets behind it
    "part-paid-neighbour": "{coins} to {to}",
    "part-paid-bank": "{coins} to the bank",
    "part-paid-project": "{coins} for the project",
    "part-received": "receives {coins}",
    "part-joined": "joins {project}, {tokens} left",
    "part-joined-box": "takes a token of {project} from the box",
    "part-tokens": "victory tokens worth {points}",
    "part-dropped": "defeat given back: {tokens}",
    # words
    "coins.one": "{n} coin",
    "coins.other": "{n} coins",
    "points.one": "{n} point",
    "points.other": "{n} points",
    "cards.one": "{n} card",
    "cards.other": "{n} cards",
    "tokens.one": "{n} token",
    "tokens.other": "{n} tokens",
    "players.one": "{n} player",
    "players.other": "{n} players",
    "side.day": "day side",
    "side.night": "night side",
    "option.coins": "coins",
    "option.discard": "a card of the discard pile",
    "option.science": "a science symbol",
    "option.shield": "a shield",
    "option.shields": "shields",
    "option.age-1": "a token of Age I",
    "option.age-2": "a token of Age II",
    "option.age-3": "a token of Age III",
    "age.1": "I",
    "age.2": "II",
    "age.3": "III",
    "nobody": "nobody",
    "seat": "seat {n}",
    "free-city": "the Free City",
    "bot.random": "random",
    "bot.builder": "builder",
    "and": " and ",
    "end": ".",
}  # fmt: skip

CATALOGUES: dict[str, dict[str, str]] = {"en": ENGLISH}
"""Language -> key -> template."""


class Speaker:
    """Puts lines into words in one language.  called: what people call each city."""

    def __init__(self, box: Box, called: Callable[[int], str], language: str = "en") -> None:
        self.box = box
        self.called = called
        self.words = CATALOGUES[language]

    def sentence(self, line: Line) -> str:
        """A line with its parts, as a sentence.

        A template without a full stop gets its parts in brackets, and then the full stop.
        """
        text = self._filled(line.key, line.params)
        if not self.words[line.key].endswith(self.words["end"]):
            parts = ", ".join(self._filled(part.key, part.params) for part in line.parts)
            text += (f" ({parts})" if parts else "") + self.words["end"]
        return text[0].upper() + text[1:]

    def _filled(self, key: str, params: Mapping[str, Param]) -> str:
        spoken = {name: SPOKEN.get(name, _plain)(self, name, value) for name, value in params.items()}
        return self.words[key].format(**spoken)


def _plain(speaker: Speaker, name: str, value: Param) -> str:
    return str(value)


def _city(speaker: Speaker, name: str, value: Param) -> str:
    assert isinstance(value, int)
    return speaker.called(value)


def _cities(speaker: Speaker, name: str, value: Param) -> str:
    assert isinstance(value, tuple)
    names = [speaker.called(city) for city in value]
    if not names:
        return speaker.words["nobody"]
    return speaker.words["and"].join([", ".join(names[:-1]), names[-1]]) if len(names) > 1 else names[0]


def _counted(speaker: Speaker, name: str, value: Param) -> str:
    return speaker.words[f"{name}.one" if abs(int(str(value))) == 1 else f"{name}.other"].format(n=value)


def _word(speaker: Speaker, name: str, value: Param) -> str:
    return speaker.words[f"{name}.{value}"]


def _thing(speaker: Speaker, name: str, value: Param) -> str:
    """The printed name of a card, project or board."""
    box, plain = speaker.box, str(value)
    if plain in box.cards:
        return box.cards[plain].name
    if plain in box.projects:
        return box.projects[plain].name
    return box.faces[plain, "day"].name


SPOKEN: dict[str, Callable[[Speaker, str, Param], str]] = {
    "city": _city, "other": _city, "to": _city, "cities": _cities,
    "coins": _counted, "points": _counted, "cards": _counted, "tokens": _counted, "players": _counted,
    "side": _word, "option": _word, "bot": _word, "age": _word,
    "card": _thing, "chain": _thing, "thing": _thing, "project": _thing, "wonder": _thing,
}  # fmt: skip
"""Parameter -> how it is said; any other is said as it stands (numbers)."""
