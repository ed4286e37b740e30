"""The import thread: it reads uploaded files one after the other, and resumes those that a stop interrupted."""

import fcntl
import logging
import threading
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy.exc import OperationalError

from quorate.service.imports import jobs
from quorate.service.media import Media
from quorate.service.store.database import Store

WAITS = (1.0, 2.0, 5.0, 10.0, 30.0, *(60.0,) * 10)  # seconds between attempts while the database does not respond
logger = logging.getLogger(__name__)


class Importer:
    """A thread that reads uploads, which are stored in the data folder under the id of their import until then."""

    def __init__(self, store: Store, data_folder: Path) -> None:
        self.store, self.media = store, Media(data_folder)
        self.folder = data_folder / "uploads"
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="import")
        self.stopped = threading.Event()

    def start(self, import_id: int, upload: Path) -> Future[None]:
        """Queue an upload, and return a future that is done when it was read."""
        upload.replace(self._path(import_id))
        return self._thread.submit(self._read, import_id)

    def resume(self) -> list[Future[None]]:
        """Queue the imports that were unfinished when the service last ended, where their file exists."""
        with self.store.read() as connection:
            unfinished = jobs.unfinished(connection)
        return [self._thread.submit(self._read, number) for number in unfinished if self._path(number).exists()]

    def uploads(self) -> Path:
        """Return the folder for uploads, created if it does not exist."""
        self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        return self.folder

    def close(self) -> None:
        """Stop after the current chunk of rows; `resume` continues from there."""
        self.stopped.set()
        self._thread.shutdown(wait=True)

    def _path(self, import_id: int) -> Path:
        return self.folder / str(import_id)

    def _read(self, import_id: int) -> None:
        path = self._path(import_id)
        with _lock(path) as is_locked:
            if is_locked and self._read_to_end(import_id, path):
                path.unlink(missing_ok=True)

    def _read_to_end(self, import_id: int, path: Path) -> bool:
        """Read a file until its end or the stop of the service, and return whether the import has ended."""
        is_counted = False
        for pause in (*WAITS, None):
            try:
                is_counted = is_counted or jobs.begin_attempt(self.store, import_id)
                if not is_counted or jobs.run(self.store, import_id, path, self.media, stopped=self.stopped.is_set):
                    return True
                break
            except OperationalError as error:
                logger.warning("import %d: waiting for the database: %s", import_id, error)
                if pause is None:
                    return self._give_up(import_id)
                if self.stopped.wait(pause):
                    break
            except Exception:
                logger.exception("import %d: failed", import_id)
                return True
        self._undo_attempt(import_id)
        return False

    def _give_up(self, import_id: int) -> bool:
        """End an import that the database does not accept; if that fails too, the next start resumes it."""
        try:
            jobs.give_up(self.store, import_id)
        except OperationalError:
            self._undo_attempt(import_id)
            return False
        return True

    def _undo_attempt(self, import_id: int) -> None:
        try:
            jobs.undo_attempt(self.store, import_id)
        except OperationalError as error:
            logger.warning("import %d: the attempt could not be uncounted: %s", import_id, error)


@contextmanager
def _lock(path: Path) -> Iterator[bool]:
    """Try to lock a file, and yield whether this process may read it.

    Every process of a service looks for unfinished imports when it starts. The lock is released even if the process is
    killed.
    """
    try:
        file = path.open("rb")
    except FileNotFoundError:
        yield True  # reading it then fails the import
        return
    with file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            yield False
        else:
            yield True
