"""How far a model is from what people say, and how near it could have come."""

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

LEAST_SAID = 1e-6  # a model is never taken to give a class less: one that is sure would else be infinitely far away
DRAWN = 4_000  # items drawn at least, for the two floors that have no closed form


@dataclass(frozen=True, kw_only=True)
class Distance:
    """A mean over items, beside its floor: what it would be, with these few votes, for the shares of all people."""

    score: float
    floor: float

    @property
    def excess(self) -> float:
        """Score less floor: what is the model's own. Chance may bring it below zero."""
        return self.score - self.floor


@dataclass(frozen=True, kw_only=True)
class AgainstPeople:
    """Distances between the shares s of an item's votes and the model's probabilities p, natural logarithms.

    cross_entropy: -sum s log p. kl: sum s log(s / p). jensen_shannon: half of kl(s, m) + kl(p, m), m = (s + p) / 2, at
    most log 2. total_variation: half of sum |s - p|, in [0, 1]. items: how many have votes, over which the means go.
    """

    cross_entropy: Distance
    kl: Distance
    jensen_shannon: Distance
    total_variation: Distance
    items: int


def against_people(probs: Array, votes: Votes | NDArray[np.int64], *, seed: int = 0) -> AgainstPeople:
    """How far probabilities, (n, K), are from the votes on the same items: Votes, or their counts, (n, K).

    An item without votes does not count; NaN where none has any. The floor: three votes are never shared out as a
    thousand would be, so even a model that knows what all people think is some way off. What they may think of an item
    is learned from all votes (VoteSpread); the floor is the mean distance of that from these very votes, in closed form
    for cross_entropy and kl, from draws by `seed` for the others. It does not depend on the model. Where no item has
    two votes, nothing tells how far people differ, and it is NaN.

    Simulated, with five votes an item or more the floor of cross_entropy was within 9 % of the truth and the others
    mostly within 25 %, save where items are either clear or split in halves (up to 42 % too low); two or three votes an
    item leave more open.

    >>> found = against_people(np.array([[0.9, 0.1], [0.5, 0.5], [0.1, 0.9]]), np.array([[3, 0], [1, 2], [0, 3]]))
    >>> round(found.total_variation.score, 3)
    0.122
    >>> found.total_variation.floor > 0
    True
    """
    probs = probability_rows(probs)
    counts = _counts(votes, len(probs), probs.shape[1])
    rows = np.flatnonzero(counts.sum(axis=1) > 0)
    counts = counts[rows]
    shares = counts / counts.sum(axis=1, keepdims=True)
    said = np.maximum(probs[rows], LEAST_SAID)
    said /= said.sum(axis=1, keepdims=True)
    scores = {name: _mean(distance(shares, said)) for name, distance in DISTANCES.items()}
    floors = _floors(counts, shares, seed)
    both = {name: Distance(score=score, floor=floors[name]) for name, score in scores.items()}
    return AgainstPeople(**both, items=len(rows))


def _floors(counts: NDArray[np.int64], shares: Array, seed: int) -> dict[str, float]:
    if not (counts.sum(axis=1) > 1).any():
        return dict.fromkeys(DISTANCES, np.nan)
    spread = VoteSpread.fit(counts)
    nearest = _mean(spread.expected_cross_entropy())
    floors = {"cross_entropy": nearest, "kl": nearest - _mean(_cross_entropy(shares, shares))}
    number = max(20, -(-DRAWN // len(counts)))
    drawn = [
        (_jensen_shannon(shares, all_people).mean(), _total_variation(shares, all_people).mean())
        for all_people in spread.draws(number, seed)
    ]
    floors["jensen_shannon"], floors["total_variation"] = np.mean(drawn, axis=0).tolist()
    return floors


def _counts(votes: Votes | NDArray[np.int64], n_items: int, n_classes: int) -> NDArray[np.int64]:
    counts = votes.counts() if isinstance(votes, Votes) else np.asarray(votes)
    if counts.shape != (n_items, n_classes):
        raise VotesError(
            f"votes must be on the {n_items} items and {n_classes} classes of the predictions, got {counts.shape}: "
            "give one row per item and one column per class"
        )
    if np.any(counts < 0) or np.any(counts != np.floor(counts)):
        raise VotesError("votes must be whole numbers of votes, none negative: give counts, not shares")
    return counts.astype(np.int64)


def _mean(of_items: Array) -> float:
    return float(of_items.mean()) if len(of_items) else np.nan


def _cross_entropy(shares: Array, said: Array) -> Array:
    return -(shares * safe_log(said)).sum(axis=1)


def _kl(shares: Array, said: Array) -> Array:
    return (shares * (safe_log(shares) - safe_log(said))).sum(axis=1)


def _jensen_shannon(shares: Array, said: Array) -> Array:
    middle = (shares + said) / 2
    return (_kl(shares, middle) + _kl(said, middle)) / 2


def _total_variation(shares: Array, said: Array) -> Array:
    return np.abs(shares - said).sum(axis=1) / 2


DISTANCES: dict[str, Callable[[Array, Array], Array]] = {
    "cross_entropy": _cross_entropy,
    "kl": _kl,
    "jensen_shannon": _jensen_shannon,
    "total_variation": _total_variation,
}
