"""Kullback-Leibler divergence from the prediction."""

from dataclasses import dataclass

from torch import Tensor

from quorate.learning.losses.base import Criterion, log_targets
from quorate.typing import Array


@dataclass(frozen=True, kw_only=True)
class InverseKl:
    """KL(Q || P) = sum_c Q_c log(Q_c / P_c): the prediction Q keeps to where the target P is high.

    Classes that the target rules out count as having probability .0001.
    Paper: Fornaciari et al., "Beyond black & white: leveraging annotator disagreement via soft-label multi-task
    learning", 2021.

    >>> import torch
    >>> half = torch.tensor([[0.5, 0.5]])
    >>> InverseKl().build(None)(torch.log(half), half).item()
    0.0
    """

    def build(self, class_counts: Array | None) -> Criterion:
        """The loss; class counts are not needed."""

        def divergence(log_probs: Tensor, targets: Tensor) -> Tensor:
            return (log_probs.exp() * (log_probs - log_targets(targets))).sum(dim=1)

        return divergence
