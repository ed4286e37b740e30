"""Softmax regression on soft targets; needs no torch."""

from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from quorate.data.ids import Names, as_names
from quorate.data.option_checks import require_choices, require_numbers, require_part
from quorate.data.posterior import Posterior
from quorate.data.votes import Votes
from quorate.inference.progress import report_round
from quorate.learning._scaling import Scale, learn_scale, scaled
from quorate.learning.inputs import (
    check_fit_inputs,
    item_values,
    most_likely_classes,
    require_fitted,
    require_targets,
    require_valid,
)
from quorate.learning.scoring import valid_score
from quorate.learning.softmax import best_weights, class_probs
from quorate.learning.state import State
from quorate.learning.targets.base import Targets
from quorate.learning.targets.soft import Soft
from quorate.parallel import one_blas_thread
from quorate.protocols import OnEpoch, Valid
from quorate.typing import Array


@dataclass(kw_only=True, eq=False)
class Linear:
    """Softmax regression on soft targets, fitted by L-BFGS in recorded iterations; needs no torch.

    Model: P(class | x) = softmax(W x + b), which minimises the mean of weight * cross-entropy + l2 / 2 * |W|^2.
    Each iteration counts as an epoch: `on_epoch` receives the probabilities of every task, as a trace.
    With `valid`, the weights of the iteration with the best log-loss on gold, or likelihood of votes, are kept.

    Args:
        target: what the regression learns from votes and posterior (see `targets/`).
        l2: weight of the penalty.
        scale: "standard": features have mean 0 and deviation 1 in training; for the others see the base Linear.
        max_rounds: limit on the iterations.
        tol: largest gradient at which L-BFGS stops.

    >>> from quorate import Votes, aggregate
    >>> x = np.array([[0.0, 1.0], [0.2, 0.9], [1.0, 0.1], [0.9, 0.0]])
    >>> votes = Votes.from_matrix([[0, 0, 1], [0, 0, 0], [1, 1, 1], [1, 0, 1]])
    >>> Linear().fit(x, votes, aggregate(votes, "majority")).predict_proba(x).argmax(axis=1).tolist()
    [0, 0, 1, 1]
    """

    target: Any = field(default_factory=Soft)
    l2: float = 0.01
    scale: Scale = "standard"
    max_rounds: int = 200
    tol: float = 1e-5

    def __post_init__(self) -> None:
        require_choices(self)
        require_numbers(self, "l2", "tol", at_least=0)
        require_part("target", self.target, "Soft()", "make")
        require_numbers(self, "max_rounds", at_least=1)

    def fit(
        self, x: Any, votes: Votes, posterior: Posterior, *, valid: Valid | None = None, on_epoch: OnEpoch | None = None
    ) -> Self:
        """See quorate.protocols.Learner."""
        x, valid = check_fit_inputs(x, votes, posterior, valid, on_epoch)
        self.classes_ = votes.classes
        self.input_spec_ = learn_scale(x, self.scale)
        features = _features(x, self.input_spec_)
        valid_features: Any = None
        if valid is not None:
            require_valid(valid, votes.n_classes, votes.classes)
            valid_features = _features(valid.x, self.input_spec_)
        best = _Best()
        rounds = 0

        def after_round(flat: Array) -> None:
            nonlocal rounds
            weights = flat.reshape(-1, votes.n_classes)
            if on_epoch is not None:
                on_epoch(rounds, class_probs(features, weights))
            if valid is not None:
                best.offer(valid_score(class_probs(valid_features, weights), valid, posterior, "log_loss"), weights)
            rounds += 1
            report_round(rounds, self.max_rounds)

        targets = self.target.make(votes, posterior)
        require_targets(targets)
        weights = self._fit_weights(features, targets, after_round)
        if not rounds:  # the start was optimal already; it is still reported and scored
            after_round(weights.ravel())
        self.weights_ = weights if best.weights is None else best.weights
        return self

    def predict_proba(self, x: Any) -> Array:
        """Return the class probabilities of any items: (n, n_classes)."""
        require_fitted(self, "weights_")
        return class_probs(_features(item_values(x), self.input_spec_), self.weights_)

    def predict(self, x: Any) -> Names:
        """Return the name of the most likely class of each item: (n,)."""
        return most_likely_classes(self, x)

    def state(self) -> State:
        """Return what was learnt, for `saving`."""
        return {"known": self.input_spec_, "classes": self.classes_.tolist()}, {"weights": self.weights_}

    def restore(self, values: dict[str, Any], arrays: dict[str, NDArray[Any]]) -> None:
        """Restore what `state` returned."""
        self.input_spec_, self.classes_, self.weights_ = values["known"], as_names(values["classes"]), arrays["weights"]
        if self.weights_.shape != (self.input_spec_["n_inputs"] + 1, len(self.classes_)):
            raise ValueError("the weights have other features or classes")

    def _fit_weights(self, features: Any, targets: Targets, after_round: Any) -> Array:
        """Return the best weights, the intercepts last: (n_features + 1, n_classes)."""
        with one_blas_thread():
            return best_weights(
                features[targets.task],
                targets.probs,
                targets.weight,
                l2=self.l2,
                max_rounds=self.max_rounds,
                tol=self.tol,
                after_round=after_round,
            )


class _Best:
    """The weights with the best score so far."""

    def __init__(self) -> None:
        self.score = -np.inf
        self.weights: Array | None = None

    def offer(self, score: float, weights: Array) -> None:
        if score > self.score:
            self.score, self.weights = score, weights.copy()


def _features(x: Any, spec: dict[str, Any]) -> Any:
    """Return scaled features in double precision, for L-BFGS."""
    return scaled(x, spec).astype(np.float64)
