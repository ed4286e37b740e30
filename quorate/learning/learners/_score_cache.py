"""Scores kept on disk, so that repeating a search does not repeat its trainings."""

import hashlib
import json
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse

from quorate.data.votes import Votes
from quorate.io.files import write_text


class ScoreCache:
    """Scores by learner and data, in a folder of small JSON files; without a folder, nothing is kept."""

    def __init__(self, folder: str, data: str) -> None:
        self.folder = Path(folder) if folder else None
        self.data = data
        if self.folder is not None:
            self.folder.mkdir(parents=True, exist_ok=True)

    def get(self, learner: Any) -> tuple[float, str] | None:
        """Return the score and, if training failed, the reason; None if there is no entry, or a broken file."""
        path = self._path(learner)
        if path is None or not path.is_file():
            return None
        try:
            content = json.loads(path.read_text(encoding="utf-8"))
            score = np.nan if content["score"] is None else float(content["score"])
            return score, str(content["reason"])
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def put(self, learner: Any, score: float, reason: str) -> None:
        """Write a score."""
        path = self._path(learner)
        if path is not None:
            content = {"learner": repr(learner), "score": score if np.isfinite(score) else None, "reason": reason}
            write_text(json.dumps(content, indent=1) + "\n", path)

    def _path(self, learner: Any) -> Path | None:
        if self.folder is None:
            return None
        return self.folder / f"{hashlib.sha256(f'{learner!r} {self.data}'.encode()).hexdigest()[:32]}.json"


def fingerprint(*parts: Any) -> str:
    """Return a hash of data: arrays, frames, sparse matrices, texts, lists of them, votes.

    >>> fingerprint(["a", "b"]) == fingerprint(["a", "b"]), fingerprint(["a", "b"]) == fingerprint(["ab"])
    (True, False)
    """
    hasher = hashlib.sha256()
    _feed(hasher, parts)
    return hasher.hexdigest()


def _feed(hasher: Any, value: Any) -> None:
    if sparse.issparse(value):
        rows = sparse.csr_array(value)
        value = (*rows.shape, rows.data, rows.indices, rows.indptr)
    if isinstance(value, Votes):
        value = (value.task, value.worker, value.label, value.tasks, value.workers, value.classes)
    if hasattr(value, "__array__") and not isinstance(value, np.ndarray | np.generic):
        value = np.asarray(value)  # the text of a frame or tensor would leave out its middle
    if isinstance(value, np.ndarray) and value.dtype.kind in "biuf":
        hasher.update(f"{value.dtype} {value.shape} ".encode())
        hasher.update(np.ascontiguousarray(value).tobytes())
    elif isinstance(value, tuple | list | np.ndarray):
        hasher.update(f"{len(value)} parts ".encode())
        for part in value:
            _feed(hasher, part)
    else:
        text = str(value)
        hasher.update(f"{len(text)} {text} ".encode())
