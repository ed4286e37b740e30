"""Weighted kappa for ordered classes."""

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from quorate.data.ids import as_names, lookup
from quorate.data.option_checks import require_choices
from quorate.data.posterior import Posterior
from quorate.data.votes import Votes
from quorate.errors import MethodError
from quorate.quality.agreement._chance import agreement_parts, beyond_chance, class_shares, observed_agreement
from quorate.quality.task_sums import score_sums
from quorate.typing import Array


@dataclass(frozen=True, kw_only=True)
class WeightedKappa:
    """Weighted kappa: agreement beyond chance on a scale, where a near miss is a part of an agreement.

    Model: kappa = (P - P_e) / (1 - P_e), with P the mean over tasks of the mean weight w_kl of a pair of votes for the
    classes k and l, and P_e = sum_kl w_kl p_k p_l with p_k the mean over tasks of the share of votes for class k. With
    d = |k - l| / (K - 1), the distance of two classes on the scale, linear weights are 1 - d and quadratic ones 1 -
    d^2. Tasks with one vote are left out. It is fleiss_kappa if there are two classes. For two workers who name the
    classes equally often it is Cohen's weighted kappa; where they do not, it is lower, since chance is that of the
    whole crowd (Scott's pi with weights), which is defined for any number of workers and for anonymous votes.

    Use it when: classes are ordered, as ratings are. Quadratic weights are the most common, and close to an intraclass
    correlation; linear ones count a miss by two classes as two misses by one.

    Paper: Cohen, "Weighted kappa: nominal scale agreement with provision for scaled disagreement or partial credit",
    Psychological Bulletin 1968, for the weights; Gwet, "Handbook of inter-rater reliability", 2014, for many workers.

    Args:
        weights: "quadratic" or "linear".
        order: all classes, from one end of the scale to the other; empty: as the votes have them.

    >>> from quorate import Votes, aggregate
    >>> votes = Votes.from_matrix([[1, 1], [2, 2], [1, 3], [3, 3]])
    >>> posterior = aggregate(votes, "majority")
    >>> [round(WeightedKappa(weights=weights).score(votes, posterior), 3) for weights in ("linear", "quadratic")]
    [0.467, 0.333]
    """

    weights: Literal["quadratic", "linear"] = "quadratic"
    order: tuple[Any, ...] = ()

    bounds: ClassVar[tuple[float, float]] = (-1, 1)

    def __post_init__(self) -> None:
        require_choices(self)

    def score(self, votes: Votes, posterior: Posterior) -> float:
        """See Agreement."""
        return score_sums(self, votes)

    def task_parts(self, votes: Votes) -> Array:
        """See TaskSums."""
        rank = self._ranks(votes)
        parts = agreement_parts(votes, self._class_weights(votes.n_classes)[np.ix_(rank, rank)])
        parts[:, 2 + rank] = parts[:, 2:].copy()  # shares in the order of the scale
        return parts

    def from_sums(self, sums: Array) -> Array:
        """See TaskSums."""
        shares = class_shares(sums)
        expected = (shares @ self._class_weights(shares.shape[-1]) * shares).sum(axis=-1)
        return beyond_chance(observed_agreement(sums), expected)

    def _class_weights(self, n_classes: int) -> Array:
        """Return the weight of every pair of classes in the order of the scale: (n_classes, n_classes)."""
        scale = np.arange(n_classes) / (n_classes - 1)
        distance = np.abs(scale[:, None] - scale)
        return 1 - (distance if self.weights == "linear" else distance**2)

    def _ranks(self, votes: Votes) -> NDArray[np.int64]:
        """Return the position of each class on the scale: (n_classes,)."""
        if not len(self.order):
            return np.arange(votes.n_classes)
        names = as_names(list(self.order))
        rank = lookup(votes.classes, names).astype(np.int64)
        if len(names) != votes.n_classes or np.any(rank < 0):
            raise MethodError(
                f"order must name each class once, from one end of the scale to the other, got {list(self.order)}: the "
                f"classes are {votes.classes.tolist()}"
            )
        return rank
