"""Facts as bytes: what the public bytes show, what each reader sees, the chain, and records that are broken."""

from __future__ import annotations

import hashlib
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from events import codec, facts as f
from events.catalogue import current
from events.rules import fold, initial
from events.sealed import UNSET, Erasable, Opening, Sealed, opens
from tests.rules.driver import PUBLISHER, key_of, options, written

KEY = key_of(5)
CHOSEN = f.ActionChosen(
    at=1, by="seat:1", seat=1, city=1, age=1, turn=1, number=1, seen=None,
    act=Sealed(readers=(1,), value=f.ActValue(kind="build", left=2)), card=Sealed(readers=(1,), value=f.CardValue(card="altar")),
)  # fmt: skip


def test_public_bytes_show_a_seal_and_its_readers_only():
    """`e` is JSON with the type, and no value; `s` holds the exact values by path."""
    entry = codec.write(CHOSEN, 9, "g", KEY)
    public = msgspec.json.decode(entry.e)
    assert (public["type"], public["v"], public["at"], public["by"]) == ("ActionChosen", 1, 1, "seat:1")
    assert sorted(public["act"]) == sorted(public["card"]) == ["readers", "seal"]
    assert b"altar" not in entry.e
    assert b"build" not in entry.e
    assert msgspec.json.decode(entry.s) == {
        "act": {"kind": "build", "left": 2, "right": 0, "participate": False, "option": None, "signature": None},
        "card": {"card": "altar", "signature": None}}  # fmt: skip
    assert entry.names == {}


@pytest.mark.parametrize(
    ("viewer", "sees"), [(1, True), (codec.EVERYTHING, True), (0, False), (2, False), (codec.SPECTATOR, False)]
)
def test_only_readers_see_a_sealed_value(viewer, sees):
    entry = codec.write(CHOSEN, 9, "g", KEY)
    event = codec.read(9, entry.e, entry.s, {}, viewer)
    assert (event.act.value is not UNSET) == (event.card.value is not UNSET) == sees
    assert isinstance(event.act.seal, str)
    assert len(codec.openings(9, entry.e, entry.s, {}, KEY, viewer)) == (2 if sees else 0)


def test_openings_put_in_by_a_client_give_what_its_reader_sees():
    """A client needs no key and no `s`."""
    entry = codec.write(CHOSEN, 9, "g", KEY)
    mine = codec.openings(9, entry.e, entry.s, {}, KEY, 1)
    assert codec.with_openings(codec.parse(entry.e), mine) == codec.read(9, entry.e, entry.s, {}, 1)
    assert codec.with_openings(codec.parse(entry.e), ()) == codec.read(9, entry.e, entry.s, {}, 0)


def test_a_name_is_erased_without_touching_the_chain():
    """Its opening lies apart; without it the public bytes are the same and the seat has no name."""
    seat = f.SeatTaken(at=1, by="seat:0", seat=0, name=Erasable(value="Ada Lovelace", nonce="ab" * 32))
    entry = codec.write(seat, 2, "g", KEY)
    assert b"Ada" not in entry.e
    assert b"ab" * 32 not in entry.e
    assert entry.s is None
    assert list(entry.names) == ["2/name"]
    for viewer in (codec.SPECTATOR, 0, 3):
        assert codec.read(2, entry.e, None, entry.names, viewer).name.value == "Ada Lovelace"
    assert codec.read(2, entry.e, None, {}).name.value is UNSET
    opened = codec.openings(2, entry.e, None, entry.names, KEY, codec.SPECTATOR)
    assert opens(opened[0], "g", codec.parse(entry.e).name.seal)
    assert codec.openings(2, entry.e, None, {}, KEY, codec.SPECTATOR) == ()


