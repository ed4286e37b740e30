"""Joint EM: a classifier and a model of workers, fitted in turns."""

from dataclasses import dataclass, field
from typing import Any, Self, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import minimize_scalar

from quorate import registry
from quorate.aggregation.dawid_skene import DawidSkene
from quorate.data.checks import probability_rows
from quorate.data.option_checks import require_numbers, require_part
from quorate.data.posterior import Posterior
from quorate.data.votes import Votes
from quorate.errors import MethodError
from quorate.inference.bayes import log_likelihood
from quorate.inference.class_balance import class_bias
from quorate.inference.kernels import safe_log, softmax_rows
from quorate.inference.progress import quiet_rounds, report_round
from quorate.learning._clone import fresh
from quorate.learning.cross_fitting import cross_fit
from quorate.learning.inputs import check_fit_inputs
from quorate.learning.learners._wrapper import StoredWrapper
from quorate.learning.learners.linear import Linear
from quorate.learning.state import State, inner_state, nest_state, posterior_state, restore_posterior
from quorate.learning.tuning import TUNING
from quorate.protocols import Aggregator, Learner, OnEpoch, Valid
from quorate.typing import Array


@dataclass(kw_only=True, eq=False)
class JointEm(StoredWrapper):
    """The classifier learns from the consensus, and the consensus from the classifier, in turns.

    In each round, the out-of-fold probabilities of the learner are the prior of each item in the aggregator, at the
    temperature that makes the votes most likely and with rebalanced classes; the posterior is what the learner is
    fitted to next. This is Raykar's EM with any classifier and any model of workers. No item is predicted by a
    classifier that was fitted to it; but from the second round on, its votes influence the prediction a little, through
    the labels of other items that they changed. So uninformative features can do harm: shuffled features of real sets
    did none beyond noise, random features cost the consensus three points. `rounds=1` avoids this.

    After `fit`: `posterior_` (the consensus, with the model of workers), `learner_`.
    Papers: Raykar et al., "Learning from crowds", 2010; Albarqouni et al., "AggNet", 2016.

    Args:
        learner: the classifier of the rounds.
        last: the classifier that is fitted to the final consensus and predicts; by default the learner of the rounds.
            It may be a network after rounds of softmax regression.
        aggregator: the method that makes the consensus, by name or as an object; it must take a prior.
        rounds: number of rounds.
        folds: number of folds of each round.
        balance: how far the mean prediction is moved towards uniform classes, or towards `class_prior`. Votes favour
            common classes over rare ones. Half-way (.5) is safe. 1, or up to 2 if validation confirms it, is better if
            the classes are balanced or class_prior is right, and ruins the result if they are not.
        class_prior: the class proportions, if they are known.
        seed: decides which tasks are in which fold.

    >>> from quorate import Votes, aggregate
    >>> x = np.repeat([[0.0], [1.0]], 10, axis=0)
    >>> votes = Votes.from_matrix(np.repeat([[0, 0, 1], [1, 1, 0]], 10, axis=0))
    >>> JointEm().fit(x, votes, aggregate(votes)).predict_proba(x).argmax(axis=1).tolist()
    [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]
    """

    learner: Learner = field(default_factory=lambda: Linear(l2=0.02))
    last: Learner | None = None
    aggregator: str | Aggregator = field(default_factory=lambda: DawidSkene(strength=2.0))
    rounds: int = 5
    folds: int = 5
    balance: float = 0.5
    class_prior: tuple[float, ...] = ()
    seed: int = 0

    def __post_init__(self) -> None:
        require_numbers(self, "rounds", at_least=1)
        require_numbers(self, "folds", "seed")
        require_numbers(self, "balance", at_least=0, at_most=2)
        require_part("learner", self.learner, "Linear()", "fit", "predict_proba")
        if self.last is not None:
            require_part("last", self.last, "Network()", "fit", "predict_proba")
        if isinstance(self.aggregator, str):
            self.aggregator = cast(Aggregator, registry.method("aggregation", self.aggregator))
        require_part("aggregator", self.aggregator, "DawidSkene()", "aggregate")

    def fit(
        self,
        x: Any,
        votes: Votes,
        posterior: Posterior,
        *,
        valid: Valid | None = None,
        on_epoch: OnEpoch | None = None,
        gold: ArrayLike | None = None,
    ) -> Self:
        """See quorate.protocols.Learner.

        gold: class index per task, -1 = none. `valid` is used in the last fit of the learner only.
        """
        x, valid = check_fit_inputs(x, votes, posterior, valid, on_epoch)
        self.classes_ = votes.classes
        aggregator = cast(Aggregator, self.aggregator)  # a name was looked up at construction
        wanted = self._wanted_classes(votes.n_classes)
        for number in range(self.rounds):
            with quiet_rounds():
                pred_probs = cross_fit(self.learner, x, votes, posterior, folds=self.folds, seed=self.seed + number)
                prior = prior_from_predictions(pred_probs, votes, posterior, self.balance, wanted)
                posterior = aggregator.aggregate(votes, prior=prior, gold=gold)
            report_round(number + 1, self.rounds)
        self.posterior_ = posterior
        self.learner_ = self._unfitted().fit(x, votes, posterior, valid=valid, on_epoch=on_epoch)
        return self

    def state(self) -> State:
        """Return what was learnt, for `saving`; the model of workers is kept if it is a Confusion or a Coin."""
        values, arrays = super().state()
        posterior, tables = nest_state("posterior", posterior_state(self.posterior_))
        return values | posterior, arrays | tables

    def restore(self, values: dict[str, Any], arrays: dict[str, NDArray[Any]]) -> None:
        """Restore what `state` returned."""
        super().restore(values, arrays)
        if "posterior" in values:  # older models have none
            self.posterior_ = restore_posterior(*inner_state("posterior", values, arrays), classes=self.classes_)

    def _unfitted(self) -> Any:
        return fresh(self.last or self.learner)

    def _wanted_classes(self, n_classes: int) -> Array:
        if not self.class_prior:
            return np.full(n_classes, 1 / n_classes)
        try:
            wanted = np.asarray(self.class_prior, dtype=np.float64)
        except (TypeError, ValueError):
            raise MethodError(f"class_prior must be {n_classes} numbers, got {self.class_prior!r}") from None
        if wanted.shape != (n_classes,) or (wanted == 0).any():
            raise MethodError(f"class_prior must be {n_classes} numbers above zero, got {wanted}")
        [row] = probability_rows(wanted[None], "class_prior", error=MethodError)
        return row


