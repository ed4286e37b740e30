"""A file that stores features by the hash of an item: SQLite, which several processes can share."""

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from quorate.errors import FileError

MAX_KEYS = 500  # in one query
MAX_WAIT = 60.0  # seconds, while another process writes

Query = Callable[[sqlite3.Connection], Any]


class FeatureDatabase:
    """A database of features; a damaged file is replaced by an empty one.

    Args:
        path: the file, which is created with its folder.
        optional: do nothing where the file cannot be read or written, instead of raising an error.
    """

    def __init__(self, path: Path, *, optional: bool) -> None:
        self.path, self.optional, self.is_usable = path, optional, True

    def select(self, keys: Sequence[bytes]) -> Iterator[tuple[bytes, bytes]]:
        """Yield the keys that are stored, each with the bytes of its features."""
        for start in range(0, len(keys), MAX_KEYS):
            some = keys[start : start + MAX_KEYS]
            query = f"SELECT item, vector FROM features WHERE item IN ({','.join('?' * len(some))})"
            yield from self._run(_fetch(query, some)) or []

    def insert(self, rows: Sequence[tuple[bytes, bytes]]) -> None:
        """Store the bytes of features by key, all or none."""
        self._run(lambda database: database.executemany("INSERT OR REPLACE INTO features VALUES (?, ?)", rows))

    def _run(self, query: Query) -> Any:
        if not self.is_usable:
            return None
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            return self._query_or_replace(query)
        except (OSError, sqlite3.Error) as error:
            if not self.optional:
                raise FileError(f"{self.path}: the cache cannot be read or written: {error}") from None
            self.is_usable = False
            return None

    def _query_or_replace(self, query: Query) -> Any:
        try:
            return self._query(query)
        except sqlite3.OperationalError:  # locked, no space, or not writable
            raise
        except sqlite3.DatabaseError:
            self.path.unlink(missing_ok=True)
            return self._query(query)

    def _query(self, query: Query) -> Any:
        with closing(sqlite3.connect(self.path, timeout=MAX_WAIT)) as database, database:
            database.execute("CREATE TABLE IF NOT EXISTS features (item BLOB PRIMARY KEY, vector BLOB NOT NULL)")
            return query(database)


def _fetch(query: str, keys: Sequence[bytes]) -> Query:
    return lambda database: database.execute(query, keys).fetchall()
