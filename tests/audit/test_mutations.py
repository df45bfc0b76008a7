"""Whatever is changed in a bundle is found: by the audit alone, or by whoever kept a receipt or a signed head.

The default run tries a sample. `pytest tests/audit/test_mutations.py -m slow -s` prints the counts of a sweep through every third
byte and event; with `SWEEP_EVERY=1` before it, through all of them (ten minutes and more).
"""

from __future__ import annotations

import os
import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any

import pytest

from events.refusals import Reason
from events.transact import Receipt
from projections.archive import Unreadable, pack, unpack
from projections.audit import audit
from projections.bundle import MEMBERS
from tests.audit.forger import Forger, changed, leaves
from tests.audit.given import HOST, Played, part_of_a_game, whole_game

ECHOED = {
    ("GameOpened", "at"), ("GameOpened", "host"), ("GameOpened", "expires"), ("GameOpened", "rematch_of"),
    ("GameOpened", "options/listed"), ("GameOpened", "options/wonders"), ("GameOpened", "options/boards"),
    ("GameOpened", "options/sides"), ("GameOpened", "options/edifice_tokens"), ("GameOpened", "options/edifice_reward"),
    ("GameOpened", "options/edifice_penalty"), ("GameOpened", "options/free_city_control"), ("GameOpened", "options/free_city"),
    ("SeatTaken", "at"), ("SeatTaken", "token"), ("SeatTaken", "bot"),
    ("EntropyRevealed", "at"), ("EntropyCommitted", "at"),
    ("ActionChosen", "at"), ("ActionWithdrawn", "at"), ("ExtraChosen", "at"), ("ExtraWithdrawn", "at"), ("SeatTimedOut", "at"),
    ("ActionChosen", "number"), ("ActionWithdrawn", "number"), ("ExtraChosen", "number"), ("ExtraWithdrawn", "number"),
    ("SeatHandedToBot", "at"), ("SeatHandedToBot", "bot"), ("SeatReclaimed", "at"), ("ClockExtended", "deadline"),
    ("AbortAgreed", "at"), ("GameClosed", "at"), ("AgeDealt", "at"), ("ConflictsResolved", "at"), ("EdificeEvaluated", "at"),
}  # fmt: skip
"""What a host may write as it likes where no signature of a seat comes after it, until somebody shows a receipt or a head: what was
asked for, when, by whom without a key, under which number.  docs/audit.md says the same in words."""


def last_head(played: Played) -> Receipt:
    """The host's signature of the end of the log, as a spectator's client keeps it."""
    version, link = played.store.head(played.game) or (0, b"")
    head = HOST.head(played.game, version, link)
    return Receipt(game=played.game, version=version, link=head.link, at=0, signature=head.signature)


def found(raw: bytes, receipts: tuple[Receipt, ...] = ()) -> bool:
    """Whether an audit of these bytes fails."""
    try:
        return not audit(raw, receipts, HOST.public).clean
    except Unreadable:
        return True


# ---- changed bytes, nothing made to fit -------------------------------------------------------------------------------
def flips(raw: bytes, places: Iterable[int]) -> Iterator[tuple[str, bytes]]:
    """One bit changed at a time."""
    for place in places:
        yield f"byte {place}", raw[:place] + bytes([raw[place] ^ (1 << place % 8)]) + raw[place + 1 :]


EVERY = int(os.environ.get("SWEEP_EVERY", "3"))


def member_flips(raw: bytes, step: int) -> Iterator[tuple[str, bytes]]:
    """One bit changed inside a member, and the zip packed again as it should be."""
    members = unpack(raw)
    for name, content in members.items():
        for what, flipped in flips(content, range(0, len(content), step)):
            yield f"{name} {what}", pack({**members, name: flipped})


def line_mutations(raw: bytes, step: int) -> Iterator[tuple[str, bytes]]:
    """Lines deleted, doubled, swapped, cut off; the zip packed again."""
    members = unpack(raw)
    for name in ("events.jsonl", "links.txt", "openings.jsonl", "heads.jsonl"):
        lines = members[name].split(b"\n")[:-1]
        for place in range(0, len(lines), step):
            before, line, after = lines[:place], lines[place], lines[place + 1 :]
            tries = {"deleted": before + after, "doubled": [*before, line, line, *after], "cut": [*before, line[:-1], *after]}
            if after:
                tries["swapped"] = [*before, after[0], line, *after[1:]]
                tries["ended"] = [*before, line]
            for what, changed_lines in tries.items():
                if all(NAME in one for one in set(lines) - set(changed_lines)) and len(changed_lines) < len(lines):
                    continue  # a name may be left out: it can be erased
                yield f"{name} line {place + 1} {what}", pack({**members, name: b"".join(one + b"\n" for one in changed_lines)})


