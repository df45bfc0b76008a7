"""Works out by trying everything how a cost can be paid: slow, plain, and from the printed facts alone."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from importlib import resources
from typing import Any

_FOLDER = resources.files("events.catalogue") / "editions" / "first"
BASE: dict[str, Any] = tomllib.loads((_FOLDER / "base.toml").read_text(encoding="utf-8"))
EDIFICE: dict[str, Any] = tomllib.loads((_FOLDER / "edifice.toml").read_text(encoding="utf-8"))
CARDS: dict[str, dict[str, Any]] = {row["id"]: row for row in BASE["card"]}
PROJECTS: dict[str, dict[str, Any]] = {row["id"]: row for row in EDIFICE["project"]}
WONDERS: dict[str, dict[str, Any]] = {row["id"]: row for row in (*BASE["wonder"], *EDIFICE["wonder"])}
CLASSES = (frozenset(BASE["meta"]["raw_materials"]), frozenset(BASE["meta"]["manufactured_goods"]))

Unit = frozenset[str]
"""What one producer's unit may be."""


def stages_of(wonder: str, side: str) -> list[dict[str, Any]]:
    """The stages of one side of a board, as printed."""
    return next(face["stages"] for face in WONDERS[wonder]["face"] if face["side"] == side)


def effects_of(wonder: str, side: str, options: Sequence[str | None], built: Iterable[str], rewards: Iterable[str]) -> list[Any]:
    """Every printed effect that a city has."""
    found = [effect for card in built for effect in CARDS[card]["effects"]]
    for stage, option in zip(stages_of(wonder, side), options, strict=False):
        for effect in stage["effects"]:
            found += effect["options"][option] if effect["kind"] == "one_of" else [effect]
    return found + [effect for project in rewards for effect in PROJECTS[project]["reward"]]


def units(wonder: str, effects: Iterable[Any], for_sale: bool) -> list[Unit]:
    """Each unit that a city makes in a turn, or what neighbours may buy of it (R14, R15)."""
    made = [frozenset([WONDERS[wonder]["produces"]])]
    for effect in effects:
        if effect["kind"] == "produce" and (effect["sellable"] or not for_sale):
            made += [frozenset(effect["any_of"])] * effect["amount"]
    return made


def price(effects: Iterable[Any], side: str, goods: frozenset[str]) -> int:
    """What one unit costs from one side (R16)."""
    for effect in effects:
        if effect["kind"] == "discount" and side in effect["from"] and goods <= set(effect["resources"]):
            return int(effect["price"])
    return 2


def purchases(wanted: Sequence[str], own: list[Unit], left: list[Unit], right: list[Unit]) -> set[tuple[int, int]]:
    """Every (units from the left, units from the right) with which all of `wanted` can be made at once."""
    pools = (own, left, right)
    reached: set[tuple[int, int, int]] = {(0, 0, 0)}
    for resource in wanted:
        following = set()
        for used in reached:
            for pool, units_there in enumerate(pools):
                for place, unit in enumerate(units_there):
                    if resource in unit and not used[pool] >> place & 1:
                        now = list(used)
                        now[pool] |= 1 << place
                        following.add((now[0], now[1], now[2]))
        reached = following
    return {(used[1].bit_count(), used[2].bit_count()) for used in reached}


def payments(
    cost: Mapping[str, int], own: list[Unit], left: list[Unit], right: list[Unit], mine: Iterable[Any], coins: int
) -> list[tuple[int, int]]:
    """Every payment (coins left, coins right) that R10, R16 and R17 allow, sorted."""
    mine = list(mine)
    totals = {(0, 0)}
    for goods in CLASSES:
        wanted = [resource for resource, amount in cost.items() if resource in goods for _ in range(amount)]
        ways = purchases(wanted, *([unit for unit in pool if unit & goods] for pool in (own, left, right)))
        fewest = min((a + b for a, b in ways), default=0)
        at = price(mine, "left", goods), price(mine, "right", goods)
        totals = {
            (to_left + a * at[0], to_right + b * at[1]) for to_left, to_right in totals for a, b in ways if a + b == fewest
        }
    return sorted(total for total in totals if sum(total) + cost.get("coins", 0) <= coins)
