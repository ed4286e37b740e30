import torch

from quorate.learning.bases._layers import average, highest

STATES = torch.tensor([[[1.0, -4.0], [3.0, -2.0], [9.0, 9.0]]])
THERE = torch.tensor([[True, True, False]])


def test_only_what_is_there_counts() -> None:
    assert highest(STATES, THERE).tolist() == [[3.0, -2.0]]
    assert average(STATES, THERE).tolist() == [[2.0, -3.0]]
