"""Before the first turn: options, seats, boards, decks and hands; and nobody can choose the deal."""

from __future__ import annotations

import hashlib
from collections import Counter
from typing import Any

import pytest
from msgspec.structs import replace

from events import commands as c, facts as f
from events.catalogue import current
from events.refusals import Reason, Refusal
from events.rules import Game, decide, due, initial, outcome
from events.rules.dealing import shuffled
from events.rules.state import Over
from tests.rules.driver import BOARDS, START, key_of, opening, options, steps

BOX = current()


def after(*commands: Any) -> Game:
    game = initial(BOX)
    for command in commands:
        game = outcome(game, command)[1]
    return game


def refused(game: Game, command: Any) -> Reason:
    with pytest.raises(Refusal) as found:
        decide(game, command)
    return found.value.reason


def opened(**more: Any) -> Game:
    return after(opening(options(**more), key_of(1))[0])


def person(seat: int | None, name: str = "Ada", entropy: str = "11" * 32, **more: Any) -> c.TakeSeat:
    committed = hashlib.sha256(bytes.fromhex(entropy)).hexdigest()
    secret = hashlib.sha256(name.encode()).hexdigest()
    return c.TakeSeat(seat=seat, name=name, nonce="ab" * 32, token=secret, entropy=committed, **more)


# ---- R1, R2 -------------------------------------------------------------------------------------------------------------
BAD_OPTIONS: dict[str, tuple[dict[str, Any], Reason]] = {
    "one player": ({"players": 1}, Reason.BAD_OPTIONS),
    "eight players": ({"players": 8}, Reason.BAD_OPTIONS),
    "a board twice": ({"wonders": ("gizah", "gizah", "rhodos", "ephesos")}, Reason.BAD_OPTIONS),
    "an unknown board": ({"wonders": ("gizah", "rhodos", "atlantis")}, Reason.UNKNOWN_WONDER),
    "Ur without the Edifice": ({"wonders": ("gizah", "rhodos", "ur")}, Reason.BAD_OPTIONS),
    "fewer boards than cities": ({"players": 4, "wonders": ("gizah", "rhodos", "ephesos")}, Reason.BAD_OPTIONS),
    "two boards for three cities": ({"players": 2, "wonders": ("gizah", "rhodos")}, Reason.BAD_OPTIONS),
    "a Free City for three": ({"free_city": ("gizah", "day")}, Reason.BAD_OPTIONS),
    "a Free City that is not included": ({"players": 2, "wonders": BOARDS[:3], "free_city": ("rhodos", "day")}, Reason.BAD_OPTIONS),
    "a clock that is too quick": ({"turn_ms": 9_999}, Reason.BAD_OPTIONS),
    "a clock that is too slow": ({"turn_ms": 8 * 24 * 3_600_000}, Reason.BAD_OPTIONS),
}


@pytest.mark.parametrize("case", BAD_OPTIONS)
def test_options_that_make_no_game_are_refused(case):
    """R1, R2, R90."""
    changed, reason = BAD_OPTIONS[case]
    command = opening(options(**changed), key_of(1))[0]
    assert refused(initial(BOX), command) is reason


def test_carthage_may_be_dealt_without_the_edifice():
    """R2."""
    assert opened(wonders=("gizah", "rhodos", "carthage")).rules.wonders[2] == "carthage"


@pytest.mark.parametrize("players", range(2, 8))
def test_no_two_cities_have_the_same_board(players):
    """R2, R3: three coins each."""
    for seed in range(30):
        game = next(step.after for step in steps(options(players, True), seed) if step.after.age == 1)
        boards = [one.wonder for one in game.cities]
        assert len(set(boards)) == len(boards) == max(players, 3)
        assert all(one.coins == 3 for one in game.cities)


def test_sides_are_dealt_unless_the_table_says_which():
    """R2."""
    for side, seen in (("day", {"day"}), ("night", {"night"}), ("dealt", {"day", "night"})):
        found = set()
        for seed in range(12):
            game = next(step.after for step in steps(options(3, sides=side), seed) if step.after.age == 1)
            found |= {one.side for one in game.cities}
        assert found == seen


