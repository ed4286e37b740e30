"""Cache of features: an item is encoded once, and work that was interrupted goes on where it stopped."""

import hashlib
import json
import os
import sys
from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import Path
from time import monotonic
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from quorate.inference.progress import report_round
from quorate.learning.encoders.database import FeatureDatabase

VARIABLE = "QUORATE_CACHE"  # names the folder of the cache; empty: features are kept in memory only
MAX_BYTES_IN_MEMORY = 2**28  # of the features that one cache keeps in memory
CHUNK = 64  # items that are encoded between two reports of progress
WRITE_SECONDS = 3.0  # between two writes to the folder

Encode = Callable[[NDArray[np.int64]], NDArray[Any]]  # indices of items -> their features


def default_folder() -> str:
    """Return the folder that QUORATE_CACHE names, or one for caches in the home folder of the user."""
    if VARIABLE in os.environ:
        return os.environ[VARIABLE]
    base = {"darwin": "~/Library/Caches", "win32": os.environ.get("LOCALAPPDATA", "~")}.get(sys.platform)
    base = base or os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    return str(Path(base).expanduser() / "quorate" / "features")


def content_keys(contents: Sequence[Any]) -> list[bytes]:
    """Return a hash of each text, pair of texts or byte string."""
    as_bytes = (content if isinstance(content, bytes) else json.dumps(content).encode() for content in contents)
    return [hashlib.sha256(content).digest()[:16] for content in as_bytes]


@lru_cache(maxsize=4)
def feature_cache(
    folder: str, encoder: str, size: int, dtype: DTypeLike = np.float32, *, optional: bool = False
) -> "FeatureCache":
    """Return the cache of an encoder, the same object for the same arguments within a process."""
    return FeatureCache(folder, encoder, size, dtype, optional=optional)


class FeatureCache:
    """Features by the hash of an item, in memory and, where a folder is named, in a database in that folder.

    Several processes can share a folder. It holds hashes and features, but not the items themselves.

    Args:
        folder: where features are stored between runs; "" keeps them in memory only.
        encoder: identifies the encoder, its version and its settings.
        size: number of features of an item.
        dtype: the type of the features, in memory and in the folder.
        optional: go on in memory where the folder cannot be used, instead of raising an error.
    """

    def __init__(
        self, folder: str, encoder: str, size: int, dtype: DTypeLike = np.float32, *, optional: bool = False
    ) -> None:
        self.size, self.dtype = size, np.dtype(dtype)
        self.memory: dict[bytes, NDArray[Any]] = {}
        self.database = FeatureDatabase(Path(folder) / f"{encoder}.sqlite", optional=optional) if folder else None

    def get(self, keys: Sequence[bytes], encode: Encode, lengths: Sequence[int] = ()) -> NDArray[Any]:
        """Return the features of items, (n, size), and encode those that are not in the cache.

        Features are written every few seconds while items are encoded, and `report_round` counts the encoded items.

        Args:
            keys: hashes of the items, see `content_keys`.
            encode: returns the features of the items with these indices.
            lengths: of the items, where those of similar length should be encoded together.
        """
        first: dict[bytes, int] = {}  # key -> index of the first item that has it
        for index, key in enumerate(keys):
            first.setdefault(key, index)
        table = np.empty((len(keys), self.size), dtype=self.dtype)
        missing = self._read(table, first)
        order = np.array(sorted(missing, key=lambda index: lengths[index]) if len(lengths) else missing, dtype=np.int64)
        self._encode(table, keys, order, encode)
        repeated = [index for index, key in enumerate(keys) if first[key] != index]
        table[repeated] = table[[first[keys[index]] for index in repeated]]
        return table

    def _read(self, table: NDArray[Any], first: dict[bytes, int]) -> list[int]:
        """Fill in the rows of items in the cache, and return the indices of the others."""
        missing = [key for key in first if key not in self.memory]
        for key in first.keys() - set(missing):
            table[first[key]] = self.memory[key]
        if self.database is None or not missing:
            return [first[key] for key in missing]
        stored = set()
        for key, content in self.database.select(missing):
            if len(content) == table[0].nbytes:
                table[first[key]] = np.frombuffer(content, dtype=self.dtype)
                stored.add(key)
        self._remember(table, {key: first[key] for key in stored})
        return [first[key] for key in missing if key not in stored]

    def _encode(self, table: NDArray[Any], keys: Sequence[bytes], order: NDArray[np.int64], encode: Encode) -> None:
        """Fill in the rows of items that are not in the cache, and add them to it."""
        n_encoded, n_written, last_write = 0, 0, monotonic()
        try:
            while n_encoded < len(order):
                chunk = order[n_encoded : n_encoded + CHUNK]
                table[chunk] = encode(chunk)
                n_encoded += len(chunk)
                report_round(n_encoded, len(order))
                if monotonic() - last_write >= WRITE_SECONDS:
                    self._write(table, keys, order[n_written:n_encoded].tolist())
                    n_written, last_write = n_encoded, monotonic()
        finally:  # what is encoded is kept also after an interruption
            self._write(table, keys, order[n_written:n_encoded].tolist())

    def _write(self, table: NDArray[Any], keys: Sequence[bytes], indices: list[int]) -> None:
        self._remember(table, {keys[index]: index for index in indices})
        if self.database is not None and indices:
            self.database.insert([(keys[index], table[index].tobytes()) for index in indices])

    def _remember(self, table: NDArray[Any], new: dict[bytes, int]) -> None:
        """Keep rows in memory, by key, if there is space; where there is not enough, those of before are dropped."""
        max_rows = MAX_BYTES_IN_MEMORY // (self.size * self.dtype.itemsize)
        if len(self.memory) + len(new) > max_rows:
            self.memory.clear()
        if len(new) <= max_rows:
            self.memory |= {key: table[index].copy() for key, index in new.items()}
