"""One gradient, one move."""

from collections.abc import Callable
from dataclasses import dataclass

from torch import Tensor
from torch.optim import Optimizer


@dataclass(frozen=True, kw_only=True)
class Plain:
    """One gradient, one move of the optimiser."""

    def take(self, compute: Callable[[], tuple[Tensor, Tensor]], optimiser: Optimizer) -> tuple[Tensor, Tensor]:
        """Move the weights; returns what `compute` did: the loss, and the log-probabilities of the batch."""
        optimiser.zero_grad()
        loss, log_probs = compute()
        loss.backward()
        optimiser.step()
        return loss, log_probs
