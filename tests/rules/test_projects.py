"""All fifteen projects: what joining costs, what holders get, what the others suffer, under both presets."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from events import facts as f
from events.rules.building import city_stock
from events.rules.effects import shields
from events.rules.scoring import sheet
from events.rules.state import City, Closing, Extra, Game
from events.rules.trade import unit
from events.vocabulary import MANUFACTURED_GOODS, RAW_MATERIALS
from tests.rules.driver import PUBLISHER
from tests.rules.positions import BOX, allowed, answer, city, ending, listed, lose, of, play, projects, settle, stage, table

# Age, coins to join, reward (c coins, s shields, t victory token, healed: defeats go, p points for the holder below), penalty
PROJECTS: dict[str, tuple[int, int, str, str]] = {
    "artisan-district": (1, 2, "4p", "yellow"),
    "belvedere": (1, 1, "2p", "brown"),
    "curtain-wall": (1, 2, "1s", "grey"),
    "money-changer": (1, 1, "4c", "2c"),
    "outpost": (1, 1, "3t", "red"),
    "auction-house": (2, 2, "7c", "5c"),
    "river-port": (2, 3, "raw", "blue"),
    "factory": (2, 3, "made", "brown"),
    "staging-camp": (2, 2, "5t", "red"),
    "amphitheater": (2, 3, "2p", "grey"),
    "gold-reserves": (3, 3, "15c", "9c"),
    "concentric-castle": (3, 5, "2s", "2t"),
    "military-school": (3, 5, "5t healed", "red"),
    "archives": (3, 5, "7p", "blue"),
    "agora": (3, 6, "3p", "green"),
}
PRESETS: dict[str, dict[str, Any]] = {"booklet": {}, "publisher": PUBLISHER}
DEBT = {1: -2, 2: -3, 3: -5}
LOSABLE = {
    "brown": ("sawmill", "quarry"), "grey": ("loom-1", "press-2"), "blue": ("altar", "palace"), "yellow": ("forum", "tavern"),
    "green": ("library", "study"), "red": ("walls", "circus"),
}  # fmt: skip

# 3 brown and 2 grey (two pairs), 2 blue, all seven colours, 2 stages, two guilds: spies 3, magistrates 1
HOLDER = city("gizah", "day", "clay-pool", "ore-vein", "mine", "loom-1", "press-1", "altar", "well", "tavern", "barracks", "study",
              "spies-guild", "magistrates-guild", stages=2, coins=3, tokens=(1, -1, -1))  # fmt: skip
JOINER = city("babylon", "day", "brickyard", "walls", coins=20)
BYSTANDER = city("ephesos", "day", "circus", "stockade", "theater", coins=0)


def holding(one: City, age: int) -> City:
    return replace(one, participates=(age,))


def test_the_table_names_every_project():
    assert {name: facts[:2] for name, facts in PROJECTS.items()} == {p.id: (p.age, p.coins) for p in BOX.projects.values()}


@pytest.mark.parametrize("project", PROJECTS)
def test_what_joining_costs(project):
    """R62, R10: the project's coins on top of the stage, paid to the bank, for one token; a coin less is too little."""
    age, coins, _, _ = PROJECTS[project]
    game = table(replace(JOINER, coins=coins), city("gizah"), city("ephesos"), age=age, turn=2, projects=projects(project))
    events, after = play(game, stage(join=True))
    assert [(e.city, e.to, e.amount, e.why) for e in of(events, f.CoinsPaid)] == [(0, None, coins, "project")]
    assert [(e.city, e.age, e.project, e.left, e.box) for e in of(events, f.ParticipationTaken)] == [(0, age, project, 1, False)]
    assert (after.cities[0].coins, after.cities[0].participates, after.edifice[age - 1].tokens) == (0, (age,), 1)
    poor = replace(game, cities=(replace(game.cities[0], coins=coins - 1), *game.cities[1:]))
    assert not allowed(poor, 0, stage(join=True))
    assert allowed(poor, 0, stage())


