"""Kullback-Leibler divergence from the prediction."""

from dataclasses import dataclass

from torch import Tensor

from quorate.learning.losses.base import Criterion, log_targets
from quorate.typing import Array


@dataclass(frozen=True, kw_only=True)
class InverseKl:
    """KL(Q || P) = sum_c Q_c log(Q_c / P_c): the prediction Q concentrates where the target P is high.

    Target probabilities below .0001 are raised to it.
    Paper: Fornaciari et al., "Beyond black & white: leveraging annotator disagreement via soft-label multi-task
    learning", 2021.

    >>> import torch
    >>> half = torch.tensor([[0.5, 0.5]])
    >>> InverseKl().build(None)(torch.log(half), half).item()
    0.0
    """

    def build(self, class_counts: Array | None) -> Criterion:
        """Return the loss function; class counts are ignored."""

        def divergence(log_probs: Tensor, targets: Tensor) -> Tensor:
            return (log_probs.exp() * (log_probs - log_targets(targets))).sum(dim=1)

        return divergence
