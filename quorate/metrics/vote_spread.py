"""Distribution of true vote shares, estimated from few votes on each item: a mixture of Dirichlet distributions."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from quorate.inference.kernels import softmax_rows
from quorate.typing import Array

MAX_PROFILES = 12  # of single classes, those with the most votes; all others share the last profile
MAX_LOG_ALPHA = 12.0  # alpha is bounded by exp(-12) and exp(12)


@dataclass(frozen=True, eq=False)
class VoteSpread:
    """A model of the true shares of votes: those of an item are drawn from one of G Dirichlets, its votes from them.

    Given its votes, the shares of item i are Dirichlet(alpha_g + counts_i) with probability profile_probs_ig. There is
    one profile per class, since items of each class are confused in their own way: a cat with a dog, hardly with a
    ship.

    Attributes:
        counts: (n, K), the votes that the model was fitted to.
        alpha: (G, K).
        profile_probs: (n, G), posterior of the profile of each item.
    """

    counts: Array
    alpha: Array
    profile_probs: Array

    @classmethod
    def fit(cls, counts: NDArray[np.int64]) -> Self:
        """Return the maximum-likelihood mixture for counts, (n, K), each row with a vote, by L-BFGS (deterministic)."""
        from scipy.optimize import minimize

        likelihood = _Likelihood(counts)
        start = likelihood.start()
        # Bounded, since alpha tends to zero for a class without votes, and to infinity if all items are alike.
        bounds = np.tile([-MAX_LOG_ALPHA, MAX_LOG_ALPHA], (len(start), 1))
        optimum = minimize(likelihood, start, jac=True, method="L-BFGS-B", bounds=bounds, options={"maxiter": 300})
        alpha, log_weight = likelihood.unpack(optimum.x)
        profile_probs = likelihood.item_log_likelihoods(alpha, log_weight)
        softmax_rows(profile_probs)  # in place
        return cls(counts.astype(np.float64), alpha, profile_probs)

    def expected_cross_entropy(self) -> Array:
        """Return the expected cross-entropy of each item, (n,): E[-sum_k share_k log true_share_k]."""
        from scipy.special import digamma

        shares = self.counts / self.counts.sum(axis=1, keepdims=True)
        by_profile = [
            (shares * (digamma(posterior.sum(axis=1, keepdims=True)) - digamma(posterior))).sum(axis=1)
            for posterior in (self.counts + alpha for alpha in self.alpha)
        ]
        return (self.profile_probs.T * np.array(by_profile)).sum(axis=0)

    def draw(self, number: int, seed: int) -> Iterator[Array]:
        """Yield this number of draws of the true shares of every item: (n, K) each."""
        random = np.random.default_rng(seed)
        cumulative = self.profile_probs.cumsum(axis=1)[:, :-1]
        for _ in range(number):
            profile = (random.random((len(self.counts), 1)) > cumulative).sum(axis=1)
            shares = random.standard_gamma(self.alpha[profile] + self.counts)
            yield shares / shares.sum(axis=1, keepdims=True)


class _Likelihood:
    """Likelihood of counts under a mixture of Dirichlet-multinomials.

    Its parameters are one vector: log(alpha), flattened, then the logits of the weights.
    """

    def __init__(self, counts: NDArray[np.int64]) -> None:
        from scipy.sparse import csr_array

        n_items, n_classes = counts.shape
        self.counts = counts
        self.steps = np.arange(counts.max() + 1)  # 0 to the largest count
        # A row per item, with a one at (class, count): log-likelihoods of items are sums of a small table.
        cell = np.arange(n_classes) * len(self.steps) + counts
        ones = np.ones(counts.size)
        begin = np.arange(n_items + 1) * n_classes
        self.cells: Any = csr_array((ones, cell.ravel(), begin), shape=(n_items, n_classes * len(self.steps)))
        self.totals, self.which_total = np.unique(counts.sum(axis=1), return_inverse=True)
        self.common = np.argsort(-counts.sum(axis=0), kind="stable")[:MAX_PROFILES]
        self.size = len(self.common) + 1

    def start(self) -> Array:
        """Return the start: profiles with one pseudo-vote for their class and a quarter vote for the overall shares.

        The last profile has two pseudo-votes for the overall shares.
        """
        share = (self.counts.sum(axis=0) + 1) / (self.counts.sum() + self.counts.shape[1])
        own = np.zeros((self.size, len(share)))
        own[np.arange(self.size - 1), self.common] = 1
        alpha = np.where(np.arange(self.size)[:, None] < self.size - 1, own + 0.25 * share, 2 * share)
        return np.concatenate([np.log(alpha).ravel(), np.zeros(self.size)])

    def unpack(self, point: Array) -> tuple[Array, Array]:
        """Return alpha, (G, K), and the log of the weights, (G,)."""
        logits = point[-self.size :]
        top = logits.max()
        return np.exp(point[: -self.size].reshape(self.size, -1)), logits - top - np.log(np.exp(logits - top).sum())

    def item_log_likelihoods(self, alpha: Array, log_weight: Array) -> Array:
        """Return the log of weight times likelihood of each item: (n, G)."""
        from scipy.special import gammaln

        table = gammaln(alpha[:, :, None] + self.steps) - gammaln(alpha)[:, :, None]
        total = alpha.sum(axis=1)
        by_total = gammaln(total) - gammaln(total + self.totals[:, None])
        return self.cells @ table.reshape(self.size, -1).T + by_total[self.which_total] + log_weight

    def __call__(self, point: Array) -> tuple[float, Array]:
        """Return minus the mean log-likelihood, and its gradient."""
        from scipy.special import digamma

        alpha, log_weight = self.unpack(point)
        profile_probs = self.item_log_likelihoods(alpha, log_weight)
        value = softmax_rows(profile_probs).mean()  # they become probabilities in place: (n, G)
        table = digamma(alpha[:, :, None] + self.steps) - digamma(alpha)[:, :, None]
        expected_cells = (self.cells.T @ profile_probs).T.reshape(table.shape)  # of (class, count), by profile
        total = alpha.sum(axis=1)
        by_total = digamma(total) - digamma(total + self.totals[:, None])
        expected_totals = np.zeros((len(self.totals), self.size))
        np.add.at(expected_totals, self.which_total, profile_probs)
        slope = (table * expected_cells).sum(axis=2) + (by_total * expected_totals).sum(axis=0)[:, None]
        weight_slope = profile_probs.sum(axis=0) - len(profile_probs) * np.exp(log_weight)
        return -float(value), -np.concatenate([(slope * alpha).ravel(), weight_slope]) / len(profile_probs)
