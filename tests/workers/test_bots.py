"""Bots play by what their seat sees, and by the rules; the builder plays well."""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import get_args

import msgspec
import pytest
from msgspec.structs import replace

from events.facts import ActValue, GameClosed, Options
from events.rules import Game, legal
from events.rules.clock import awaited
from events.rules.legal import Play
from events.rules.state import Choice, Choosing, Over
from events.vocabulary import BotKind
from projections.eyes import Eyes
from tests.games import KINDS, Kind, Sitting, acts, command_of, options
from workers import bots

ALL: tuple[BotKind, ...] = get_args(BotKind)


def moments(kind: Kind, bot: BotKind, seed: int = 1) -> Sitting:
    """A game in which bots of a kind choose for every seat, each looking through its own seat's eyes.

    At every choice: what the bot does with the whole game before it is what it does with its seat's view; it is listed by
    `legal`, and accepted by the table."""
    sitting = Sitting(kind.rules, seed)
    sitting.start()
    seats = [Eyes(seat) for seat in range(kind.players)]
    while not isinstance((game := sitting.game).phase, Over):
        waiting = awaited(game)
        if not waiting:
            sitting.step()
            continue
        seat, city = waiting[0]
        eyes = seats[seat].see_all(sitting.store.read(sitting.id, seats[seat].version), {})
        act, card = bots.choose(bot, eyes.game, seat, city)
        assert (act, card) == bots.choose(bot, game, seat, city), "it looked at what its seat cannot see"
        assert act in [one for play in bots.plays_of(eyes.game, seat, city) if play.card == card for one in acts(play)]
        sitting.send(command_of(game, seat, city, act, card))
    return sitting


@pytest.mark.parametrize("bot", ALL)
@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind.players in (2, 3, 5, 7)], ids=str)
def test_a_bot_plays_whole_games_with_its_own_eyes(kind: Kind, bot: BotKind) -> None:
    """Every question of every kind of game: turns, the Free City, picks, the last card, losses."""
    sitting = moments(kind, bot)
    last = sitting.events[-1]
    assert isinstance(last, GameClosed)
    assert last.reason == "finished"


def disguised(game: Game, seat: int) -> Game:
    """Another game that looks the same to the seat: hidden cards and choices of others are exchanged."""
    box = game.box
    other: dict[str | None, str | None] = {None: None, **dict(zip(box.cards, reversed(box.cards), strict=True))}
    cities = tuple(
        city
        if place == seat
        else replace(city, hand=tuple(other[card] for card in city.hand), under=tuple(other[card] for card in city.under))
        for place, city in enumerate(game.cities)
    )
    phase = game.phase
    if isinstance(phase, Choosing):
        hidden = ActValue(kind="discard")
        choices = tuple(
            replace(choice, act=hidden, card="altar") if choice and game.answerer(place) != seat else choice
            for place, choice in enumerate(phase.choices)
        )
        phase = replace(phase, choices=choices)
    drawn = game.drawn if game.holder == seat else None
    return replace(game, cities=cities, phase=phase, discard=tuple(other[card] for card in game.discard), pile=(), drawn=drawn)


@pytest.mark.parametrize("bot", ALL)
@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind.players in (2, 4) and kind.preset == "booklet"], ids=str)
def test_two_games_that_look_the_same_give_the_same_move(kind: Kind, bot: BotKind) -> None:
    """The others' hands, choices, hidden cards and the discard pile are exchanged: the bot moves as before."""
    sitting = Sitting(kind.rules, 5)
    looked = 0

    def taste(game: Game, city: int, luck: object) -> bots.Move:
        nonlocal looked
        seat = game.answerer(city)
        changed = disguised(game, seat)
        assert changed != game
        move = bots.choose(bot, game, seat, city)
        assert bots.choose(bot, changed, seat, city) == move
        looked += 1
        return move

    sitting.play(taste=taste)
    assert looked >= 18 * kind.players


# ---- random -----------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    "play",
    [
        Play(kind="discard", card="altar"),
        Play(kind="build", card="altar", payments=((0, 0),)),
        Play(kind="build", card="altar", payments=((0, 4), (2, 2), (4, 0))),
        Play(kind="stage", card="altar", payments=((0, 2), (2, 0)), joinable=((2, 0),)),
        Play(kind="stage", card="altar", payments=((0, 2), (2, 0)), joinable=((0, 2), (2, 0)), options=("coins", "shields")),
        Play(kind="decline", card=None),
    ],
    ids=lambda play: f"{play.kind}-{len(play.payments)}-{len(play.joinable)}-{len(play.options)}",
)
def test_every_way_to_carry_out_a_play_is_counted_once(play: Play) -> None:
    """Payments, with and without joining, times options."""
    ways = [bots.act(play, way) for way in range(bots.ways(play))]
    assert len(set(map(msgspec.json.encode, ways))) == len(ways)
    assert sorted(map(repr, ways)) == sorted(map(repr, acts(play)))


@cache
def opening() -> Game:
    """A turn with many plays: the second Age's first, Edifice on."""
    game = Sitting(options(4, True), 3).play(until=lambda game: game.age == 2 and isinstance(game.phase, Choosing)).game
    assert isinstance(game.phase, Choosing)
    return game


