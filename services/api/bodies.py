"""What may be asked over HTTP, one shape a request; keys are the position document's where the thing is the same."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct
from msgspec.structs import replace

from events.facts import ActValue
from events.vocabulary import BotKind, CardId, Side


def _shown(description: str, **extra: Any) -> Meta:
    """A bound that the document shows and the rules check, so that the refusal is theirs, with its sentence."""
    return Meta(description=description, extra_json_schema=extra)


CommandId = Annotated[
    str,
    Meta(
        pattern="^[A-Za-z0-9_.-]{1,64}$",
        max_length=64,
        description="Made by the client, new for each command; the same request may be repeated with it and is carried out once.",
    ),
]
Hash = Annotated[str, Meta(pattern="^[0-9a-f]{64}$", min_length=64, max_length=64, description="SHA-256, hex.")]
Entropy = Annotated[
    str,
    Meta(pattern="^[0-9a-f]{64}$", min_length=64, max_length=64, description="32 random bytes, hex: this seat's part of the deal."),
]
PublicKey = Annotated[str, Meta(pattern="^[0-9a-f]{64}$", min_length=64, max_length=64, description="An Ed25519 public key, hex.")]
Signature = Annotated[
    str, Meta(pattern="^[0-9a-f]{128}$", min_length=128, max_length=128, description="An Ed25519 signature, hex (docs/audit.md).")
]
Ticket = Annotated[
    str,
    Meta(pattern="^[0-9a-f]{64}$", min_length=64, max_length=64, description="What follows from a seat's code, hex (docs/api.md)."),
]
SealedSeat = Annotated[
    str,
    Meta(pattern="^(?:[0-9a-f]{2}){33,1024}$", max_length=2048, description="A seat's secrets, sealed (docs/api.md), hex."),
]
Word = Annotated[str, Meta(min_length=1, max_length=64)]
Seat = Annotated[int, Meta(ge=0, le=6, description="A chair, counted from 0.")]
City = Annotated[int, Meta(ge=0, le=6, description="The city chosen for; the caller's own where left out, 2 for the Free City.")]
Coins = Annotated[int, _shown("Coins paid to this neighbour.", minimum=0)]
Wonders = Annotated[tuple[Word, ...], Meta(max_length=20, description="Boards that may come up; all of the box where left out.")]
TurnSeconds = Annotated[int, _shown("Time for each choice; no clock where left out.", minimum=10, maximum=604_800)]
Age = Annotated[int, _shown("The Age that the choice is for.", minimum=1, maximum=3)]
Turn = Annotated[int, _shown("The turn that the choice is for.", minimum=1, maximum=6)]
Number = Annotated[int, _shown("Rises within a question; the highest counts.", minimum=1, maximum=1_000_000)]


class Body(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A request to change something.  Unknown keys are refused."""

    command_id: CommandId


