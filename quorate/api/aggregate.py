"""The functions `aggregate` and `join`: votes to a posterior, by a method given by its name."""

from __future__ import annotations

from typing import Any, Literal, cast, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from quorate import registry
from quorate.aggregation.dawid_skene import DawidSkene
from quorate.api.inputs import GoldLike, VotesLike, as_gold, as_votes, require_options
from quorate.calibration.gold_consensus import calibrate_on_gold
from quorate.data.checks import require_votes
from quorate.data.option_checks import require_choice
from quorate.data.posterior import Posterior, require_posterior
from quorate.data.votes import Votes
from quorate.errors import MethodError, VotesError
from quorate.inference.bayes import PriorKnowledge, join_votes
from quorate.inference.design_effect import discount_posterior
from quorate.inference.kernels import vote_passes
from quorate.protocols import Aggregator, Incremental
from quorate.registry.method_names import AggregationMethod

Probabilities = Literal["calibrated", "model"]


def aggregate(
    votes: VotesLike,
    method: AggregationMethod | Aggregator = "ensemble",
    *,
    prior: ArrayLike | None = None,
    gold: GoldLike | None = None,
    fitted: Posterior | None = None,
    probabilities: Probabilities = "calibrated",
    **options: Any,
) -> Posterior:
    """Turn votes into one label per task, with probabilities: the consensus.

    Args:
        votes: Votes, a frame with one row per vote, or the path of a file.
        method: its name (with options), or an object.
        prior: class probabilities before any vote, (n_tasks, n_classes), such as out-of-fold predictions.
        gold: gold labels, class index per task, -1 = none; or a frame or file with columns task and label. They stay
            fixed, inform the other tasks, and calibrate their probabilities.
        fitted: an earlier posterior by the same method, of some of these votes; the fit goes on from there.
        probabilities: "calibrated": the evidence of the votes on a task is discounted, since they are correlated, and
            gold labels calibrate the result. "model": the posterior of the method, which takes votes for independent
            and is overconfident.
        **options: options of a method given by name.

    >>> votes = Votes.from_matrix([[0, 0, 1], [1, 1, 1]])
    >>> aggregate(votes, "one_coin", max_rounds=50).labels.tolist()
    [0, 1]
    """
    require_choice("probabilities", probabilities, get_args(Probabilities))
    recorded = as_votes(votes)
    labels = as_gold(gold, recorded)
    aggregator = _as_aggregator(method, options)
    if fitted is not None:
        require_posterior(fitted)
        if not hasattr(aggregator, "partial"):
            raise MethodError(
                f"{type(aggregator).__name__} cannot go on from a fitted posterior: leave out `fitted` to start over"
            )

    def fit(gold: NDArray[np.int64] | None) -> Posterior:
        if fitted is None:
            return aggregator.aggregate(recorded, prior=prior, gold=gold)
        return cast(Incremental, aggregator).partial(recorded, fitted, prior=prior, gold=gold)

    posterior = fit(labels)
    if probabilities == "model":
        return posterior
    posterior = discount_posterior(posterior, recorded)
    if labels is None:
        return posterior
    judged = np.where(recorded.votes_per_task > 0, labels, -1)
    if not np.any(judged >= 0):
        return posterior
    return calibrate_on_gold(posterior, discount_posterior(fit(None), recorded), judged)


def _as_aggregator(method: AggregationMethod | Aggregator, options: dict[str, Any]) -> Aggregator:
    """Return the method that is given by its name and options, or as an object."""
    if isinstance(method, str):
        require_options("aggregation", method, options, aggregate)
        aggregator: Aggregator = registry.method("aggregation", method, **options)
        return aggregator
    if not hasattr(method, "aggregate") or isinstance(method, type):
        raise MethodError(f"a method is a name, or an object such as DawidSkene(), got {method!r}")
    if options:
        raise MethodError("options go with a method's name; a method given as an object has its own")
    return method


def join(
    votes: VotesLike, fitted: Posterior, *, prior: ArrayLike | None = None, gold: GoldLike | None = None
) -> Posterior:
    """Return the posterior of all votes, old and new, with the worker models of an earlier posterior; fit nothing.

    One pass over the votes: the quick result while votes come in. `aggregate(..., fitted=...)` refits. New workers are
    taken to answer as the others do on average; what a model knows about single tasks, as glad does, is not used.
    Probabilities are discounted if those of the earlier posterior are.

    Args:
        votes: all votes, old and new: Votes, a frame, or the path of a file.
        fitted: the earlier posterior.
        prior: class probabilities before any vote, (n_tasks, n_classes).
        gold: gold labels, as in `aggregate`.

    >>> old = Votes.from_matrix([[0, 0, 1], [1, 1, 1]])
    >>> new = Votes.from_arrays([2, 2], [0, 3], [1, 1], n_classes=2)
    >>> join(old.merge(new), aggregate(old)).labels.tolist()
    [0, 1, 1]
    """
    recorded = as_votes(votes)
    require_posterior(fitted)
    prior_knowledge = PriorKnowledge.of(recorded, prior, as_gold(gold, recorded))
    posterior = join_votes(recorded, fitted, prior_knowledge, vote_passes(recorded))
    return discount_posterior(posterior, recorded) if fitted.discounted else posterior


def of_these(votes: Votes, posterior: Posterior | None) -> Posterior:
    """Return the posterior if it is of these votes; without one, that of dawid_skene, not discounted."""
    require_votes(votes)
    if posterior is None:
        return DawidSkene().aggregate(votes)
    require_posterior(posterior)
    if not (np.array_equal(posterior.tasks, votes.tasks) and np.array_equal(posterior.classes, votes.classes)):
        raise VotesError("the posterior is of other tasks or classes than the votes: aggregate these votes first")
    if posterior.worker_model is not None and not np.array_equal(posterior.workers, votes.workers):
        raise VotesError("the posterior is of other workers than the votes: aggregate these votes first")
    return posterior
