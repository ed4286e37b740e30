"""Scores of predictions: the report on a classifier, and the score that training and search compare."""

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
    """Score class probabilities by gold, by votes or by both; return the scores by name.

    With votes, `votes_cross_entropy` is the mean of -log p(label of the vote), which is lowest for the vote shares
    themselves. `votes_through_workers` is the same where each worker answers according to the posterior's model.

    Args:
        probs: class probabilities, (n_tasks, n_classes).
        gold: class index per task, -1 = none.
        votes: votes on the same tasks.
        posterior: has the model of workers; without one, `votes_through_workers` is left out.

    >>> scores = report(np.array([[0.8, 0.2], [0.4, 0.6]]), np.array([0, 1]))
    >>> {name: round(score, 2) for name, score in scores.items()}
    {'accuracy': 1.0, 'balanced_accuracy': 1.0, 'macro_f1': 1.0, 'ece': 0.3, 'nll': 0.37, 'brier': 0.2}
    """
    scores: dict[str, float] = {}
    if gold is not None:
        if len(gold) != len(probs):
            raise VotesError(f"there are {len(probs)} predictions, but gold of {len(gold)} tasks: both must match")
        scores["accuracy"] = accuracy(probs, gold)
        scores["balanced_accuracy"] = balanced_accuracy(probs, gold)
        scores["macro_f1"] = macro_f1(probs, gold)
        scores["ece"] = expected_calibration_error(probs, gold)
        scores["nll"] = log_loss(probs, gold)
        scores["brier"] = brier(probs, gold)
    if votes is not None and len(votes):
        if votes.n_tasks != len(probs):
            raise VotesError(f"there are {len(probs)} predictions, but votes on {votes.n_tasks} tasks: both must match")
        likelihood = probs[votes.task, votes.label]
        scores["votes_cross_entropy"] = float(-np.log(np.maximum(likelihood, 1e-9)).mean())
        if posterior is not None and posterior.worker_model is not None:
            scores["votes_through_workers"] = -vote_score(probs, votes, posterior)
    return scores


def valid_score(probs: Array, valid: Valid, posterior: Posterior, metric: str) -> float:
    """Score class probabilities by gold and a metric or, without gold, by votes; higher is better."""
    if valid.votes is None:
        return gold_score(probs, np.asarray(valid.gold), metric)
    return vote_score(probs, valid.votes, posterior)


def gold_score(probs: Array, gold: NDArray[np.int64], metric: str) -> float:
    """Return a score of class probabilities on tasks with gold labels; higher is better.

    Args:
        probs: predicted probabilities, (n_tasks, n_classes).
        gold: gold labels, (n_tasks,), -1 = none.
        metric: "log_loss" (its negative is returned), "accuracy" or "macro_f1".
    """
    if metric == "log_loss":
        return -log_loss(probs, gold)
    return accuracy(probs, gold) if metric == "accuracy" else macro_f1(probs, gold)


def vote_score(probs: Array, votes: Votes, posterior: Posterior) -> float:
    """Return the mean log-probability of votes, given class probabilities and the posterior's model of workers.

    Without a model of workers, a vote is a draw from the class probabilities. Workers are matched by name.
    """
    rows = probs[votes.task]
    if posterior.worker_model is None:
        likelihood = rows[np.arange(len(votes)), votes.label]
    else:
        workers = np.arange(len(posterior.workers))
        matrices = np.exp(response_log_probs(posterior.worker_model, workers, votes.n_classes))
        likelihood = (rows * matrices[worker_indices(votes, posterior), :, votes.label]).sum(axis=1)
    return float(np.log(np.maximum(likelihood, 1e-9)).mean())


def task_score(probs: Array, votes: Votes, posterior: Posterior) -> float:
    """Return the joint log-likelihood of the votes of each task, per vote, given class probabilities.

    Votes on the same task are dependent through its class, which `vote_score` ignores; so this score is for tasks whose
    votes were not used to make probs.
    """
    if posterior.worker_model is None:
        return vote_score(probs, votes, posterior)
    log_joint = log_likelihood(votes, posterior) + np.log(np.maximum(probs, 1e-9))
    return float(softmax_rows(log_joint)[votes.votes_per_task > 0].sum() / max(len(votes), 1))
