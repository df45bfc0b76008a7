"""The seals' HMAC, made of plain hashes for speed, is the standard one."""

from __future__ import annotations

import hmac

import pytest

from events.sealed import mac, maker


@pytest.mark.parametrize("length", [0, 1, 32, 63, 64, 65, 200])
@pytest.mark.parametrize("message", [b"", b"nonce\n7\nact", bytes(300)])
def test_it_is_hmac_sha256_for_keys_of_any_length(length: int, message: bytes) -> None:
    """RFC 2104: also for keys longer than a block, and for one key after another message."""
    key = bytes(range(length))
    expected = hmac.digest(key, message, "sha256")
    keyed = maker(key)
    keyed(b"another message")
    assert mac(key, message) == keyed(message) == expected
