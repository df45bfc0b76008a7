"""The same shelf for ever, and the shelves evenly spaced over a cluster."""

from __future__ import annotations

from collections import Counter

import pytest

from events.store.partitions import CLUSTER, ONE_SERVER, TAGS, partition_of, tags
from events.store.streams import MARK

SLOTS = 16384


def crc16(data: bytes) -> int:
    """CRC-16/XMODEM, bit by bit: what a cluster hashes a key's tag with."""
    crc = 0
    for byte in data:
        crc ^= byte << 8
        for _ in range(8):
            crc = (crc << 1 ^ 0x1021 if crc & 0x8000 else crc << 1) & 0xFFFF
    return crc


def test_the_check_itself() -> None:
    """The published check value of this CRC."""
    assert crc16(b"123456789") == 0x31C3


@pytest.mark.parametrize("partitions", [1, ONE_SERVER, CLUSTER])
def test_tags_lie_in_evenly_spaced_slots(partitions: int) -> None:
    """Partition i of n in slot i/n of the whole."""
    assert [crc16(tag.encode()) % SLOTS for tag in tags(partitions)] == [i * SLOTS // partitions for i in range(partitions)]
    assert len(set(tags(partitions))) == partitions


def test_tags_have_four_letters() -> None:
    """The access rules count on it; and the first tag, which every store has, holds the mark."""
    assert all(len(tag) == 4 and tag.isalpha() and tag.islower() for tag in TAGS)
    assert f"wl:{{{tags(1)[0]}}}:partitions" == MARK


@pytest.mark.parametrize("partitions", [0, 3, 512, -16])
def test_a_number_that_does_not_divide_the_table_is_refused(partitions: int) -> None:
    """It would leave some tag out."""
    with pytest.raises(ValueError, match="must divide"):
        tags(partitions)


def test_a_game_stays_where_it_is() -> None:
    """Written down once: with another answer, recorded games would not be found again."""
    games = ["a-game", "another", "ein-spiel", "0123456789abcdef"]
    assert [partition_of(game, 16) for game in games] == [5, 13, 6, 8]
    assert [partition_of(game, 256) for game in games] == [69, 77, 102, 120]
    assert [partition_of(game, 1) for game in games] == [0, 0, 0, 0]


def test_games_spread_over_all_partitions() -> None:
    """Also when their ids differ in one letter."""
    found = Counter(partition_of(f"game-{number}", 16) for number in range(3200))
    assert len(found) == 16
    assert 140 < min(found.values()) <= max(found.values()) < 260
