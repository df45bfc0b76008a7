"""The one way in: each command once, races decided again, refusals without a trace, caches that may be dropped."""

from __future__ import annotations

import random
import threading
from typing import Any

import pytest
from msgspec.structs import replace

from events import codec, commands as c, facts as f
from events.catalogue import current
from events.facts import ActValue
from events.refusals import Reason, Refusal
from events.rules import due, fold, initial
from events.rules.state import Choosing
from events.store.memory import MemoryStore
from events.store.protocol import Accepted, Append, CommandReused, Conflict
from events.transact import ATTEMPTS, Receipt, Table, UnknownGame
from tests.games import Clock, Sitting, options
from tests.rules.driver import chosen, command_of, key_of, opening

RULES = options(3)


def first_age(seed: int = 1) -> Sitting:
    """A table in its first turn, with people on all seats."""
    sitting = Sitting(RULES, seed)
    sitting.start()
    return sitting


def choice(sitting: Sitting, seat: int = 0) -> c.ChooseAction:
    """Discard the first card of the hand."""
    card = sitting.game.cities[seat].hand[0]
    assert card is not None
    return c.ChooseAction(seat=seat, city=seat, age=1, turn=1, card=card, act=ActValue(kind="discard"))


def log(sitting: Sitting) -> list[Any]:
    return sitting.entries


# ---- receipts -----------------------------------------------------------------------------------------------------------
def test_a_receipt_names_the_head_of_the_log():
    """Version, link and time of what was appended."""
    sitting = first_age()
    receipt = sitting.table.transact(sitting.id, choice(sitting))
    version, link = sitting.store.head(sitting.id)
    assert receipt == Receipt(game=sitting.id, version=version, link=link.hex(), at=sitting.clock.now)


def test_links_run_through_the_whole_log():
    sitting = first_age()
    link = codec.first_link(sitting.id)
    for _, entry in log(sitting):
        link = codec.next_link(link, entry.e)
        assert entry.l == link


def test_the_key_is_beside_the_log_and_never_in_it():
    sitting = first_age()
    assert sitting.store.key(sitting.id) == sitting.key
    assert not any(sitting.key.hex().encode() in entry.e + (entry.s or b"") for _, entry in log(sitting))


# ---- once ---------------------------------------------------------------------------------------------------------------
def test_a_repeated_command_gets_the_first_answer_and_appends_nothing():
    """A dropped reply is harmless."""
    sitting = first_age()
    command = choice(sitting)
    first = sitting.table.transact(sitting.id, command, actor="seat:x", command_id="one", body=b"body")
    sitting.clock.now += 5000
    before = log(sitting)
    assert sitting.table.transact(sitting.id, command, actor="seat:x", command_id="one", body=b"body") == first
    assert Table(sitting.store).transact(sitting.id, command, actor="seat:x", command_id="one", body=b"body") == first
    assert log(sitting) == before


def test_it_gets_the_first_answer_even_when_the_table_would_refuse_it_now():
    """The turn is over, the seat is taken, the game has started: it was accepted, and says so."""
    clock = Clock()
    table = Table(MemoryStore(clock))
    seen = []
    for number, command in enumerate(opening(replace(RULES, players=3), key_of(1), "g")):
        seen.append((number, command, table.transact("g", command, actor="host", command_id=f"c{number}", body=b"b")))
    head = table.store.head("g")
    for number, command, receipt in seen:
        assert table.transact("g", command, actor="host", command_id=f"c{number}", body=b"b") == receipt
    assert table.store.head("g") == head


def test_the_same_id_with_another_body_is_refused():
    """Whether the table would take the command or not; another actor's id is another one."""
    sitting = first_age()
    command = choice(sitting)
    sitting.table.transact(sitting.id, command, actor="seat:x", command_id="one", body=b"body")
    before = log(sitting)
    for again in (command, replace(command, turn=5)):
        with pytest.raises(CommandReused):
            sitting.table.transact(sitting.id, again, actor="seat:x", command_id="one", body=b"other")
    assert log(sitting) == before
    assert sitting.table.transact(sitting.id, command, actor="seat:y", command_id="one", body=b"other").version == before[-1][0] + 1


