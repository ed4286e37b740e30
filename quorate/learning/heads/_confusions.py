"""A confusion matrix per worker as a layer: rows that sum to one, held to a matrix that all share."""

from typing import Literal

import numpy as np
import torch
from torch import Tensor, nn

from quorate.learning.heads.base import Crowd, diagonal_start, rows_of

Start = Literal["posterior", "diagonal"]
Over = Literal["said", "true"]
LEAST = 1e-10  # the least probability of an answer: its logarithm stays finite


class Confusions(nn.Module):
    """Matrices [true, said] of all voters: the softmax of shared + own scores, over what is said.

    start: the confusion matrices of the posterior where it has any, or .8 on the diagonal.
    over="true" normalises columns in place of rows, as paper E's text has it; answers then need not sum to one.
    """

    def __init__(self, crowd: Crowd, start: Start, over: Over = "said") -> None:
        super().__init__()
        self.over = over
        if start == "posterior" and crowd.confusion is not None:
            matrices = np.maximum(crowd.confusion, 1e-4)
        else:
            matrices = np.stack([diagonal_start(crowd.n_classes)] * crowd.n_voters)
        scores = torch.as_tensor(np.log(matrices), dtype=torch.float32)
        self.shared = nn.Parameter(scores[-1].clone())  # the last is the pool's
        self.own = nn.Parameter(scores - scores[-1])

    def matrices(self, worker: Tensor | None = None) -> Tensor:
        """Probabilities of these workers, or of all voters: (n, true, said)."""
        own = self.own if worker is None else rows_of(self.own, worker)
        return torch.softmax(self.shared + own, dim=-1 if self.over == "said" else -2)

    def vote_log_probs(self, log_probs: Tensor, item: Tensor, worker: Tensor) -> Tensor:
        """Log-probabilities of what these workers say of these items: (n_pairs, n_classes)."""
        probs = rows_of(log_probs.exp(), item)[:, None, :]  # (n, 1, true)
        return torch.log(torch.bmm(probs, self.matrices(worker))[:, 0].clamp_min(LEAST))

    def penalty(self, price: float) -> Tensor:
        """Price of what workers differ from what they share: who has few votes cannot afford much."""
        return 0.5 * price * self.own.square().sum()