# ---- completed --------------------------------------------------------------------------------------------------------
def completed(project: str, preset: str) -> tuple[Game, tuple[f.AnyEvent, ...], Game]:
    """Seat 0 holds a token, seat 1 takes the last one, seat 2 has none: before and after the rewards."""
    age = PROJECTS[project][0]
    game = table(holding(HOLDER, age), JOINER, BYSTANDER, age=age, turn=4, projects=projects(project), tokens=1, **PRESETS[preset])
    events, game = play(game, None, stage(join=True))
    if preset == "publisher":
        return game, events, game
    before = ending(game, "conflicts", "edifice", "deal")
    events, after = settle(before)
    return before, events, after


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("project", PROJECTS)
def test_what_holders_get(project, preset):
    """R64, R69-R71: every holder the reward, the others nothing, no penalty and no refund."""
    age, _, reward, _ = PROJECTS[project]
    _, events, after = completed(project, preset)
    assert [(e.age, e.project, e.holders) for e in of(events, f.EdificeCompleted)] == [(age, project, (0, 1))]
    assert [e.city for e in of(events, f.RewardGranted)] == [0, 1]
    assert not of(events, f.PenaltySuffered)
    assert not of(events, f.EdificeFailed)
    assert [one.rewards for one in after.cities] == [(project,), (project,), ()]
    assert after.edifice[age - 1].state == "completed"
    coins = sum(int(word[:-1]) for word in reward.split() if word.endswith("c"))
    got = [(e.city, e.amount) for e in of(events, f.CoinsReceived) if e.source == project]
    assert got == ([(0, coins), (1, coins)] if coins else [])
    _lasting(project, reward, after)
    tokens = tuple(int(word[:-1]) for word in reward.split() if word.endswith("t"))
    drops = "healed" in reward
    told = of(events, f.RewardGranted)[0]
    assert (told.project, told.tokens) == (project, tokens)
    first = (1, -1, -1) if preset == "publisher" else (1, -1, -1, -1, -1)  # booklet: the Age's two conflicts are lost before
    assert told.dropped == (first.count(-1) if drops else 0)
    kept = tuple(token for token in first if token > 0) if drops else first
    assert after.cities[0].tokens == kept + tokens


def _lasting(project: str, reward: str, after: Game) -> None:
    """What the reward leaves for good: shields, production for the owner alone, points under Edifice."""
    bare = replace(after, cities=tuple(replace(one, rewards=()) for one in after.cities))
    gained = shields(BOX, after.cities[0]) - shields(BOX, bare.cities[0])
    assert gained == sum(int(word[:-1]) for word in reward.split() if word.endswith("s"))
    goods = {"raw": RAW_MATERIALS, "made": MANUFACTURED_GOODS}.get(reward, ())
    was, now = (city_stock(one.box, one.cities[0]) for one in (bare, after))
    assert (now.raw - was.raw, now.made - was.made) == unit(goods)
    assert (now.raw_sold, now.made_sold) == (was.raw_sold, was.made_sold)
    points = sum(int(word[:-1]) for word in reward.split() if word.endswith("p"))
    assert sheet(after, 0).points["edifice"] == points
    assert [line.points for line in sheet(after, 0).rows["edifice"] if line.source == project] == ([points] if points else [])
    assert sheet(after, 2).points["edifice"] == 0


# ---- failed -----------------------------------------------------------------------------------------------------------
def failed(project: str, preset: str, *cities: City) -> tuple[tuple[f.AnyEvent, ...], Game]:
    """The Age's end with a token left; seat 0 holds one, and the evaluation comes where the preset puts it."""
    age = PROJECTS[project][0]
    game = table(*cities, age=age, turn=6, projects=projects(project), tokens=1, **PRESETS[preset])
    _, game = play(game)
    assert isinstance(game.phase, Closing)
    assert game.phase.owed[0] == ("edifice" if preset == "publisher" else "conflicts")
    return settle(game)


