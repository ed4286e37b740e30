"""A learner of `quorate.learning` by its name, fitted once per fold; it is kept as its own files, zipped."""

import io
import tempfile
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from quorate import registry
from quorate.data.posterior import Posterior
from quorate.data.votes import Votes
from quorate.errors import MethodError
from quorate.service.classifiers.features import Reader, learn_reader
from quorate.service.classifiers.item import FOLDS, Item, Media, fold_of, no_media
from quorate.typing import Array


@dataclass(frozen=True, eq=False)
class Named:
    """Learners that were each kept from one fold of the items. files: of each, a zip; empty where nobody taught it."""

    name: str
    reader: Reader
    n_classes: int
    files: tuple[NDArray[np.uint8], ...]

    @classmethod
    def taught(cls, name: str, items: Sequence[Item], votes: Votes, probs: Array, media: Media) -> Self | None:
        """Learn from the votes on some items and what they are believed to be; None where nothing can be read."""
        reader = learn_reader(items, media)
        if reader is None:
            return None
        x, fold = reader.rows(items, media), fold_of([item.id for item in items])
        files = []
        for number in range(FOLDS):
            rows = np.flatnonzero(fold != number)
            fitted = _fitted(name, x[rows], votes.subset(tasks=rows), probs[rows]) if len(rows) else None
            files.append(np.frombuffer(_zipped(fitted), dtype=np.uint8))
        return cls(name, reader, probs.shape[1], tuple(files))

    def said(self, items: Sequence[Item], was_taught: NDArray[np.bool_], media: Media = no_media) -> Array:
        """Class probabilities: of items that were taught by the fold that they were kept from, of others by all."""
        x, fold = self.reader.rows(items, media), fold_of([item.id for item in items])
        said = np.zeros((len(items), self.n_classes))
        for number, learner in enumerate(self._learners):
            own, others = np.flatnonzero(was_taught & (fold == number)), np.flatnonzero(~was_taught)
            said[own] = self._by(learner, x, own)
            said[others] += self._by(learner, x, others) / FOLDS
        return said

    def _by(self, learner: Any, x: Any, rows: NDArray[np.int64]) -> Array:
        if learner is None or not len(rows):
            return np.full((len(rows), self.n_classes), 1 / self.n_classes)
        probs: Array = learner.predict_proba(x[rows])
        return probs

    @cached_property
    def _learners(self) -> tuple[Any, ...]:
        return tuple(_unzipped(file.tobytes()) for file in self.files)


def require_learner(name: str) -> Any:
    """A learner by its name, with its usual options; what cannot learn from votes, or not be kept, is refused."""
    found = registry.method_class("learning.learners", name)
    if not all(hasattr(found, verb) for verb in ("fit", "predict_proba", "state")):
        raise MethodError(f"{name} is no learner that a project can have: give linear, network, none or http")
    return found()


def _fitted(name: str, x: Any, votes: Votes, probs: Array) -> Any:
    posterior = Posterior(
        probs=probs,
        tasks=votes.tasks,
        workers=votes.workers,
        classes=votes.classes,
        class_prior=probs.mean(axis=0),
        worker_model=None,
        objective=np.empty(0),
    )
    return require_learner(name).fit(x, votes, posterior)


def _zipped(learner: Any) -> bytes:
    if learner is None:
        return b""
    from quorate.learning.saving import save  # heavy: who has the usual classifier does without

    buffer = io.BytesIO()
    with tempfile.TemporaryDirectory() as folder:
        save(learner, Path(folder) / "model")
        with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as file:
            for path in sorted((Path(folder) / "model").iterdir()):
                file.write(path, path.name)
    return buffer.getvalue()


def _unzipped(data: bytes) -> Any:
    if not data:
        return None
    from quorate.learning.saving import load

    with tempfile.TemporaryDirectory() as folder, zipfile.ZipFile(io.BytesIO(data)) as file:
        for name in file.namelist():
            (Path(folder) / Path(name).name).write_bytes(file.read(name))
        return load(folder)
