"""A house of one's own: the small server that keeps the games of this machine in a folder."""

from __future__ import annotations

import atexit
import errno
import hashlib
import os
import signal
import socket
import stat
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from urllib.parse import quote

import redis
import structlog

from events.store.binaries import choose
from events.store.joint import FileLock, Line
from events.store.protocol import StoreError, StoreUnavailable
from events.store.wire import no_retry

SOCKET_LIMIT = 100  # bytes; the system's own limit is 104 on macOS and 108 on Linux
START_SECONDS = 60.0  # a long log takes a while to load
STOP_SECONDS = 30.0
WATCH_SECONDS = 0.25

log = structlog.get_logger(__name__)

# Servers that other processes still use when their starter leaves: kept, so that no destructor complains about them.
_left_running: list[subprocess.Popen[bytes]] = []


class EmbeddedServer:
    """The server of a data directory: started here, or joined if it runs already.

    One process at a time owns it: whoever holds the file lock starts it again if it dies.  Who joined takes the lock over when
    the owner is gone.  The last one to leave stops it; if all are killed it stays, and the next to come owns it.  Where the
    folder has been deleted under it, nothing is left to keep: it is not started again, and the last one to leave kills it.
    """

    def __init__(self, data: Path) -> None:
        self.folder = data_folder(Path(data).resolve()) / "store"
        private_folder(self.folder)
        self.socket = socket_path(self.folder)
        self.url = f"unix://{quote(os.fspath(self.socket))}"
        self.owned = False
        self._process: subprocess.Popen[bytes] | None = None
        self._pid = os.getpid()
        self._closing = threading.Event()
        self._users = FileLock(self.folder / "users.lock")
        self._owner = FileLock(self.folder / "owner.lock")
        self._line: Line | None = None
        end = time.monotonic() + START_SECONDS
        try:
            _until(end, lambda: self._users.take(shared=True), "the server of this folder is being stopped, and does not end")
            _until(end, self._join, "another process owns this folder, but its server does not answer")
        except BaseException:
            self._let_go()
            raise
        self._keeper = threading.Thread(target=self._keep, name="store-keeper", daemon=True)
        self._keeper.start()
        atexit.register(self.close)

    @property
    def origin(self) -> str:
        """Who keeps the games where, in one sentence."""
        return f"{self.folder}, owned by {'this process' if self.owned else f'process {self._owner.holder()}'}"

    def _join(self) -> bool:
        """True once there is a server that answers, whoever started it."""
        if self._owner.take():
            if not reachable(self.socket):
                self._start()
            self.owned = True
        if not answers(self.socket):
            return False
        with suppress(OSError):  # it has just ended: whoever owns it starts it again
            self._line = Line(self.socket)
        return self._line is not None

    def _start(self) -> None:
        binary, server = choose(self.folder)
        private_folder(self.socket.parent)  # one among the temporary ones may have been tidied away
        self.socket.unlink(missing_ok=True)
        with (self.folder / "server.log").open("ab") as output:
            self._process = subprocess.Popen(
                [binary, *settings(self.folder, self.socket)],
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                cwd=self.folder,
                env={"LC_ALL": "C"},
                start_new_session=True,  # Ctrl-C in the terminal is for us: the server ends after us
            )
        self._await_start(self._process, str(server))

    def _await_start(self, process: subprocess.Popen[bytes], server: str) -> None:
        end = time.monotonic() + START_SECONDS
        while not answers(self.socket):
            if process.poll() is not None:
                raise StoreError(f"{server} ended at its start (code {process.returncode}): {self._last_words()}")
            if time.monotonic() > end:
                process.kill()
                process.wait()
                raise StoreUnavailable(f"{server} does not answer within {START_SECONDS:.0f} s: {self._last_words()}")
            time.sleep(0.002)

    def _last_words(self) -> str:
        lines = (self.folder / "server.log").read_text(errors="replace").splitlines()
        return " | ".join(lines[-3:]) or "it said nothing"

    def _keep(self) -> None:
        """Starts the server again if it dies; takes over when its owner is gone."""
        pause = WATCH_SECONDS
        while not self._closing.wait(pause):
            pause = WATCH_SECONDS
            if not self._owner.take():
                continue
            self.owned = True
            if reachable(self.socket) or not self._users.stands() or not self._ended():
                continue
            try:
                self._start()
            except (StoreError, OSError) as error:
                _say("store_not_restarted", folder=str(self.folder), reason=str(error))
                pause = 5.0
            else:
                _say("store_restarted", folder=str(self.folder))

    def _ended(self) -> bool:
        """Ends a server that nobody can reach any more: it may live on when somebody has deleted only its socket, and two of them
        would write into one file.  False if it does not end."""
        if self._process is not None:
            self._process.terminate()
            self._process.wait()
            return True
        if self._line is None or (pid := self._line.process()) is None:
            return True
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGTERM)
        return self._line.ended()

    def close(self) -> None:
        """Leaves; the last one out stops the server and waits for its end.  Harmless when repeated."""
        if self._closing.is_set() or os.getpid() != self._pid:  # a forked child has no say in this
            return
        self._closing.set()
        self._keeper.join()
        atexit.unregister(self.close)
        self._users.release()
        if self._owner.take() and self._users.take():
            if self._users.stands():
                self._stop()
            else:
                self._kill()
        elif self._process is not None:
            _left_running.append(self._process)
        self._let_go()

    def _let_go(self) -> None:
        """Of the locks, and of the line."""
        self._users.close()
        self._owner.close()
        if self._line is not None:
            self._line.close()

    def _kill(self) -> None:
        """The folder was deleted, and with it every move.  Not gently: at its end the server would delete the socket at its old
        place, which may be another one's by now."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
        elif self._line is not None and (pid := self._line.process()) is not None:
            os.kill(pid, signal.SIGKILL)
            if not self._line.ended():
                log.error("store_not_killed", folder=str(self.folder), process=pid)
        _say("store_without_folder", folder=str(self.folder))

    def _stop(self) -> None:
        """SIGTERM: the server writes its log to the disk and ends."""
        try:
            pid = self._process.pid if self._process else server_process(self.socket)
        except StoreUnavailable:
            return  # it has ended already
        if self._process is None or self._process.poll() is None:
            os.kill(pid, signal.SIGTERM)
        end = time.monotonic() + STOP_SECONDS
        while reachable(self.socket) and time.monotonic() < end:
            time.sleep(0.005)
        if reachable(self.socket):
            log.error("store_killed", folder=str(self.folder), reason=f"it did not end within {STOP_SECONDS:.0f} s")
            os.kill(pid, signal.SIGKILL)  # loses nothing: each acknowledged append is on the disk
        if self._process is not None:
            self._process.wait()
        self.socket.unlink(missing_ok=True)
        if self.socket.parent != self.folder:
            with suppress(OSError):  # somebody is just coming in
                self.socket.parent.rmdir()


def _say(event: str, **facts: str) -> None:
    """In the diary, if it can still be written: the server is kept whether or not somebody reads about it."""
    with suppress(OSError, ValueError):
        log.warning(event, **facts)


def settings(folder: Path, at: Path) -> list[str]:
    """The server's settings: no network, every append on the disk before it is acknowledged, nothing evicted."""
    return [
        "--port", "0",
        "--unixsocket", str(at),
        "--unixsocketperm", "700",
        "--dir", str(folder),
        "--appendonly", "yes",
        "--appendfsync", "always",
        "--maxmemory-policy", "noeviction",
        "--save", "",
        "--daemonize", "no",
        "--logfile", str(folder / "server.log"),
    ]  # fmt: skip


