"""The learner as a process: started by the server, stopped with it, and the only one on its database."""

import logging
import os
import signal
import subprocess
import sys
import threading
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

from quorate.errors import MethodError, QuorateError
from quorate.service.config import PREFIX, Settings, load_settings
from quorate.service.logs import set_up_logs
from quorate.service.media import Media
from quorate.service.store.connect import open_existing
from quorate.service.store.database import Store
from quorate.service.store.locks import learner_lock
from quorate.service.store.migrations import newest, revision_of

STOP_SECONDS = 3.0  # after which the process is killed: it writes in transactions, so nothing is half done
LOCK_SECONDS = 10.0  # in which a learner whose server was killed notices it and releases the lock
NICENESS = 5  # requests of voters have priority
logger = logging.getLogger(__name__)


@dataclass
class LearnerProcess:
    """Runs the learner of a database; the URL is passed in the environment, since it may contain a password."""

    database_url: str
    data_folder: Path
    _process: subprocess.Popen[bytes] | None = field(default=None, repr=False)

    def start(self) -> None:
        """Start the process; it stops when this one ends, which closes its stdin."""
        settings = {f"{PREFIX}DATABASE_URL": self.database_url, f"{PREFIX}DATA_FOLDER": str(self.data_folder)}
        command = [sys.executable, "-m", __name__]
        self._close()
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, env=os.environ | settings)

    def stop(self) -> None:
        """Stop the process, and wait until it has ended."""
        if self._process is None:
            return
        self._process.terminate()
        try:
            self._process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._close()

    def _close(self) -> None:
        """Close the stdin of a process that has ended."""
        if self._process is not None and self._process.stdin is not None:
            self._process.stdin.close()

    def alive(self) -> bool:
        """Return whether the process runs."""
        return self._process is not None and self._process.poll() is None


def main() -> None:
    """Run the learner until SIGTERM, or until the server that started it is gone."""
    stopping = threading.Event()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches the server, which stops the learner
    signal.signal(signal.SIGTERM, lambda number, frame: stopping.set())
    threading.Thread(target=_wait_for_parent, args=(stopping,), daemon=True).start()
    settings = load_settings()
    set_up_logs(settings.log_level, settings.log_format)
    try:
        run_learner(stopping, settings)
    except QuorateError as error:
        logger.error("%s", error)
        sys.exit(1)


def run_learner(stopping: threading.Event, settings: Settings) -> None:
    """Run the learner of a database until it is stopped; a running round stops after the rows that it is writing."""
    from quorate.service.learner.loop import Learner, run_loop  # slow to import, and not needed by the server
    from quorate.service.refit.predict import Environment
    from quorate.service.refit.write_tasks import Pace

    os.nice(NICENESS)
    media = Media(settings.data_folder)
    with ExitStack() as stack:
        store = open_existing(settings.database)
        stack.callback(store.close)
        _require_tables(store)
        stack.enter_context(learner_lock(store, patience=LOCK_SECONDS))

        def pause(seconds: float) -> None:
            if stopping.wait(seconds):
                raise SystemExit(0)

        environment = Environment(lambda name: _read(media.find(name)), allow_private=settings.allow_private_webhooks)
        run_loop(Learner(store, environment, Pace(pause=pause)), stopping)


def _read(path: Path | None) -> bytes | None:
    return None if path is None else path.read_bytes()


def _require_tables(store: Store) -> None:
    """Refuse a database of another revision: the server migrates it when it starts."""
    with store.read() as connection:
        revision = revision_of(connection)
    if revision != newest():
        raise MethodError(
            f"the tables of this database have revision {revision}, this version of quorate needs {newest()}: "
            "start `quorate serve`, which migrates them, and then the learner"
        )


def _wait_for_parent(stopping: threading.Event) -> None:
    while os.read(0, 1024):  # not sys.stdin: a thread must not hold its lock when the interpreter exits
        pass
    stopping.set()


if __name__ == "__main__":
    main()
