"""Out-of-fold probabilities: predictions for items that the classifier was not trained on."""

from typing import Any

import numpy as np

from quorate.aggregation.dawid_skene import DawidSkene
from quorate.data.checks import require_votes
from quorate.data.option_checks import require_part
from quorate.data.posterior import Posterior
from quorate.data.votes import Votes
from quorate.errors import MethodError
from quorate.inference.progress import quiet_rounds, report_round
from quorate.learning._clone import fresh
from quorate.learning.inputs import check_fit_inputs, subset_posterior, take_items
from quorate.learning.scoring import task_score
from quorate.protocols import Learner
from quorate.typing import Array


def cross_fit(
    learner: Learner, x: Any, votes: Votes, posterior: Posterior | None = None, *, folds: int = 5, seed: int = 0
) -> Array:
    """Return class probabilities of every task by a learner fitted to the other folds: (n_tasks, n_classes).

    Such probabilities may be combined with the votes of the task as one more voter, or be its prior: a classifier that
    was trained on the task would only repeat its votes.

    Args:
        learner: the classifier; copies of it are fitted.
        x: the items, as in `fit`.
        votes: the votes on them.
        posterior: what the learner is taught; by default that of dawid_skene.
        folds: number of folds, from 2 to the number of tasks with votes.
        seed: decides which tasks are in which fold.

    >>> from quorate import Votes
    >>> from quorate.learning.learners.linear import Linear
    >>> x = np.repeat([[0.0], [1.0]], 10, axis=0)
    >>> votes = Votes.from_matrix(np.repeat([[0, 0], [1, 1]], 10, axis=0))
    >>> cross_fit(Linear(), x, votes).argmax(axis=1).tolist()
    [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]
    """
    require_part("learner", learner, "Linear()", "fit", "predict_proba")
    posterior = _posterior(votes) if posterior is None else posterior
    x, _ = check_fit_inputs(x, votes, posterior)
    voted = int((votes.votes_per_task > 0).sum())
    if not isinstance(folds, int | np.integer) or not 2 <= folds <= voted:
        raise MethodError(
            f"folds must be a whole number from 2 to {voted}, the number of tasks with votes, got {folds}"
        )
    probs = np.empty((votes.n_tasks, votes.n_classes))
    for number, held_out in enumerate(split_folds(votes, folds, seed)):
        rest = np.setdiff1d(np.arange(votes.n_tasks), held_out)
        with quiet_rounds():
            fitted = fresh(learner).fit(
                take_items(x, rest), votes.subset(tasks=rest), subset_posterior(posterior, rest)
            )
        if len(held_out):
            probs[held_out] = fitted.predict_proba(take_items(x, held_out))
        report_round(number + 1, folds)
    return probs


def cross_score(
    learner: Learner, x: Any, votes: Votes, posterior: Posterior | None = None, *, folds: int = 5, seed: int = 0
) -> float:
    """Return the log-likelihood per vote of the tasks, by a learner that was not trained on them; higher is better.

    Compares learners where there is no gold. Workers answer according to the model of the posterior (by default that
    of dawid_skene), which is the same for every learner.

    Args:
        learner: the classifier; copies of it are fitted.
        x: the items, as in `fit`.
        votes: the votes on them.
        posterior: what the learner is taught; by default that of dawid_skene.
        folds: number of folds, from 2 to the number of tasks with votes.
        seed: decides which tasks are in which fold.
    """
    posterior = _posterior(votes) if posterior is None else posterior
    probs = cross_fit(learner, x, votes, posterior, folds=folds, seed=seed)
    return task_score(probs, votes, posterior)


def _posterior(votes: Votes) -> Posterior:
    require_votes(votes)
    return DawidSkene().aggregate(votes)


def split_folds(votes: Votes, folds: int, seed: int) -> list[Any]:
    """Split the tasks at random into folds of equal size; return the sorted task indices of each fold.

    Args:
        votes: votes on the tasks; tasks with votes are distributed evenly, and so are those without.
        folds: number of folds.
        seed: draws the folds.
    """
    random = np.random.default_rng(seed)
    voted = votes.votes_per_task > 0
    shuffled = np.concatenate([random.permutation(np.flatnonzero(mask)) for mask in (voted, ~voted)])
    return [np.sort(shuffled[first::folds]) for first in range(folds)]
