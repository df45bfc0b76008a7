"""A house that several processes live in: who uses its server, who owns it, and a line to it that holds when the folder is gone."""

from __future__ import annotations

import fcntl
import os
import re
import socket
from contextlib import suppress
from pathlib import Path

LINE_SECONDS = 5.0


class FileLock:
    """A lock that the system lets go of when its holder dies; the file names the holder.

    The file stays open, so that locking works on, between those who share it, when somebody has deleted it.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file = path.open("ab+")
        self._held = False

    def take(self, *, shared: bool = False) -> bool:
        """Without waiting; True also if it is held here already."""
        if self._held:
            return True
        try:
            fcntl.flock(self._file, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        self._held = True
        if not shared:
            self._file.truncate(0)
            self._file.write(str(os.getpid()).encode())
            self._file.flush()
        return True

    def holder(self) -> str:
        """Who took it last, not shared."""
        return os.pread(self._file.fileno(), 32, 0).decode() or "unknown"

    def stands(self) -> bool:
        """Whether the file is still where it was: nobody has deleted the folder, or put another one in its place."""
        own = os.fstat(self._file.fileno())
        try:
            return os.path.samestat(own, self._path.stat())
        except OSError:
            return False

    def release(self) -> None:
        """Lets go; it may be taken again."""
        if self._held:
            fcntl.flock(self._file, fcntl.LOCK_UN)
            self._held = False

    def close(self) -> None:
        """Lets go for good.  Harmless when repeated."""
        if not self._file.closed:
            self.release()
            self._file.close()


class Line:
    """A connection to a server that is kept for one question at the end, when its socket may have been deleted."""

    def __init__(self, at: Path) -> None:
        """Raises OSError if nobody listens."""
        self._wire = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._wire.settimeout(LINE_SECONDS)
        try:
            self._wire.connect(os.fspath(at))
        except BaseException:
            self._wire.close()
            raise

    def process(self) -> int | None:
        """The id of the server's process, as it says itself; None if it is gone, or does not answer."""
        said = b""
        with suppress(OSError):
            self._wire.sendall(b"INFO server\r\n")
            while chunk := self._wire.recv(65536):
                said += chunk
                if found := re.search(rb"process_id:(\d+)\r\n", said):
                    return int(found[1])
        return None

    def ended(self) -> bool:
        """Waits until the server has hung up; False if it does not."""
        try:
            while self._wire.recv(65536):
                pass
        except TimeoutError:
            return False
        except OSError:
            return True
        return True

    def close(self) -> None:
        """Hangs up."""
        self._wire.close()
