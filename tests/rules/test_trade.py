"""What a city can pay and from whom: against a solver that tries everything, and by hand."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings, strategies as st

from events.catalogue.things import Cost
from events.refusals import Reason, Refusal
from events.rules import legal
from events.rules.building import card_price, city_stock, stage_payments, trader
from events.rules.state import City
from events.rules.trade import affordable, market, need
from events.vocabulary import Resource
from tests.rules import oracle
from tests.rules.positions import BOX, build, choose, city, listed, play, replace, table

CARDS = tuple(BOX.cards)
GOODS: tuple[Resource, ...] = ("wood", "stone", "clay", "ore", "glass", "loom", "papyrus")
TRADERS = [card for card in CARDS if BOX.cards[card].type in ("raw", "manufactured", "commercial")]
PRODUCTIVE = [project for project in BOX.projects if project in ("river-port", "factory")]


def random_city(luck: random.Random) -> City:
    """A city with producers and posts, of any wonder, with some stages built."""
    wonder, side = luck.choice(list(BOX.faces))
    stages = oracle.stages_of(wonder, side)
    options: list[str | None] = []
    for stage in stages[: luck.randint(0, len(stages))]:
        words = [sorted(effect["options"]) for effect in stage["effects"] if effect["kind"] == "one_of"]
        options.append(luck.choice(words[0]) if words else None)
    built = luck.sample(TRADERS, luck.randint(0, 9))
    rewards = tuple(project for project in PRODUCTIVE if luck.random() < 0.2)
    return city(wonder, side, *built, options=tuple(options), coins=luck.randint(0, 12), rewards=rewards)


def printed(one: City) -> list[dict[str, object]]:
    return oracle.effects_of(one.wonder, one.side, one.options, one.built, one.rewards)


def expected(cost: Cost, own: City, left: City, right: City) -> list[tuple[int, int]]:
    mine = printed(own)
    return oracle.payments(
        cost,
        oracle.units(own.wonder, mine, for_sale=False),
        oracle.units(left.wonder, printed(left), for_sale=True),
        oracle.units(right.wonder, printed(right), for_sale=True),
        mine,
        own.coins,
    )


def random_cost(luck: random.Random) -> Cost:
    """Sometimes printed somewhere, sometimes harder than anything printed."""
    if luck.random() < 0.6:
        return BOX.cards[luck.choice(CARDS)].cost
    cost: Cost = {resource: luck.randint(1, 3) for resource in luck.sample(GOODS, luck.randint(1, 4))}
    return {**cost, "coins": luck.randint(1, 3)} if luck.random() < 0.2 else cost


def compare(seed: int) -> None:
    luck = random.Random(seed)
    own, left, right = (random_city(luck) for _ in range(3))
    cost = random_cost(luck)
    found = affordable(market(*(city_stock(BOX, one) for one in (own, left, right))), need(cost), own.coins).payments
    assert list(found) == expected(cost, own, left, right), (seed, cost, own, left, right)


@pytest.mark.parametrize("block", range(8))
def test_every_payment_is_one_that_trying_everything_finds(block):
    """R14-R17 on 12,000 random boards with choice producers and posts on both sides: the very same list."""
    for seed in range(block * 1_500, block * 1_500 + 1_500):
        compare(seed)


@pytest.mark.slow
@pytest.mark.parametrize("block", range(8))
def test_every_payment_on_many_more_boards(block):
    """The same on 80,000 boards."""
    for seed in range(100_000 + block * 10_000, 110_000 + block * 10_000):
        compare(seed)


@settings(max_examples=150, deadline=None)
@given(st.integers(0, 2**32))
def test_a_hand_is_priced_like_the_solver_prices_it(seed):
    """What `legal` lists for a hand and for the next stage is what the solver finds, and nothing else."""
    luck = random.Random(seed)
    own, left, right = (random_city(luck) for _ in range(3))
    hand = luck.sample(CARDS, 6)
    game = table(replace(own, hand=tuple(hand)), left, right, turn=2)
    own = game.cities[0]
    builds = {one.card: one for one in legal(game, 0) if one.kind == "build"}
    colours = {oracle.CARDS[card]["type"] for card in own.built}
    first_of_colour = any(effect["kind"] == "free_first_of_colour" for effect in printed(own))
    for card in hand:
        facts = oracle.CARDS[card]
        named = facts["name"] in {oracle.CARDS[other]["name"] for other in own.built}
        free = facts["cost"] and (set(facts["free_from"]) & set(own.built) or (first_of_colour and facts["type"] not in colours))
        ways = [(0, 0)] if free else expected(facts["cost"], own, left, right)
        assert (list(builds[card].payments) if card in builds else []) == ([] if named else ways), card
    stages = oracle.stages_of(own.wonder, own.side)
    cost = stages[own.stages]["cost"] if own.stages < len(stages) else None
    assert list(stage_payments(trader(game, 0))) == (expected(cost, own, left, right) if cost else [])


def priced(own: City, left: City, right: City, card: str) -> list[tuple[int, int]]:
    game = table(own, left, right)
    return list(card_price(trader(game, 0), card).payments)


RHODOS, EPHESOS = city("rhodos"), city("ephesos")

R17_TABLE = {
    "own production comes first, though buying would be possible too": (
        city("gizah", "day", "stone-pit", "quarry", coins=9), city("rhodos", "day", "quarry"), EPHESOS, "aqueduct", [(0, 0)]),
    "only what is lacking is bought": (
        city("gizah", "day", "stone-pit", coins=9), city("rhodos", "day", "quarry"), city("ephesos", "day", "stone-pit"),
        "aqueduct", [(0, 2), (2, 0)]),
    "every split of two units": (
        city("gizah", "day", coins=9), city("rhodos", "day", "quarry"), city("ephesos", "day", "quarry"), "aqueduct",
        [(0, 4), (2, 2), (4, 0)]),
    "the dearer neighbour is a choice too": (
        city("gizah", "day", "west-trading-post", coins=9), city("rhodos", "day", "quarry"), city("ephesos", "day", "quarry"),
        "aqueduct", [(0, 4), (1, 2), (2, 0)]),
    "no split is dearer than the purse": (
        city("gizah", "day", "west-trading-post", coins=3), city("rhodos", "day", "quarry"), city("ephesos", "day", "quarry"),
        "aqueduct", [(1, 2), (2, 0)]),
    "the post of the other side is no help": (
        city("gizah", "day", "east-trading-post", coins=3), city("rhodos", "day", "quarry"), EPHESOS, "aqueduct", []),
    "the marketplace does not cheapen raw materials": (
        city("gizah", "day", "marketplace", coins=4), city("rhodos", "day", "quarry"), EPHESOS, "aqueduct", [(4, 0)]),
    "the marketplace cheapens goods on both sides": (
        city("gizah", "day", "marketplace", coins=4), city("rhodos", "day", "loom-1"), city("ephesos", "day", "loom-2"),
        "apothecary", [(0, 1), (1, 0)]),
    "a choice card of a neighbour gives one side only": (
        city("gizah", "day", coins=9), city("rhodos", "day", "timber-yard"), EPHESOS, "caravansery", []),
    "the two classes are counted apart": (
        city("alexandria", "day", "sawmill", coins=9), city("rhodos", "day", "clay-pool"), city("ephesos", "day", "clay-pool"),
        "temple", [(0, 2), (2, 0)]),
    "a yellow producer is not for sale": (
        city("gizah", "day", coins=9), city("rhodos", "day", "forum"), city("ephesos", "day", "caravansery"), "workshop", []),
    "a stage's producer is not for sale": (
        city("gizah", "day", coins=9), city("alexandria", "night", stages=2), city("ephesos", "day"), "apothecary", []),
    "an Edifice producer is not for sale (R71)": (
        city("gizah", "day", coins=9), city("rhodos", "day", rewards=("factory",)), EPHESOS, "workshop", []),
    "a board's resource is for sale": (city("gizah", "day", coins=2), RHODOS, city("alexandria"), "workshop", [(0, 2)]),
    "what a neighbour needs itself is for sale all the same": (
        city("gizah", "day", coins=2), city("halikarnassos"), EPHESOS, "apothecary", [(2, 0)]),
    "a coin cost comes out of the same purse": (city("gizah", "day", coins=0), RHODOS, EPHESOS, "sawmill", []),
}  # fmt: skip


@pytest.mark.parametrize("case", R17_TABLE)
def test_payments_by_hand(case):
    """R14-R17, one sentence a row."""
    own, left, right, card, ways = R17_TABLE[case]
    assert priced(own, left, right, card) == ways


def test_a_payment_that_is_not_listed_is_refused_and_nothing_happens():
    """R17: not less, not more, not to the wrong side, not what production makes unnecessary."""
    game = table(city("gizah", "day", "west-trading-post", coins=9, hand=("aqueduct",)), city("rhodos", "day", "quarry"),
                 city("ephesos", "day", "quarry"))  # fmt: skip
    for left in range(6):
        for right in range(6):
            if (left, right) in [(0, 4), (1, 2), (2, 0)]:
                assert choose(game, 0, build("aqueduct", left, right)).version == game.version + 1
            else:
                with pytest.raises(Refusal) as refused:
                    choose(game, 0, build("aqueduct", left, right))
                assert refused.value.reason is Reason.WRONG_PAYMENT


def test_two_neighbours_buy_the_same_unit_and_the_owner_uses_it_too():
    """R15: selling never uses a resource up, for the owner or for the other neighbour."""
    game = table(city("alexandria", "day", "stone-pit", hand=("baths",)), city("rhodos", hand=("baths",)),
                 city("ephesos", hand=("baths",)))  # fmt: skip
    assert listed(game, 1, "build", "baths").payments == ((0, 2),)
    assert listed(game, 2, "build", "baths").payments == ((2, 0),)
    _, after = play(game, build("baths"), build("baths", right=2), build("baths", left=2))
    assert [one.coins for one in after.cities] == [7, 1, 1]
    assert all("baths" in one.built for one in after.cities)


@pytest.mark.parametrize(
    ("post", "before", "after"),
    [
        ("east-trading-post", ((0, 2), (2, 0)), ((0, 1), (2, 0))),
        ("west-trading-post", ((0, 2), (2, 0)), ((0, 2), (1, 0))),
    ],
)
def test_a_post_helps_from_the_next_turn_on(post, before, after):
    """R16: the right neighbour sells cheaper to the East Trading Post, the left one to the West Trading Post."""
    game = table(city("alexandria", "day", hand=(post, "baths"), coins=3), city("gizah", hand=("baths",) * 7),
                 city("ephesos", "day", "stone-pit", hand=("baths",) * 7))  # fmt: skip
    assert listed(game, 0, "build", "baths").payments == before
    _, game = play(game, build(post))
    assert listed(game, 0, "build", "baths").payments == after


def test_the_marketplace_helps_from_the_next_turn_on():
    """R16: manufactured goods of both neighbours for one coin."""
    game = table(city("gizah", "day", hand=("marketplace", "workshop")), city("alexandria", hand=("workshop",) * 7),
                 city("ephesos", "day", "glassworks-1", hand=("workshop",) * 7))  # fmt: skip
    assert listed(game, 0, "build", "workshop").payments == ((0, 2), (2, 0))
    _, game = play(game, build("marketplace"))
    assert listed(game, 0, "build", "workshop").payments == ((0, 1), (1, 0))
