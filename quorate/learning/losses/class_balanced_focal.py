"""Focal loss with rare classes weighted up."""

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from quorate.data.option_checks import require_numbers
from quorate.errors import MethodError
from quorate.learning.losses.base import Criterion
from quorate.learning.losses.focal import Focal
from quorate.typing import Array


@dataclass(frozen=True, kw_only=True)
class ClassBalancedFocal:
    """Focal loss, each class weighted by 1 over its effective number of examples, (1 - beta^n) / (1 - beta).

    Weights have a mean of one. A class without examples has the weight of a class with one example.
    Paper: Cui et al., "Class-balanced loss based on effective number of samples", 2019.

    >>> ClassBalancedFocal(beta=0.9).class_weights(np.array([1, 100])).round(2).tolist()
    [1.82, 0.18]
    """

    gamma: float = 2.0
    beta: float = 0.9999

    def __post_init__(self) -> None:
        require_numbers(self, "gamma", at_least=0)
        require_numbers(self, "beta", at_least=0, below=1)

    def class_weights(self, class_counts: Array) -> Array:
        """Return the weight of each class, 1 on average."""
        weights = (1 - self.beta) / (1 - self.beta ** np.maximum(class_counts, 1))
        balanced: Array = weights / weights.mean()
        return balanced

    def build(self, class_counts: Array | None) -> Criterion:
        """Return the loss function; class_counts: (n_classes,), examples of each class in training."""
        if class_counts is None:
            raise MethodError("class_balanced_focal needs class counts, got None: pass the examples of each class")
        weights = torch.as_tensor(self.class_weights(class_counts), dtype=torch.float32)
        focal = Focal(gamma=self.gamma).build(None)

        def balanced(log_probs: Tensor, targets: Tensor) -> Tensor:
            return focal(log_probs, targets * weights)

        return balanced
