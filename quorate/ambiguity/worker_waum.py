"""Weighted area under the margin, by a classifier of each worker."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from quorate.ambiguity._traces import Margin, Of, last_said, mean_margins, require_trace
from quorate.ambiguity._trust import trust, weighted_mean
from quorate.data.item_scores import End
from quorate.data.posterior import Posterior
from quorate.data.votes import Votes
from quorate.protocols import Reads
from quorate.typing import Array


@dataclass(frozen=True, kw_only=True)
class WorkerWaum:
    """Worker-wise WAUM: as `waum`, but each worker's votes have a classifier of their own. Low is ambiguous.

    Model: WAUM_i = sum_j s_ij AUM_j(x_i, y_ij) / sum_j s_ij, where AUM_j and the softmax in s_ij are of a classifier
    that was trained on the votes of worker j alone; else as in `waum`. It reads the traces that
    `learning/worker_traces.py` records, one row per vote: (n_epochs, n_votes, n_classes). Anonymous votes have none
    and do not count.

    Use it when: there are few workers and each has voted on hundreds of items, so that no worker's errors teach the
    classifier of another. It trains as many classifiers as there are workers; else take `waum`.

    Paper: Lefort et al., "Identify ambiguous tasks combining crowdsourced labels by weighting areas under the margin",
    TMLR 2024, appendix B.1, algorithm 4.

    >>> from quorate import Votes, aggregate
    >>> votes = Votes.from_matrix([[0, 0], [1, 1]])
    >>> trace = np.array([[[0.7, 0.3], [0.9, 0.1], [0.6, 0.4], [0.2, 0.8]]])
    >>> WorkerWaum().score(votes, aggregate(votes, "majority"), trace).round(2).tolist()
    [0.6, 0.3]
    """

    margin: Margin = "psi5"
    top: int = 1
    of: Of = "probs"

    ambiguous: ClassVar[End] = "low"
    reads: ClassVar[Reads] = "worker_traces"

    def score(self, votes: Votes, posterior: Posterior, trace: Array | None = None) -> Array:
        """See ItemScorer."""
        said = require_trace("worker_waum", trace, len(votes), votes.n_classes, rows="votes")
        margins = mean_margins(said, margin=self.margin, top=self.top, of=self.of)
        weights = trust(votes, posterior, last_said(said))
        return weighted_mean(votes, margins[np.arange(len(votes)), votes.label], weights)
