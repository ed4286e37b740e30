"""A learner that is not taught the most ambiguous items."""

from dataclasses import dataclass, field
from typing import Any, Self, cast

import numpy as np
from numpy.typing import NDArray

from quorate import registry
from quorate.ambiguity.prune import Pruning, prune
from quorate.data.ids import Names, as_names
from quorate.data.option_checks import require_choices, require_part
from quorate.data.posterior import Posterior
from quorate.data.votes import Votes
from quorate.errors import MethodError
from quorate.inference.progress import quiet_rounds, report_round
from quorate.learning._clone import fresh
from quorate.learning._inputs import fit_inputs, most_likely, part_of, require_fitted, require_valid, take_items
from quorate.learning.item_scores import score_items
from quorate.learning.learners.linear import Linear
from quorate.learning.scoring import valid_score
from quorate.learning.state import State, Storable, inner, nested
from quorate.learning.training.recipe import Metric
from quorate.protocols import Aggregator, ItemScorer, Learner, OnEpoch, Valid
from quorate.typing import Array


@dataclass(kw_only=True, eq=False)
class Pruned:
    """Any learner, taught without the most ambiguous items: "aggregation + WAUM" of Lefort et al.

    learner: what is taught the rest, and predicts. measured_by: the classifier that the score watches, which may be
    another one; where none is given, softmax regression on every vote. score: of `ambiguity/`, by name or as an object.
    alpha: shares of items to leave out; of several, the best by `valid` and `metric` is taken, 0 leaves out nothing.
    per_class: so much of every class. aggregator: aggregates the votes that are left, by name or as an object;
    where none is given, the posterior of the items that are left stays as it is.
    After `fit`: `learner_`, `alpha_`, `scores_` (how ambiguous the items are), `pruning_` (what was cut).

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
        if not isinstance(shares, tuple) or not shares or not all(_is_share(one) for one in shares):
            raise MethodError(f"alpha must be a tuple of shares from 0 to below 1, such as (0.05,), got {shares!r}")

    def fit(
        self, x: Any, votes: Votes, posterior: Posterior, *, valid: Valid | None = None, on_epoch: OnEpoch | None = None
    ) -> Self:
        """See quorate.protocols.Learner.

        on_epoch is told the trace of the learner that is kept, when all are fitted; NaN for the items that were cut.
        """
        x, valid = fit_inputs(x, votes, posterior, valid, on_epoch)
        if valid is not None:
            require_valid(valid, votes.n_classes, votes.classes)
        elif len(self.alpha) > 1:
            raise MethodError(
                "there is nothing to choose alpha by: give valid, or a single share such as alpha=(0.05,)"
            )
        self.classes_ = votes.classes
        scorer = cast(ItemScorer, self.score)  # a name was looked up at construction
        with quiet_rounds():
            self.scores_ = score_items(scorer, x, votes, posterior, learner=self.measured_by)
        best, told = -np.inf, list[tuple[int, Array]]()
        for number, alpha in enumerate(self.alpha):
            pruning = prune(votes, self.scores_, alpha, posterior=posterior, per_class=self.per_class)
            with quiet_rounds():
                fitted, trace = self._taught(x, pruning, posterior, valid, on_epoch is not None)
            score = 0.0 if valid is None else valid_score(fitted.predict_proba(valid.x), valid, posterior, self.metric)
            if score > best:
                best, told = score, trace
                self.learner_, self.alpha_, self.pruning_ = fitted, alpha, pruning
            report_round(number + 1, len(self.alpha))
        for epoch, probs in told:
            assert on_epoch is not None
            on_epoch(epoch, probs)
        return self

    def predict_proba(self, x: Any) -> Array:
        """Class probabilities of any items: (n, n_classes)."""
        require_fitted(self, "learner_")
        return self.learner_.predict_proba(x)

    def predict(self, x: Any) -> Names:
        """The most likely class of each item, by name."""
        return most_likely(self, x)

    def state(self) -> State:
        """What was learnt, for `saving`; not what was cut."""
        known, arrays = nested("learner", cast(Storable, self.learner_).state())
        return known | {"classes": self.classes_.tolist(), "alpha": self.alpha_}, arrays

    def restore(self, known: dict[str, Any], arrays: dict[str, NDArray[Any]]) -> None:
        """Take on what `state` gave."""
        self.classes_, self.alpha_ = as_names(known["classes"]), float(known["alpha"])
        self.learner_ = fresh(self.learner)
        self.learner_.restore(*inner("learner", known, arrays))

    def _taught(
        self, x: Any, pruning: Pruning, posterior: Posterior, valid: Valid | None, traced: bool
    ) -> tuple[Any, list[tuple[int, Array]]]:
        """The learner, taught what is left, and its trace where one is wanted."""
        kept = np.flatnonzero(pruning.kept)
        aggregator = cast(Aggregator | None, self.aggregator)
        left = part_of(posterior, kept) if aggregator is None else aggregator.aggregate(pruning.votes)
        trace: list[tuple[int, Array]] = []

        def note(epoch: int, probs: Array) -> None:
            whole = np.full((len(pruning.kept), probs.shape[1]), np.nan)
            whole[kept] = probs
            trace.append((epoch, whole))

        learner = fresh(self.learner)
        learner.fit(take_items(x, kept), pruning.votes, left, valid=valid, on_epoch=note if traced else None)
        return learner, trace


def _is_share(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < 1
