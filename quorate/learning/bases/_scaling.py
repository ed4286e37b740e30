"""Features brought to one scale, as it was in training."""

from typing import Any

import numpy as np
import torch
from scipy import sparse
from torch import nn

from quorate.learning._inputs import matrix


def learn_scale(x: Any, standardise: bool) -> dict[str, Any]:
    """What a base for features must know of them: how many there are and, where they are standardised, their scale.

    Sparse features are not standardised: they would no longer be sparse.
    """
    numbers = matrix(x)
    known: dict[str, Any] = {"n_inputs": int(numbers.shape[1])}
    if standardise and not sparse.issparse(numbers):
        spread = numbers.std(axis=0, dtype=np.float64)
        known["mean"] = numbers.mean(axis=0, dtype=np.float64).tolist()
        known["scale"] = np.where(spread > 1e-12, spread, 1.0).tolist()
    return known


def scaled(x: Any, known: dict[str, Any]) -> Any:
    """Checked features on the scale that was learnt."""
    numbers = matrix(x, known["n_inputs"])
    if "mean" not in known:
        return numbers
    return (numbers - np.array(known["mean"], np.float32)) / np.array(known["scale"], np.float32)


class Features(nn.Module):
    """The features as they are; a head puts its linear layer on them."""

    def __init__(self, size: int) -> None:
        super().__init__()
        self.size = size

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """The same."""
        return x
