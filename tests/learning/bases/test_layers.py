import torch

from quorate.learning.bases._layers import masked_max, masked_mean

STATES = torch.tensor([[[1.0, -4.0], [3.0, -2.0], [9.0, 9.0]]])
MASK = torch.tensor([[True, True, False]])


def test_masked_positions_are_ignored() -> None:
    assert masked_max(STATES, MASK).tolist() == [[3.0, -2.0]]
    assert masked_mean(STATES, MASK).tolist() == [[2.0, -3.0]]
