"""Reads uploaded files in the background, one after the other, and goes on with those that a stop cut off."""

import fcntl
import logging
import threading
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy.exc import OperationalError

from quorate.service.imports import jobs as imports
from quorate.service.media import Media
from quorate.service.store.database import Store

WAITS = (1.0, 2.0, 5.0, 10.0, 30.0, *(60.0,) * 10)  # seconds between attempts while the database does not answer
logger = logging.getLogger(__name__)


class Importer:
    """One thread that reads. Uploads lie in the data folder, by the number of their import, until they are read."""

    def __init__(self, store: Store, data_folder: Path) -> None:
        self.store, self.media = store, Media(data_folder)
        self.folder = data_folder / "uploads"
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="import")
        self.stopped = threading.Event()

    def start(self, import_id: int, upload: Path) -> Future[None]:
        """Take an upload over, and read it when its turn comes."""
        upload.replace(self._path(import_id))
        return self._thread.submit(self._read, import_id)

    def resume(self) -> list[Future[None]]:
        """Go on with what was not finished when the service last ended, where its file is here."""
        with self.store.read() as connection:
            left = imports.unfinished(connection)
        return [self._thread.submit(self._read, one) for one in left if self._path(one).exists()]

    def uploads(self) -> Path:
        """The folder to put uploads into, made if it is not there."""
        self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        return self.folder

    def close(self) -> None:
        """Stop after the rows in hand; `resume` goes on from there."""
        self.stopped.set()
        self._thread.shutdown(wait=True)

    def _path(self, import_id: int) -> Path:
        return self.folder / str(import_id)

    def _read(self, import_id: int) -> None:
        path = self._path(import_id)
        with _lock(path) as ours:
            if ours and self._read_to_end(import_id, path):
                path.unlink(missing_ok=True)

    def _read_to_end(self, import_id: int, path: Path) -> bool:
        """Read a file as long as the service runs, and return whether the import has ended."""
        counted = False
        for pause in (*WAITS, None):
            try:
                counted = counted or imports.begin_attempt(self.store, import_id)
                if not counted or imports.run(self.store, import_id, path, self.media, stopped=self.stopped.is_set):
                    return True
                break
            except OperationalError as error:
                logger.warning("import %d waits for the database: %s", import_id, error)
                if pause is None:
                    return self._give_up(import_id)
                if self.stopped.wait(pause):
                    break
            except Exception:
                logger.exception("import %d failed", import_id)
                return True
        self._undo_attempt(import_id)
        return False

    def _give_up(self, import_id: int) -> bool:
        """End an import that the database does not take. If it does not take that either, the next start goes on."""
        try:
            imports.give_up(self.store, import_id)
        except OperationalError:
            self._undo_attempt(import_id)
            return False
        return True

    def _undo_attempt(self, import_id: int) -> None:
        try:
            imports.undo_attempt(self.store, import_id)
        except OperationalError as error:
            logger.warning("import %d could not be left in order: %s", import_id, error)


@contextmanager
def _lock(path: Path) -> Iterator[bool]:
    """Tell whether a file is ours to read: every process of a service looks for unfinished imports when it starts.

    The lock ends with the process, however it ends.
    """
    try:
        file = path.open("rb")
    except FileNotFoundError:
        yield True  # the import says so
        return
    with file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            yield False
        else:
            yield True
