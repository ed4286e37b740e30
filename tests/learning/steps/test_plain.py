import pytest
import torch

from quorate.learning.steps.plain import Plain
from tests.learning.steps.quadratic import quadratic


def test_plain_by_hand() -> None:
    weight, seen = torch.tensor([3.0, 1.0], requires_grad=True), list[list[float]]()
    loss, log_probs = Plain().take(quadratic(weight, seen), torch.optim.SGD([weight], lr=0.1))
    assert weight.tolist() == pytest.approx([3 - 0.3, 1 - 0.4])
    assert (loss.item(), log_probs.tolist(), len(seen)) == (6.5, [3.0, 1.0], 1)
