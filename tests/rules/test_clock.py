"""Time and persons: what is chosen for whoever is late, bots that stand in, and games that end unfinished."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from events import commands as c, facts as f
from events.refusals import Reason, Refusal
from events.rules import Game, decide, due, legal, outcome, waking
from events.rules.clock import awaited, default_play
from events.rules.due import ABANDONED_MS
from events.rules.state import Extra, Over, Person
from tests.rules.driver import options, own_card, steps
from tests.rules.positions import answer, build, choose, city, discard, ending, lose, of, play, projects, settle, stage, table

MINUTE = 60_000


def people(game: Game, **more: Any) -> Game:
    """The same table with a person on every seat and a deadline at one minute."""
    seats = tuple(Person(name=f"Player {seat + 1}", token="00", **more) for seat in range(len(game.people)))
    phase = replace(game.phase, deadline=MINUTE) if hasattr(game.phase, "deadline") else game.phase
    return replace(game, people=seats, phase=phase, options=replace(game.rules, turn_ms=MINUTE))


def refused(game: Game, command: Any) -> Reason:
    with pytest.raises(Refusal) as found:
        decide(game, command)
    return found.value.reason


def test_a_person_is_waited_for_until_the_deadline():
    game = people(table())
    assert due(game, MINUTE - 1) is None
    assert waking(game) == MINUTE
    assert due(game, MINUTE) == c.TimeOut(at=MINUTE, seat=0, city=0)
    assert refused(game, c.TimeOut(at=MINUTE - 1, seat=0, city=0)) is Reason.NOTHING_DUE


def test_a_bot_is_due_at_once():
    assert due(table(), 0) == c.PlayBot(at=0, seat=0, city=0)
    assert waking(table()) == 0


def test_who_is_late_discards_the_first_card_in_catalogue_order():
    """The written default: sealed like a choice."""
    game = people(table(city("gizah", hand=("palace", "altar", "theater"))))
    events, after = outcome(game, c.TimeOut(at=MINUTE, seat=0, city=0))
    told = events[0]
    assert (told.act.value.kind, told.card.value.card, told.act.readers, told.question) == ("discard", "altar", (0,), None)
    assert (told.number, told.missed) == (1, 1)
    assert awaited(after) == ((1, 1), (2, 2))
    assert refused(after, c.TimeOut(at=MINUTE, seat=0, city=0)) is Reason.NOTHING_DUE


def test_who_is_late_may_still_change_the_choice_until_the_last_has_chosen():
    """A choice by the clock is a choice like any other."""
    game = people(table(city("gizah", hand=("altar",))))
    _, game = outcome(game, c.TimeOut(at=MINUTE, seat=0, city=0))
    game = choose(game, 0, build("altar"))
    assert game.people[0].missed == 0


def test_after_three_misses_in_a_row_a_bot_plays_on():
    """And the person may take the seat back."""
    game = people(table(), missed=2)
    events, game = outcome(game, c.TimeOut(at=MINUTE, seat=1, city=1))
    assert [type(event).__name__ for event in events] == ["SeatTimedOut", "SeatHandedToBot"]
    assert events[1].bot == "builder"
    assert game.people[1].plays_itself == "builder"
    assert refused(game, c.HandToBot(seat=1, bot="random")) is Reason.NOT_ALLOWED
    _, game = outcome(game, c.ReclaimSeat(seat=1))
    assert (game.people[1].plays_itself, game.people[1].missed) == (None, 0)
    assert refused(game, c.ReclaimSeat(seat=1)) is Reason.NOT_ALLOWED


def test_late_for_a_pick_declines_late_for_the_last_card_discards_it():
    """R40, R41, R43: the defaults of extra questions, carried out at once."""
    mine = city("halikarnassos", "day", "glassworks-1", "press-1", stages=1)
    _, game = play(table(mine, discard=("palace",)), stage())
    events, after = outcome(people(game), c.TimeOut(at=MINUTE, seat=0, city=0))
    assert (events[0].act.value.kind, events[0].question) == ("decline", "pick")
    assert after.turn == 2
    _, game = play(table(city("babylon", "night", stages=1, hand=("tavern", "altar")), turn=6), discard("tavern"))
    events, after = outcome(people(game), c.TimeOut(at=MINUTE, seat=0, city=0))
    assert events[0].act.value.kind == "discard"
    assert after.cities[0].coins == 3 + 3 + 3


def test_late_for_a_loss_the_first_in_catalogue_order_goes():
    """R67: the others' answers stand; nothing is carried out before the last."""
    cities = city("gizah", "day", "tavern", "forum"), city("rhodos", "day", "vineyard", "bazar")
    game = ending(table(*cities, projects=projects("artisan-district"), tokens=1), "edifice", "deal")
    _, game = settle(game)
    _, game = answer(people(game), 1, lose("bazar"))
    events, game = outcome(game, c.TimeOut(at=MINUTE, seat=0, city=0))
    assert [(type(event).__name__, event.card.value.card) for event in events] == [("SeatTimedOut", "tavern")]
    assert isinstance(due(game, MINUTE), c.EvaluateEdifice)
    assert isinstance(game.phase, Extra)
    events, game = settle(game)
    assert [event.card for event in of(events, f.PenaltySuffered)][:2] == ["tavern", "bazar"]


def test_the_default_is_always_a_legal_play():
    """In every question of random games, the Free City's too."""
    count = 0
    for rules in (options(3, True), options(2, True)):
        for step in steps(rules, 21):
            for _, place in awaited(step.after):
                if place != step.after.free or own_card(step.after, place) or isinstance(step.after.phase, Extra):
                    assert default_play(step.after, place) in legal(step.after, place, own_card(step.after, place))
                    count += 1
    assert count > 150


