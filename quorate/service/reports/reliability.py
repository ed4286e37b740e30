"""How often what is said with some confidence is right: of the classifier as it stands, and of what is made of it."""

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

BINS = 10  # of equal width
ENOUGH = 20  # tasks with a known label, or else with votes: fewer draw no diagram
MOST_TASKS = 20_000  # of more, so many are drawn
ROUNDS, LEAST = 100, 1e-9  # of EM, and of a probability
KNOWN, CONSENSUS = "known", "consensus"  # what it is held against


def reliability_of(view: PoolView) -> dict[str, Any] | None:
    """Bins of confidence before and after, and what they are held against; None where there is too little.

    Where labels are known, by experts or from the start: what the classifier says out of fold, and what is believed
    with the votes, but without those labels. Else the votes are the judge, as far as the model trusts the voters; a
    belief that rests on them cannot be held against them, so `after` is the classifier as the model weighs it.
    """
    snapshot = view.snapshot
    known = sample_rows(np.flatnonzero(snapshot.gold >= 0), MOST_TASKS)
    if len(known) >= ENOUGH:
        votes, machines = snapshot.votes.subset(tasks=known), machines_of(view.machine, view.usable[known])
        truth = np.eye(votes.n_classes)[snapshot.gold[known]]
        return _told(KNOWN, view, known, view.model.posterior(votes, machines), truth)
    voted = sample_rows(np.flatnonzero(snapshot.votes.votes_per_task > 0), MOST_TASKS)
    if view.machine is None or len(voted) < ENOUGH:
        return None
    votes = snapshot.votes.subset(tasks=voted)
    nothing = votes.subset(rows=np.empty(0, dtype=np.int64))
    after = view.model.posterior(nothing, machines_of(view.machine, view.usable[voted]))
    return _told(CONSENSUS, view, voted, after, likelihoods(view.model, view.machine, votes, nothing))


def likelihoods(model: Fused, machine: str, votes: Votes, nothing: Votes) -> Array:
    """How likely the votes on each task are if it is of each class, up to a factor: by how much they move a belief.

    nothing: the same tasks without votes. The machine says that all classes are alike.
    """
    even = {machine: np.full((votes.n_tasks, votes.n_classes), 1 / votes.n_classes)}
    moved: Array = model.posterior(votes, even) / np.maximum(model.posterior(nothing, even), LEAST)
    return moved


def _told(against: str, view: PoolView, rows: NDArray[np.int64], after: Array, truth: Array) -> dict[str, Any]:
    said = view.usable[rows].astype(np.float64)
    heard = ~np.isnan(said).any(axis=1) & (view.machine is not None)
    return {"against": against, "before": bins_of(said[heard], truth[heard]), "after": bins_of(after, truth)}


def bins_of(probs: Array, truth: Array) -> list[dict[str, float]]:
    """Mean confidence and the share that is right, in bins of confidence; both (n, n_classes), empty bins left out.

    truth: rows with a single one; or likelihoods, where the share is that at which the votes of a bin are likeliest. To
    average what the votes say instead would be too modest: a single vote is never sure.

    >>> bins_of(np.array([[0.9, 0.1], [0.04, 0.96], [0.7, 0.3]]), np.array([[1.0, 0.0], [0.5, 0.5], [0.0, 1.0]]))
    [{'said': 0.7, 'right': 0.0, 'n': 1}, {'said': 0.93, 'right': 1.0, 'n': 2}]
    """
    best, every = probs.argmax(axis=1), np.arange(len(probs))
    sure = probs[every, best]
    place = bin_indices(sure, bins=BINS, binning="width")
    count = np.bincount(place, minlength=BINS)
    size = np.maximum(count, 1)
    said, right = np.bincount(place, sure, minlength=BINS) / size, np.full(BINS, 0.5)
    if_right, if_wrong = truth[every, best], (truth.sum(axis=1) - truth[every, best]) / (truth.shape[1] - 1)
    for _ in range(ROUNDS):  # EM: each share is the mean of what it makes of its items
        each = right[place] * if_right
        right = np.bincount(place, each / (each + (1 - right[place]) * if_wrong), minlength=BINS) / size
        right = np.clip(right, LEAST, 1 - LEAST)  # at the ends a vote that says otherwise would be impossible
    return [
        {"said": round(float(said[one]), 4), "right": round(float(right[one]), 4), "n": int(count[one])}
        for one in np.flatnonzero(count)
    ]
