"""Moves that nobody can deny or invent: what a player's key signs, and whether a signature is that player's.

A signed message is UTF-8 text, its lines joined by a line feed:

    wonderlog/1 act | wonderlog/1 card | wonderlog/1 withdraw
    game · seat · city · age · turn · question (empty in a turn) · number · seen.version · seen.link      (one line each)
    the exact JSON of the value without its `signature` (nothing for a withdrawal: no such line)

So act and card of one choice are bound to one question and one number, and to the head of the log that the player saw.
The host's key signs `wonderlog/1 receipt` or `wonderlog/1 head`, game, version and link (hex).
Keys and signatures are Ed25519, in hex.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Literal

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from msgspec import Struct
from msgspec.structs import replace

from events.commands import AnswerExtra, AnyCommand, ChooseAction, TakeSeat, WithdrawAction, WithdrawExtra
from events.facts import ActionChosen, ActionWithdrawn, ActValue, CardValue, ExtraChosen, ExtraWithdrawn, Seen
from events.refusals import Reason, Refusal
from events.rules.state import Extra, Game
from events.sealed import exact

Signable = ChooseAction | WithdrawAction | AnswerExtra | WithdrawExtra
Recorded = ActionChosen | ActionWithdrawn | ExtraChosen | ExtraWithdrawn

_KEY, _SIGNATURE = re.compile("[0-9a-f]{64}"), re.compile("[0-9a-f]{128}")
_UNSIGNED = b',"signature":null}'
WEAK_KEYS = frozenset(
    {
        "0000000000000000000000000000000000000000000000000000000000000000",
        "0100000000000000000000000000000000000000000000000000000000000000",
        "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
        "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
        "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    }
)
"""Points of a small order (their top bit left out): anybody could sign for such a key, so its owner could deny everything."""


class Asked(Struct, frozen=True, kw_only=True):
    """The question that a signature answers.  question: None in a turn."""

    game: str
    seat: int
    city: int
    age: int
    turn: int
    question: str | None
    number: int
    seen: Seen


def _message(what: str, asked: Asked, value: bytes | None) -> bytes:
    lines = [
        f"wonderlog/1 {what}",
        asked.game,
        str(asked.seat),
        str(asked.city),
        str(asked.age),
        str(asked.turn),
        asked.question or "",
        str(asked.number),
        str(asked.seen.version),
        asked.seen.link,
    ]
    text = "\n".join(lines).encode()
    return text if value is None else text + b"\n" + value


def act_message(asked: Asked, act: ActValue) -> bytes:
    """What is signed of a choice's act.

    >>> asked = Asked(game="g", seat=0, city=0, age=1, turn=2, question=None, number=1, seen=Seen(version=9, link="ab"))
    >>> act_message(asked, ActValue(kind="discard")).decode().splitlines()[-1]
    '{"kind":"discard","left":0,"right":0,"participate":false,"option":null}'
    """
    return _message("act", asked, _bare(act))


def card_message(asked: Asked, card: str | None) -> bytes:
    """What is signed of a choice's card (None: declined)."""
    return _message("card", asked, _bare(CardValue(card=card)))


def withdraw_message(asked: Asked) -> bytes:
    """What is signed to take a choice or an answer back."""
    return _message("withdraw", asked, None)


def host_message(what: Literal["receipt", "head"], game: str, version: int, link: str) -> bytes:
    """What the host signs: that a game's log has this link (hex) at this version."""
    return f"wonderlog/1 {what}\n{game}\n{version}\n{link}".encode()


def _bare(value: ActValue | CardValue) -> bytes:
    whole = exact(value if value.signature is None else replace(value, signature=None))
    assert whole.endswith(_UNSIGNED)
    return whole[: -len(_UNSIGNED)] + b"}"


def well_formed(public_key: str) -> bool:
    """Whether this can be a player's key: 32 bytes in lower-case hex, and no key that fits any signature."""
    if not _KEY.fullmatch(public_key):
        return False
    top = int(public_key[62:], 16) & 0x7F
    return f"{public_key[:62]}{top:02x}" not in WEAK_KEYS


@lru_cache(maxsize=4096)
def _public(public_key: str) -> Ed25519PublicKey:
    return Ed25519PublicKey.from_public_bytes(bytes.fromhex(public_key))