def test_every_command_of_a_whole_game_sent_twice_changes_nothing():
    """The game with each command repeated is the game without, byte for byte."""
    once, twice = MemoryStore(Clock()), MemoryStore(Clock())
    logs = []
    for store, times in ((once, 1), (twice, 2)):
        table, luck = Table(store), random.Random(3)
        waiting: list[c.AnyCommand] = opening(options(4, True), key_of(3), "g")
        number = 0
        while True:
            game = table.load("g").game if number else initial(current())
            command = waiting.pop(0) if waiting else due(game, store.now())
            if command is None:
                break
            if isinstance(command, c.PlayBot):
                command = command_of(game, command.seat, command.city, *chosen(game, command.city, luck, eager=True))
            number += 1
            answers = {table.transact("g", command, actor="a", command_id=f"c{number}", body=b"b").version for _ in range(times)}
            assert len(answers) == 1
        logs.append(store.read("g"))
    assert logs[0] == logs[1]
    assert len(logs[0]) > 200


# ---- races --------------------------------------------------------------------------------------------------------------
def test_two_processes_at_one_table_catch_up_with_each_other():
    """Each keeps its own folded game; neither needs the other."""
    sitting = first_age()
    other = Table(sitting.store)
    other.load(sitting.id)
    for seat, table in ((0, sitting.table), (1, other), (2, sitting.table)):
        table.transact(sitting.id, choice(sitting, seat))
    other.step(sitting.id, lambda kept: due(kept.game, kept.game.at))
    assert sitting.table.load(sitting.id) == other.load(sitting.id)
    assert other.load(sitting.id).game.turn == 2


class Overtaken(MemoryStore):
    """A store where somebody else is always a little faster."""

    lost = 0

    def append(self, request: Append) -> Accepted:
        if self.lost:
            self.lost -= 1
            raise Conflict(request.expected + 1)
        return super().append(request)


def test_a_lost_race_is_decided_again():
    """As often as it takes, within reason; and then the conflict is said, with nothing written."""
    sitting = Sitting(RULES, store=Overtaken(Clock()))
    sitting.start()
    sitting.store.lost = 5
    receipt = sitting.table.transact(sitting.id, choice(sitting))
    assert receipt.version == sitting.store.head(sitting.id)[0]
    before = log(sitting)
    sitting.store.lost = ATTEMPTS
    with pytest.raises(Conflict):
        sitting.table.transact(sitting.id, choice(sitting, 1))
    assert log(sitting) == before


def test_seven_people_choose_at_the_same_moment():
    """Nobody's choice is lost, and none is refused because another was quicker."""
    sitting = Sitting(options(7))
    sitting.start()
    tables = [Table(sitting.store) for _ in range(7)]
    commands = [choice(sitting, seat) for seat in range(7)]
    failed: list[BaseException] = []

    def send(seat: int) -> None:
        try:
            tables[seat].transact(sitting.id, commands[seat])
        except (Refusal, Conflict) as error:
            failed.append(error)

    threads = [threading.Thread(target=send, args=(seat,)) for seat in range(7)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=30)
    assert failed == []
    phase = sitting.game.phase
    assert isinstance(phase, Choosing)
    assert all(phase.choices)


def test_a_choice_decided_again_after_the_turn_went_on_is_stale():
    """What lost the race against the reveal is told so."""
    sitting = first_age()
    late = choice(sitting, 0)
    for seat in range(3):
        sitting.table.transact(sitting.id, choice(sitting, seat))
    sitting.table.step(sitting.id, lambda kept: due(kept.game, kept.game.at))
    with pytest.raises(Refusal) as refused:
        sitting.table.transact(sitting.id, late)
    assert refused.value.reason is Reason.STALE_CHOICE


