"""Cache of text embeddings: each text is encoded once; kept in memory and, where a folder is named, on disk."""

import hashlib
import json
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from quorate.errors import FileError
from quorate.io.files import replacing

MAX_IN_MEMORY = 200_000  # embeddings; without a folder, the cache is emptied before it exceeds them

Encode = Callable[[NDArray[np.int64]], NDArray[np.float32]]  # indices of texts -> their embeddings


@lru_cache(maxsize=2)
def embedding_cache(folder: str, encoder: str, size: int) -> "EmbeddingCache":
    """Return the cache of an encoder, the same object for the same arguments within a process."""
    return EmbeddingCache(folder, encoder, size)


class EmbeddingCache:
    """Embeddings by text, so that a subset of the texts, such as a fold, is not encoded again.

    Args:
        folder: where embeddings are stored between runs; "" keeps them in memory only.
        encoder: identifies the encoder and its settings.
        size: number of features of an embedding.
    """

    def __init__(self, folder: str, encoder: str, size: int) -> None:
        self.folder, self.encoder = folder, encoder
        self.dtype = np.dtype([("text", "V16"), ("vector", "<f4", (size,))])
        self.embeddings: dict[bytes, NDArray[np.float32]] = {}  # by hash of the text
        self.files_read: set[Path] = set()

    def get(self, sides: tuple[list[str], ...], encode: Encode) -> NDArray[np.float32]:
        """Return the embeddings of texts, (n, size), and encode those that are not in the cache.

        sides: a list of texts, or the lists of first and second texts of pairs.
        """
        self._read_new_files()
        keys = [hashlib.sha256(json.dumps(texts).encode()).digest()[:16] for texts in zip(*sides, strict=True)]
        embeddings = {key: self.embeddings[key] for key in keys if key in self.embeddings}
        missing: dict[bytes, int] = {}  # key -> index of its first text
        for index, key in enumerate(keys):
            if key not in embeddings:
                missing.setdefault(key, index)
        if missing:
            new = dict(zip(missing, encode(np.array(list(missing.values()))), strict=True))
            self._add(new)
            embeddings |= new
        return np.stack([embeddings[key] for key in keys])

    def _add(self, new: dict[bytes, NDArray[np.float32]]) -> None:
        if not self.folder and len(self.embeddings) + len(new) > MAX_IN_MEMORY:
            self.embeddings.clear()
        self.embeddings |= new
        if self.folder:
            self._write(new)

    def _write(self, new: dict[bytes, NDArray[np.float32]]) -> None:
        """Write new embeddings to a file of their own, so that two processes can share a folder."""
        table = np.empty(len(new), dtype=self.dtype)
        table["text"] = np.frombuffer(b"".join(new), dtype="V16")
        table["vector"] = list(new.values())
        path = Path(self.folder) / f"{self.encoder}-{hashlib.sha256(b''.join(new)).hexdigest()[:16]}.npy"
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise FileError(f"{self.folder}: the folder cannot be created: {error.strerror}") from None
        with replacing(path) as temporary, temporary.open("wb") as file:
            np.save(file, table, allow_pickle=False)
        self.files_read.add(path)

    def _read_new_files(self) -> None:
        """Read files added since the last call; a damaged file is skipped, and its texts are encoded again."""
        if not self.folder:
            return
        for path in sorted(set(Path(self.folder).glob(f"{self.encoder}-*.npy")) - self.files_read):
            self.files_read.add(path)
            try:
                table = np.load(path, allow_pickle=False)
            except (OSError, ValueError, EOFError):
                continue
            if table.dtype == self.dtype:
                self.embeddings |= zip(table["text"].tolist(), table["vector"], strict=True)