def signed_by(public_key: str, message: bytes, signature: str | None) -> bool:
    """Whether a signature (hex) over a message was made with the private part of a key (hex)."""
    if signature is None or not _SIGNATURE.fullmatch(signature) or not _KEY.fullmatch(public_key):
        return False
    try:
        _public(public_key).verify(bytes.fromhex(signature), message)
    except (InvalidSignature, ValueError):
        return False
    return True


def sign(private: Ed25519PrivateKey, message: bytes) -> str:
    """A signature, in hex; the same key and message give the same bytes."""
    return private.sign(message).hex()


# ---- at the door: what the table refuses ------------------------------------------------------------------------------
def refuse_unsigned(game: Game, command: AnyCommand) -> None:
    """Raises Refusal for a key that is none, and for a choice, answer or withdrawal that its seat's key has not signed.

    game: as it stands before the command, which the rules would accept.
    """
    match command:
        case TakeSeat(public_key=str(public_key), bot=bot):
            if bot is not None or not well_formed(public_key):
                raise Refusal(Reason.BAD_OPTIONS, "A person's key is an Ed25519 public key: 64 digits of lower-case hex.")
        case ChooseAction() | WithdrawAction() | AnswerExtra() | WithdrawExtra():
            _refuse_move(game, command)
        case _:
            pass


def _refuse_move(game: Game, command: Signable) -> None:
    person = game.people[command.seat]
    public_key = person.public_key if person is not None else None
    given = signatures_of(command)
    if public_key is None:
        if any(signature is not None for signature in given):
            raise Refusal(Reason.BAD_SIGNATURE, "This seat has no key: a signature of it means nothing.", command.city)
        return
    asked = asked_by(game, command)
    if asked is None or any(signature is None for signature in given):
        raise Refusal(Reason.SIGNATURE_NEEDED, "This seat has a key: a move needs number, seen, and its signatures.", command.city)
    if not all(signed_by(public_key, message, one) for message, one in zip(messages(asked, command), given, strict=True)):
        raise Refusal(Reason.BAD_SIGNATURE, "The signature does not fit this move and the seat's key.", command.city)


def asked_by(game: Game, command: Signable) -> Asked | None:
    """The question that a command answers; None if it leaves out number or seen."""
    if command.number is None or command.seen is None:
        return None
    question = game.phase.question if isinstance(game.phase, Extra) else None
    return Asked(
        game=game.id,
        seat=command.seat,
        city=command.city,
        age=command.age,
        turn=command.turn,
        question=question,
        number=command.number,
        seen=command.seen,
    )


def messages(asked: Asked, command: Signable) -> tuple[bytes, ...]:
    """What must be signed for a command: act and card, or the withdrawal."""
    if isinstance(command, (ChooseAction, AnswerExtra)):
        return act_message(asked, command.act), card_message(asked, command.card)
    return (withdraw_message(asked),)


def signatures_of(command: Signable) -> tuple[str | None, ...]:
    """The signatures that a command brings, in the order of `messages`."""
    if isinstance(command, (ChooseAction, AnswerExtra)):
        return command.act.signature, command.card_signature
    return (command.signature,)


def signed(private: Ed25519PrivateKey, game: Game, command: Signable) -> Signable:
    """The command with its signatures: what a client does before it sends a move.  ValueError without number and seen."""
    asked = asked_by(game, command)
    if asked is None:
        raise ValueError("a signed move has a number and says which head of the log was seen")
    made = tuple(sign(private, message) for message in messages(asked, command))
    if isinstance(command, (ChooseAction, AnswerExtra)):
        return replace(command, act=replace(command.act, signature=made[0]), card_signature=made[1])
    return replace(command, signature=made[0])


def asked_in(game: str, event: Recorded) -> Asked | None:
    """The question that a recorded move answers; None if it says nothing of what was seen."""
    if event.seen is None:
        return None
    return Asked(
        game=game,
        seat=event.seat,
        city=event.city,
        age=event.age,
        turn=event.turn,
        question=event.question if isinstance(event, (ExtraChosen, ExtraWithdrawn)) else None,
        number=event.number,
        seen=event.seen,
    )
