"""Weighted area under the margin."""

from dataclasses import dataclass
from typing import ClassVar

from quorate.ambiguity._traces import Margin, Of, last_predictions, mean_margins, require_trace
from quorate.ambiguity._trust import trust, weighted_mean
from quorate.data.item_scores import End
from quorate.data.posterior import Posterior
from quorate.data.votes import Votes
from quorate.protocols import Reads
from quorate.typing import Array


@dataclass(frozen=True, kw_only=True)
class Waum:
    """WAUM: areas under the margin of all votes on a task, weighted by trust in their workers. Low is ambiguous.

    Model: WAUM_i = sum_j s_ij AUM(x_i, y_ij) / sum_j s_ij over the votes y_ij on task i; AUM(x_i, y) = mean over epochs
    t of p_t(y) - p_t[2], with p_t the softmax of a classifier in epoch t; s_ij = <diag(confusion matrix of worker j),
    p_T(x_i)>, T the last epoch. The confusion matrices are those of the posterior, by any method. The classifier is
    trained on every vote as an example of its own (target `stacked`), until the first drop of its learning rate.

    Use it when: items have features and few votes each. It learns from items that look alike, where the two or three
    votes on an item say little; it finds items whose votes all agree but that look like another class.

    Paper: Lefort et al., "Identify ambiguous tasks combining crowdsourced labels by weighting areas under the margin",
    TMLR 2024, equations 4 and 5, algorithm 1.

    Args:
        margin: "psi5" or "psi1", as in `aum`.
        top: k of top-k classification, as in `aum`.
        of: "probs" or "logits", as in `aum`.

    >>> import numpy as np
    >>> from quorate import Votes, aggregate
    >>> votes = Votes.from_matrix([[0, 0, 1], [1, 1, 1]])
    >>> trace = np.array([[[0.6, 0.4], [0.4, 0.6]], [[0.8, 0.2], [0.1, 0.9]]])
    >>> Waum().score(votes, aggregate(votes, "majority"), trace).round(2).tolist()
    [0.28, 0.5]
    """

    margin: Margin = "psi5"
    top: int = 1
    of: Of = "probs"

    ambiguous: ClassVar[End] = "low"
    reads: ClassVar[Reads] = "trace"

    def score(self, votes: Votes, posterior: Posterior, trace: Array | None = None) -> Array:
        """See ItemScorer."""
        checked = require_trace("waum", trace, votes.n_tasks, votes.n_classes)
        margins = mean_margins(checked, margin=self.margin, top=self.top, of=self.of)
        weights = trust(votes, posterior, last_predictions(checked)[votes.task])
        return weighted_mean(votes, margins[votes.task, votes.label], weights)
