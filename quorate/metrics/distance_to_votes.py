"""Distances between predicted probabilities and the votes of people, with their floor."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from quorate.data.checks import probability_rows
from quorate.data.votes import Votes
from quorate.errors import VotesError
from quorate.inference.kernels import safe_log
from quorate.metrics.vote_spread import VoteSpread
from quorate.typing import Array

MIN_PROB = 1e-6  # predictions are clipped to it: a zero would be infinitely far from a vote
MIN_DRAWS = 4_000  # of items, for the two floors that have no closed form


@dataclass(frozen=True, kw_only=True)
class Distance:
    """A mean distance over items, and its floor: the distance of the true shares from these few votes."""

    score: float
    floor: float

    @property
    def excess(self) -> float:
        """Score minus floor: the part that is due to the model. It may be negative by chance."""
        return self.score - self.floor


@dataclass(frozen=True, kw_only=True)
class AgainstPeople:
    """Distances between the vote shares s of an item and predicted probabilities p, with natural logarithms.

    Attributes:
        cross_entropy: -sum s log p.
        kl: sum s log(s / p).
        jensen_shannon: half of kl(s, m) + kl(p, m), where m = (s + p) / 2; at most log 2.
        total_variation: half of sum |s - p|, in [0, 1].
        items: the number of items with votes, over which the means are taken.
    """

    cross_entropy: Distance
    kl: Distance
    jensen_shannon: Distance
    total_variation: Distance
    items: int


def against_people(probs: Array, votes: Votes | NDArray[np.int64], *, seed: int = 0) -> AgainstPeople:
    """Return the distances between predicted probabilities and the votes on the same items.

    Items without votes are left out; NaN if none has any. The floor: the shares of three votes differ from those of a
    thousand, so even a model that predicts the shares of all people exactly has a distance. The distribution of these
    shares is estimated from all votes (VoteSpread); the floor is its mean distance from the given votes, in closed form
    for cross_entropy and kl, from random draws for the others. It does not depend on the model. It is NaN if no item
    has two votes, since then the votes do not show how much people differ.

    In simulations with at least five votes per item, the floor of cross_entropy was within 9% of the true value and
    the others mostly within 25%, except for items that are either clear or split in halves (up to 42% too low); with
    two or three votes per item the errors are larger.

    Args:
        probs: (n, n_classes).
        votes: Votes, or counts of votes, (n, n_classes).
        seed: of the draws.

    >>> distances = against_people(np.array([[0.9, 0.1], [0.5, 0.5], [0.1, 0.9]]), np.array([[3, 0], [1, 2], [0, 3]]))
    >>> round(distances.total_variation.score, 3)
    0.122
    >>> distances.total_variation.floor > 0
    True
    """
    probs = probability_rows(probs)
    counts = _counts(votes, len(probs), probs.shape[1])
    rows = np.flatnonzero(counts.sum(axis=1) > 0)
    counts = counts[rows]
    shares = counts / counts.sum(axis=1, keepdims=True)
    pred_probs = np.maximum(probs[rows], MIN_PROB)
    pred_probs /= pred_probs.sum(axis=1, keepdims=True)
    scores = {name: _mean(distance(shares, pred_probs)) for name, distance in DISTANCES.items()}
    floors = _floors(counts, shares, seed)
    both = {name: Distance(score=score, floor=floors[name]) for name, score in scores.items()}
    return AgainstPeople(**both, items=len(rows))


def _floors(counts: NDArray[np.int64], shares: Array, seed: int) -> dict[str, float]:
    if not (counts.sum(axis=1) > 1).any():
        return dict.fromkeys(DISTANCES, np.nan)
    spread = VoteSpread.fit(counts)
    cross_entropy = _mean(spread.expected_cross_entropy())
    floors = {"cross_entropy": cross_entropy, "kl": cross_entropy - _mean(_cross_entropy(shares, shares))}
    number = max(20, -(-MIN_DRAWS // len(counts)))
    distances = [
        (_jensen_shannon(shares, true_shares).mean(), _total_variation(shares, true_shares).mean())
        for true_shares in spread.draw(number, seed)
    ]
    floors["jensen_shannon"], floors["total_variation"] = np.mean(distances, axis=0).tolist()
    return floors


def _counts(votes: Votes | NDArray[np.int64], n_items: int, n_classes: int) -> NDArray[np.int64]:
    counts = votes.counts() if isinstance(votes, Votes) else np.asarray(votes)
    if counts.shape != (n_items, n_classes):
        raise VotesError(
            f"votes must be on the {n_items} items and {n_classes} classes of the predictions, got {counts.shape}: "
            "give one row per item and one column per class"
        )
    if np.any(counts < 0) or np.any(counts != np.floor(counts)):
        raise VotesError("votes must be whole numbers, none negative: give counts, not shares")
    return counts.astype(np.int64)


def _mean(of_items: Array) -> float:
    return float(of_items.mean()) if len(of_items) else np.nan


def _cross_entropy(shares: Array, probs: Array) -> Array:
    return -(shares * safe_log(probs)).sum(axis=1)


def _kl(shares: Array, probs: Array) -> Array:
    return (shares * (safe_log(shares) - safe_log(probs))).sum(axis=1)


def _jensen_shannon(shares: Array, probs: Array) -> Array:
    middle = (shares + probs) / 2
    return (_kl(shares, middle) + _kl(probs, middle)) / 2


def _total_variation(shares: Array, probs: Array) -> Array:
    return np.abs(shares - probs).sum(axis=1) / 2


DISTANCES: dict[str, Callable[[Array, Array], Array]] = {
    "cross_entropy": _cross_entropy,
    "kl": _kl,
    "jensen_shannon": _jensen_shannon,
    "total_variation": _total_variation,
}