# ---- refusals -------------------------------------------------------------------------------------------------------------
def test_a_refusal_leaves_no_trace():
    """No entry, no command id, no change of the wake-up time: with the same id the right command goes through."""
    sitting = first_age()
    before, wakes = log(sitting), sitting.store.overdue(0, 10**15)
    wrong = replace(choice(sitting), card="palace")
    with pytest.raises(Refusal):
        sitting.table.transact(sitting.id, wrong, actor="seat:x", command_id="one", body=b"body")
    assert (log(sitting), sitting.store.overdue(0, 10**15)) == (before, wakes)
    right = sitting.table.transact(sitting.id, choice(sitting), actor="seat:x", command_id="one", body=b"body")
    assert right.version == before[-1][0] + 1


def test_what_a_seat_says_that_it_saw_must_be_so():
    """A choice may name the head that its player saw: a link that the log has at that version, and no other."""
    sitting = first_age()
    version, link = sitting.store.head(sitting.id)
    for wrong, text in ((version, "00" * 32), (version + 1, link.hex()), (0, link.hex()), (version - 1, link.hex())):
        seen = f.Seen(version=wrong, link=text)
        with pytest.raises(Refusal) as refused:
            sitting.table.transact(sitting.id, replace(choice(sitting), seen=seen))
        assert refused.value.reason is Reason.WRONG_SEEN
    sitting.table.transact(sitting.id, replace(choice(sitting), seen=f.Seen(version=version, link=link.hex())))
    sitting.table.transact(sitting.id, replace(choice(sitting, 1), seen=f.Seen(version=version, link=link.hex())))
    told = sitting.events[-1]
    assert isinstance(told, f.ActionChosen)
    assert told.seen == f.Seen(version=version, link=link.hex())


def test_an_unknown_game_is_unknown():
    with pytest.raises(UnknownGame):
        Table(MemoryStore()).load("nowhere")
    with pytest.raises(UnknownGame):
        Table(MemoryStore()).transact("nowhere", c.StartGame())


def test_a_table_is_opened_once():
    sitting = Sitting(RULES)
    again = c.OpenGame(game=sitting.id, host="11" * 32, options=RULES, key=key_of(9), expires=1)
    with pytest.raises(Refusal) as refused:
        sitting.table.transact(sitting.id, again)
    assert refused.value.reason is Reason.ALREADY_STARTED
    assert sitting.store.key(sitting.id) == sitting.key


def test_nothing_to_do_appends_nothing():
    sitting = first_age()
    before = log(sitting)
    assert sitting.table.step(sitting.id, lambda kept: None) is None
    assert log(sitting) == before


# ---- caches -------------------------------------------------------------------------------------------------------------
def test_what_is_kept_is_what_the_log_says():
    """Dropped at any moment, folded again from the first entry, it is the same."""
    sitting = Sitting(options(4, True), 5).play(until=lambda game: game.age == 2)
    kept = sitting.table.load(sitting.id)
    sitting.table.forget(sitting.id)
    assert sitting.table.load(sitting.id) == kept
    events = [codec.read(version, entry.e, entry.s, sitting.names) for version, entry in log(sitting)]
    assert fold(initial(current()), events) == kept.game


def test_an_erased_name_is_gone_after_forgetting():
    """And the log is untouched."""
    sitting = first_age()
    before = log(sitting)
    path = next(iter(sitting.names))
    assert sitting.table.load(sitting.id).game.people[0].name == "Ada"
    assert sitting.store.erase_name(sitting.id, path)
    sitting.table.forget(sitting.id)
    game = sitting.table.load(sitting.id).game
    assert [person and person.name for person in game.people] == [None, "Bo", "Cy"]
    assert game.called(0) == "seat 1"
    assert log(sitting) == before


def test_time_never_runs_backwards_in_a_log():
    """A store whose clock is set back: events keep the time of the last one."""
    sitting = first_age()
    sitting.clock.now -= 10_000
    sitting.table.transact(sitting.id, choice(sitting))
    times = [codec.parse(entry.e).at for _, entry in log(sitting)]
    assert times == sorted(times)
