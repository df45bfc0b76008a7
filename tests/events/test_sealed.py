"""Seals: they hide, they bind, they open with the key, and only where they were set."""

from __future__ import annotations

import hashlib
import hmac

import msgspec
import pytest
from hypothesis import given, settings, strategies as st
from msgspec.structs import replace

from events.facts import ActValue, CardValue
from events.sealed import Opening, bot_entropy, commitment, exact, nonce_of, opens, seal_of

KEY = bytes(range(32))


def opening(value: bytes = b'"altar"', version: int = 7, path: str = "card", game: str = "g") -> tuple[Opening, str]:
    nonce = nonce_of(KEY, version, path)
    return Opening(version=version, path=path, nonce=nonce.hex(), bytes=value.decode()), seal_of(nonce, game, version, path, value)


def test_a_seal_is_the_hmac_of_place_and_value():
    """The formula that an auditor writes down anew: HMAC-SHA256(nonce, game, version, path, bytes); nonce = HMAC(key, place)."""
    nonce = hmac.new(KEY, b"nonce\n7\nhands/2", hashlib.sha256).digest()
    assert nonce_of(KEY, 7, "hands/2") == nonce
    assert seal_of(nonce, "g", 7, "hands/2", b"[]") == hmac.new(nonce, b"g\n7\nhands/2\n[]", hashlib.sha256).hexdigest()
    assert bot_entropy(KEY, 3) == hmac.new(KEY, b"entropy\n3", hashlib.sha256).digest()
    assert commitment(KEY) == hashlib.sha256(KEY).hexdigest()


def test_an_opening_fits_its_own_seal_and_no_other():
    """Bound to the game, the version, the path, the nonce and the exact bytes."""
    right, seal = opening()
    assert opens(right, "g", seal)
    assert not opens(right, "another", seal)
    assert not opens(replace(right, version=8), "g", seal)
    assert not opens(replace(right, path="act"), "g", seal)
    assert not opens(replace(right, bytes='"altar" '), "g", seal)
    assert not opens(replace(right, nonce="00" * 32), "g", seal)
    assert not opens(Opening(version=7, path="card", bytes='"altar"'), "g", seal)
    assert not opens(right, "g", opening(b'"theater"')[1])


@settings(max_examples=60, deadline=None)
@given(st.binary(min_size=1, max_size=40), st.binary(min_size=1, max_size=40))
def test_equal_values_at_other_places_look_unlike(one, other):
    """The same card sealed twice shows twice another seal; other values at one place too."""
    assert opening(b'"altar"', version=7)[1] != opening(b'"altar"', version=8)[1]
    assert opening(b'"altar"', path="a")[1] != opening(b'"altar"', path="b")[1]
    nonce = nonce_of(KEY, 1, "card")
    assert (seal_of(nonce, "g", 1, "card", one) == seal_of(nonce, "g", 1, "card", other)) == (one == other)


@pytest.mark.parametrize("value", [
    ActValue(kind="stage", left=2, participate=True, option="age-1"), CardValue(card=None), CardValue(card="altar"),
    ("altar", "well"), "altar",
])  # fmt: skip
def test_exact_bytes_have_one_spelling(value):
    """Written, read and written again they are the same."""
    written = exact(value)
    assert exact(msgspec.json.decode(written, type=type(value) if not isinstance(value, tuple) else tuple[str, ...])) == written
