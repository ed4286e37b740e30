import numpy as np
import pytest
import torch

from quorate.learning.bases.mlp import Mlp
from quorate.learning.learners.network import Network
from quorate.learning.steps.sam import Sam
from quorate.learning.training.recipe import Recipe
from tests.learning.steps.quadratic import quadratic
from tests.learning.tiny import tiny


def test_sam_by_hand() -> None:
    """Check the gradient (3, 4) of length 5 at w = (3, 1), and the perturbed weights (3.3, 1.4) with rho = .5.

    There the gradient is (3.3, 5.6), and a step of .1 from (3, 1) ends at (2.67, .44).
    """
    weight, seen = torch.tensor([3.0, 1.0], requires_grad=True), list[list[float]]()
    loss, log_probs = Sam(rho=0.5).take(quadratic(weight, seen), torch.optim.SGD([weight], lr=0.1))
    assert np.array(seen) == pytest.approx(np.array([[3.0, 1.0], [3.3, 1.4]]))
    assert weight.tolist() == pytest.approx([2.67, 0.44])
    assert (loss.item(), log_probs.tolist()) == (6.5, [3.0, 1.0])  # at the unperturbed weights


def test_momentum_uses_the_gradient_at_the_perturbed_weights() -> None:
    weight = torch.tensor([3.0, 1.0], requires_grad=True)
    optimiser = torch.optim.SGD([weight], lr=0.1, momentum=0.9)
    Sam(rho=0.5).take(quadratic(weight, []), optimiser)
    assert optimiser.state[weight]["momentum_buffer"].tolist() == pytest.approx([3.3, 5.6])


def test_training_with_sam_counts_each_batch_once() -> None:
    x, votes, posterior = tiny()
    network = Network(base=Mlp(sizes=(4,), batch_norm=True), recipe=Recipe(epochs=3, batch_size=100, step=Sam()))
    state = network.fit(x, votes, posterior).layers_.state_dict()
    assert [value.item() for name, value in state.items() if name.endswith("num_batches_tracked")] == [3]
