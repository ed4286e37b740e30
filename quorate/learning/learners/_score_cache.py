"""Scores kept on disk, so that a search that is run again does not train again."""

import hashlib
import json
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse

from quorate.data.votes import Votes
from quorate.io.files import write_text


class ScoreCache:
    """Scores by what was trained on what; a folder of small JSON files, or nothing at all where there is no folder."""

    def __init__(self, folder: str, data: str) -> None:
        self.folder = Path(folder) if folder else None
        self.data = data
        if self.folder is not None:
            self.folder.mkdir(parents=True, exist_ok=True)

    def get(self, learner: Any) -> tuple[float, str] | None:
        """Score and, where training failed, the reason; None where it is not known. A broken file counts for none."""
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
        """Keep a score."""
        path = self._path(learner)
        if path is not None:
            known = {"learner": repr(learner), "score": score if np.isfinite(score) else None, "reason": reason}
            write_text(json.dumps(known, indent=1) + "\n", path)

    def _path(self, learner: Any) -> Path | None:
        if self.folder is None:
            return None
        return self.folder / f"{hashlib.sha256(f'{learner!r} {self.data}'.encode()).hexdigest()[:32]}.json"


def fingerprint(*parts: Any) -> str:
    """A short text that differs where the data differs: arrays, frames, sparse matrices, texts, lists of them, votes.

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
        value = np.asarray(value)  # a frame or a tensor, which as a text would leave out the middle
    if isinstance(value, np.ndarray) and value.dtype.kind in "biuf":
        hasher.update(f"{value.dtype} {value.shape} ".encode())
        hasher.update(np.ascontiguousarray(value).tobytes())
    elif isinstance(value, tuple | list | np.ndarray):
        hasher.update(f"{len(value)} parts ".encode())
        for one in value:
            _feed(hasher, one)
    else:
        text = str(value)
        hasher.update(f"{len(text)} {text} ".encode())
