"""The learner as a process of its own: started beside the server, ended with it, and alone on its database."""

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
from quorate.service.store.connect import reach_existing
from quorate.service.store.database import Store
from quorate.service.store.locks import learner_lock
from quorate.service.store.migrations import newest, revision_of

STOP_SECONDS = 3.0  # after which it is killed: it works in transactions, so nothing is half done
LOCK_SECONDS = 10.0  # for one whose server was killed to notice it
NICENESS = 5  # people who vote go first
logger = logging.getLogger(__name__)


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
        self._close()
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
        self._close()

    def _close(self) -> None:
        """Let go of the stdin of one that has ended."""
        if self._process is not None and self._process.stdin is not None:
            self._process.stdin.close()

    def alive(self) -> bool:
        """Whether it runs."""
        return self._process is not None and self._process.poll() is None


def main() -> None:
    """Learn until told to stop, or until the server that started us is gone."""
    stopping = threading.Event()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C goes to the server, which stops us
    signal.signal(signal.SIGTERM, lambda number, frame: stopping.set())
    threading.Thread(target=_wait_for_parent, args=(stopping,), daemon=True).start()
    settings = load_settings()
    set_up_logs(settings.log_level, settings.log_format)
    try:
        learn_until(stopping, settings)
    except QuorateError as error:
        logger.error("%s", error)
        sys.exit(1)


def learn_until(stopping: threading.Event, settings: Settings) -> None:
    """Be the learner of a database; a round that is told to stop ends after the rows that it is writing."""
    from quorate.service.learner.loop import Learner, run  # heavy: the server, which starts us, does without
    from quorate.service.refit.predict import Environment
    from quorate.service.refit.write_tasks import Pace

    os.nice(NICENESS)
    media = Media(settings.data_folder)
    with ExitStack() as stack:
        store = reach_existing(settings.database)
        stack.callback(store.close)
        _require_tables(store)
        stack.enter_context(learner_lock(store, patience=LOCK_SECONDS))

        def pause(seconds: float) -> None:
            if stopping.wait(seconds):
                raise SystemExit(0)

        around = Environment(lambda name: _read(media.find(name)), allow_private=settings.allow_private_webhooks)
        run(Learner(store, around, Pace(pause=pause)), stopping)


def _read(path: Path | None) -> bytes | None:
    return None if path is None else path.read_bytes()


def _require_tables(store: Store) -> None:
    """The server makes them as it starts, and may be a moment behind."""
    with store.read() as connection:
        found = revision_of(connection)
    if found != newest():
        raise MethodError(
            f"the tables of this database are those of revision {found}, this quorate has {newest()}: "
            "start `quorate serve`, which migrates, and then the learner"
        )


def _wait_for_parent(stopping: threading.Event) -> None:
    while os.read(0, 1024):  # not through sys.stdin, whose lock a thread must not hold when the interpreter ends
        pass
    stopping.set()


if __name__ == "__main__":
    main()
