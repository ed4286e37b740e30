"""The learner as a process of its own: started beside the server, ended with it, and alone on its database."""

import os
import signal
import subprocess
import sys
import threading
from dataclasses import dataclass, field
from pathlib import Path

from quorate.service.learner.heartbeat import beat
from quorate.service.logs import set_up_logs
from quorate.service.settings import PREFIX, load_settings
from quorate.service.store.database import Store
from quorate.service.store.lock import learner_lock

STOP_SECONDS = 3.0  # after which it is killed: it works in transactions, so nothing is half done
LOCK_SECONDS = 10.0  # for one whose server was killed to notice it
BEAT_SECONDS = 5.0


@dataclass
class LearnerProcess:
    """Runs the learner of a database; the address goes by the environment, since it may hold a password."""

    database_url: str
    data_folder: Path
    _process: subprocess.Popen[bytes] | None = field(default=None, repr=False)

    def start(self) -> None:
        """Start it; it ends by itself when we are gone, since its stdin is ours."""
        given = {f"{PREFIX}DATABASE_URL": self.database_url, f"{PREFIX}DATA_FOLDER": str(self.data_folder)}
        command = [sys.executable, "-m", __name__]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, env=os.environ | given)

    def stop(self) -> None:
        """Tell it to end, and wait until it has."""
        if self._process is None:
            return
        self._process.terminate()
        try:
            self._process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        if self._process.stdin is not None:
            self._process.stdin.close()

    def alive(self) -> bool:
        """Whether it runs."""
        return self._process is not None and self._process.poll() is None


def main() -> None:
    """Learn until told to stop."""
    stopping = threading.Event()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C goes to the server, which stops us
    signal.signal(signal.SIGTERM, lambda number, frame: stopping.set())
    threading.Thread(target=_wait_for_parent, args=(stopping,), daemon=True).start()
    settings = load_settings()
    set_up_logs(settings.log_level, settings.log_format)
    store = Store.open(settings.database)
    with learner_lock(store, patience=LOCK_SECONDS):
        while not stopping.is_set():
            beat(store)
            stopping.wait(BEAT_SECONDS)
    store.close()


def _wait_for_parent(stopping: threading.Event) -> None:
    sys.stdin.buffer.read()
    stopping.set()


if __name__ == "__main__":
    main()