def prior_from_predictions(
    pred_probs: Array, votes: Votes, posterior: Posterior, balance: float, wanted: Array
) -> Array:
    """Return the prior of each task from the probabilities of a classifier: (n_tasks, n_classes).

    wanted: (n_classes,), the class proportions towards which the mean prediction is moved.
    """
    log_probs = safe_log(np.maximum(pred_probs, TUNING.min_class_prior))
    voted = votes.votes_per_task > 0
    log_probs = log_probs / fit_temperature(log_probs, votes, posterior)
    log_probs = log_probs + balance * class_bias(log_probs[voted], wanted)
    softmax_rows(log_probs)
    prior = np.maximum(log_probs, TUNING.min_class_prior)
    return prior / prior.sum(axis=1, keepdims=True)


def fit_temperature(log_probs: Array, votes: Votes, posterior: Posterior) -> float:
    """Return the temperature of the prior at which the votes are most likely; 1 without a model of workers."""
    if posterior.worker_model is None:
        return 1.0
    likelihood = log_likelihood(votes, posterior)
    voted = votes.votes_per_task > 0

    def loss(log_temperature: float) -> float:
        prior = log_probs[voted] / np.exp(log_temperature)
        prior = prior - np.log(np.exp(prior).sum(axis=1, keepdims=True))
        return -float(softmax_rows(prior + likelihood[voted]).sum())

    low, high = np.log(TUNING.temperature_range)
    return float(np.exp(minimize_scalar(loss, bounds=(low, high), method="bounded").x))
