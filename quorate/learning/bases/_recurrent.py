"""LSTM layers over sequences of different lengths."""

import torch
from torch import Tensor, nn


class LstmStack(nn.Module):
    """Stacked LSTM layers, unidirectional or bidirectional.

    The backward pass starts at the end of each sequence, because the sequence is reversed within its own length. This
    takes half the time of torch's packed sequences.
    """

    def __init__(
        self, inputs: int, hidden: int, *, layers: int = 1, bidirectional: bool = True, dropout: float = 0.0
    ) -> None:
        super().__init__()
        n_directions = 2 if bidirectional else 1
        self.size = n_directions * hidden
        sizes = [inputs] + [self.size] * (layers - 1)
        # `ahead` and `back` name the weights of saved models, so they must stay as they are.
        self.ahead = nn.ModuleList(nn.LSTM(size, hidden, batch_first=True) for size in sizes)
        self.back = nn.ModuleList(nn.LSTM(size, hidden, batch_first=True) for size in sizes if bidirectional)
        self.dropout = nn.Dropout(dropout)  # between two layers

    def forward(self, embeddings: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        """Return the hidden states at all positions, (n, length, size), and the last of each direction, (n, size).

        embeddings: (n, length, inputs). mask: (n, length), true for the leading positions that hold a token. Hidden
        states at other positions are meaningless.
        """
        item, length = torch.arange(len(mask)), mask.sum(dim=1)
        reverse = (length[:, None] - 1 - torch.arange(mask.shape[1])).clamp_min(0)  # positions, last first
        states = embeddings
        for layer, forward_lstm in enumerate(self.ahead):
            inputs = self.dropout(states) if layer else states
            states, _ = forward_lstm(inputs)
            last = states[item, length - 1]
            if self.back:
                backward_states, _ = self.back[layer](inputs[item[:, None], reverse])
                states = torch.cat([states, backward_states[item[:, None], reverse]], dim=2)
                last = torch.cat([last, backward_states[item, length - 1]], dim=1)
        return states, last
