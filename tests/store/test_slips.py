"""Short notes that are thrown away by themselves: written only over what was read, and gone in time."""

from __future__ import annotations

import threading

import pytest

from events.store.protocol import EventStore
from tests.store.conftest import House
from tests.store.given import eventually

LONG = 600_000


def test_a_slip_is_written_over_what_was_read(store: EventStore) -> None:
    """Bytes of any kind, the empty ones too; each game and each name has its own."""
    assert store.slip("g", "one") is None
    assert store.swap_slip("g", "one", None, b"", LONG)
    assert store.slip("g", "one") == b""
    assert store.swap_slip("g", "one", b"", b"a\n\x00\xff", LONG)
    assert store.slip("g", "one") == b"a\n\x00\xff"
    assert store.slip("g", "two") is None
    assert store.slip("h", "one") is None


@pytest.mark.parametrize("before", [None, b"", b"other"])
def test_what_somebody_else_has_written_stays(house: House, before: bytes | None) -> None:
    """Whoever has read something else comes too late."""
    assert house.store.swap_slip("g", "one", None, b"first", LONG)
    assert not house.another().swap_slip("g", "one", before, b"second", LONG)
    assert house.store.slip("g", "one") == b"first"


def test_a_slip_that_is_gone_is_not_there_to_be_written_over(store: EventStore) -> None:
    """Nothing is not the same as an empty slip."""
    assert not store.swap_slip("g", "one", b"", b"x", LONG)
    assert store.slip("g", "one") is None


def test_a_slip_is_gone_in_time(store: EventStore) -> None:
    """Then its place is free again."""
    assert store.swap_slip("g", "one", None, b"first", 30)
    assert eventually(lambda: store.slip("g", "one") is None)
    assert store.swap_slip("g", "one", None, b"second", LONG)


def test_one_of_many_is_first(house: House) -> None:
    """Eight write over the same at the same time: one of them has."""
    assert house.store.swap_slip("g", "one", None, b"open", LONG)
    stores = [house.another() for _ in range(8)]
    won: list[int] = []

    def take(number: int) -> None:
        if stores[number].swap_slip("g", "one", b"open", b"taken by %d" % number, LONG):
            won.append(number)

    threads = [threading.Thread(target=take, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(won) == 1
    assert house.store.slip("g", "one") == b"taken by %d" % won[0]
