"""Forgetting events."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from quorate.ambiguity._traces import require_trace, where_voted
from quorate.data.item_scores import End
from quorate.data.posterior import Posterior
from quorate.data.votes import Votes
from quorate.protocols import Reads
from quorate.typing import Array


@dataclass(frozen=True, kw_only=True)
class Forgetting:
    """How often a classifier, while it is trained, gets a task right and in the next epoch wrong. High is ambiguous.

    Model: the number of epochs t with argmax p_t = y_i and argmax p_t+1 != y_i, y_i the most likely class of the
    posterior; a task that was never right counts as forgotten in every epoch. NaN where it was never met.

    Use it when: training is by small steps over many epochs; a classifier that is fitted in a few large steps forgets
    nothing, and most tasks tie at 0. `aum` reads the same trace with finer numbers.

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
        said = require_trace("forgetting", trace, votes.n_tasks, votes.n_classes)
        forgotten = np.zeros(votes.n_tasks)
        seen, ever, before = np.zeros((3, votes.n_tasks), dtype=bool)
        for epoch in said:
            met = ~np.isnan(epoch[:, 0])
            right = np.where(met, np.nan_to_num(epoch).argmax(axis=1) == posterior.labels, before)
            forgotten += before & ~right
            seen |= met
            ever |= right
            before = right
        return where_voted(votes, np.where(seen, np.where(ever, forgotten, float(len(said))), np.nan))
