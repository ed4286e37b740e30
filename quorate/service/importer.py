"""Reads uploaded files in the background, one after the other, and goes on with those that a stop cut off."""

import logging
import threading
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

from quorate.service.media import Media
from quorate.service.store.database import Store
from quorate.service.usecases import imports

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
        try:
            imports.run(self.store, import_id, path, self.media, stopped=self.stopped.is_set)
        except Exception:
            logger.exception("import %d failed", import_id)
        if not self.stopped.is_set():
            path.unlink(missing_ok=True)
