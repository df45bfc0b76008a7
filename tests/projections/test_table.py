"""The table shows everything that lies open, and counts what does not."""

from __future__ import annotations

import msgspec
import pytest

from events.commands import CancelTable, LeaveSeat
from events.facts import ConflictsResolved
from events.rules.clock import awaited
from events.rules.effects import shields
from events.rules.state import Choosing, Extra, Game
from events.vocabulary import RAW_MATERIALS
from projections.documents import TableDoc
from projections.views import TABLE, Views
from tests.games import KINDS, PUBLISHER, Kind, Sitting, options, played
from tests.projections.given import moments_of, plain

each_kind = pytest.mark.parametrize("kind", KINDS, ids=str)


def table_of(sitting: Sitting) -> TableDoc:
    """The table now."""
    body = Views().see_all(sitting.entries, sitting.names).documents()[TABLE]
    return msgspec.json.decode(body, type=TableDoc)


def check_cities(game: Game, table: TableDoc) -> None:
    """Every city as the rules know it."""
    assert len(table.cities) == len(game.cities)
    for place, (city, shown) in enumerate(zip(game.cities, table.cities, strict=True)):
        assert (shown.wonder, shown.side, shown.coins, shown.built) == (city.wonder, city.side, city.coins, city.built)
        assert (shown.stages, shown.tokens, shown.debts) == (city.stages, city.tokens, city.debts)
        assert (shown.participates, shown.rewards) == (city.participates, city.rewards)
        assert (shown.hand_size, shown.shields) == (len(city.hand), shields(game.box, city))
        assert shown.types == tuple(game.box.cards[card].type for card in city.built)
        assert [stage.number for stage in shown.board if stage.built] == list(range(1, city.stages + 1))
        assert tuple(stage.option for stage in shown.board if stage.built) == city.options
        assert shown.free == (place == game.free)
        assert table.cities[shown.left].right == place
        produced = [unit.source for unit in shown.produces]
        assert produced[0] == "board"
        assert set(produced[1:]) <= {*city.built, *city.rewards, *(f"stage:{number}" for number in range(1, city.stages + 1))}


@each_kind
def test_the_table_is_the_game(kind: Kind) -> None:
    """All through a whole game, between two events of one reveal too, each open thing is as the rules know it."""
    sitting, battles = played(kind), 0
    for game, views, event in moments_of(sitting):
        battles += isinstance(event, ConflictsResolved)
        if game.version % 3 and game.version < len(sitting.entries):
            continue
        table = msgspec.json.decode(views.documents()[TABLE], type=TableDoc)
        assert (table.game, table.version, table.at, table.age, table.turn) == (game.id, game.version, game.at, game.age, game.turn)
        check_cities(game, table)
        assert table.discard.count == len(game.discard)
        assert len(table.conflicts) == battles
        assert [one.state for one in table.edifice] == [one.state for one in game.edifice]
        assert [one.tokens for one in table.edifice] == [one.tokens for one in game.edifice]
        waiting = sorted((one.seat, one.city) for one in table.awaiting if not one.chosen)
        assert waiting == sorted(awaited(game))
        assert {one.kind for one in table.awaiting} <= {"choose", "last-card", "pick", "lose"}
        assert (table.phase == "choose") == isinstance(game.phase, Choosing)
        assert (table.phase == "extra") == isinstance(game.phase, Extra)
        assert (table.free_city is None) == (kind.players > 2 or not game.cities)
        if table.free_city:
            assert (table.free_city.holder, table.free_city.pile) == (game.holder, len(game.pile))
            assert table.free_city.has_drawn == game.has_drawn
    assert battles == 3
    assert table.phase == "over"
    assert table.closed == "finished"
    assert table.result is not None
    assert sorted(seat for shared in table.result.places for seat in shared) == list(range(kind.players))


@each_kind
def test_the_ruleset_is_shown(kind: Kind) -> None:
    """Every option with its preset, the engine and the edition of the box."""
    game = played(kind).game
    ruleset = table_of(played(kind)).ruleset
    assert ruleset.preset == kind.preset
    assert ruleset.options == kind.rules
    assert (ruleset.engine, ruleset.catalogue) == (game.engine, game.box.digest)


