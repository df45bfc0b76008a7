"""What lies in the box: cards, boards and projects, and what each of them does."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from events.vocabulary import CardId, CardType, Resource, Scope, Side, Symbol


class Effect(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="kind"):
    """Something that a card, a stage or a project does."""


class Produce(Effect, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="produce"):
    """Each turn `amount` units of one of `any_of`; neighbours may buy them if `sellable` (R14, R15)."""

    any_of: tuple[Resource, ...]
    amount: Literal[1, 2]
    sellable: bool


class Discount(Effect, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="discount"):
    """Units of these resources from these neighbours cost `price` each (R16)."""

    price: int
    sellers: tuple[Literal["left", "right"], ...]
    resources: tuple[Resource, ...]


class Points(Effect, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="points"):
    """Points at the end."""

    amount: int


class Coins(Effect, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="coins"):
    """Coins from the bank, once, at once."""

    amount: int


class Shields(Effect, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="shields"):
    """Shields, for good."""

    amount: int


class Science(Effect, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="science"):
    """One symbol of `any_of`; with more than one the best is taken at the end (R32)."""

    any_of: tuple[Symbol, ...]


class CoinsPerCard(Effect, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="coins_per_card"):
    """Coins at once for each card of these types in the cities in scope (R12)."""

    amount: int
    types: tuple[CardType, ...]
    scope: tuple[Scope, ...]


class PointsPerCard(Effect, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="points_per_card"):
    """Points at the end for each card of these types in the cities in scope."""

    amount: int
    types: tuple[CardType, ...]
    scope: tuple[Scope, ...]


class CoinsPerStage(Effect, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="coins_per_stage"):
    """Coins at once for each built stage in the cities in scope."""

    amount: int
    scope: tuple[Scope, ...]


class PointsPerStage(Effect, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="points_per_stage"):
    """Points at the end for each built stage in the cities in scope."""

    amount: int
    scope: tuple[Scope, ...]


class PointsIfWonderComplete(Effect, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="points_if_wonder_complete"):
    """Points at the end if all stages of the own board are built."""

    amount: int


class PlayLastCard(Effect, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="play_last_card"):
    """The last card of an Age is played (R40)."""


class BuildFromDiscard(Effect, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="build_from_discard"):
    """One card of the discard pile is built for nothing (R41)."""


class FreeFirstOfColour(Effect, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="free_first_of_colour"):
    """The first card of each colour is free (R30)."""


class FreeFirstOfAge(Effect, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="free_first_of_age"):
    """The card built with an Age's first choice is free (R31)."""


class FreeLastOfAge(Effect, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="free_last_of_age"):
    """The card built with an Age's sixth choice is free (R31)."""


class VictoryToken(Effect, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="victory_token"):
    """A conflict token worth `points` (R69)."""

    points: int


class DropDefeats(Effect, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="drop_defeats"):
    """All own defeat tokens go back (R69)."""


class PointsPerPair(Effect, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="points_per_pair"):
    """Points at the end for each pair of one card of each type (R70)."""

    points: int
    types: tuple[CardType, CardType]


class PointsPerColour(Effect, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="points_per_colour"):
    """Points at the end for each colour among the own buildings (R70)."""

    points: int


class RepeatGuild(Effect, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="repeat_guild"):
    """The own guild that adds most counts once more (R70)."""


class Token(Effect, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="token"):
    """A participation token from the box, of one of these Ages (R73)."""

    ages: tuple[int, ...]


class OneOf(Effect, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="one_of"):
    """The owner takes one of the options when the stage is built (R33)."""

    options: dict[str, tuple[AnyEffect, ...]]


AnyEffect = (
    Produce | Discount | Points | Coins | Shields | Science | CoinsPerCard | PointsPerCard | CoinsPerStage | PointsPerStage
    | PointsIfWonderComplete | PlayLastCard | BuildFromDiscard | FreeFirstOfColour | FreeFirstOfAge | FreeLastOfAge
    | VictoryToken | DropDefeats | PointsPerPair | PointsPerColour | RepeatGuild | Token | OneOf
)  # fmt: skip


class LoseCoins(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="kind", tag="lose_coins"):
    """Coins go to the bank (R66)."""

    amount: int


class DiscardBuilding(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="kind", tag="discard"):
    """One own building of the type goes to the discard pile (R67)."""

    type: CardType


class LoseVictoryTokens(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="kind", tag="lose_victory_tokens"):
    """Victory tokens of the lowest value go (R68)."""

    amount: int


Penalty = LoseCoins | DiscardBuilding | LoseVictoryTokens
Cost = dict[Resource | Literal["coins"], int]


class Card(Struct, frozen=True, kw_only=True, eq=False, forbid_unknown_fields=True):
    """An Age card or a guild.  `copies`: one entry a copy, the smallest player count that uses it (R4)."""

    id: CardId
    name: str
    age: int
    type: CardType
    colour: str
    cost: Cost
    effects: tuple[AnyEffect, ...]
    copies: tuple[int, ...]
    free_from: tuple[CardId, ...]
    allows: tuple[CardId, ...]


class StageFacts(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One wonder stage: its cost and what it does."""

    cost: Cost
    effects: tuple[AnyEffect, ...]


class Face(Struct, frozen=True, kw_only=True, eq=False):
    """One side of a wonder board."""

    wonder: str
    side: Side
    name: str
    produces: Resource
    stages: tuple[StageFacts, ...]
    needs_edifice: bool


class Project(Struct, frozen=True, kw_only=True, eq=False, forbid_unknown_fields=True):
    """One of the fifteen projects; `coins` is what taking part costs on top of the stage (R62)."""

    id: str
    name: str
    age: int
    coins: int
    reward: tuple[AnyEffect, ...]
    penalty: Penalty