def penalised(penalty: str, able: bool) -> City:
    """A city that can just, or just not, suffer the penalty whole."""
    if penalty.endswith("c"):
        return city("ephesos", "day", coins=max(0, int(penalty[:-1]) - 3 - (not able)))  # three come from the sixth turn's discard
    if penalty == "2t":
        return city("ephesos", "day", tokens=(5, -1, 1) if able else (5, -1, -1))
    return city("ephesos", "day", *((LOSABLE[penalty][0],) if able else ()))


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("project", PROJECTS)
def test_what_the_others_suffer(project, preset):
    """R65, R66: cities without a token suffer it whole if they can, else a Debt token; the holder nothing."""
    age, _, _, penalty = PROJECTS[project]
    able, unable = penalised(penalty, True), penalised(penalty, False)
    holder = holding(city("gizah", "day", *(cards[0] for cards in LOSABLE.values()), coins=20, tokens=(1, 3)), age)
    peaceful = replace(holder, built=tuple(card for card in holder.built if card != "walls"))
    mine = holder if penalty == "red" else peaceful
    events, after = failed(project, preset, mine, able, replace(unable, wonder="rhodos"))
    told = of(events, f.EdificeFailed)
    assert [(e.age, e.project, e.left, e.holders, e.penalised) for e in told] == [(age, project, 1, (0,), (1, 2))]
    suffered = {e.city: e for e in of(events, f.PenaltySuffered)}
    assert 0 not in suffered
    assert not of(events, f.RewardGranted)
    if penalty == "2c":  # both have three coins from the discard; being short is the next test
        assert [(e.kind, e.coins) for e in suffered.values()] == [("coins", 2)] * 2
        return
    _whole(penalty, suffered[1], after)
    debt = suffered[2]
    assert (debt.kind, debt.debt, debt.coins, debt.card, debt.tokens) == ("debt", DEBT[age], 0, None, ())
    assert after.cities[2].debts == (DEBT[age],)
    assert sheet(after, 2).points["edifice"] == DEBT[age]
    order = [type(e).__name__ for e in events if isinstance(e, f.ConflictsResolved | f.EdificeFailed)]
    assert order == (["EdificeFailed", "ConflictsResolved"] if preset == "publisher" else ["ConflictsResolved", "EdificeFailed"])


def _whole(penalty: str, told: f.PenaltySuffered, after: Game) -> None:
    city_after = after.cities[1]
    assert told.debt == 0
    assert city_after.debts == ()
    if penalty.endswith("c"):
        assert (told.kind, told.coins, city_after.coins) == ("coins", int(penalty[:-1]), 0)
    elif penalty == "2t":
        assert (told.kind, told.tokens, city_after.tokens) == ("tokens", (1, 5), (-1,))
    else:
        assert (told.kind, told.card) == ("discard", LOSABLE[penalty][0])
        assert told.card not in city_after.built
        assert after.discard[-1] == told.card


def test_two_coins_can_be_short_too():
    """R66: Money Changer with one coin: the coin stays, a Debt token comes."""
    game = ending(table(city("gizah", coins=1), city("rhodos", coins=2), city("ephesos", participates=(1,)),
                        projects=projects("money-changer"), tokens=1))  # fmt: skip
    events, after = settle(game)
    assert [(e.city, e.kind) for e in of(events, f.PenaltySuffered)] == [(0, "debt"), (1, "coins")]
    assert [one.coins for one in after.cities] == [1, 0, 3]


DISCARDS = [project for project, facts in PROJECTS.items() if facts[3] in LOSABLE]


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("project", DISCARDS)
def test_which_building_is_lost_is_the_citys_choice(project, preset):
    """R67: with two of the colour the city is asked; with one it goes by itself; the answers wait for each other."""
    _, _, _, penalty = PROJECTS[project]
    one, two = LOSABLE[penalty]
    start = (city("gizah", "day", one, two), city("rhodos", "day", one, "stockade" if penalty == "blue" else "altar"),
             city("ephesos", "day", two, one))  # fmt: skip
    events, game = failed(project, preset, *start)
    assert isinstance(game.phase, Extra)
    asked = (0, 2)
    assert (game.phase.question, game.phase.cities, game.phase.seats) == ("lose", asked, asked)
    assert not of(events, f.PenaltySuffered)
    assert [listed(game, place, "lose", two) is not None for place in asked] == [True, True]
    events, game = answer(game, 2, lose(two))
    assert [type(e).__name__ for e in events] == ["ExtraChosen"]
    events, game = answer(game, 0, lose(one))
    assert [type(e).__name__ for e in events] == ["ExtraChosen"]
    events, after = settle(game)
    assert [(e.city, e.card) for e in of(events, f.PenaltySuffered)] == [(0, one), (1, one), (2, two)]
    assert after.discard[-3:] == (one, one, two)
    assert [card for card in (one, two) if card in after.cities[0].built] == [two]
