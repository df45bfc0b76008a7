"""A player's own key at work: every choice, answer and withdrawal goes out signed, so that nobody else can have made it."""

from __future__ import annotations

from typing import Any

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from events.facts import Seen
from events.rules.state import Choosing, Extra, Game
from events.signatures import Asked, act_message, card_message, sign, withdraw_message
from services.api.bodies import Build, Decline, Discard, Lose, Pick, Stage, act

Plain = dict[str, Any]
SHAPES: dict[str, Any] = {"build": Build, "stage": Stage, "discard": Discard, "pick": Pick, "decline": Decline, "lose": Lose}


def _private(key: str) -> Ed25519PrivateKey:
    return Ed25519PrivateKey.from_private_bytes(bytes.fromhex(key))


def public_of(key: str) -> str:
    """The public part (hex) of a private key (hex)."""
    return _private(key).public_key().public_bytes(Encoding.Raw, PublicFormat.Raw).hex()


def signed_body(key: str, game: Game, seat: int, seen: Plain, body: Plain) -> Plain:
    """The body of a choice or an answer ({}: a withdrawal) with its number and signatures.  game: as the seat sees it."""
    city = int(body.get("city", seat))
    phase = game.phase
    asked = Asked(
        game=game.id,
        seat=seat,
        city=city,
        age=game.age,
        turn=game.turn,
        question=phase.question if isinstance(phase, Extra) else None,
        number=_last_number(game, city) + 1,
        seen=Seen(version=seen["version"], link=seen["link"]),
    )
    private = _private(key)
    kind = next((kind for kind in SHAPES if kind in body), None)
    if kind is None:
        return {**body, "number": asked.number, "signature": sign(private, withdraw_message(asked))}
    whole = msgspec.convert({"command_id": "-", "age": game.age, "turn": game.turn, **body}, SHAPES[kind])
    chosen, card = act(whole)
    signatures = {"act": sign(private, act_message(asked, chosen)), "card": sign(private, card_message(asked, card))}
    return {**body, "number": asked.number, "signatures": signatures}


def _last_number(game: Game, city: int) -> int:
    phase = game.phase
    if isinstance(phase, Choosing):
        return phase.numbers[city]
    return phase.numbers[phase.cities.index(city)] if isinstance(phase, Extra) and city in phase.cities else 0
