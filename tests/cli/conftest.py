"""A player's own drawer of secrets, and houses that are closed again."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def _own_drawer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing of whoever runs the tests is read or written, and no address of theirs is used."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    for name in ("WONDERLOG_STORE_URL", "REDIS_URL", "WONDERLOG_QUEUE_URL", "WONDERLOG_ACK"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("WONDERLOG_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("COLUMNS", "110")
