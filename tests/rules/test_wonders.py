"""Every stage of every board: what it costs, what it gives, and that stages go in order."""

from __future__ import annotations

from typing import Any

import pytest

from events import facts as f
from events.refusals import Reason, Refusal
from events.rules.building import city_stock, next_stage, stage_options, trader
from events.rules.effects import shields
from events.rules.scoring import sheet, symbols
from events.rules.state import City, Extra, Game
from events.rules.trade import unit
from events.vocabulary import Resource
from tests.rules.positions import BOX, DECLINE, answer, choose, city, listed, of, play, projects, replace, stage, table
from tests.rules.printed import LETTERS, PRODUCERS

# cost, then what the stage gives: p points, c coins, s shields, @ a symbol of choice, (...) production not for sale, or a power;
# a stage with options has one list a word.
FACES: dict[tuple[str, str], list[tuple[str, Any]]] = {
    ("alexandria", "day"): [("SS", "3p"), ("OO", "(W/S/C/O)"), ("LP", "7p")],
    ("alexandria", "night"): [("CC", "(W/S/C/O)"), ("OOO", "(G/L/P)"), ("WWWW", "7p")],
    ("babylon", "day"): [("CC", "3p"), ("OOL", "@"), ("WWWW", "7p")],
    ("babylon", "night"): [("SS", "last-card"), ("CCCG", "@")],
    ("ephesos", "day"): [("CC", "3p"), ("WW", "9c"), ("OOG", "7p")],
    ("ephesos", "night"): [("SS", "2p 4c"), ("WW", "3p 4c"), ("OOL", "5p 4c")],
    ("gizah", "day"): [("WW", "3p"), ("CCL", "5p"), ("SSSS", "7p")],
    ("gizah", "night"): [("WW", "3p"), ("SSS", "5p"), ("CCC", "5p"), ("SSSSP", "7p")],
    ("halikarnassos", "day"): [("OO", "3p"), ("GP", "pick"), ("SSS", "7p")],
    ("halikarnassos", "night"): [("CC", "2p pick"), ("GP", "1p pick"), ("WWW", "pick")],
    ("olympia", "day"): [("SS", "3p"), ("WW", "colour"), ("CCC", "7p")],
    ("olympia", "night"): [("OO", "2p first"), ("CCC", "3p last"), ("GLP", "5p")],
    ("rhodos", "day"): [("WW", "3p"), ("CCC", "2s"), ("OOOO", "7p")],
    ("rhodos", "night"): [("SSS", "3p 3c 1s"), ("OOOO", "4p 4c 1s")],
    ("carthage", "day"): [("SS", "3p"), ("OOP", {"coins": "2p 7c", "shield": "2p 1s"}), ("CCC", "7p")],
    ("carthage", "night"): [("OOOP", {"coins": "4p 7c", "shields": "2s"}), ("WWWL", {"discard": "pick", "science": "@"})],
    ("ur", "day"): [("SO", "3p"), ("SSC", {"age-1": "token-1", "age-2": "token-2", "age-3": "token-3"}), ("WWWP", "7p")],
    ("ur", "night"): [("SG", "token-1"), ("OOS", "token-2"), ("CCSL", "token-3")],
}
STAGES = [
    (wonder, side, number, option)
    for (wonder, side), stages in FACES.items()
    for number, (_, gives) in enumerate(stages)
    for option in (gives if isinstance(gives, dict) else (None,))
]


def before(wonder: str, side: str, number: int) -> tuple[str | None, ...]:
    """The options of the stages that stand already: the first word of each."""
    return tuple(next(iter(gives)) if isinstance(gives, dict) else None for _, gives in FACES[wonder, side][:number])


def ready(wonder: str, side: str, number: int, units: tuple[Resource, ...] | None = None, **more: Any) -> Game:
    """A city that makes just what stage `number` costs, or `units`, from its cards and board; what stages produce is set aside."""
    cost = FACES[wonder, side][number][0]
    wanted = list(units if units is not None else (LETTERS[letter] for letter in cost))
    board = BOX.faces[wonder, side].produces
    if board in wanted:
        wanted.remove(board)
    mine = city(wonder, side, *(PRODUCERS[resource] for resource in wanted), options=before(wonder, side, number), coins=5)
    boards = [other for other in ("gizah", "rhodos", "ephesos") if other != wonder]
    return table(mine, city(boards[0], coins=0), city(boards[1], coins=0), age=2, turn=3, projects=projects(), **more)


