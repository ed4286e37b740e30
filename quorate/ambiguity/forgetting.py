"""Forgetting events."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from quorate.ambiguity._traces import nan_without_votes, require_trace
from quorate.data.item_scores import End
from quorate.data.posterior import Posterior
from quorate.data.votes import Votes
from quorate.protocols import Reads
from quorate.typing import Array


@dataclass(frozen=True, kw_only=True)
class Forgetting:
    """The number of times a classifier gets a task right and in the next epoch wrong. High is ambiguous.

    Model: the number of epochs t with argmax p_t = y_i and argmax p_t+1 != y_i, y_i the most likely class of the
    posterior; a task that was never right counts as forgotten in every epoch. NaN for a task that was never seen.

    Use it when: training takes small steps over many epochs; a classifier that is fitted in a few large steps forgets
    nothing, and most tasks tie at 0. `aum` reads the same trace and distinguishes more finely.

    Paper: Toneva et al., "An empirical study of example forgetting during deep neural network learning", ICLR 2019.

    >>> from quorate import Votes, aggregate
    >>> votes = Votes.from_matrix([[0, 0], [1, 1]])
    >>> trace = np.array([[[0.6, 0.4], [0.4, 0.6]], [[0.4, 0.6], [0.3, 0.7]], [[0.8, 0.2], [0.2, 0.8]]])
    >>> Forgetting().score(votes, aggregate(votes), trace).tolist()
    [1.0, 0.0]
    """

    ambiguous: ClassVar[End] = "high"
    reads: ClassVar[Reads] = "trace"

    def score(self, votes: Votes, posterior: Posterior, trace: Array | None = None) -> Array:
        """See ItemScorer."""
        checked = require_trace("forgetting", trace, votes.n_tasks, votes.n_classes)
        forgotten = np.zeros(votes.n_tasks)
        seen, ever_right, before = np.zeros((3, votes.n_tasks), dtype=bool)
        for epoch in checked:
            present = ~np.isnan(epoch[:, 0])
            right = np.where(present, np.nan_to_num(epoch).argmax(axis=1) == posterior.labels, before)
            forgotten += before & ~right
            seen |= present
            ever_right |= right
            before = right
        return nan_without_votes(votes, np.where(seen, np.where(ever_right, forgotten, float(len(checked))), np.nan))