class SeenHead(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The head of the log that the player had before the eyes."""

    version: Annotated[int, Meta(ge=1, le=1_000_000)]
    link: Hash


# ---- tables -----------------------------------------------------------------------------------------------------------
class RulesTable(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Options one by one; what is left out is the booklet's."""

    edifice_tokens: Literal["cities-1", "printed"] = "cities-1"
    edifice_reward: Literal["age-end", "at-once"] = "age-end"
    edifice_penalty: Literal["after-conflicts", "before-conflicts"] = "after-conflicts"
    free_city_control: Literal["age", "turn"] = "age"


class FreeCity(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The Free City's board, fixed by the host."""

    wonder: Word
    side: Side


class OpenTable(Body, frozen=True, kw_only=True, omit_defaults=True):
    """Open a table.  host: SHA-256 of the host's secret."""

    host: Hash
    players: Annotated[int, _shown("How many play.", minimum=2, maximum=7)]
    edifice: bool
    rules: Literal["booklet", "publisher"] | RulesTable = "booklet"
    wonders: Wonders | None = None
    boards: Literal["dealt", "chosen"] = "dealt"
    sides: Literal["dealt", "day", "night"] = "dealt"
    free_city: FreeCity | None = None
    turn_seconds: TurnSeconds | None = None
    listed: bool = True


class Rematch(Body, frozen=True, kw_only=True, omit_defaults=True):
    """The same table again.  host: SHA-256 of the new host's secret."""

    host: Hash


class SitDown(Body, frozen=True, kw_only=True, omit_defaults=True):
    """A person takes a seat.  token: SHA-256 of the seat's secret; entropy: SHA-256 of the 32 bytes revealed later; public_key: the
    Ed25519 key that will sign every move of this seat (docs/audit.md), left out for an unsigned one."""

    name: Annotated[str, _shown("Shown to all; 1 to 40 printable characters.", minLength=1, maxLength=40)]
    token: Hash
    entropy: Hash
    seat: Seat | None = None
    wonder: Word | None = None
    side: Side | None = None
    public_key: PublicKey | None = None


class SeatBot(Body, frozen=True, kw_only=True, omit_defaults=True):
    """The host gives a seat to a bot."""

    bot: BotKind
    name: Annotated[str, _shown("Shown to all; 1 to 40 printable characters.", minLength=1, maxLength=40)] | None = None
    seat: Seat | None = None
    wonder: Word | None = None
    side: Side | None = None


class FillSeats(Body, frozen=True, kw_only=True, omit_defaults=True):
    """The host gives every free seat to a bot of this kind."""

    fill: BotKind


class Reveal(Body, frozen=True, kw_only=True, omit_defaults=True):
    """Ready: this seat's part of the deal is opened."""

    entropy: Entropy


class CommitAnew(Body, frozen=True, kw_only=True, omit_defaults=True):
    """A new commitment, after a seat had left during the reveals."""

    commitment: Hash


class LayDown(Body, frozen=True, kw_only=True, omit_defaults=True):
    """A seat's secrets, to be taken up by another device that knows the code."""

    ticket: Ticket
    sealed: SealedSeat


class TakeBack(Body, frozen=True, kw_only=True, omit_defaults=True):
    """This code of one's own seat is not to be used any more."""

    ticket: Ticket


class Claim(Body, frozen=True, kw_only=True, omit_defaults=True):
    """Whoever knows the code takes the seat."""

    ticket: Ticket


class LookFor(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A question that changes nothing: at which table a code belongs."""

    ticket: Ticket


class CallBot(Body, frozen=True, kw_only=True, omit_defaults=True):
    """Let a bot play on for one's own seat."""

    bot: BotKind = "builder"


# ---- plays ------------------------------------------------------------------------------------------------------------
class Question(Body, frozen=True, kw_only=True, omit_defaults=True):
    """Which question is meant, and what the player saw."""

    age: Age
    turn: Turn
    city: City | None = None
    number: Number | None = None
    seen: SeenHead | None = None


class Withdraw(Question, frozen=True, kw_only=True, omit_defaults=True):
    """Take a choice or an answer back.  signature: of a seat with a key."""

    signature: Signature | None = None


class Signatures(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a seat with a key signs of a choice: act and card apart."""

    act: Signature
    card: Signature


class Play(Question, frozen=True, kw_only=True, omit_defaults=True):
    """A choice or an answer.  signatures: of a seat with a key."""

    signatures: Signatures | None = None


class Build(Play, frozen=True, kw_only=True, omit_defaults=True):
    """Build a card; left, right: coins to each neighbour."""

    build: Word
    left: Coins = 0
    right: Coins = 0


class Stage(Play, frozen=True, kw_only=True, omit_defaults=True):
    """Build the next wonder stage with a card."""

    stage: Word
    left: Coins = 0
    right: Coins = 0
    participate: bool = False
    option: Word | None = None


class Discard(Play, frozen=True, kw_only=True, omit_defaults=True):
    """Discard a card for coins."""

    discard: Word


class Pick(Play, frozen=True, kw_only=True, omit_defaults=True):
    """Build a card of the discard pile (R41)."""

    pick: Word


class Decline(Play, frozen=True, kw_only=True, omit_defaults=True):
    """Build nothing of the discard pile."""

    decline: Literal[True]


class Lose(Play, frozen=True, kw_only=True, omit_defaults=True):
    """Give up a building for a failed project (R67)."""

    lose: Word


Choice = Build | Stage | Discard
Answer = Build | Stage | Discard | Pick | Decline | Lose


def act(body: Answer) -> tuple[ActValue, CardId | None]:
    """What was chosen, with the act's signature, and with which card."""
    chosen, card = _unsigned(body)
    return (chosen if body.signatures is None else replace(chosen, signature=body.signatures.act)), card


def card_signature(body: Answer) -> str | None:
    """The signature of the card."""
    return None if body.signatures is None else body.signatures.card


def _unsigned(body: Answer) -> tuple[ActValue, CardId | None]:
    match body:
        case Build():
            return ActValue(kind="build", left=body.left, right=body.right), body.build
        case Stage():
            act = ActValue(kind="stage", left=body.left, right=body.right, participate=body.participate, option=body.option)
            return act, body.stage
        case Discard():
            return ActValue(kind="discard"), body.discard
        case Pick():
            return ActValue(kind="pick"), body.pick
        case Decline():
            return ActValue(kind="decline"), None
        case Lose():
            return ActValue(kind="lose"), body.lose