def test_the_table_names_every_board_with_both_sides():
    assert set(FACES) == set(BOX.faces)
    assert {face: len(stages) for face, stages in FACES.items()} == {face: len(facts.stages) for face, facts in BOX.faces.items()}
    produced = {(wonder, side): facts.produces for (wonder, side), facts in BOX.faces.items()}
    assert {wonder: produced[wonder, "day"] for wonder in BOX.wonders} == {
        "alexandria": "glass", "babylon": "wood", "ephesos": "papyrus", "gizah": "stone", "halikarnassos": "loom",
        "olympia": "clay", "rhodos": "ore", "carthage": "ore", "ur": "wood",
    }  # fmt: skip
    assert all(produced[wonder, "day"] == produced[wonder, "night"] for wonder in BOX.wonders)


@pytest.mark.parametrize(("wonder", "side", "number", "option"), STAGES)
def test_what_a_stage_costs(wonder, side, number, option):
    """R20: exactly the stage's cost, whatever card goes under it; one unit less and it must be bought or is out of reach."""
    game = ready(wonder, side, number)
    assert (0, 0) in listed(game, 0, "stage", "tavern").payments
    events, after = play(game, stage(option=option))
    assert after.cities[0].stages == number + 1
    assert not [event for event in of(events, f.CoinsPaid) if event.city == 0]
    cost = [LETTERS[letter] for letter in FACES[wonder, side][number][0]]
    board = BOX.faces[wonder, side].produces
    if any("(" in str(gives) for _, gives in FACES[wonder, side][:number]):
        return  # what Alexandria's stages make would stand in for it
    for place, resource in enumerate(cost):
        if resource != board or cost.count(board) > 1:
            poorer = ready(wonder, side, number, tuple(cost[:place] + cost[place + 1 :]))
            found = listed(poorer, 0, "stage", "tavern")
            assert found is None or (0, 0) not in found.payments


@pytest.mark.parametrize(("wonder", "side", "number", "option"), STAGES)
def test_what_a_stage_gives(wonder, side, number, option):
    """Points, coins, shields, symbols, production and powers of each stage; the card under it gives nothing (R19)."""
    gives = FACES[wonder, side][number][1]
    words = (gives[option] if option else gives).split()
    game = ready(wonder, side, number, discard=("palace",))
    events, after = play(game, stage(option=option))
    was, now = game.cities[0], after.cities[0]
    assert now.under == (*was.under, "tavern")
    assert now.options == (*was.options, option)
    assert now.built == was.built
    coins = sum(int(word[:-1]) for word in words if word.endswith("c"))
    got = [(event.amount, event.source) for event in of(events, f.CoinsReceived) if event.city == 0]
    assert got == ([(coins, f"stage:{number + 1}")] if coins else [])
    points = sum(int(word[:-1]) for word in words if word.endswith("p"))
    assert sheet(after, 0).points["wonder"] - sheet(game, 0).points["wonder"] == points
    assert shields(BOX, now) - shields(BOX, was) == sum(int(word[:-1]) for word in words if word.endswith("s"))
    assert symbols(after, 0)[1] - symbols(game, 0)[1] == words.count("@")
    built = of(events, f.StageBuilt)[0]
    assert (built.stage, built.option, built.pick) == (number + 1, option, "pick" in words)
    _production(words, game, after)
    _powers(words, events, game, after)


def _production(words: list[str], game: Game, after: Game) -> None:
    was, now = (city_stock(one.box, one.cities[0]) for one in (game, after))
    units = [tuple(LETTERS[letter] for letter in word.strip("()").split("/")) for word in words if word.startswith("(")]
    assert now.raw - was.raw == sum(unit(types)[0] for types in units)
    assert now.made - was.made == sum(unit(types)[1] for types in units)
    assert (now.raw_sold, now.made_sold) == (was.raw_sold, was.made_sold)


def _powers(words: list[str], events: tuple[f.AnyEvent, ...], game: Game, after: Game) -> None:
    asked = of(events, f.ExtraAsked)
    assert [(one.question, one.cities, one.seats) for one in asked] == ([("pick", (0,), (0,))] if "pick" in words else [])
    if "pick" in words:
        assert isinstance(after.phase, Extra)
        assert "palace" in after.phase.offers[0]
    first, last = (trader(replace(after, turn=turn), 0).gift for turn in (1, 6))
    assert (trader(after, 0).stage.first_of_colour, first, last) == (
        "colour" in words or trader(game, 0).stage.first_of_colour,
        "first" if "first" in words else trader(replace(game, turn=1), 0).gift,
        "last" if "last" in words else trader(replace(game, turn=6), 0).gift,
    )
    held = [int(word.removeprefix("token-")) for word in words if word.startswith("token")]
    assert list(after.cities[0].participates) == held


