"""CrowdClassifier: learning from votes with the interface of scikit-learn."""

from copy import deepcopy
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from quorate import registry
from quorate.data.option_checks import require_part
from quorate.data.votes import Votes
from quorate.errors import MissingExtraError, VotesError
from quorate.learning.inputs import align_items, item_values, n_items
from quorate.learning.learners.linear import Linear
from quorate.protocols import Aggregator, Learner
from quorate.typing import Array

try:
    from sklearn.base import BaseEstimator, ClassifierMixin
    from sklearn.utils.multiclass import check_classification_targets
    from sklearn.utils.validation import check_array, check_is_fitted, column_or_1d, validate_data
except ImportError:
    raise MissingExtraError("CrowdClassifier needs scikit-learn 1.6: pip install 'quorate[learn]'") from None


class CrowdClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """A scikit-learn classifier that is fitted to votes instead of labels.

    learner: any learner of Quorate, such as Network(...); None: Linear(). It is copied and stays unfitted.
    aggregator: the method that computes the posterior from which it learns, by name or as an object.
    After `fit`: `learner_`, `posterior_`, `classes_`, `n_features_in_`.

    >>> X = np.array([[0.0, 1.0], [0.2, 0.9], [1.0, 0.1], [0.9, 0.0]])
    >>> votes = [[0, 0, 1], [0, -1, 0], [1, 1, 1], [1, 0, 1]]
    >>> CrowdClassifier().fit(X, votes).predict(X).tolist()
    [0, 0, 1, 1]
    """

    def __init__(self, learner: Learner | None = None, aggregator: str | Aggregator = "dawid_skene") -> None:
        self.learner = learner
        self.aggregator = aggregator

    def fit(self, X: Any, y: Any) -> Self:  # noqa: N803 - scikit-learn's name
        """Fit to items X and votes y.

        X: items x features, or whatever else the learner takes: texts, images as items x channels x height x width; or
        Items, which are matched to the tasks of Votes by name.
        y: Votes on these items, in their order; or a matrix of items x workers, with -1, NaN or None for no vote; or
        one label per item, which is taken as its true class.
        """
        x = self._check_items(align_items(X, y) if isinstance(y, Votes) else item_values(X), reset=True)
        if y is None:
            raise ValueError("this classifier requires y to be passed, but the target y is None")
        y = y if isinstance(y, Votes) else np.asarray(y)
        votes, classes = _votes_of(y)
        if n_items(x) != votes.n_tasks:
            raise ValueError(f"X has {n_items(x)} samples, but y has {votes.n_tasks}: give one row of y per item")
        method = "majority" if _is_flat(y) else self.aggregator
        aggregator: Aggregator = registry.method("aggregation", method) if isinstance(method, str) else method
        self.classes_ = classes
        self.posterior_ = aggregator.aggregate(votes)
        if self.learner is not None:
            require_part("learner", self.learner, "Network()", "fit", "predict_proba")
        learner = Linear() if self.learner is None else deepcopy(self.learner)
        self.learner_ = learner.fit(x, votes, self.posterior_)
        return self

    def predict_proba(self, X: Any) -> Array:  # noqa: N803
        """Return class probabilities, in the order of `classes_`: (n, n_classes)."""
        check_is_fitted(self)
        return self.learner_.predict_proba(self._check_items(item_values(X), reset=False))

    def predict(self, X: Any) -> NDArray[Any]:  # noqa: N803
        """Return the most likely class of each item: (n,)."""
        labels: NDArray[Any] = self.predict_proba(X).argmax(axis=1)
        return self.classes_[labels]

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:  # noqa: N803
        """Return the accuracy of the predictions.

        Args:
            X: items to predict.
            y: true labels; for Votes or a matrix of votes, the share of votes that are predicted is returned.
            sample_weight: weights of the items.
        """
        y = y if isinstance(y, Votes) else np.asarray(y)
        if _is_flat(y):
            return float(super().score(X, y, sample_weight=sample_weight))
        votes, classes = _votes_of(y)
        if not len(votes):
            raise ValueError("y has no votes to agree with: give some, or one label per item")
        predicted = self.predict(align_items(X, y) if isinstance(y, Votes) else X)
        if len(predicted) != votes.n_tasks:
            raise ValueError(f"X has {len(predicted)} samples, but y has {votes.n_tasks}: give one row of y per item")
        weight = None if sample_weight is None else np.asarray(sample_weight)[votes.task]
        return float(np.average(predicted[votes.task] == classes[votes.label], weights=weight))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = self.learner is None
        return tags

    def _check_items(self, x: Any, *, reset: bool) -> Any:
        """Return items; tables are checked as scikit-learn does, texts and images by the learner."""
        if getattr(x, "ndim", 2) == 4 or (isinstance(x, list | tuple) and len(x) and not _is_numbers(x[0])):
            return x
        return validate_data(self, x, reset=reset, accept_sparse="csr", dtype=[np.float64, np.float32])


def _is_numbers(row: Any) -> bool:
    return not isinstance(row, str) and not (isinstance(row, list | tuple) and len(row) and isinstance(row[0], str))


def _is_flat(y: Any) -> bool:
    return not isinstance(y, Votes) and (y.ndim < 2 or y.shape[1:] == (1,))


def _votes_of(y: Any) -> tuple[Votes, NDArray[Any]]:
    """Return votes, and the names of their classes as an array for `classes_`."""
    if _is_flat(y):
        labels = check_array(column_or_1d(y, warn=True), ensure_2d=False, dtype=None, input_name="y")
        check_classification_targets(labels)
        classes, label = np.unique(labels, return_inverse=True)
        if len(classes) < 2:
            raise ValueError(f"there must be two classes or more to tell apart, got one class: {classes.tolist()}")
        rows = np.arange(len(label))
        return Votes.from_arrays(rows, np.full(len(rows), -1), label, n_classes=len(classes)), classes
    try:
        votes = y if isinstance(y, Votes) else Votes.from_matrix(y)
    except VotesError as error:
        raise ValueError(f"y must be Votes, a matrix of items x workers, or one label per item: {error}") from None
    return votes, np.array(votes.classes.tolist())
