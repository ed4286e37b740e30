"""How good a classifier is on validation: by gold labels, or by the likelihood of votes."""

import numpy as np
from numpy.typing import NDArray

from quorate.calibration.metrics import accuracy, log_loss, macro_f1
from quorate.infer import answer_table
from quorate.names import lookup
from quorate.results import Array, Posterior
from quorate.votes import Votes


def gold_score(probs: Array, gold: NDArray[np.int64], metric: str) -> float:
    """The score of class probabilities by gold labels; higher is better."""
    if metric == "log_loss":
        return -log_loss(probs, gold)
    return accuracy(probs, gold) if metric == "accuracy" else macro_f1(probs, gold)


def vote_score(probs: Array, votes: Votes, posterior: Posterior) -> float:
    """Mean log-probability of votes, when tasks are as probs says and workers answer as the posterior has it.

    Without a model of workers a vote is taken for a draw from the class probabilities. Workers go by their names.
    """
    rows = probs[votes.task]
    if posterior.worker_model is None:
        likelihood = rows[np.arange(len(votes)), votes.label]
    else:
        place = lookup(votes.workers, posterior.workers)
        table = np.exp(answer_table(posterior.worker_model, np.arange(len(posterior.workers)), votes.n_classes))
        worker = np.append(place, -1)[votes.worker]  # the unknown and the anonymous answer as the pool does
        likelihood = (rows * table[worker, votes.label]).sum(axis=1)
    return float(np.log(np.maximum(likelihood, 1e-9)).mean())
