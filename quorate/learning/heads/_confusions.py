"""A layer with a confusion matrix per worker, shrunk towards a matrix that all workers share."""

from typing import Literal

import numpy as np
import torch
from torch import Tensor, nn

from quorate.learning.heads.base import Crowd, initial_confusion, take_rows

Start = Literal["posterior", "diagonal"]
Over = Literal["said", "true"]
MIN_PROB = 1e-10  # of a vote, so that its logarithm is finite


class Confusions(nn.Module):
    """Confusion matrices (true, voted) of all workers: the softmax of shared + own logits over the voted class.

    start: "posterior" starts at the confusion matrices of the posterior, if it has them; otherwise the diagonal is .8.
    over: "true" normalises columns instead of rows, as in the text of paper E; vote probabilities then need not sum to
    one.
    """

    def __init__(self, crowd: Crowd, start: Start, over: Over = "said") -> None:
        super().__init__()
        self.over = over
        if start == "posterior" and crowd.confusion is not None:
            matrices = np.maximum(crowd.confusion, 1e-4)
        else:
            matrices = np.stack([initial_confusion(crowd.n_classes)] * crowd.n_voters)
        logits = torch.as_tensor(np.log(matrices), dtype=torch.float32)
        self.shared = nn.Parameter(logits[-1].clone())  # the last row is for anonymous workers
        self.own = nn.Parameter(logits - logits[-1])

    def matrices(self, worker: Tensor | None = None) -> Tensor:
        """Return the confusion matrices of these workers, or of all: (n, true, voted)."""
        own = self.own if worker is None else take_rows(self.own, worker)
        return torch.softmax(self.shared + own, dim=-1 if self.over == "said" else -2)

    def vote_log_probs(self, log_probs: Tensor, item: Tensor, worker: Tensor) -> Tensor:
        """Return the log-probabilities of the votes of these workers on these items: (n_pairs, n_classes)."""
        probs = take_rows(log_probs.exp(), item)[:, None, :]  # (n, 1, true)
        return torch.log(torch.bmm(probs, self.matrices(worker))[:, 0].clamp_min(MIN_PROB))

    def penalty(self, strength: float) -> Tensor:
        """Return the L2 penalty on deviations from the shared logits: workers with few votes stay close to them."""
        return 0.5 * strength * self.own.square().sum()
