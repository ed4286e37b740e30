"""Sequences of several lengths through recurrent layers."""

import torch
from torch import Tensor, nn


class Reader(nn.Module):
    """LSTM layers, which read one way or both.

    The way back begins at each sequence's own end, by turning the sequence round: half the time of torch's packing.
    """

    def __init__(
        self, inputs: int, hidden: int, *, layers: int = 1, both_ways: bool = True, dropout: float = 0.0
    ) -> None:
        super().__init__()
        n_ways = 2 if both_ways else 1
        self.size = n_ways * hidden
        sizes = [inputs] + [self.size] * (layers - 1)
        self.ahead = nn.ModuleList(nn.LSTM(size, hidden, batch_first=True) for size in sizes)
        self.back = nn.ModuleList(nn.LSTM(size, hidden, batch_first=True) for size in sizes if both_ways)
        self.dropout = nn.Dropout(dropout)  # between two layers

    def forward(self, vectors: Tensor, there: Tensor) -> tuple[Tensor, Tensor]:
        """States at each place, (n, longest, size), and the last of each way, (n, size).

        vectors: (n, longest, inputs). there: (n, longest), the first so many places. States elsewhere mean nothing.
        """
        item, length = torch.arange(len(there)), there.sum(dim=1)
        turned = (length[:, None] - 1 - torch.arange(there.shape[1])).clamp_min(0)  # the last place first
        states = vectors
        for place, ahead in enumerate(self.ahead):
            before = self.dropout(states) if place else states
            states, _ = ahead(before)
            last = states[item, length - 1]
            if self.back:
                back, _ = self.back[place](before[item[:, None], turned])
                states = torch.cat([states, back[item[:, None], turned]], dim=2)
                last = torch.cat([last, back[item, length - 1]], dim=1)
        return states, last
