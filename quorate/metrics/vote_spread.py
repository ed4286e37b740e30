"""What people may think of items, learned from a few votes on each: a mixture of Dirichlet distributions."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from quorate.inference.kernels import softmax_rows
from quorate.typing import Array

MOST = 12  # profiles of this many classes, those with the most votes; all others share the last profile
FURTHEST = 12.0  # log of the largest alpha, and of one over the least


@dataclass(frozen=True, eq=False)
class VoteSpread:
    """How the shares of all people are spread over items: item i's is drawn from one of G Dirichlets, votes from it.

    counts: (n, K), the votes that it was fitted on. alpha: (G, K). chosen: (n, G), which of them each item comes from.

    After its votes item i's shares are Dirichlet(alpha_g + counts_i) with probability chosen_ig. One profile per class
    knows that items of a class are doubted in their own way: a cat is taken for a dog, hardly for a ship.
    """

    counts: Array
    alpha: Array
    chosen: Array

    @classmethod
    def fit(cls, counts: NDArray[np.int64]) -> Self:
        """The most likely mixture for these counts, (n, K), each row with a vote: by L-BFGS, so the same each time."""
        from scipy.optimize import minimize

        likelihood = _Likelihood(counts)
        start = likelihood.start()
        # Bounded, since a class that nobody names pulls alpha to zero, and items that are all alike to infinity.
        bounds = np.tile([-FURTHEST, FURTHEST], (len(start), 1))
        found = minimize(likelihood, start, jac=True, method="L-BFGS-B", bounds=bounds, options={"maxiter": 300})
        alpha, log_weight = likelihood.parts(found.x)
        chosen = likelihood.of_items(alpha, log_weight)
        softmax_rows(chosen)
        return cls(counts.astype(np.float64), alpha, chosen)

    def expected_cross_entropy(self) -> Array:
        """Of each item: mean over what people may think of -sum_k share_k log thought_k: (n,)."""
        from scipy.special import digamma

        shares = self.counts / self.counts.sum(axis=1, keepdims=True)
        each = [
            (shares * (digamma(after.sum(axis=1, keepdims=True)) - digamma(after))).sum(axis=1)
            for after in (self.counts + alpha for alpha in self.alpha)
        ]
        return (self.chosen.T * np.array(each)).sum(axis=0)

    def draws(self, number: int, seed: int) -> Iterator[Array]:
        """What people may think of every item, drawn so many times: (n, K) each."""
        random = np.random.default_rng(seed)
        up_to = self.chosen.cumsum(axis=1)[:, :-1]
        for _ in range(number):
            profile = (random.random((len(self.counts), 1)) > up_to).sum(axis=1)
            shares = random.standard_gamma(self.alpha[profile] + self.counts)
            yield shares / shares.sum(axis=1, keepdims=True)


class _Likelihood:
    """Of counts under a mixture of Dirichlet-multinomials; a point is log(alpha), flat, then the weights' logits."""

    def __init__(self, counts: NDArray[np.int64]) -> None:
        from scipy.sparse import csr_array

        n_items, n_classes = counts.shape
        self.counts = counts
        self.steps = np.arange(counts.max() + 1)  # 0 .. the most votes for one class
        # A row per item, with a one at (class, count): log-likelihoods of items are sums of a small table.
        place = np.arange(n_classes) * len(self.steps) + counts
        ones = np.ones(counts.size)
        begin = np.arange(n_items + 1) * n_classes
        self.cells: Any = csr_array((ones, place.ravel(), begin), shape=(n_items, n_classes * len(self.steps)))
        self.totals, self.which_total = np.unique(counts.sum(axis=1), return_inverse=True)
        self.common = np.argsort(-counts.sum(axis=0), kind="stable")[:MOST]
        self.size = len(self.common) + 1

    def start(self) -> Array:
        """One pseudo-vote for a class and a quarter as all votes are; the last profile has two as all votes are."""
        share = (self.counts.sum(axis=0) + 1) / (self.counts.sum() + self.counts.shape[1])
        own = np.zeros((self.size, len(share)))
        own[np.arange(self.size - 1), self.common] = 1
        alpha = np.where(np.arange(self.size)[:, None] < self.size - 1, own + 0.25 * share, 2 * share)
        return np.concatenate([np.log(alpha).ravel(), np.zeros(self.size)])

    def parts(self, point: Array) -> tuple[Array, Array]:
        """Alpha, (G, K), and the log of the weights, (G,)."""
        logits = point[-self.size :]
        top = logits.max()
        return np.exp(point[: -self.size].reshape(self.size, -1)), logits - top - np.log(np.exp(logits - top).sum())

    def of_items(self, alpha: Array, log_weight: Array) -> Array:
        """Log of weight times likelihood: (n, G)."""
        from scipy.special import gammaln

        table = gammaln(alpha[:, :, None] + self.steps) - gammaln(alpha)[:, :, None]
        total = alpha.sum(axis=1)
        by_total = gammaln(total) - gammaln(total + self.totals[:, None])
        return self.cells @ table.reshape(self.size, -1).T + by_total[self.which_total] + log_weight

    def __call__(self, point: Array) -> tuple[float, Array]:
        """Minus the mean log-likelihood, and its gradient."""
        from scipy.special import digamma

        alpha, log_weight = self.parts(point)
        chosen = self.of_items(alpha, log_weight)
        value = softmax_rows(chosen).mean()  # chosen becomes probabilities: (n, G)
        table = digamma(alpha[:, :, None] + self.steps) - digamma(alpha)[:, :, None]
        seen = (self.cells.T @ chosen).T.reshape(table.shape)  # how often each profile meets (class, count)
        total = alpha.sum(axis=1)
        by_total = digamma(total) - digamma(total + self.totals[:, None])
        seen_total = np.zeros((len(self.totals), self.size))
        np.add.at(seen_total, self.which_total, chosen)
        slope = (table * seen).sum(axis=2) + (by_total * seen_total).sum(axis=0)[:, None]
        of_weights = chosen.sum(axis=0) - len(chosen) * np.exp(log_weight)
        return -float(value), -np.concatenate([(slope * alpha).ravel(), of_weights]) / len(chosen)
