"""The test vectors of docs/audit.md are what this code computes, and the stranger's program runs by itself."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from events.codec import first_link, next_link
from events.facts import ActValue, Seen
from events.rules.dealing import seed_of, shuffled
from events.sealed import bot_entropy, commitment, nonce_of, seal_of
from events.signatures import Asked, act_message, host_message, sign
from projections.archive import pack, unpack
from tests.audit import stranger
from tests.audit.given import public_hex, whole_game
from tests.frame.repository import ROOT


def vectors() -> dict[str, str]:
    """The table at the end of the page."""
    table = (ROOT / "docs/audit.md").read_text().partition("## Test vectors")[2]
    return dict(re.findall(r"^\| (.+?) \| `(.+)` \|$", table, re.M))


def test_the_vectors_are_right() -> None:
    """Links, seals, the deal, signatures."""
    given = vectors()
    assert len(given) == 17
    game, key = given["game id"], bytes.fromhex(given["game key"])
    event, value = given["e_1"].encode(), given["value"].encode()
    start = first_link(game)
    link = next_link(start, event)
    nonce = nonce_of(key, 12, "hands/0")
    seed = seed_of(key, [bot_entropy(key, 0).hex(), given["entropy of seat 1"]])
    private = Ed25519PrivateKey.from_private_bytes(key)
    seen = Seen(version=1, link=link.hex())
    asked = Asked(game=game, seat=0, city=0, age=1, turn=2, question=None, number=1, seen=seen)
    act = next(name for name in given if name.startswith("signature of the act"))
    computed = {
        "SHA-256 of the key": commitment(key),
        "l_0": start.hex(),
        "l_1": link.hex(),
        "nonce of version 12, path hands/0": nonce.hex(),
        "its seal": seal_of(nonce, game, 12, "hands/0", value),
        "entropy of a bot on seat 0": bot_entropy(key, 0).hex(),
        "seed": seed.hex(),
        "draw projects/1 of a, b, c": ", ".join(shuffled(seed, "projects/1", [("a", 0), ("b", 0), ("c", 0)])),
        "public key": public_hex(private),
        act: sign(private, act_message(asked, ActValue(kind="discard"))),
        "signature of a receipt for version 1": sign(private, host_message("receipt", game, 1, link.hex())),
    }
    assert {name: given[name] for name in computed} == computed


def test_the_stranger_shares_no_code() -> None:
    """It imports the standard library and one library for signatures."""
    source = Path(stranger.__file__).read_text()
    imported = set(re.findall(r"^(?:from|import) ([a-z0-9_]+)", source, re.M))
    assert imported - {"cryptography"} <= set(sys.stdlib_module_names)


def test_the_stranger_runs_by_itself(tmp_path: Path) -> None:
    """0 for a good game, 1 for a changed one, 2 for what is no bundle; with nothing of this project on its path."""
    raw = whole_game(11, 2, players=2, edifice=False).bundle()
    members = unpack(raw)
    changed = members["events.jsonl"].replace(b'"amount":3', b'"amount":4', 1)
    assert changed != members["events.jsonl"]
    for content, status in ((raw, 0), (pack({**members, "events.jsonl": changed}), 1), (b"nothing", 2)):
        (tmp_path / "game.zip").write_bytes(content)
        command = [sys.executable, "-I", str(stranger.__file__), str(tmp_path / "game.zip")]
        assert subprocess.run(command, cwd=tmp_path, capture_output=True).returncode == status
