"""Does what is learnt from some workers hold for the others?

A classifier looks not sure enough wherever workers see items as it does, right or wrong: they agree with it more often
than it says. If only some of them see so, a calibrator fitted to their votes makes those of others less likely.
"""

from copy import deepcopy

import numpy as np
from numpy.typing import NDArray

from quorate.calibration._inputs import informed
from quorate.calibration.cross_validation import log_evidence
from quorate.data.posterior import Array, Posterior
from quorate.data.votes import Votes
from quorate.errors import VotesError
from quorate.inference.bayes import likelihoods
from quorate.protocols import Calibrator


def holds_across_workers(
    calibrator: Calibrator, probs: Array, votes: Votes, posterior: Posterior, *, folds: int, seed: int
) -> bool:
    """Whether the votes of every fold of workers become likelier by a calibrator fitted to those of the others.

    probs: (n_tasks, n_classes). posterior: has the models of workers.
    """
    fold = _fold_of_votes(votes, folds, seed)
    for number in range(folds):
        theirs = fold == number
        if not theirs.any():
            continue
        try:
            fitted = deepcopy(calibrator).fit(probs, likelihoods(votes.subset(rows=~theirs), posterior))
        except VotesError:  # there are no others, or they tell nothing
            return False
        if _gain(fitted, probs, likelihoods(votes.subset(rows=theirs), posterior)) <= 0:
            return False
    return True


def _gain(fitted: Calibrator, probs: Array, seen: Array) -> float:
    told = informed(seen)
    if not told.any():
        return np.inf  # nothing is said against it
    after = fitted.transform(probs[told])
    return float((log_evidence(after, seen[told]) - log_evidence(probs[told], seen[told])).mean())


def _fold_of_votes(votes: Votes, folds: int, seed: int) -> NDArray[np.int64]:
    """The fold of each vote: that of its worker; anonymous votes are dealt out one by one."""
    draws = np.random.default_rng(seed)
    of_worker = draws.permutation(votes.n_workers) % folds
    one_by_one = draws.integers(folds, size=len(votes))
    return np.where(votes.worker < 0, one_by_one, np.append(of_worker, 0)[votes.worker])
