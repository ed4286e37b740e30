"""How good predictions are, in a handful of numbers."""

import numpy as np
from numpy.typing import NDArray

from quorate.data.posterior import Array, Posterior
from quorate.data.votes import Votes
from quorate.errors import VotesError
from quorate.learning._judge import vote_score
from quorate.metrics import accuracy, balanced_accuracy, brier, expected_calibration_error, log_loss, macro_f1


def report(
    probs: Array,
    gold: NDArray[np.int64] | None = None,
    votes: Votes | None = None,
    posterior: Posterior | None = None,
) -> dict[str, float]:
    """Scores of class probabilities, (n_tasks, n_classes), by gold (-1 = none), by votes on these tasks, or by both.

    votes_cross_entropy: mean of -log p(what was said), which is lowest for the shares of the votes themselves.
    votes_through_workers: the same when each worker answers as the posterior's model has it, where it has one.

    >>> scores = report(np.array([[0.8, 0.2], [0.4, 0.6]]), np.array([0, 1]))
    >>> {name: round(score, 2) for name, score in scores.items()}
    {'accuracy': 1.0, 'balanced_accuracy': 1.0, 'macro_f1': 1.0, 'ece': 0.3, 'nll': 0.37, 'brier': 0.2}
    """
    scores: dict[str, float] = {}
    if gold is not None:
        if len(gold) != len(probs):
            raise VotesError(f"there are {len(probs)} predictions, but gold of {len(gold)} tasks: give one each")
        scores["accuracy"] = accuracy(probs, gold)
        scores["balanced_accuracy"] = balanced_accuracy(probs, gold)
        scores["macro_f1"] = macro_f1(probs, gold)
        scores["ece"] = expected_calibration_error(probs, gold)
        scores["nll"] = log_loss(probs, gold)
        scores["brier"] = brier(probs, gold)
    if votes is not None and len(votes):
        if votes.n_tasks != len(probs):
            raise VotesError(f"there are {len(probs)} predictions, but votes on {votes.n_tasks} tasks: give one each")
        said = probs[votes.task, votes.label]
        scores["votes_cross_entropy"] = float(-np.log(np.maximum(said, 1e-9)).mean())
        if posterior is not None and posterior.worker_model is not None:
            scores["votes_through_workers"] = -vote_score(probs, votes, posterior)
    return scores
