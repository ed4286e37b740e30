"""Out-of-fold probabilities: what a classifier says of items that it was not taught."""

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
from quorate.learning._inputs import fit_inputs, part_of, take_items
from quorate.learning.scoring import task_score
from quorate.protocols import Learner
from quorate.typing import Array


def cross_fit(
    learner: Learner, x: Any, votes: Votes, posterior: Posterior | None = None, *, folds: int = 5, seed: int = 0
) -> Array:
    """Probabilities of every task by a learner fitted to the tasks of the other folds: (n_tasks, n_classes).

    This is what may be put together with the votes of a task as one more voter, or be its prior: a classifier that had
    been taught the task would only repeat its votes. x: as in `fit`. posterior: by dawid_skene where none is given.

    >>> from quorate import Votes
    >>> from quorate.learning.learners.linear import Linear
    >>> x = np.repeat([[0.0], [1.0]], 10, axis=0)
    >>> votes = Votes.from_matrix(np.repeat([[0, 0], [1, 1]], 10, axis=0))
    >>> cross_fit(Linear(), x, votes).argmax(axis=1).tolist()
    [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]
    """
    require_part("learner", learner, "Linear()", "fit", "predict_proba")
    posterior = _posterior(votes) if posterior is None else posterior
    x, _ = fit_inputs(x, votes, posterior)
    voted = int((votes.votes_per_task > 0).sum())
    if not isinstance(folds, int | np.integer) or not 2 <= folds <= voted:
        raise MethodError(f"folds must be whole, from 2 to the number of tasks with votes, {voted}, got {folds}")
    probs = np.empty((votes.n_tasks, votes.n_classes))
    for number, held_out in enumerate(fold_of(votes, folds, seed)):
        rest = np.setdiff1d(np.arange(votes.n_tasks), held_out)
        with quiet_rounds():
            fitted = fresh(learner).fit(take_items(x, rest), votes.subset(tasks=rest), part_of(posterior, rest))
        if len(held_out):
            probs[held_out] = fitted.predict_proba(take_items(x, held_out))
        report_round(number + 1, folds)
    return probs


def cross_score(
    learner: Learner, x: Any, votes: Votes, posterior: Posterior | None = None, *, folds: int = 5, seed: int = 0
) -> float:
    """How likely the votes of each task are, by a learner that was not taught the task: log-likelihood per vote.

    The judge of learners where there is no gold: higher is better. Workers answer as the posterior has it (by
    dawid_skene where none is given), so that several learners are judged alike.
    """
    posterior = _posterior(votes) if posterior is None else posterior
    probs = cross_fit(learner, x, votes, posterior, folds=folds, seed=seed)
    return task_score(probs, votes, posterior)


def _posterior(votes: Votes) -> Posterior:
    require_votes(votes)
    return DawidSkene().aggregate(votes)


def fold_of(votes: Votes, folds: int, seed: int) -> list[Any]:
    """Tasks of each fold; those with votes are dealt out evenly, and so are those without."""
    random = np.random.default_rng(seed)
    voted = votes.votes_per_task > 0
    dealt = np.concatenate([random.permutation(np.flatnonzero(kind)) for kind in (voted, ~voted)])
    return [np.sort(dealt[first::folds]) for first in range(folds)]