def test_the_options_of_a_stage_are_its_words():
    """R33, R73: the words that a seat may give, and none where there is no choice."""
    for (wonder, side), stages in FACES.items():
        for number, (_, gives) in enumerate(stages):
            facts = next_stage(BOX, city(wonder, side, options=before(wonder, side, number)))
            assert facts is not None
            assert stage_options(facts) == (tuple(sorted(gives)) if isinstance(gives, dict) else ())


def test_a_stage_with_a_choice_needs_a_word_and_takes_no_other():
    """R33: no word, and a word of another stage, are refused; a stage without a choice takes none."""
    game = ready("carthage", "day", 1)
    for option, reason in ((None, Reason.OPTION_NEEDED), ("shields", Reason.UNKNOWN_OPTION), ("age-1", Reason.UNKNOWN_OPTION)):
        with pytest.raises(Refusal) as refused:
            choose(game, 0, stage(option=option))
        assert refused.value.reason is reason
    with pytest.raises(Refusal) as refused:
        choose(ready("carthage", "day", 0), 0, stage(option="coins"))
    assert refused.value.reason is Reason.UNKNOWN_OPTION


def test_carthage_reveals_its_half_with_the_stage_and_not_before():
    """R33: the half is chosen with the action and sealed until the reveal."""
    chosen = choose(ready("carthage", "day", 1), 0, stage(option="shield"))
    assert chosen.cities[0].options == (None,)
    events, after = play(ready("carthage", "day", 1), stage(option="shield"))
    assert '"option":"shield"' in of(events, f.TurnRevealed)[0].openings[0].bytes
    assert after.cities[0].options == (None, "shield")


def test_carthages_coins_come_too_late_for_the_same_turn():
    """R10, R33: the seven coins are there after the turn."""
    events, after = play(ready("carthage", "day", 1), stage(option="coins"))
    assert after.cities[0].coins == 12
    assert [event.amount for event in of(events, f.CoinsReceived) if event.city == 0] == [7]


@pytest.mark.parametrize(("wonder", "side"), FACES)
def test_with_all_stages_built_there_is_none_left(wonder, side):
    """R20."""
    stages = len(FACES[wonder, side])
    game = table(city(wonder, side, *PRODUCERS.values(), *PRODUCERS.values(), options=before(wonder, side, stages), coins=99),
                 projects=projects())  # fmt: skip
    assert listed(game, 0, "stage") is None
    with pytest.raises(Refusal) as refused:
        choose(game, 0, stage())
    assert refused.value.reason is Reason.NO_STAGE_LEFT


def test_a_stage_pays_the_stages_cost_and_never_the_cards():
    """R20: the dearest card goes under the cheapest stage, and a chain does not help a stage."""
    mine: City = city("gizah", "day", "lumber-yard", "lumber-yard", "altar", coins=0, hand=("palace", "pantheon"))
    game = table(mine)
    assert listed(game, 0, "stage", "palace").payments == ((0, 0),)
    _, after = play(game, stage("palace"))
    assert after.cities[0].under == ("palace",)
    with pytest.raises(Refusal) as refused:
        choose(table(city("gizah", "day", "altar", coins=0, hand=("pantheon",))), 0, stage("pantheon"))
    assert refused.value.reason is Reason.CANNOT_PAY


@pytest.mark.parametrize("power", [city("olympia", "day", stages=2), city("olympia", "night", stages=1)])
def test_a_free_building_never_makes_a_stage_free(power):
    """R20, R30, R31: free constructions do not cover stages."""
    game = table(replace(power, coins=0), age=2, turn=1)
    assert listed(game, 0, "stage") is None


def test_a_name_under_the_board_may_be_built_and_earns_nothing():
    """R19: no name blocked, no colour, no points, no shields."""
    mine = replace(city("gizah", "day", stages=1, hand=("altar",)), under=("altar",))
    game = table(mine)
    assert sheet(game, 0).points["civilian"] == 0
    _, after = play(game, (f.ActValue(kind="build"), "altar"))
    assert after.cities[0].built == ("altar",)


def test_a_name_that_stands_is_refused_however_it_got_there():
    """R19: Glassworks of Age II is no second Glassworks."""
    game = table(city("gizah", "day", "glassworks-1", hand=("glassworks-2",)), age=2)
    with pytest.raises(Refusal) as refused:
        choose(game, 0, (f.ActValue(kind="build"), "glassworks-2"))
    assert refused.value.reason is Reason.ALREADY_BUILT
    assert listed(game, 0, "build", "glassworks-2") is None


def test_declining_a_pick_goes_on_with_the_game():
    """R41: a pick may be declined."""
    _, asked = play(ready("halikarnassos", "day", 1, discard=("palace",)), stage())
    events, after = answer(asked, 0, DECLINE)
    assert not of(events, f.CardBuilt)
    assert after.turn == 4
    assert "palace" in after.discard