def test_seats_may_choose_their_boards_where_the_table_allows_it():
    """R2: and the rest is dealt from the others."""
    game = opened(boards="chosen")
    game = outcome(game, person(1, wonder="rhodos", side="night"))[1]
    assert refused(game, person(2, "Bo", wonder="rhodos")) is Reason.WONDER_TAKEN
    assert refused(game, person(2, "Bo", wonder="ur")) is Reason.UNKNOWN_WONDER
    assert refused(opened(), person(2, "Bo", wonder="gizah")) is Reason.BAD_OPTIONS
    assert refused(opened(boards="chosen", sides="day"), person(2, "Bo", side="night")) is Reason.BAD_OPTIONS
    bots = [c.TakeSeat(seat=seat, name=f"Bot {seat}", nonce="cd" * 32, bot="random") for seat in (0, 2)]
    for command in (*bots, c.RevealEntropy(seat=1, entropy="11" * 32), c.StartGame(key=key_of(1))):
        game = outcome(game, command)[1]
    assert (game.cities[1].wonder, game.cities[1].side) == ("rhodos", "night")
    assert "rhodos" not in (game.cities[0].wonder, game.cities[2].wonder)


def test_a_host_may_fix_the_free_citys_board():
    """R90, R95."""
    for seed in range(5):
        game = next(s.after for s in steps(options(2, free_city=("olympia", "night")), seed) if s.after.age == 1)
        assert (game.cities[2].wonder, game.cities[2].side) == ("olympia", "night")


# ---- R4, R5 -------------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("players", range(3, 8))
def test_every_copy_for_that_many_players_is_dealt(players):
    """R4, R5: seven cards each; in Age III players + 2 of the ten guilds."""
    dealt = {e.age: e for step in steps(options(players), 2) for e in step.events if isinstance(e, f.AgeDealt)}
    for age, event in dealt.items():
        assert [len(hand.value) for hand in event.hands] == [7] * players
        cards = Counter(card for hand in event.hands for card in hand.value)
        guilds = [card for card in cards if BOX.cards[card].type == "guild"]
        assert len(guilds) == (players + 2 if age == 3 else 0)
        printed = Counter({card: sum(m <= players for m in facts.copies) for card, facts in BOX.cards.items() if facts.age == age})
        assert +Counter({card: n for card, n in cards.items() if card not in guilds}) == +Counter(
            {card: n for card, n in printed.items() if BOX.cards[card].type != "guild"})  # fmt: skip
        assert all(list(hand.value) == list(BOX.sorted(hand.value)) for hand in event.hands)
        assert [hand.readers for hand in event.hands] == [(seat,) for seat in range(players)]


def test_all_guilds_are_drawn_sooner_or_later():
    """R4: at random from the ten."""
    seen = set()
    for seed in range(25):
        events = [e for step in steps(options(3), seed) for e in step.events if isinstance(e, f.AgeDealt)]
        seen |= {card for hand in events[2].hands for card in hand.value if BOX.cards[card].type == "guild"}
    assert len(seen) == 10


def test_a_draw_depends_on_seed_and_label_and_nothing_else():
    """The order of the items given is no matter."""
    items = [(card, 0) for card in BOX.cards]
    assert shuffled(b"s" * 32, "age/1", items) == shuffled(b"s" * 32, "age/1", items[::-1])
    assert shuffled(b"s" * 32, "age/1", items) != shuffled(b"s" * 32, "age/2", items)
    assert shuffled(b"s" * 32, "age/1", items) != shuffled(b"t" * 32, "age/1", items)


# ---- seats and entropy ----------------------------------------------------------------------------------------------------
def test_seats_are_taken_once_by_people_with_unlike_names():
    game = outcome(opened(), person(None))[1]
    assert refused(game, person(0, "Bo")) is Reason.SEAT_TAKEN
    assert refused(game, person(3, "Bo")) is Reason.UNKNOWN_SEAT
    assert refused(game, person(-1, "Bo")) is Reason.UNKNOWN_SEAT
    assert refused(game, person(1, " aDA ")) is Reason.NAME_TAKEN
    for name in ("", "  ", "x" * 41, "a\nb", "a\x00b"):
        assert refused(game, person(1, name)) is Reason.BAD_OPTIONS
    for missing in ({"entropy": None}, {"token": None}, {"entropy": "no hex"}, {"token": "00"}, {"nonce": "zz" * 32}):
        assert refused(game, replace(person(1, "Bo"), **missing)) is Reason.BAD_OPTIONS
    full = after(*opening(options(3), key_of(1))[:4])
    assert refused(full, person(None, "Bo")) is Reason.TABLE_FULL