NAME = b'"path":"name"'


def box_mutations(raw: bytes) -> Iterator[tuple[str, bytes]]:
    """Another packing, members missing, doubled, in another order, or more of them; the bundle cut off."""
    members = unpack(raw)
    yield "longer", raw + b"\0"
    yield "a comment", raw[:-2] + b"\x01\x00!"
    for cut in (1, 22, len(raw) // 2, len(raw) - 1):
        yield f"cut by {cut}", raw[:-cut]
    for name in MEMBERS:
        yield f"without {name}", pack({other: content for other, content in members.items() if other != name})
        yield f"empty {name}", pack({**members, name: b""})
    yield "reversed", pack(dict(reversed(members.items())))
    yield "more", pack({**members, "readme.txt": b"believe me"})


def all_found(mutations: Iterable[tuple[str, bytes]]) -> int:
    """How many; every one must be found."""
    count, missed = 0, []
    for what, raw in mutations:
        count += 1
        if not found(raw):
            missed.append(what)
    assert missed == []
    return count


def small() -> Played:
    """A table of two that is closed in its first turn: a short log with every member of a bundle in it."""
    return part_of_a_game(31, 1, lambda kept: kept.game.age == 1 and kept.game.turn == 2, players=3, edifice=False)


def test_changed_bytes_and_lines_are_found() -> None:
    """A sample of everything that can happen to a file."""
    whole = whole_game(14, 0, players=4, edifice=True).bundle()
    luck = random.Random(1)
    part = small().bundle(-1)
    count = all_found(flips(part, luck.sample(range(len(part)), 150)))
    count += all_found(box_mutations(whole))
    count += all_found(luck.sample(list(line_mutations(part, 1)), 60))
    count += all_found(luck.sample(list(member_flips(part, 499)), 60))
    assert count > 270


@pytest.mark.slow
def test_every_flipped_byte_is_found() -> None:
    """The bytes and lines of a small bundle, and of a whole game's."""
    part, whole = small().bundle(-1), whole_game(14, 0, players=4, edifice=True).bundle()
    log = len(part) - len(unpack(part)["catalogue.json"]) - 900  # the card data are one digest: a sample of them will do
    count = Counter(
        {
            "bytes of a small bundle": all_found(flips(part, [*range(0, log, EVERY), *range(log, len(part), 41)])),
            "bytes inside members": all_found(member_flips(part, 7 * EVERY)) + all_found(member_flips(whole, 331 * EVERY)),
            "lines": all_found(line_mutations(part, 1)) + all_found(line_mutations(whole, 3 * EVERY)),
            "boxes": all_found(box_mutations(whole)),
        }
    )
    print(f"\nchanged bytes: {sum(count.values())} mutations, all found: {dict(count)}")
    assert min(count.values()) > 10


# ---- a dishonest host -------------------------------------------------------------------------------------------------
Mutation = tuple[tuple[str, str], Callable[[], Forger]]
"""(event kind, what is changed) and how to forge the game."""


def field_mutations(played: Played, each: int) -> Iterator[Mutation]:
    """((event kind, field), forged game): every field of every kind of event, public or sealed, at most `each` times."""
    forger = Forger(played)
    seen: Counter[tuple[str, str]] = Counter()
    for place, event in enumerate(forger.events):
        for sealed, document in ((False, event), (True, forger.values[place])):
            for path in leaves(document):
                if not path or path[-1] == "seal":
                    continue  # seals are made anew
                field = "/".join("*" if isinstance(one, int) else one for one in path)
                kind = (event["type"], f"sealed {field}" if sealed else field)
                seen[kind] += 1
                if seen[kind] <= each:
                    yield kind, partial(_with_change, forger, place, sealed, path)


def _with_change(forger: Forger, place: int, sealed: bool, path: tuple[Any, ...]) -> Forger:
    tried = forger.copy()
    tried.turned_over_again = path[0] != "openings"
    tried.seen_again = path[0] != "seen"
    changed(tried.values[place] if sealed else tried.events[place], path)
    return tried


def event_mutations(played: Played, step: int) -> Iterator[Mutation]:
    """Whole events left out, told twice, told in another order."""
    forger = Forger(played)
    ways: dict[str, Callable[[Forger, int], None]] = {"without": Forger.without, "twice": Forger.twice, "swapped": Forger.swapped}
    for place in range(1, len(forger.events) - 1, step):
        for what, way in ways.items():
            yield (forger.events[place]["type"], what), partial(_with_way, forger, place, way)


def _with_way(forger: Forger, place: int, way: Callable[[Forger, int], None]) -> Forger:
    tried = forger.copy()
    way(tried, place)
    return tried


UNHEARD = {
    ("ActionChosen", "without"), ("ActionWithdrawn", "without"), ("ExtraChosen", "without"), ("ExtraWithdrawn", "without"),
    ("ActionChosen", "swapped"), ("ActionWithdrawn", "swapped"), ("ExtraChosen", "swapped"), ("ExtraWithdrawn", "swapped"),
    ("ActionChosen", "twice"), ("ExtraChosen", "twice"), ("EntropyRevealed", "swapped"), ("SeatTaken", "swapped"),
    ("SeatHandedToBot", "without"), ("SeatHandedToBot", "swapped"), ("SeatReclaimed", "without"), ("SeatReclaimed", "swapped"),
    ("AbortAgreed", "without"), ("AbortAgreed", "swapped"), ("ClockExtended", "without"), ("SeatTimedOut", "swapped"),
}  # fmt: skip
"""Events without a signature that a host may leave out, double or tell in another order, until somebody shows a receipt or a head:
choices that were changed again, and the order of choices within one question."""


def sweep(played: Played, mutations: Iterable[Mutation], allowed: set[tuple[str, str]]) -> Counter[str]:
    """Counts what was found how; nothing may go unfound, and only `allowed` kinds may need a head."""
    right, head = played.bundle(), last_head(played)
    count: Counter[str] = Counter()
    needing: set[tuple[str, str]] = set()
    for kind, forged in mutations:
        raw = forged().bundle()
        if raw == right:
            count["nothing changed"] += 1
        elif found(raw):
            count["found by the audit alone"] += 1
        else:
            assert found(raw, (head,)), kind
            count["found with a signed head"] += 1
            needing.add(kind)
    assert needing - allowed == set()
    return count


def test_a_dishonest_host_is_found_out() -> None:
    """A sample: fields changed, events left out, and all that its keys can make fit made to fit."""
    played = whole_game(41, 2, players=3, edifice=True, asleep=0.1, keys=False)
    luck = random.Random(2)
    fields = list(field_mutations(played, 1))
    count = sweep(played, luck.sample(fields, 90), ECHOED)
    count += sweep(played, luck.sample(list(event_mutations(played, 9)), 30), UNHEARD)
    assert count["found by the audit alone"] > 70
    assert count["nothing changed"] < 8


@pytest.mark.slow
@pytest.mark.parametrize(
    "game",
    [
        {"seed": 41, "people": 2, "players": 3, "edifice": True, "asleep": 0.1, "keys": False},
        {"seed": 42, "people": 2, "players": 2, "edifice": True, "asleep": 0.1},
        {"seed": 43, "people": 5, "players": 5, "edifice": False},
        {"seed": 44, "people": 0, "players": 7, "edifice": True},
    ],
    ids=["unsigned", "two", "five", "bots"],
)
def test_every_field_and_every_event_that_a_dishonest_host_changes_is_found(game: dict[str, Any]) -> None:
    """Each field of each kind of event three times, and the events one by one."""
    played = whole_game(**game)
    fields = sweep(played, field_mutations(played, 3), ECHOED)
    events = sweep(played, event_mutations(played, EVERY), UNHEARD)
    print(f"\n{game}: fields {sum(fields.values())} {dict(fields)}; events {sum(events.values())} {dict(events)}")
    assert fields["found by the audit alone"] > 300
    assert events["found by the audit alone"] > 300 / EVERY


def test_the_forger_forges_well() -> None:
    """Where it changes nothing, its bundle is the honest one, byte for byte: what is found above is the change."""
    unsigned = whole_game(41, 2, players=3, edifice=True, asleep=0.1, keys=False)
    for played in (unsigned, whole_game(42, 2, players=2, edifice=True, asleep=0.1)):
        assert Forger(played).bundle() == played.bundle()


def test_new_reasons_have_their_names() -> None:
    """What programs read when a signature is refused."""
    assert {Reason.SIGNATURE_NEEDED.value, Reason.BAD_SIGNATURE.value, Reason.WRONG_SEEN.value} == {
        "signature-needed", "bad-signature", "wrong-seen",
    }  # fmt: skip
