"""A house whose folder was deleted while it stood: its server ends with those who used it, and nothing is said twice."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from events.store.embedded import answers, reachable, server_process
from tests.processes import alive
from tests.store.given import Opener, eventually, leave, other_process, said, socket_of, written


def test_a_server_whose_folder_was_deleted_is_stopped(tmp_path: Path, opened: Opener) -> None:
    """By its starter; it is not started again meanwhile, and nothing is said twice."""
    house = opened(tmp_path / "data")
    pid = server_process(socket_of(tmp_path / "data"))
    shutil.rmtree(tmp_path / "data")
    house.close()
    assert not alive(pid)
    assert not (tmp_path / "data").exists()


def test_the_last_who_joined_stops_a_server_whose_folder_was_deleted(tmp_path: Path, opened: Opener) -> None:
    """Also when its starter left before, so that nothing but an open line leads to it."""
    data = tmp_path / "data"
    first = other_process(data)
    assert said(first).startswith("0 ")
    house = opened(data)
    pid = server_process(socket_of(data))
    leave(first)
    shutil.rmtree(data)
    house.close()
    eventually(lambda: not alive(pid))


def test_whoever_deletes_a_folder_hurts_no_new_house_in_its_place(tmp_path: Path, opened: Opener) -> None:
    """The old server ends, the new one at the same place goes on."""
    data = tmp_path / "data"
    old = opened(data)
    pid = server_process(socket_of(data))
    shutil.rmtree(data)
    new = opened(data)
    written(new.store, "g")
    old.close()
    assert not alive(pid)
    assert len(new.store.read("g")) == 3
    assert len(opened(data).store.read("g")) == 3


FORGETFUL = """
import sys, tempfile
from pathlib import Path
from events.store.embedded import EmbeddedServer, server_process
with tempfile.TemporaryDirectory() as folder:
    server = EmbeddedServer(Path(folder))
    print(server_process(server.socket), flush=True)
    raise SystemExit("interrupted")
"""


def test_a_program_that_fails_in_its_temporary_folder_leaves_nothing_behind(tmp_path: Path) -> None:
    """The folder goes first, the server at the program's exit; the program's own last words are all that is said."""
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    failed = subprocess.run([sys.executable, "-c", FORGETFUL], capture_output=True, text=True, env=environment, check=False)
    assert failed.returncode == 1
    assert "Traceback" not in failed.stderr
    assert "interrupted" in failed.stderr
    assert not alive(int(failed.stdout.splitlines()[0]))


def test_a_server_whose_socket_was_deleted_is_reached_again(tmp_path: Path, opened: Opener) -> None:
    """Its owner starts it anew; nothing is lost."""
    house = opened(tmp_path)
    written(house.store, "g")
    pid = server_process(socket_of(tmp_path))
    socket_of(tmp_path).unlink()
    eventually(lambda: reachable(socket_of(tmp_path)))
    eventually(lambda: not alive(pid))
    eventually(lambda: answers(socket_of(tmp_path)))
    assert len(opened(tmp_path).store.read("g")) == 3


def test_a_server_whose_starter_left_before_its_socket_was_deleted_is_not_doubled(tmp_path: Path, opened: Opener) -> None:
    """Whoever took it over has only a line to it; the old server ends before another writes into the same file."""
    first = other_process(tmp_path)
    assert said(first).startswith("0 ")
    house = opened(tmp_path)
    written(house.store, "h")
    pid = server_process(socket_of(tmp_path))
    leave(first)
    assert alive(pid)
    socket_of(tmp_path).unlink()
    eventually(lambda: answers(socket_of(tmp_path)))
    eventually(lambda: not alive(pid))
    written(house.store, "after")
    fresh = opened(tmp_path).store
    assert [len(fresh.read(game)) for game in ("g", "h", "after")] == [1, 3, 3]