def test_the_game_starts_when_all_are_there_and_ready():
    """Every person's part of the deal is committed first, then opened, and only what was committed counts."""
    game = outcome(opened(), person(0))[1]
    assert refused(game, c.StartGame(key=key_of(1))) is Reason.NOT_READY
    assert refused(game, c.RevealEntropy(seat=0, entropy="11" * 32)) is Reason.NOT_READY
    for seat in (1, 2):
        game = outcome(game, c.TakeSeat(seat=seat, name=f"Bot {seat}", nonce="cd" * 32, bot="random"))[1]
    assert refused(game, c.StartGame(key=key_of(1))) is Reason.NOT_READY
    assert refused(game, c.RevealEntropy(seat=0, entropy="22" * 32)) is Reason.WRONG_ENTROPY
    assert refused(game, c.RevealEntropy(seat=7, entropy="22" * 32)) is Reason.UNKNOWN_SEAT
    game = outcome(game, c.RevealEntropy(seat=0, entropy="11" * 32))[1]
    assert refused(game, c.RevealEntropy(seat=0, entropy="11" * 32)) is Reason.ALREADY_READY
    game = outcome(game, c.StartGame(key=key_of(1)))[1]
    assert (game.age, game.turn) == (1, 1)
    assert refused(game, c.StartGame(key=key_of(1))) is Reason.ALREADY_STARTED
    assert refused(game, person(0)) is Reason.ALREADY_STARTED


def test_each_seats_entropy_changes_the_deal():
    """Nobody chooses the deal as long as one seat is honest."""
    hands = set()
    for entropy in ("11" * 32, "22" * 32, "33" * 32):
        bots = [c.TakeSeat(seat=seat, name=f"Bot {seat}", nonce="cd" * 32, bot="random") for seat in (1, 2)]
        commands = (opening(options(3), key_of(1))[0], person(0, entropy=entropy), *bots)
        game = after(*commands, c.RevealEntropy(seat=0, entropy=entropy), c.StartGame(key=key_of(1)))
        hands.add(game.cities[0].hand)
    assert len(hands) == 3


def test_a_secret_serves_one_seat():
    """A token must say which seat it is; the host's own is no seat's either."""
    game = outcome(opened(), person(0, "Ada"))[1]
    assert refused(game, replace(person(1, "Bo"), token=game.people[0].token)) is Reason.SEAT_TAKEN
    assert refused(game, replace(person(1, "Bo"), token=game.host)) is Reason.SEAT_TAKEN
    assert outcome(game, person(1, "Bo"))[1].people[1] is not None


@pytest.mark.parametrize("entropy", ["no hex", "1", "zz"])
def test_entropy_that_is_no_hex_is_refused(entropy):
    """A clear refusal, not an error of ours."""
    game = outcome(opened(), person(0))[1]
    for seat in (1, 2):
        game = outcome(game, c.TakeSeat(seat=seat, name=f"Bot {seat}", nonce="cd" * 32, bot="random"))[1]
    assert refused(game, c.RevealEntropy(seat=0, entropy=entropy)) is Reason.WRONG_ENTROPY


def test_who_leaves_in_the_middle_of_the_reveals_makes_everyone_commit_anew():
    """So that a newcomer cannot answer to what was already shown."""
    game = opened()
    for seat in range(3):
        game = outcome(game, person(seat, f"P{seat}", f"{seat}{seat}" * 32))[1]
    game = outcome(game, c.RevealEntropy(seat=0, entropy="00" * 32))[1]
    game = outcome(game, c.LeaveSeat(seat=1))[1]
    assert [one and one.commitment for one in game.people] == [None, None, None]
    game = outcome(game, person(1, "New", "77" * 32))[1]
    assert refused(game, c.RevealEntropy(seat=1, entropy="77" * 32)) is Reason.NOT_READY
    assert refused(game, c.CommitEntropy(seat=1, entropy="00" * 32)) is Reason.ALREADY_READY
    for seat in (0, 2):
        game = outcome(game, c.CommitEntropy(seat=seat, entropy=hashlib.sha256(b"\x55" * 32).hexdigest()))[1]
    for seat, entropy in ((0, "55" * 32), (1, "77" * 32), (2, "55" * 32)):
        game = outcome(game, c.RevealEntropy(seat=seat, entropy=entropy))[1]
    assert outcome(game, c.StartGame(key=key_of(1)))[1].age == 1


def test_a_table_that_never_starts_expires():
    game = opened()
    assert due(game, START) is None
    assert isinstance(due(game, START + 1000), c.CloseGame)
    _, closed = outcome(game, c.CloseGame(at=START + 1000, key=key_of(1)))
    assert isinstance(closed.phase, Over)
    assert closed.phase.reason == "expired"
    assert due(closed, START + 10**12) is None
    for command in (person(0), c.CancelTable(), c.CloseGame(), c.LeaveSeat(seat=0)):
        assert refused(closed, command) is Reason.GAME_OVER
