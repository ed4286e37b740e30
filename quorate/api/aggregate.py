"""The functions `aggregate` and `join`: votes to a posterior, by a method given by its name."""

from typing import Any, cast

import numpy as np
from numpy.typing import ArrayLike

from quorate import registry
from quorate.data.checks import require_votes
from quorate.data.posterior import Posterior, require_posterior
from quorate.data.votes import Votes
from quorate.errors import MethodError, VotesError
from quorate.inference.bayes import PriorKnowledge, join_votes
from quorate.inference.kernels import vote_passes
from quorate.protocols import Aggregator, Incremental
from quorate.registry.method_names import AggregationMethod


def aggregate(
    votes: Votes,
    method: AggregationMethod | Aggregator = "dawid_skene",
    *,
    prior: ArrayLike | None = None,
    gold: ArrayLike | None = None,
    fitted: Posterior | None = None,
    **options: Any,
) -> Posterior:
    """Consensus of votes by a method, given by its name (and options) or as an object.

    prior: (n_tasks, n_classes), such as a classifier's out-of-fold probabilities.
    gold: class index per task, -1 = none.
    fitted: an earlier posterior by the same method, of some of these votes; the fit goes on from there.

    >>> votes = Votes.from_matrix([[0, 0, 1], [1, 1, 1]])
    >>> aggregate(votes, "one_coin", max_rounds=50).labels.tolist()
    [0, 1]
    """
    require_votes(votes)
    if isinstance(method, str):
        aggregator: Aggregator = registry.method("aggregation", method, **options)
    elif not hasattr(method, "aggregate") or isinstance(method, type):
        raise MethodError(f"a method is a name, or an object such as DawidSkene(), got {method!r}")
    elif options:
        raise MethodError("options go with a method's name; a method given as an object has its own")
    else:
        aggregator = method
    if fitted is None:
        return aggregator.aggregate(votes, prior=prior, gold=gold)
    if not hasattr(aggregator, "partial"):
        raise MethodError(
            f"{type(aggregator).__name__} cannot go on from a fitted posterior: leave out `fitted` to start over"
        )
    require_posterior(fitted)
    return cast(Incremental, aggregator).partial(votes, fitted, prior=prior, gold=gold)


def join(
    votes: Votes, fitted: Posterior, *, prior: ArrayLike | None = None, gold: ArrayLike | None = None
) -> Posterior:
    """The posterior of all votes, old and new, under the workers' model of an earlier posterior; nothing is fitted.

    One pass over the votes: the quick answer while votes come in. `aggregate(..., fitted=...)` refits. Workers who were
    not there answer as the others do on average; what a model knows of single tasks, as glad does, is not used.

    >>> old = Votes.from_matrix([[0, 0, 1], [1, 1, 1]])
    >>> new = Votes.from_arrays([2, 2], [0, 3], [1, 1], n_classes=2)
    >>> join(old.merge(new), aggregate(old)).labels.tolist()
    [0, 1, 1]
    """
    require_votes(votes)
    require_posterior(fitted)
    return join_votes(votes, fitted, PriorKnowledge.of(votes, prior, gold), vote_passes(votes))


def of_these(votes: Votes, posterior: Posterior | None) -> Posterior:
    """The posterior, where it is of these votes; where there is none, the default method's."""
    require_votes(votes)
    if posterior is None:
        return aggregate(votes)
    require_posterior(posterior)
    if not (np.array_equal(posterior.tasks, votes.tasks) and np.array_equal(posterior.classes, votes.classes)):
        raise VotesError("the posterior is of other tasks or classes than the votes: aggregate these votes first")
    if posterior.worker_model is not None and not np.array_equal(posterior.workers, votes.workers):
        raise VotesError("the posterior is of other workers than the votes: aggregate these votes first")
    return posterior
