"""Vectors of texts, each made once: kept in memory, and in a folder from one run to the next where one is named."""

import hashlib
import json
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from quorate.errors import FileError
from quorate.io.files import replacing

MOST = 200_000  # vectors in memory where there is no folder; beyond them, it starts over

Make = Callable[[NDArray[np.int64]], NDArray[np.float32]]  # the vectors of some of the texts, by their places


@lru_cache(maxsize=2)
def vectors(folder: str, maker: str, size: int) -> "Vectors":
    """The vectors of one maker: the same object for the same folder and maker as long as the program runs."""
    return Vectors(folder, maker, size)


class Vectors:
    """Vectors by text, so that a part of the texts, such as a fold, is not made again.

    folder: "" for none. maker: tells apart what would make other vectors of the same texts.
    """

    def __init__(self, folder: str, maker: str, size: int) -> None:
        self.folder, self.maker = folder, maker
        self.rows = np.dtype([("text", "V16"), ("vector", "<f4", (size,))])
        self.kept: dict[bytes, NDArray[np.float32]] = {}
        self.read: set[Path] = set()

    def of(self, sides: tuple[list[str], ...], make: Make) -> NDArray[np.float32]:
        """The vectors of texts, or of pairs as first and second texts: (n, size); `make` gives those not kept yet."""
        self._read()
        names = [hashlib.sha256(json.dumps(texts).encode()).digest()[:16] for texts in zip(*sides, strict=True)]
        found = {name: self.kept[name] for name in names if name in self.kept}
        first: dict[bytes, int] = {}
        for place, name in enumerate(names):
            if name not in found:
                first.setdefault(name, place)
        if first:
            new = dict(zip(first, make(np.array(list(first.values()))), strict=True))
            self._keep(new)
            found |= new
        return np.stack([found[name] for name in names])

    def _keep(self, new: dict[bytes, NDArray[np.float32]]) -> None:
        if not self.folder and len(self.kept) + len(new) > MOST:
            self.kept.clear()
        self.kept |= new
        if self.folder:
            self._write(new)

    def _write(self, new: dict[bytes, NDArray[np.float32]]) -> None:
        """A file of its own for what is new: two programs do not come in each other's way."""
        table = np.empty(len(new), dtype=self.rows)
        table["text"] = np.frombuffer(b"".join(new), dtype="V16")
        table["vector"] = list(new.values())
        path = Path(self.folder) / f"{self.maker}-{hashlib.sha256(b''.join(new)).hexdigest()[:16]}.npy"
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise FileError(f"{self.folder}: cannot be made a folder: {error.strerror}") from None
        with replacing(path) as temporary, temporary.open("wb") as file:
            np.save(file, table, allow_pickle=False)
        self.read.add(path)

    def _read(self) -> None:
        """Take in the files that have come since; one that is damaged is passed over, and its texts made again."""
        if not self.folder:
            return
        for path in sorted(set(Path(self.folder).glob(f"{self.maker}-*.npy")) - self.read):
            self.read.add(path)
            try:
                table = np.load(path, allow_pickle=False)
            except (OSError, ValueError, EOFError):
                continue
            if table.dtype == self.rows:
                self.kept |= zip(table["text"].tolist(), table["vector"], strict=True)
