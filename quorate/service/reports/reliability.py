"""Reliability diagram: accuracy by confidence, of the classifier and of the posterior computed from it."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.data.votes import Votes
from quorate.decision.base import Fused
from quorate.metrics.reliability_bins import bin_indices
from quorate.service.decisions.evidence import machines_of
from quorate.service.refit.decide_pool import PoolView
from quorate.service.refit.train import sample_rows
from quorate.typing import Array

N_BINS = 10  # of equal width
MIN_TASKS = 20  # with gold labels, otherwise with votes: fewer make no diagram
MAX_TASKS = 20_000  # of a larger pool a random sample is used
EM_ROUNDS, MIN_PROB = 100, 1e-9
GOLD, CONSENSUS = "known", "consensus"  # what the probabilities are compared with


def compute_reliability(view: PoolView) -> dict[str, Any] | None:
    """Return the bins of the classifier (`before`) and of the posterior (`after`); None if there are too few tasks.

    With enough gold labels, `before` is the classifier out of fold and `after` the posterior given the votes but not
    the gold labels. Otherwise both are compared with the votes, weighted by the model of the voters. A posterior that
    uses these votes cannot be compared with them, so `after` is then the calibrated classifier alone.
    """
    snapshot = view.snapshot
    rows = sample_rows(np.flatnonzero(snapshot.gold >= 0), MAX_TASKS)
    if len(rows) >= MIN_TASKS:
        votes, machines = snapshot.votes.subset(tasks=rows), machines_of(view.machine, view.usable[rows])
        truth = np.eye(votes.n_classes)[snapshot.gold[rows]]
        return _diagram(GOLD, view, rows, view.model.posterior(votes, machines), truth)
    rows = sample_rows(np.flatnonzero(snapshot.votes.votes_per_task > 0), MAX_TASKS)
    if view.machine is None or len(rows) < MIN_TASKS:
        return None
    votes = snapshot.votes.subset(tasks=rows)
    no_votes = votes.subset(rows=np.empty(0, dtype=np.int64))
    after = view.model.posterior(no_votes, machines_of(view.machine, view.usable[rows]))
    return _diagram(CONSENSUS, view, rows, after, vote_likelihoods(view.model, view.machine, votes, no_votes))


def vote_likelihoods(model: Fused, machine: str, votes: Votes, no_votes: Votes) -> Array:
    """Return the likelihood of the votes on each task given its class, up to a factor: (n_tasks, n_classes).

    It is the ratio of the posteriors with and without the votes, where the classifier predicts uniform probabilities.

    Args:
        model: the fitted model.
        machine: name of the classifier in the model.
        votes: the votes.
        no_votes: the same tasks without votes.
    """
    uniform = {machine: np.full((votes.n_tasks, votes.n_classes), 1 / votes.n_classes)}
    ratio: Array = model.posterior(votes, uniform) / np.maximum(model.posterior(no_votes, uniform), MIN_PROB)
    return ratio


def _diagram(against: str, view: PoolView, rows: NDArray[np.int64], after: Array, truth: Array) -> dict[str, Any]:
    before = view.usable[rows].astype(np.float64)
    predicted = ~np.isnan(before).any(axis=1) & (view.machine is not None)
    return {
        "against": against,
        "before": reliability_bins(before[predicted], truth[predicted]),
        "after": reliability_bins(after, truth),
    }


def reliability_bins(probs: Array, truth: Array) -> list[dict[str, float]]:
    """Return mean confidence (`said`), accuracy (`right`) and size (`n`) of each bin that is not empty.

    Args:
        probs: (n, n_classes), the probabilities.
        truth: (n, n_classes), rows with a single 1; or likelihoods of votes. With likelihoods, the accuracy of a bin is
            its maximum-likelihood estimate. Averaging the posteriors given the votes instead would be biased towards
            1/2, since a single vote is never certain.

    >>> truth = np.array([[1.0, 0.0], [0.5, 0.5], [0.0, 1.0]])
    >>> reliability_bins(np.array([[0.9, 0.1], [0.04, 0.96], [0.7, 0.3]]), truth)
    [{'said': 0.7, 'right': 0.0, 'n': 1}, {'said': 0.93, 'right': 1.0, 'n': 2}]
    """
    label, rows = probs.argmax(axis=1), np.arange(len(probs))
    confidence = probs[rows, label]
    index = bin_indices(confidence, bins=N_BINS, binning="width")
    count = np.bincount(index, minlength=N_BINS)
    size = np.maximum(count, 1)
    mean_confidence = np.bincount(index, confidence, minlength=N_BINS) / size
    if_right, if_wrong = truth[rows, label], (truth.sum(axis=1) - truth[rows, label]) / (truth.shape[1] - 1)
    accuracy = np.full(N_BINS, 0.5)
    for _ in range(EM_ROUNDS):  # EM: the accuracy of a bin is the mean probability that its labels are right
        joint = accuracy[index] * if_right
        accuracy = np.bincount(index, joint / (joint + (1 - accuracy[index]) * if_wrong), minlength=N_BINS) / size
        accuracy = np.clip(accuracy, MIN_PROB, 1 - MIN_PROB)  # at 0 or 1 a contrary vote would be impossible
    return [
        {"said": round(float(mean_confidence[number]), 4), "right": round(float(accuracy[number]), 4), "n": int(n)}
        for number, n in enumerate(count)
        if n
    ]