def data_folder(folder: Path) -> Path:
    """Made private, unless it was there before with other things in it: somebody may have named their home or /tmp."""
    if folder.is_dir() and any(folder.iterdir()) and not (folder / "store").is_dir():
        return folder
    return private_folder(folder)


def private_folder(folder: Path) -> Path:
    """Made if it is missing, and open to its owner only.  StoreError if it belongs to somebody else."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    state = folder.lstat()
    if not stat.S_ISDIR(state.st_mode) or state.st_uid != os.geteuid():
        raise StoreError(f"{folder} is not a folder of this user: games are kept in a private one")
    if stat.S_IMODE(state.st_mode) & 0o077:
        folder.chmod(0o700)
    return folder


def socket_path(folder: Path) -> Path:
    """In the folder, or, if its path is too long for a socket, in a private folder among the temporary ones."""
    near = folder / "socket"
    if len(os.fsencode(near)) <= SOCKET_LIMIT:
        return near
    name = f"wonderlog-{os.geteuid()}-{hashlib.sha256(os.fsencode(folder)).hexdigest()[:16]}"
    for place in (Path(tempfile.gettempdir()), Path("/tmp")):
        far = place / name / "socket"
        if len(os.fsencode(far)) <= SOCKET_LIMIT:
            private_folder(far.parent)
            return far
    raise StoreError(f"no path for a socket is short enough: {folder}")


def reachable(at: Path) -> bool:
    """Whether a server has this socket open, busy or not."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as wire:
        wire.settimeout(1.0)
        try:
            wire.connect(os.fspath(at))
        except OSError as error:
            return error.errno not in (errno.ECONNREFUSED, errno.ENOENT)
        return True


def answers(at: Path) -> bool:
    """Whether it answers a PING, so has loaded its log."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as wire:
        wire.settimeout(1.0)
        try:
            wire.connect(os.fspath(at))
            wire.sendall(b"PING\r\n")
            return wire.recv(64).startswith(b"+PONG")
        except OSError:
            return False


def server_process(at: Path) -> int:
    """The id of the process behind a socket.  StoreUnavailable if there is none."""
    client = redis.Redis(unix_socket_path=os.fspath(at), socket_timeout=5.0, retry=no_retry())
    try:
        return int(client.info("server")["process_id"])
    except redis.RedisError as error:
        raise StoreUnavailable(f"no server answers at {at}: {error}") from error
    finally:
        client.close()


def _until(end: float, done: Callable[[], bool], otherwise: str) -> None:
    while not done():
        if time.monotonic() > end:
            raise StoreUnavailable(otherwise)
        time.sleep(0.005)
