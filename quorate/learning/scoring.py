"""How good predictions are: the report of a classifier, and the score that training and search compare."""

import numpy as np
from numpy.typing import NDArray

from quorate.data.posterior import Posterior
from quorate.data.votes import Votes
from quorate.errors import VotesError
from quorate.inference.bayes import log_likelihood, response_log_probs, worker_indices
from quorate.inference.kernels import softmax_rows
from quorate.metrics import accuracy, balanced_accuracy, brier, expected_calibration_error, log_loss, macro_f1
from quorate.protocols import Valid
from quorate.typing import Array


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


def valid_score(probs: Array, valid: Valid, posterior: Posterior, metric: str) -> float:
    """The score of class probabilities by gold and a metric or, where there is none, by votes; higher is better."""
    if valid.votes is None:
        return gold_score(probs, np.asarray(valid.gold), metric)
    return vote_score(probs, valid.votes, posterior)


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
        everyone = np.arange(len(posterior.workers))
        matrices = np.exp(response_log_probs(posterior.worker_model, everyone, votes.n_classes))
        likelihood = (rows * matrices[worker_indices(votes, posterior), :, votes.label]).sum(axis=1)
    return float(np.log(np.maximum(likelihood, 1e-9)).mean())


def task_score(probs: Array, votes: Votes, posterior: Posterior) -> float:
    """Log-likelihood per vote of all votes of each task together, when the task is as probs says.

    Votes of one task hang together by what it is, which `vote_score` leaves out of account; so this one is for tasks
    none of whose votes were used to make probs.
    """
    if posterior.worker_model is None:
        return vote_score(probs, votes, posterior)
    together = log_likelihood(votes, posterior) + np.log(np.maximum(probs, 1e-9))
    return float(softmax_rows(together)[votes.votes_per_task > 0].sum() / max(len(votes), 1))
