"""A learner that is fitted without the most ambiguous items."""

from dataclasses import dataclass, field
from typing import Any, Self, cast

import numpy as np
from numpy.typing import NDArray

from quorate import registry
from quorate.ambiguity.prune import Pruning, prune
from quorate.data.option_checks import require_choices, require_part
from quorate.data.posterior import Posterior
from quorate.data.votes import Votes
from quorate.errors import MethodError
from quorate.inference.progress import quiet_rounds, report_round
from quorate.learning.inputs import check_fit_inputs, require_valid, subset_posterior, take_items
from quorate.learning.item_scores import score_items
from quorate.learning.learners._wrapper import StoredWrapper
from quorate.learning.learners.linear import Linear
from quorate.learning.scoring import valid_score
from quorate.learning.state import State
from quorate.learning.training.recipe import Metric
from quorate.protocols import Aggregator, ItemScorer, Learner, OnEpoch, Valid
from quorate.typing import Array


@dataclass(kw_only=True, eq=False)
class Pruned(StoredWrapper):
    """Any learner, fitted without the most ambiguous items: "aggregation + WAUM" of Lefort et al.

    After `fit`: `learner_`, `alpha_`, `scores_` (how ambiguous the items are), `pruning_` (what was cut).

    Args:
        learner: the classifier that is fitted to the rest, and predicts.
        measured_by: the classifier that the score reads; by default softmax regression on every vote.
        score: a method of `ambiguity/`, by name or as an object.
        alpha: shares of items to leave out; of several, the best by `valid` and `metric` is kept. 0 leaves out nothing.
        per_class: whether the share is cut from every class.
        aggregator: aggregates the votes that are left, by name or as an object; by default, the items that are left
            keep their posterior.
        metric: score on validation gold; on validation votes it is always their likelihood.

    >>> from quorate import Votes, aggregate
    >>> x = np.repeat([[0.0], [1.0]], 10, axis=0)
    >>> votes = Votes.from_matrix(np.repeat([[0, 0], [1, 1]], 10, axis=0))
    >>> pruned = Pruned(alpha=(0.1,)).fit(x, votes, aggregate(votes))
    >>> pruned.predict_proba(x).argmax(axis=1)[[0, -1]].tolist()
    [0, 1]
    """

    learner: Learner = field(default_factory=Linear)
    measured_by: Learner | None = None
    score: str | ItemScorer = "waum"
    alpha: tuple[float, ...] = (0.0, 0.01, 0.05, 0.1)
    per_class: bool = False
    aggregator: str | Aggregator | None = None
    metric: Metric = "log_loss"

    def __post_init__(self) -> None:
        require_choices(self)
        require_part("learner", self.learner, "Linear()", "fit", "predict_proba")
        if self.measured_by is not None:
            require_part("measured_by", self.measured_by, "Linear()", "fit", "predict_proba")
        if isinstance(self.score, str):
            self.score = cast(ItemScorer, registry.method("ambiguity", self.score))
        require_part("score", self.score, "Waum()", "score")
        if isinstance(self.aggregator, str):
            self.aggregator = cast(Aggregator, registry.method("aggregation", self.aggregator))
        if self.aggregator is not None:
            require_part("aggregator", self.aggregator, "DawidSkene()", "aggregate")
        shares: Any = self.alpha
        if not isinstance(shares, tuple) or not shares or not all(_is_share(share) for share in shares):
            raise MethodError(f"alpha must be a tuple of shares from 0 to below 1, such as (0.05,), got {shares!r}")

    def fit(
        self, x: Any, votes: Votes, posterior: Posterior, *, valid: Valid | None = None, on_epoch: OnEpoch | None = None
    ) -> Self:
        """See quorate.protocols.Learner.

        on_epoch receives the trace of the learner that is kept, after all are fitted; NaN for the items that were cut.
        """
        x, valid = check_fit_inputs(x, votes, posterior, valid, on_epoch)
        if valid is not None:
            require_valid(valid, votes.n_classes, votes.classes)
        elif len(self.alpha) > 1:
            raise MethodError(
                "several shares in alpha need validation items: give valid, or a single share such as alpha=(0.05,)"
            )
        self.classes_ = votes.classes
        scorer = cast(ItemScorer, self.score)  # a name was looked up at construction
        with quiet_rounds():
            self.scores_ = score_items(scorer, x, votes, posterior, learner=self.measured_by)
        best, best_trace = -np.inf, list[tuple[int, Array]]()
        for number, alpha in enumerate(self.alpha):
            pruning = prune(votes, self.scores_, alpha, posterior=posterior, per_class=self.per_class)
            with quiet_rounds():
                fitted, trace = self._fit_rest(x, pruning, posterior, valid, on_epoch is not None)
            score = 0.0 if valid is None else valid_score(fitted.predict_proba(valid.x), valid, posterior, self.metric)
            if score > best:
                best, best_trace = score, trace
                self.learner_, self.alpha_, self.pruning_ = fitted, alpha, pruning
            report_round(number + 1, len(self.alpha))
        for epoch, probs in best_trace:
            assert on_epoch is not None
            on_epoch(epoch, probs)
        return self

    def state(self) -> State:
        """Return what was learnt, for `saving`; not what was cut."""
        values, arrays = super().state()
        return values | {"alpha": self.alpha_}, arrays

    def restore(self, values: dict[str, Any], arrays: dict[str, NDArray[Any]]) -> None:
        """Restore what `state` returned."""
        super().restore(values, arrays)
        self.alpha_ = float(values["alpha"])

    def _fit_rest(
        self, x: Any, pruning: Pruning, posterior: Posterior, valid: Valid | None, traced: bool
    ) -> tuple[Any, list[tuple[int, Array]]]:
        """Fit the learner to the items that are left; return it, and its trace if `traced`."""
        kept = np.flatnonzero(pruning.kept)
        aggregator = cast(Aggregator | None, self.aggregator)
        rest = subset_posterior(posterior, kept) if aggregator is None else aggregator.aggregate(pruning.votes)
        trace: list[tuple[int, Array]] = []

        def record(epoch: int, probs: Array) -> None:
            all_probs = np.full((len(pruning.kept), probs.shape[1]), np.nan)
            all_probs[kept] = probs
            trace.append((epoch, all_probs))

        learner = self._unfitted()
        learner.fit(take_items(x, kept), pruning.votes, rest, valid=valid, on_epoch=record if traced else None)
        return learner, trace


def _is_share(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < 1
