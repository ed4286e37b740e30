"""The default classifier: softmax regression, one model per fold, each fitted from its previous weights."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from quorate.errors import FileError
from quorate.learning.softmax import best_weights, class_probs
from quorate.parallel import one_blas_thread
from quorate.service.classifiers.features import FeatureExtractor, fit_extractor
from quorate.service.classifiers.features_text import TextFeatures
from quorate.service.classifiers.item import N_FOLDS, Item, MediaReader, assign_folds, no_media
from quorate.service.classifiers.library_learner import LibraryLearner
from quorate.service.store.model_blob import pack_parts, unpack_parts
from quorate.typing import Array

MAX_ROUNDS, TOLERANCE = 60, 1e-4  # of L-BFGS: iterations, and the gradient at which it stops
L2 = 0.02  # of standardized features; chosen in replays
TEXT_L2 = (1e-4, 0.05)  # of words: one over the number of texts, clipped to this range


@dataclass(frozen=True, eq=False)
class Softmax:
    """One softmax regression per fold, each fitted without the items of its fold.

    Attributes:
        extractor: features of the items.
        weights: (n_folds, n_features + 1, n_classes), the intercepts last.
    """

    extractor: FeatureExtractor
    weights: NDArray[np.float32]

    @classmethod
    def fit(
        cls, items: Sequence[Item], probs: Array, media: MediaReader = no_media, start: "Softmax | None" = None
    ) -> Self | None:
        """Fit the classifier to some items; None if the items have no features that can be used.

        Args:
            items: the training items.
            probs: (n_items, n_classes), their posterior.
            media: reads uploaded files.
            start: earlier classifier whose weights are the starting point.
        """
        extractor = fit_extractor(items, media)
        if extractor is None:
            return None
        x, fold = extractor.transform(items, media), assign_folds([item.id for item in items])
        weights = np.zeros((N_FOLDS, x.shape[1] + 1, probs.shape[1]))
        if start is not None:
            weights = start.carry_weights(extractor, weights.shape)
        with one_blas_thread():
            for number in range(N_FOLDS):
                rows = np.flatnonzero(fold != number)
                if len(rows):  # otherwise the weights stay zero, which predicts uniform probabilities
                    weights[number] = _fit_weights(extractor, x[rows], probs[rows], weights[number])
        return cls(extractor, weights.astype(np.float32))

    def predict_proba(
        self, items: Sequence[Item], in_training: NDArray[np.bool_], media: MediaReader = no_media
    ) -> Array:
        """Return class probabilities: of training items out of fold, of other items as the mean of all folds."""
        x, fold = self.extractor.transform(items, media), assign_folds([item.id for item in items])
        probs = np.zeros((len(items), self.weights.shape[2]))
        with one_blas_thread():
            for number, weights in enumerate(self.weights):
                own = np.flatnonzero(in_training & (fold == number))
                probs[own] = class_probs(x[own], weights)
                probs[~in_training] += class_probs(x[np.flatnonzero(~in_training)], weights) / N_FOLDS
        return probs

    def carry_weights(self, extractor: FeatureExtractor, shape: tuple[int, ...]) -> Array:
        """Return the weights for other features: words that are in both keep theirs, new ones start at zero."""
        weights = np.zeros(shape)
        before, same_classes = self.extractor, self.weights.shape[2] == shape[2]
        if isinstance(before, TextFeatures) and isinstance(extractor, TextFeatures) and same_classes:
            _, old, new = np.intersect1d(before.columns, extractor.columns, return_indices=True)
            weights[:, new], weights[:, -1] = self.weights[:, old], self.weights[:, -1]
        elif type(before) is type(extractor) and self.weights.shape == shape:
            weights[:] = self.weights
        return weights


def _fit_weights(extractor: FeatureExtractor, x: Any, probs: Array, start: Array) -> Array:
    l2 = float(np.clip(1 / len(probs), *TEXT_L2)) if isinstance(extractor, TextFeatures) else L2
    return best_weights(x, probs, np.ones(len(probs)), l2=l2, max_rounds=MAX_ROUNDS, tol=TOLERANCE, start=start)


Classifier = Softmax | LibraryLearner


def pack_classifier(classifier: Classifier) -> bytes:
    """Return a classifier as bytes, for a column of the database."""
    return pack_parts(classifier)


def unpack_classifier(packed: bytes) -> Classifier:
    """Return the classifier that `pack_classifier` packed."""
    classifier = unpack_parts(packed)
    if not isinstance(classifier, Softmax | LibraryLearner):
        raise FileError(f"the stored model is damaged: {type(classifier).__name__} is not a classifier; train it again")
    return classifier


def predict(classifier: Classifier, items: Sequence[Item], media: MediaReader = no_media) -> Array:
    """Return class probabilities of new items, which it was not trained on: (n, n_classes)."""
    return classifier.predict_proba(items, np.zeros(len(items), dtype=bool), media)
