"""A seat with a key: what must be signed, what is refused, and that nothing is changed by a refusal."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from events.commands import ChooseAction, OpenGame, TakeSeat, WithdrawAction
from events.facts import Seen
from events.refusals import Reason, Refusal
from events.rules.state import Choosing
from events.signatures import WEAK_KEYS, act_message, asked_by, signed, well_formed
from events.transact import Kept
from tests.audit.given import HOST_TOKEN, START, Sitting, private_key, public_hex
from tests.rules.driver import chosen, command_of


@pytest.fixture
def table() -> Sitting:
    """Three people, the first two with keys, in the first turn."""
    sitting = Sitting(61, 3, players=3, edifice=False)
    sitting.gather()
    return sitting


def choice(table: Sitting, seat: int) -> tuple[Kept, ChooseAction]:
    """A legal choice with number and seen, not signed yet."""
    kept = table.table.load(table.game)
    act, card = chosen(kept.game, seat, table.luck)
    command: Any = command_of(kept.game, seat, seat, act, card)
    return kept, replace(command, number=1, seen=Seen(version=kept.game.version, link=kept.link.hex()))


def refusal(table: Sitting, command: Any) -> Reason:
    """Why it is refused; the log stays as it was."""
    head = table.store.head(table.game)
    with pytest.raises(Refusal) as refused:
        table.table.transact(table.game, command)
    assert table.store.head(table.game) == head
    return refused.value.reason


def test_a_signed_choice_is_accepted_and_its_signatures_are_sealed(table: Sitting) -> None:
    """Nobody sees them before the reveal: they are part of the sealed values."""
    kept, command = choice(table, 0)
    done: Any = signed(table.keys[0], kept.game, command)
    table.table.transact(table.game, done)
    entry = table.store.read(table.game)[-1][1]
    assert entry.s is not None
    for signature in (done.act.signature, done.card_signature):
        assert signature.encode() in entry.s
        assert signature.encode() not in entry.e


@pytest.mark.parametrize("without", ["number", "seen", "act", "card", "all"])
def test_a_missing_part_is_refused(table: Sitting, without: str) -> None:
    """Number, seen and both signatures are needed."""
    kept, command = choice(table, 0)
    done: Any = signed(table.keys[0], kept.game, command)
    done = {
        "number": lambda: replace(done, number=None),
        "seen": lambda: replace(done, seen=None),
        "act": lambda: replace(done, act=replace(done.act, signature=None)),
        "card": lambda: replace(done, card_signature=None),
        "all": lambda: command,
    }[without]()
    assert refusal(table, done) is Reason.SIGNATURE_NEEDED


@pytest.mark.parametrize("part", ["number", "act", "card", "key", "swapped", "short"])
def test_a_signature_of_something_else_is_refused(table: Sitting, part: str) -> None:
    """One number for act and card, the seat's own key, exactly this move."""
    kept, command = choice(table, 0)
    done: Any = signed(table.keys[0], kept.game, command)
    other = "00" * 64
    forged = {
        "number": lambda: replace(done, number=2),
        "act": lambda: replace(done, act=replace(done.act, signature=other)),
        "card": lambda: replace(done, card_signature=other),
        "key": lambda: signed(table.keys[1], kept.game, command),
        "swapped": lambda: replace(done, act=replace(done.act, signature=done.card_signature), card_signature=done.act.signature),
        "short": lambda: replace(done, card_signature="ab"),
    }[part]()
    assert refusal(table, forged) is Reason.BAD_SIGNATURE


def test_an_old_signature_cannot_be_used_again(table: Sitting) -> None:
    """A signed choice that was taken back is not a choice for good: its number is gone."""
    kept, command = choice(table, 0)
    done = signed(table.keys[0], kept.game, command)
    table.table.transact(table.game, done)
    kept = table.table.load(table.game)
    seen = Seen(version=kept.game.version, link=kept.link.hex())
    back = WithdrawAction(seat=0, city=0, age=1, turn=1, number=2, seen=seen)
    assert refusal(table, back) is Reason.SIGNATURE_NEEDED
    table.table.transact(table.game, signed(table.keys[0], kept.game, back))
    assert refusal(table, done) is Reason.STALE_NUMBER
    phase = table.table.load(table.game).game.phase
    assert isinstance(phase, Choosing)
    assert phase.choices[0] is None


def test_a_head_that_there_is_not_cannot_have_been_seen(table: Sitting) -> None:
    """For a seat without a key, too: another link, a version to come, version 0."""
    _, command = choice(table, 2)
    right = command.seen
    assert right is not None
    for seen in (Seen(version=right.version, link="ab" * 32), replace(right, version=right.version + 1), replace(right, version=0)):
        assert refusal(table, replace(command, seen=seen)) is Reason.WRONG_SEEN
    earlier = table.store.read(table.game)[3]
    table.table.transact(table.game, replace(command, seen=Seen(version=4, link=earlier[1].l.hex())))


def test_a_seat_without_a_key_cannot_sign(table: Sitting) -> None:
    """A signature that nobody can check is worth nothing, and is not kept."""
    kept, command = choice(table, 2)
    assert refusal(table, signed(private_key(2), kept.game, command)) is Reason.BAD_SIGNATURE


@pytest.mark.parametrize("key", ["", "ab", "zz" * 32, "AB" * 32, "ab" * 33, *sorted(WEAK_KEYS), "01" + "00" * 30 + "80"])
def test_a_key_that_is_none_is_refused_when_sitting_down(key: str) -> None:
    """32 bytes in lower-case hex, and none of the points that fit any signature."""
    sitting = Sitting(62, 0, players=3, edifice=False)
    sitting.table.transact(sitting.game, opening(sitting))
    taking = TakeSeat(seat=0, name="Ada", nonce="11" * 32, token="22" * 32, entropy="33" * 32, public_key=key)
    assert refusal(sitting, taking) is Reason.BAD_OPTIONS
    assert not well_formed(key)
    sitting.table.transact(sitting.game, replace(taking, public_key=public_hex(private_key(0))))


def test_a_bot_has_no_key() -> None:
    """The host plays for it."""
    sitting = Sitting(62, 0, players=3, edifice=False)
    sitting.table.transact(sitting.game, opening(sitting))
    taking = TakeSeat(seat=0, name="Bo", nonce="11" * 32, bot="random", public_key=public_hex(private_key(0)))
    assert refusal(sitting, taking) is Reason.BAD_OPTIONS


def opening(sitting: Sitting) -> Any:
    """The command that opens its table."""
    return OpenGame(game=sitting.game, host=HOST_TOKEN, options=sitting.options, key=sitting.key, expires=START + 1000)


def test_what_is_signed_stands_in_the_documentation(table: Sitting) -> None:
    """Line by line, in this order."""
    kept, command = choice(table, 0)
    asked = asked_by(kept.game, command)
    assert asked is not None
    assert act_message(asked, command.act).decode().split("\n")[:10] == [
        "wonderlog/1 act", table.game, "0", "0", "1", "1", "", "1", str(kept.game.version), kept.link.hex(),
    ]  # fmt: skip