def test_every_event_type_has_been_written_and_read():
    """All shapes of the vocabulary survive; the ones that random games of bots do not make are made here."""
    act, card = CHOSEN.act, CHOSEN.card
    rare: list[Any] = [
        f.SeatLeft(at=1, by="host", seat=1, why="removed"),
        f.EntropyCommitted(at=1, by="seat:1", seat=1, entropy="00"),
        f.ActionWithdrawn(at=1, by="seat:1", seat=1, city=1, age=1, turn=1, number=2, seen=f.Seen(version=3, link="00")),
        f.SeatTimedOut(at=1, by="game", seat=1, city=1, age=1, turn=1, question=None, number=1, missed=1, act=act, card=card),
        f.ExtraWithdrawn(at=1, by="seat:1", seat=1, city=1, question="lose", age=1, turn=6, number=2, seen=None),
        f.ClockExtended(at=1, by="game", deadline=5),
        f.SeatHandedToBot(at=1, by="game", seat=1, bot="builder"),
        f.SeatReclaimed(at=1, by="seat:1", seat=1),
        f.AbortAgreed(at=1, by="seat:1", seat=1),
    ]
    told: list[Any] = [*rare]
    for rules in (options(4, True), options(5, True, **PUBLISHER), options(2, True)):
        for seed in range(4):
            told += written(rules, seed)[1]
    assert {type(event) for event in told} == set(codec.EVENTS)
    for event in rare:
        entry = codec.write(event, 4, "g", KEY)
        again = codec.read(4, entry.e, entry.s, entry.names)
        assert codec.write(again, 4, "g", KEY) == entry
        assert type(again) is type(event)


def test_openings_inside_events_get_their_nonces():
    """`decide` knows no key; the bytes have the nonce, and it opens the seal of the choice."""
    entries, events, _ = written(options(3), 5)
    opened = 0
    for entry, event in zip(entries, events, strict=True):
        if isinstance(event, f.TurnRevealed):
            for one in codec.parse(entry.e).openings:
                seal = getattr(codec.parse(entries[one.version - 1].e), one.path).seal
                assert opens(one, "a-game", seal)
                opened += 1
    assert opened > 54


# ---- the chain ----------------------------------------------------------------------------------------------------------
def test_links_follow_the_raw_bytes():
    """l_0 = SHA-256("wonderlog/1" + game), l_n = SHA-256(l_(n-1) + e_n)."""
    assert codec.first_link("g") == hashlib.sha256(b"wonderlog/1g").digest()
    assert codec.next_link(b"\1" * 32, b"{}") == hashlib.sha256(b"\1" * 32 + b"{}").digest()


def test_a_changed_swapped_or_missing_entry_breaks_the_chain():
    entries = [entry.e for entry in written(options(3), 5)[0]]

    def head(raw: list[bytes]) -> bytes:
        link = codec.first_link("a-game")
        for e in raw:
            link = codec.next_link(link, e)
        return link

    whole = head(entries)
    for broken in (entries[:-1], entries[1:], [*entries[:5], entries[6], entries[5], *entries[7:]],
                   [*entries[:9], entries[9] + b" ", *entries[10:]]):  # fmt: skip
        assert head(broken) != whole


# ---- broken records -------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("e", [
    b"", b"{", b"null", b"[]", b"{}", b'{"type":"Nonsense","v":1,"at":1,"by":"game"}', b'{"type":"SeatReclaimed","v":1,"at":1}',
    b'{"type":"SeatReclaimed","v":1,"at":1,"by":"game","seat":"one"}', b'{"type":"SeatReclaimed","v":"x","at":1,"by":"g","seat":1}',
    b"\xff\xfe", b'{"type":"SeatReclaimed","v":2,"at":1,"by":"game","seat":1}',
    b'{"type":"SeatReclaimed","v":0,"at":1,"by":"g","seat":1}',
])  # fmt: skip
def test_bytes_that_are_no_event_are_a_broken_record(e):
    """One error with one name, for garbage, for a foreign shape and for what a newer version wrote."""
    with pytest.raises(codec.BrokenRecord):
        codec.parse(e)


def test_a_reveal_cannot_be_read_without_its_place():
    """An opening says where its seal stands."""
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(b'{"bytes":"x","path":"card"}', type=Opening)


# ---- a stream that only grows ----------------------------------------------------------------------------------------------
def test_a_viewers_stream_never_changes_afterwards():
    """What a viewer has read of entry n is the same whether the game goes on or not: it needs nothing later."""
    entries, _, names = written(options(3, True), 8)
    for viewer in (codec.SPECTATOR, 0, 1, 2):
        early = [codec.read(n, one.e, one.s, names, viewer) for n, one in enumerate(entries[:60], 1)]
        late = [codec.read(n, one.e, one.s, names, viewer) for n, one in enumerate(entries, 1)]
        assert late[:60] == early
        assert fold(initial(current()), late).version == len(entries)


def test_who_may_read_stands_in_the_public_bytes():
    """Another reader list is another event, with another link."""
    entry = codec.write(CHOSEN, 9, "g", KEY)
    stranger = replace(CHOSEN, act=replace(CHOSEN.act, readers=(0, 1)))
    assert codec.write(stranger, 9, "g", KEY).e != entry.e