def test_a_whole_game_of_people_who_never_choose_comes_to_its_end():
    """Liveness: the clock alone carries a game from the first deal to the sheets."""
    game = people(next(step.after for step in steps(options(3, True), 6) if step.after.age == 1))
    now, commands = game.at, 0
    while (command := due(game, now)) or game.phase.__class__ is not Over:
        if command is None:
            now = waking(game)
            continue
        if isinstance(command, c.PlayBot):
            found = default_play(game, command.city)
            act = f.ActValue(kind=found.kind, option=found.options[0] if found.options else None)
            kind = c.AnswerExtra if isinstance(game.phase, Extra) else c.ChooseAction
            command = kind(at=now, seat=command.seat, city=command.city, age=game.age, turn=game.turn, card=found.card, act=act)
        game = outcome(game, replace(command, key=bytes(32)) if hasattr(command, "key") else command)[1]
        commands += 1
    assert isinstance(game.phase, Over)
    assert game.phase.reason == "finished"
    assert commands >= 18 * 3


def test_a_clock_can_only_be_extended():
    game = people(table())
    _, later = outcome(game, c.ExtendClock(at=5, deadline=2 * MINUTE))
    assert later.phase.deadline == 2 * MINUTE
    for deadline in (MINUTE, MINUTE - 1):
        assert refused(game, c.ExtendClock(at=5, deadline=deadline)) is Reason.NOTHING_DUE
    assert refused(table(), c.ExtendClock(at=5, deadline=MINUTE)) is Reason.NOTHING_DUE


def test_without_a_clock_a_game_that_nobody_plays_is_closed():
    game = replace(people(table()), phase=table().phase)
    assert due(game, ABANDONED_MS - 1) is None
    assert due(game, ABANDONED_MS) == c.CloseGame(at=ABANDONED_MS)
    assert waking(game) == ABANDONED_MS
    events, after = outcome(game, c.CloseGame(at=ABANDONED_MS, key=bytes(32)))
    assert events[0].reason == "abandoned"
    assert waking(after) is None


def test_all_people_together_may_end_a_game():
    """Bots are not asked."""
    game = people(table())
    game = replace(game, people=(*game.people[:2], Person(name="Bot", bot="random")))
    events, game = outcome(game, c.AgreeAbort(seat=0))
    assert [type(event).__name__ for event in events] == ["AbortAgreed"]
    assert refused(game, c.AgreeAbort(seat=0)) is Reason.ALREADY_READY
    events, game = outcome(game, c.AgreeAbort(seat=1, key=b"\1" * 32))
    assert (events[1].reason, events[1].key) == ("aborted", "01" * 32)
    assert refused(game, c.AgreeAbort(seat=1)) is Reason.GAME_OVER


def test_a_host_closes_only_what_nobody_plays():
    game = people(table())
    assert refused(game, c.CancelTable()) is Reason.NOT_ALLOWED
    assert decide(table(), c.CancelTable(key=bytes(32)))[0].reason == "aborted"


def test_over_is_over():
    """Every command of a seat is refused when the game is closed."""
    over = list(steps(options(3), 1))[-1].after
    act = f.ActValue(kind="discard")
    for command in (
        c.ChooseAction(seat=0, city=0, age=3, turn=6, card="altar", act=act), c.WithdrawAction(seat=0, city=0, age=3, turn=6),
        c.AnswerExtra(seat=0, city=0, age=3, turn=6, card="altar", act=act), c.WithdrawExtra(seat=0, city=0, age=3, turn=6),
        c.HandToBot(seat=0, bot="random"), c.ReclaimSeat(seat=0), c.AgreeAbort(seat=0), c.CloseGame(), c.CancelTable(),
        c.LeaveSeat(seat=0), c.RemoveSeat(seat=0), c.StartGame(), c.RevealEntropy(seat=0, entropy="00"),
    ):  # fmt: skip
        assert refused(over, command) is Reason.GAME_OVER
    for command in (c.RevealTurn(), c.ResolveConflicts(), c.EvaluateEdifice(), c.DealAge(), c.ScoreGame()):
        assert refused(over, command) is Reason.NOTHING_DUE
    assert refused(over, c.OpenGame(game="x", host="", options=options(3), key=b"", expires=0)) is Reason.ALREADY_STARTED
    assert (due(over, 10**15), waking(over)) == (None, None)


@pytest.mark.parametrize("command", [
    c.RevealTurn(), c.ResolveConflicts(), c.EvaluateEdifice(), c.DealAge(), c.ScoreGame(), c.TimeOut(seat=0, city=0),
    c.ExtendClock(deadline=1),
])  # fmt: skip
def test_nothing_is_done_twice_or_too_early(command):
    """Whatever a job repeats: a step that is not due changes nothing."""
    assert refused(table(projects=projects()), command) is Reason.NOTHING_DUE


def test_answers_may_be_taken_back_while_others_are_awaited():
    """R67."""
    cities = city("gizah", "day", "tavern", "forum"), city("rhodos", "day", "vineyard", "bazar")
    _, game = settle(ending(table(*cities, projects=projects("artisan-district"), tokens=1), "edifice", "deal"))
    back = c.WithdrawExtra(seat=0, city=0, age=1, turn=6)
    assert refused(game, back) is Reason.NOTHING_TO_WITHDRAW
    _, game = answer(game, 0, lose("forum"))
    events, game = outcome(game, back)
    assert (events[0].number, awaited(game)) == (2, ((0, 0), (1, 1)))
    stale = c.WithdrawExtra(seat=0, city=0, age=1, turn=5)
    assert refused(game, stale) is Reason.STALE_CHOICE
