"""The default classifier: softmax regression in folds, each fitted from where it was the last time."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from quorate.errors import FileError
from quorate.learning.softmax import best_weights, class_probs
from quorate.parallel import one_blas_thread
from quorate.service.classifiers.features import Reader, learn_reader
from quorate.service.classifiers.features_text import Words
from quorate.service.classifiers.item import FOLDS, Item, Media, fold_of, no_media
from quorate.service.classifiers.named import Named
from quorate.service.store.model_blob import pack_parts, unpack_parts
from quorate.typing import Array

ROUNDS, ENOUGH = 60, 1e-4  # of L-BFGS, and the gradient at which it stops
L2 = 0.02  # of features on one scale, as in replays
TEXT_L2 = (1e-4, 0.05)  # of words: one over the number of texts, within these


@dataclass(frozen=True, eq=False)
class Softmax:
    """A classifier for each fold of the items: none was taught the items of its own fold.

    reader: how items become numbers. weights: (n_folds, n_features + 1, n_classes), the intercepts last.
    """

    reader: Reader
    weights: NDArray[np.float32]

    @classmethod
    def taught(
        cls, items: Sequence[Item], probs: Array, media: Media = no_media, start: "Softmax | None" = None
    ) -> Self | None:
        """Learn what is believed of some items, (n, n_classes); None where nothing can be read of them.

        start: the classifier of an earlier lesson, to go on from.
        """
        reader = learn_reader(items, media)
        if reader is None:
            return None
        x, fold = reader.rows(items, media), fold_of([item.id for item in items])
        weights = np.zeros((FOLDS, x.shape[1] + 1, probs.shape[1]))
        if start is not None:
            weights = start.carried_to(reader, weights.shape)
        with one_blas_thread():
            for number in range(FOLDS):
                rows = np.flatnonzero(fold != number)
                if len(rows):  # else nobody teaches: all classes alike
                    weights[number] = _fitted(reader, x[rows], probs[rows], weights[number])
        return cls(reader, weights.astype(np.float32))

    def said(self, items: Sequence[Item], was_taught: NDArray[np.bool_], media: Media = no_media) -> Array:
        """Class probabilities: of items that were taught by the fold that they were kept from, of others by all."""
        x, fold = self.reader.rows(items, media), fold_of([item.id for item in items])
        said = np.zeros((len(items), self.weights.shape[2]))
        with one_blas_thread():
            for number, weights in enumerate(self.weights):
                own = np.flatnonzero(was_taught & (fold == number))
                said[own] = class_probs(x[own], weights)
                said[~was_taught] += class_probs(x[np.flatnonzero(~was_taught)], weights) / FOLDS
        return said

    def carried_to(self, reader: Reader, shape: tuple[int, ...]) -> Array:
        """The weights where items are read anew: words that were known keep theirs, new ones start at nothing."""
        weights = np.zeros(shape)
        if isinstance(self.reader, Words) and isinstance(reader, Words) and self.weights.shape[2] == shape[2]:
            _, old, new = np.intersect1d(self.reader.columns, reader.columns, return_indices=True)
            weights[:, new], weights[:, -1] = self.weights[:, old], self.weights[:, -1]
        elif type(self.reader) is type(reader) and self.weights.shape == shape:
            weights[:] = self.weights
        return weights


def _fitted(reader: Reader, x: Any, probs: Array, start: Array) -> Array:
    l2 = float(np.clip(1 / len(probs), *TEXT_L2)) if isinstance(reader, Words) else L2
    return best_weights(x, probs, np.ones(len(probs)), l2=l2, max_rounds=ROUNDS, tol=ENOUGH, start=start)


Classifier = Softmax | Named


def pack_classifier(classifier: Classifier) -> bytes:
    """A classifier as bytes, for a column of the database."""
    return pack_parts(classifier)


def unpack_classifier(packed: bytes) -> Classifier:
    """What `pack_classifier` was given."""
    found = unpack_parts(packed)
    if not isinstance(found, Softmax | Named):
        raise FileError(f"the stored model is damaged: {type(found).__name__} is no classifier; teach it anew")
    return found


def predict(classifier: Classifier, items: Sequence[Item], media: Media = no_media) -> Array:
    """Class probabilities of new items, which taught nothing: (n, n_classes)."""
    return classifier.said(items, np.zeros(len(items), dtype=bool), media)
