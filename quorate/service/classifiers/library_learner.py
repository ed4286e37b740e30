"""A learner of `quorate.learning`, chosen by name and fitted once per fold; stored as its own files, zipped."""

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
from quorate.service.classifiers.features import FeatureExtractor, fit_extractor
from quorate.service.classifiers.item import N_FOLDS, Item, MediaReader, assign_folds, no_media
from quorate.typing import Array


@dataclass(frozen=True, eq=False)
class LibraryLearner:
    """One learner per fold, each fitted without the items of its fold.

    Attributes:
        name: name of the learner in `quorate.learning.learners`.
        extractor: features of the items.
        n_classes: number of classes.
        files: zip file of each learner; empty where a fold had no training items.
    """

    name: str
    extractor: FeatureExtractor
    n_classes: int
    files: tuple[NDArray[np.uint8], ...]

    @classmethod
    def fit(cls, name: str, items: Sequence[Item], votes: Votes, probs: Array, media: MediaReader) -> Self | None:
        """Fit the learners to the votes on some items; None if the items have no features that can be used.

        Args:
            name: name of the learner.
            items: the training items.
            votes: votes on these items, in the same order.
            probs: (n_items, n_classes), their posterior.
            media: reads uploaded files.
        """
        extractor = fit_extractor(items, media)
        if extractor is None:
            return None
        x, fold = extractor.transform(items, media), assign_folds([item.id for item in items])
        files = []
        for number in range(N_FOLDS):
            rows = np.flatnonzero(fold != number)
            learner = _fit_learner(name, x[rows], votes.subset(tasks=rows), probs[rows]) if len(rows) else None
            files.append(np.frombuffer(_zip(learner), dtype=np.uint8))
        return cls(name, extractor, probs.shape[1], tuple(files))

    def predict_proba(
        self, items: Sequence[Item], in_training: NDArray[np.bool_], media: MediaReader = no_media
    ) -> Array:
        """Return class probabilities: of training items out of fold, of other items as the mean of all learners."""
        x, fold = self.extractor.transform(items, media), assign_folds([item.id for item in items])
        probs = np.zeros((len(items), self.n_classes))
        for number, learner in enumerate(self._learners):
            own, others = np.flatnonzero(in_training & (fold == number)), np.flatnonzero(~in_training)
            probs[own] = self._predict_rows(learner, x, own)
            probs[others] += self._predict_rows(learner, x, others) / N_FOLDS
        return probs

    def _predict_rows(self, learner: Any, x: Any, rows: NDArray[np.int64]) -> Array:
        if learner is None or not len(rows):
            return np.full((len(rows), self.n_classes), 1 / self.n_classes)
        probs: Array = learner.predict_proba(x[rows])
        return probs

    @cached_property
    def _learners(self) -> tuple[Any, ...]:
        return tuple(_unzip(file.tobytes()) for file in self.files)


def require_learner(name: str) -> Any:
    """Return a learner with its default options; refuse those that cannot learn from votes or cannot be stored."""
    learner_class = registry.method_class("learning.learners", name)
    if not all(hasattr(learner_class, method) for method in ("fit", "predict_proba", "state")):
        raise MethodError(f"{name} is not a learner that a project can use: choose linear, network, none or http")
    return learner_class()


def _fit_learner(name: str, x: Any, votes: Votes, probs: Array) -> Any:
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


def _zip(learner: Any) -> bytes:
    if learner is None:
        return b""
    from quorate.learning.saving import save  # slow to import: the default classifier does not need it

    buffer = io.BytesIO()
    with tempfile.TemporaryDirectory() as folder:
        save(learner, Path(folder) / "model")
        with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as file:
            for path in sorted((Path(folder) / "model").iterdir()):
                file.write(path, path.name)
    return buffer.getvalue()


def _unzip(data: bytes) -> Any:
    if not data:
        return None
    from quorate.learning.saving import load

    with tempfile.TemporaryDirectory() as folder, zipfile.ZipFile(io.BytesIO(data)) as file:
        for name in file.namelist():
            (Path(folder) / Path(name).name).write_bytes(file.read(name))
        return load(folder)