def test_a_single_option_makes_a_custom_ruleset() -> None:
    """Neither preset: "custom"."""
    mixed = Sitting(options(3, True, edifice_tokens=PUBLISHER["edifice_tokens"]))
    assert table_of(mixed).ruleset.preset == "custom"


def test_a_project_says_what_is_at_stake() -> None:
    """Tokens left and at the start, the price, holders, reward and penalty."""
    game = played(Kind(5, True, "publisher"))
    for number, project in enumerate(table_of(game).edifice, 1):
        facts = game.game.box.projects[project.project]
        assert (project.age, project.of, project.coins) == (number, 3, facts.coins)
        assert (project.reward, project.penalty) == (facts.reward, facts.penalty)
        assert project.holders == tuple(place for place, city in enumerate(game.game.cities) if number in city.participates)
        assert project.state in ("completed", "failed")


def test_prices_follow_the_trading_posts() -> None:
    """Whoever has a west trading post pays one coin for a raw material from the left."""
    shown = 0
    for seed in range(1, 4):
        for city in table_of(played(KINDS[4], seed)).cities:
            west = any(card == "west-trading-post" for card in city.built)
            discount = city.wonder == "olympia"
            if not discount:
                assert city.buys.left.raw == (1 if west else 2)
            shown += west
    assert shown


def test_brown_cards_are_for_sale_and_yellow_ones_are_not() -> None:
    """R15: what a neighbour may buy is marked."""
    for city in table_of(played(KINDS[8])).cities:
        types = dict(zip(city.built, city.types, strict=True))
        for unit in city.produces:
            assert unit.sold == (unit.source == "board" or types.get(unit.source) in ("raw", "manufactured"))
            assert unit.amount in (1, 2)
            assert unit.any_of
        assert any(resource in RAW_MATERIALS for unit in city.produces for resource in unit.any_of)


def test_a_table_gathers() -> None:
    """Before the start the table says who is missing, who is ready, and when it expires."""
    sitting = Sitting(options(3), bots=[2])
    table = table_of(sitting)
    assert table.phase == "gathering"
    assert table.gathering is not None
    assert not table.gathering.full
    assert table.cities == ()
    sitting.sit(0)
    sitting.sit(2)
    seats = table_of(sitting).seats
    assert [(one.taken, one.name, one.bot, one.ready) for one in seats] == [
        (True, "Ada", None, False),
        (False, None, None, False),
        (True, "Cy-bot", "random", True),
    ]
    sitting.sit(1)
    table = table_of(sitting)
    assert table.gathering is not None
    assert (table.gathering.full, table.gathering.revealable, table.gathering.startable) == (True, True, False)
    sitting.send(LeaveSeat(seat=1))
    assert not table_of(sitting).seats[1].taken


def test_a_table_that_never_began_is_closed() -> None:
    """No cities, no result, and the reason."""
    sitting = Sitting(options(3))
    sitting.send(CancelTable())
    table = table_of(sitting)
    assert (table.phase, table.closed, table.result, table.cities) == ("over", "cancelled", None, ())


def test_the_clock_is_shown() -> None:
    """The time for a question and when it is over."""
    sitting = Sitting(options(3, turn_ms=60_000))
    assert table_of(sitting).clock.deadline is None
    sitting.start()
    clock = table_of(sitting).clock
    assert (clock.turn_ms, clock.deadline) == (60_000, sitting.game.at + 60_000)


@pytest.mark.parametrize(("players", "ways"), [(2, ["border"] * 3), (3, ["left", "right", "left"])])
def test_the_hands_have_a_direction(players: int, ways: list[str]) -> None:
    """R6, R92."""
    shown: dict[int, str] = {}
    for _, views, _ in moments_of(played(Kind(players, False, "booklet"))):
        table = plain(views.documents()[TABLE])
        if table["age"]:
            shown[table["age"]] = table["passing"]
        else:
            assert table["passing"] is None
    assert [shown[age] for age in (1, 2, 3)] == ways
