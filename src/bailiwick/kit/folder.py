"""The data folder: private, and owned by one process at a time, which it names."""

import fcntl
import json
import os
import time
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

from pydantic import SecretStr

from bailiwick.errors import DataFolderBusy, DataFolderUnusable
from bailiwick.kit.files import PRIVATE_FOLDER, write_atomic

_LOCK = "lock"
_SERVER = "server.json"


@dataclass(frozen=True, slots=True)
class RunningServer:
    """The server that owns the folder: its address, and the operator's token for it."""

    pid: int
    url: str
    origin: str
    token: SecretStr


class DataFolder:
    """The folder of an installation on this machine."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def prepare(self) -> None:
        """Create the folder, or say what is wrong with it."""
        if not self.path.exists() and (aside := sorted(self.path.parent.glob(self.aside("*")))):
            raise DataFolderUnusable(
                f"{self.path} is missing: a restore was cut short. The earlier data is in "
                f"{aside[-1]}. Rename it back to {self.path}, then restore again."
            )
        try:
            self.path.mkdir(mode=PRIVATE_FOLDER, parents=True, exist_ok=True)
            probe = self.path / f".probe-{os.getpid()}"
            probe.touch()
            probe.unlink()
            next(self.path.iterdir(), None)
        except OSError as error:
            raise DataFolderUnusable(
                f"The data folder {self.path} cannot be used: {error.strerror}. Give its path with "
                f"BAILIWICK_DATA, or make it readable and writable for this user."
            ) from None

    def aside(self, moment: str) -> str:
        """The folder's name after a restore moves it aside."""
        return f"{self.path.name}.before-restore-{moment}"

    @contextmanager
    def owned(self) -> Generator[None]:
        """Own the folder; `DataFolderBusy` if another process does."""
        handle = os.open(self.path / _LOCK, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise DataFolderBusy(
                    f"Another bailiwick process is using {self.path}. Wait for it, or end it."
                ) from None
            yield
        finally:
            os.close(handle)

    @contextmanager
    def announced(self, server: RunningServer) -> Generator[None]:
        """Publish the server's address to other processes of this user."""
        path = self.path / _SERVER
        content = {**asdict(server), "token": server.token.get_secret_value()}
        write_atomic(path, json.dumps(content).encode())
        try:
            yield
        finally:
            path.unlink(missing_ok=True)

    def server(self, *, patience: float = 0.0) -> RunningServer | None:
        """The live server that is announced here, if there is one."""
        deadline = time.monotonic() + patience
        while True:
            found = self._announced()
            if found or time.monotonic() >= deadline:
                return found
            time.sleep(0.1)

    def _announced(self) -> RunningServer | None:
        try:
            content = json.loads((self.path / _SERVER).read_text())
            os.kill(content["pid"], 0)
            return RunningServer(
                content["pid"], content["url"], content["origin"], SecretStr(content["token"])
            )
        except (OSError, ValueError, KeyError, TypeError):
            return None
