"""A plain optimiser step."""

from collections.abc import Callable
from dataclasses import dataclass

from torch import Tensor
from torch.optim import Optimizer


@dataclass(frozen=True, kw_only=True)
class Plain:
    """A plain optimiser step: one gradient, one update."""

    def take(self, compute: Callable[[], tuple[Tensor, Tensor]], optimiser: Optimizer) -> tuple[Tensor, Tensor]:
        """Update the weights; return the loss and the log-probabilities of the batch."""
        optimiser.zero_grad()
        loss, log_probs = compute()
        loss.backward()
        optimiser.step()
        return loss, log_probs
