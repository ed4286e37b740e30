"""Sequences of several lengths through one recurrent network."""

import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence


def run(reader: nn.LSTM, vectors: Tensor, there: Tensor) -> tuple[Tensor, Tensor]:
    """States at each place, (n, longest, size), and the last ones, (n, size); what is not there is not read.

    vectors: (n, longest, inputs). there: (n, longest). The last state of the way back is that at the first place.
    """
    packed = pack_padded_sequence(vectors, there.sum(dim=1), batch_first=True, enforce_sorted=False)
    packed_states, (last, _) = reader(packed)
    states, _ = pad_packed_sequence(packed_states, batch_first=True)
    ways = last[-2:] if reader.bidirectional else last[-1:]
    return states, torch.cat(list(ways), dim=1)
