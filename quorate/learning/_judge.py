"""How good a classifier is on validation: by gold labels, or by the likelihood of votes."""

import numpy as np
from numpy.typing import NDArray

from quorate.data.posterior import Array, Posterior
from quorate.data.votes import Votes
from quorate.inference.bayes import answer_table, known_workers, log_likelihood
from quorate.inference.kernels import softmax_rows
from quorate.metrics import accuracy, log_loss, macro_f1
from quorate.protocols import Valid


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
        table = np.exp(answer_table(posterior.worker_model, np.arange(len(posterior.workers)), votes.n_classes))
        likelihood = (rows * table[known_workers(votes, posterior), votes.label]).sum(axis=1)
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