def test_random_takes_all_plays_equally_often() -> None:
    """The same turn in 6,000 games, which differ by their ids alone: no play is preferred."""
    game = opening()
    city = max(range(4), key=lambda city: sum(map(bots.ways, legal(game, city))))
    plays = legal(game, city)
    total = sum(map(bots.ways, plays))
    assert total > 10
    drawn = Counter(repr(bots.random(replace(game, id=f"{number:020x}"), city, city, plays)) for number in range(600 * total))
    assert len(drawn) == total
    chi = sum((count - 600) ** 2 / 600 for count in drawn.values())
    assert chi < total + 5 * (2 * total) ** 0.5, drawn  # five standard deviations; the ids are fixed, so it never flickers


def test_a_move_does_not_depend_on_when_others_choose() -> None:
    """Somebody else's face-down choice is no reason to play another card."""
    game = opening()
    before = bots.random(game, 0, 0)
    phase = game.phase
    assert isinstance(phase, Choosing)
    other = Choice(number=1, version=game.version, act=None, card=None)
    after = replace(game, version=game.version + 1, phase=replace(phase, choices=(None, other, None, None)))
    assert bots.random(after, 0, 0) == before


@pytest.mark.parametrize("bot", ALL)
def test_a_bot_that_is_not_asked_has_no_move(bot: BotKind) -> None:
    """Between turns there is nothing to choose."""
    game = replace(opening(), phase=Over())
    with pytest.raises(ValueError, match="nothing is asked"):
        bots.choose(bot, game, 0, 0)


# ---- builder ----------------------------------------------------------------------------------------------------------
def test_the_builder_builds_when_it_can() -> None:
    """It never discards, nor declines, what it could build or use for a stage."""
    for seed in range(3):
        sitting = Sitting(options(4, True), seed)
        built = 0

        def taste(game: Game, city: int, luck: object) -> bots.Move:
            nonlocal built
            act, card = bots.choose("builder", game, game.answerer(city), city)
            could = {play.kind for play in bots.plays_of(game, game.answerer(city), city)} & {"build", "stage", "pick"}
            assert act.kind in could or not could
            built += bool(could)
            return act, card

        sitting.play(taste=taste)
        assert built > 50


def totals(rules: Options, seeds: range) -> dict[BotKind, float]:
    """The mean score of each kind of bot when both sit at each table, on changing seats."""
    scores: dict[BotKind, list[int]] = {kind: [] for kind in ALL}
    for seed in seeds:
        sitting = Sitting(rules, seed)
        kinds = [ALL[(seat + seed) % 2] for seat in range(rules.players)]

        def taste(game: Game, city: int, luck: object, kinds: list[BotKind] = kinds) -> bots.Move:
            seat = game.answerer(city)
            return bots.choose(kinds[seat], game, seat, city)

        phase = sitting.play(taste=taste).game.phase
        assert isinstance(phase, Over)
        for sheet in phase.sheets[: rules.players]:
            scores[kinds[sheet.city]].append(sheet.total)
    return {kind: sum(found) / len(found) for kind, found in scores.items()}


@pytest.mark.parametrize(("players", "edifice"), [(2, True), (3, False), (4, True), (7, False)])
def test_the_builder_plays_far_better_than_chance(players: int, edifice: bool) -> None:
    """At least twice the points of `random`, at every size of table."""
    mean = totals(options(players, edifice), range(6))
    assert mean["builder"] > 2 * mean["random"], mean
    assert mean["builder"] > 35, mean


def test_the_builder_joins_projects_that_are_worth_it() -> None:
    """Over some games it takes tokens, and it completes projects."""
    joined = completed = 0
    for seed in range(4):
        sitting = Sitting(options(4, True), seed)
        sitting.play(taste=lambda game, city, luck: bots.choose("builder", game, game.answerer(city), city))
        joined += sum(len(city.participates) for city in sitting.game.cities)
        completed += sum(project.state == "completed" for project in sitting.game.edifice)
    assert joined >= 8
    assert completed >= 2


def test_the_builder_keeps_from_its_neighbour_what_the_neighbour_needs() -> None:
    """Two cards that are worth the same to it: it buries the one that would help whoever gets the hand."""
    game = Sitting(options(3), 1).play(until=lambda game: bool(game.age)).game
    rich = replace(
        game.cities[0],
        built=("altar", "theater", "lumber-yard", "tree-farm"),
        hand=("altar", "theater"),
        wonder="gizah",
        side="day",
        coins=9,
    )
    seller = replace(game.cities[2], built=("stone-pit", "quarry"), wonder="ephesos")
    needs = replace(game.cities[1], built=("altar",), wonder="rhodos")
    table = replace(game, cities=(rich, needs, seller))
    kinds = {play.kind for play in legal(table, 0)}
    assert kinds == {"stage", "discard"}
    assert bots.choose("builder", table, 0, 0)[1] == "theater", "the left neighbour has an altar already"
    swapped = replace(table, cities=(rich, replace(needs, built=("theater",)), seller))
    assert bots.choose("builder", swapped, 0, 0)[1] == "altar"


def test_known_events_show_hands_only_to_their_seat() -> None:
    """The eyes that the bots look through: other hands are unknown cards, the own one is not."""
    sitting = Sitting(options(3), 1)
    sitting.start()
    view = Eyes(1).see_all(sitting.entries, {}).game
    assert [set(city.hand) == {None} for city in view.cities] == [True, False, True]
    assert view.cities[1].hand == sitting.game.cities[1].hand
