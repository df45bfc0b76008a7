"""The score sheet: every row of R80, and for every point where it comes from (R81)."""

from __future__ import annotations

from functools import lru_cache

from events import facts as f
from events.catalogue.things import (
    AnyEffect,
    Points,
    PointsIfWonderComplete,
    PointsPerCard,
    PointsPerColour,
    PointsPerPair,
    PointsPerStage,
    RepeatGuild,
    Science,
)  # fmt: skip
from events.facts import Line, Sheet
from events.refusals import Reason, Refusal
from events.rules.effects import count_cards, count_stages, stage_effects
from events.rules.state import Closing, Game
from events.rules.story import GAME, Story
from events.vocabulary import CATEGORIES, COINS_PER_POINT, SET_POINTS, SYMBOLS, CardType

ROW_OF: dict[str, str] = {"civilian": "civilian", "commercial": "commercial", "guild": "guilds"}


@lru_cache(maxsize=4096)
def best_symbols(counts: tuple[int, int, int], free: int) -> tuple[int, tuple[int, int, int]]:
    """R32: the best total of science and the symbols it is reached with, when `free` symbols may be anything.

    >>> best_symbols((2, 1, 0), 1)
    (13, (2, 1, 1))
    """
    return max(
        (_science((a, b, c)), (a, b, c))
        for a in range(counts[0], counts[0] + free + 1)
        for b in range(counts[1], counts[1] + free + 1)
        for c in [sum(counts) + free - a - b]
        if c >= counts[2]
    )


def _science(counts: tuple[int, int, int]) -> int:
    return sum(count * count for count in counts) + SET_POINTS * min(counts)


def sheet(game: Game, seat: int) -> Sheet:
    """What a city would score if the game ended now."""
    city = game.cities[seat]
    rows: dict[str, list[Line]] = {row: [] for row in CATEGORIES}
    for value in sorted(set(city.tokens), reverse=True):
        count = city.tokens.count(value)
        rows["military"].append(Line(source=f"token:{value}", points=value * count, count=count))
    if city.coins >= COINS_PER_POINT:
        rows["treasury"].append(Line(source="coins", points=city.coins // COINS_PER_POINT, count=city.coins))
    for number in range(city.stages):
        _add(rows["wonder"], game, seat, f"stage:{number + 1}", stage_effects(game.box, city, number))
    for card in city.built:
        facts = game.box.cards[card]
        if facts.type in ROW_OF:
            _add(rows[ROW_OF[facts.type]], game, seat, card, facts.effects)
    counts, free = symbols(game, seat)
    rows["science"] = _science_lines(counts, free)
    rows["edifice"] = _edifice_lines(game, seat)
    points = {row: sum([line.points for line in lines]) for row, lines in rows.items()}
    return Sheet(
        city=seat,
        coins=city.coins,
        rows={row: tuple(lines) for row, lines in rows.items()},
        points=points,
        total=sum(points.values()),
    )


def _add(lines: list[Line], game: Game, seat: int, source: str, effects: tuple[AnyEffect, ...]) -> None:
    for effect in effects:
        counted = _points(game, seat, effect)
        if counted is not None:
            points, count = counted
            lines.append(Line(source=source, points=points, count=count))


def _points(game: Game, seat: int, effect: AnyEffect) -> tuple[int, int | None] | None:
    """(points, what was counted) of an end-of-game effect; None if it is none."""
    city, box = game.cities[seat], game.box
    match effect:
        case Points(amount=amount):
            return amount, None
        case PointsPerCard(amount=amount, types=types, scope=scope):
            count = count_cards(game, seat, types, scope)
            return amount * count, count
        case PointsPerStage(amount=amount, scope=scope):
            count = count_stages(game, seat, scope)
            return amount * count, count
        case PointsIfWonderComplete(amount=amount):
            complete = city.stages == len(box.faces[city.wonder, city.side].stages)
            return (amount if complete else 0), None
        case PointsPerPair(points=points, types=types):
            pairs = min(count_cards(game, seat, (kind,), ("self",)) for kind in types)
            return points * pairs, pairs
        case PointsPerColour(points=points):
            colours: set[CardType] = {box.cards[card].type for card in city.built}
            return points * len(colours), len(colours)
        case _:
            return None


def symbols(game: Game, seat: int) -> tuple[tuple[int, int, int], int]:
    """The fixed symbols of a city, and how many are free to be anything (R32)."""
    city = game.cities[seat]
    counts = dict.fromkeys(SYMBOLS, 0)
    free = 0
    effects = [effect for card in city.built for effect in game.box.cards[card].effects]
    for number in range(city.stages):
        effects += stage_effects(game.box, city, number)
    for effect in effects:
        if isinstance(effect, Science):
            if len(effect.any_of) == 1:
                counts[effect.any_of[0]] += 1
            else:
                free += 1
    return (counts["compass"], counts["gear"], counts["tablet"]), free


def _science_lines(counts: tuple[int, int, int], free: int) -> list[Line]:
    _, best = best_symbols(counts, free)
    lines = [
        Line(source=f"symbol:{symbol}", points=count * count, count=count)
        for symbol, count in zip(SYMBOLS, best, strict=True)
        if count
    ]
    if min(best):
        lines.append(Line(source="sets", points=SET_POINTS * min(best), count=min(best)))
    return lines


def _edifice_lines(game: Game, seat: int) -> list[Line]:
    city = game.cities[seat]
    lines: list[Line] = []
    for project in city.rewards:
        for effect in game.box.projects[project].reward:
            if isinstance(effect, RepeatGuild):
                lines.append(Line(source=project, points=_best_guild_again(game, seat)))
            else:
                _add(lines, game, seat, project, (effect,))
    lines += [Line(source="debt", points=debt) for debt in city.debts]
    return lines


def _best_guild_again(game: Game, seat: int) -> int:
    """R70: what the own guild that adds most adds when it is counted once more (Scientists Guild: one more free symbol)."""
    gains = [0]
    for card in game.cities[seat].built:
        facts = game.box.cards[card]
        if facts.type == "guild":
            counts, free = symbols(game, seat)
            more = best_symbols(counts, free + 1)[0] - best_symbols(counts, free)[0]
            for effect in facts.effects:
                if isinstance(effect, Science):
                    gains.append(more)
                elif counted := _points(game, seat, effect):
                    gains.append(counted[0])
    return max(gains)


def places(game: Game, sheets: tuple[Sheet, ...]) -> tuple[tuple[int, ...], ...]:
    """Seats from first to last: the sum, then coins, then shared (R80); the Free City takes no place (R97)."""
    ranked: dict[tuple[int, int], list[int]] = {}
    for one in sheets:
        if one.city != game.free:
            ranked.setdefault((one.total, one.coins), []).append(one.city)
    return tuple(tuple(ranked[key]) for key in sorted(ranked, reverse=True))


def score_game(story: Story, key: bytes) -> None:
    """The last step: sheets, places, and the key that opens every seal."""
    game = story.game
    if not (isinstance(game.phase, Closing) and game.phase.owed == ("score",)):
        raise Refusal(Reason.NOTHING_DUE, "No scoring is due.")
    sheets = tuple(sheet(game, seat) for seat in range(len(game.cities)))
    story.tell(f.GameScored(at=story.at, by=GAME, sheets=sheets, places=places(game, sheets)))
    story.tell(f.GameClosed(at=story.at, by=GAME, reason="finished", key=key.hex()))
