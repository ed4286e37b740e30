"""A base that leaves features as they are."""

from torch import Tensor, nn


class Features(nn.Module):
    """The features as they are; a head puts its linear layer on them."""

    def __init__(self, size: int) -> None:
        super().__init__()
        self.size = size

    def forward(self, x: Tensor) -> Tensor:
        """The same."""
        return x
