"""CoNAL against a reference in loops."""

from typing import Any

import numpy as np
import pytest
import torch

from quorate.errors import MethodError
from quorate.learning.heads.conal import Conal
from tests.learning.tiny import CE, Vote, batch_of, crowd_of, gradient

VOTES: list[Vote] = [(0, 0, 2), (0, 1, 0), (1, 1, 1), (2, 0, 0), (2, 2, 1)]
FEATURES = torch.randn(3, 4, generator=torch.Generator().manual_seed(5), dtype=torch.float64)


def layers_of(**options: Any) -> Any:
    torch.manual_seed(0)
    layers: Any = Conal(embedding=2, **options).build(4, crowd_of(VOTES, 3, 4)).double()
    with torch.no_grad():
        for weight in layers.parameters():
            weight.add_(0.4 * torch.randn(weight.shape, dtype=torch.float64))
    return layers


def reference(layers: Any, apart: float) -> float:
    """Compute the loss with loops, from the formulas of the paper."""
    own = {name: weight.detach().numpy() for name, weight in layers.named_parameters()}
    total = 0.0
    for item, worker, label in VOTES:
        x = FEATURES[item].numpy()
        scores = own["scores.weight"] @ x + own["scores.bias"]
        p = np.exp(scores) / np.exp(scores).sum()
        item_embedding = own["item_embedding.weight"] @ x + own["item_embedding.bias"]
        worker_embedding = own["worker_embedding"][worker]
        cosine = item_embedding @ worker_embedding / np.linalg.norm(item_embedding) / np.linalg.norm(worker_embedding)
        shared = 1 / (1 + np.exp(-cosine))
        answers = np.zeros(3)
        for label_index in range(3):
            for true in range(3):
                mixed = shared * own["shared"][true, label_index] + (1 - shared) * own["own"][worker, true, label_index]
                answers[label_index] += p[true] * mixed
        total -= np.log(np.exp(answers[label]) / np.exp(answers).sum())
    voted = sorted({worker for _, worker, _ in VOTES})
    distance = sum(np.linalg.norm(own["shared"] - own["own"][worker]) for worker in voted)
    return float(total / len(VOTES) - apart * distance)


@pytest.mark.parametrize("apart", [0.0, 0.3])
def test_against_a_reference_in_loops(apart: float) -> None:
    layers = layers_of(apart=apart)
    loss = layers(FEATURES, batch_of(FEATURES, VOTES, 3), CE)[0].item()
    assert loss == pytest.approx(reference(layers, apart), abs=1e-9)


def test_apart_pushes_matrices_apart() -> None:
    layers = layers_of(apart=10.0)

    def distances() -> Any:
        return (layers.own - layers.shared).square().sum(dim=(1, 2)).sqrt().detach()

    before = distances()
    slope = gradient(layers(FEATURES, batch_of(FEATURES, VOTES, 3), CE)[0], layers.own)
    with torch.no_grad():
        layers.own -= 0.01 * slope
    assert torch.all(distances()[:3] > before[:3] + 0.05)
    assert distances()[3] == before[3]  # without votes, a matrix stays as it is


def test_gradients_are_finite_at_the_start() -> None:
    """Check that gradients are finite at the start, where all matrices are equal."""
    layers: Any = Conal(apart=1.0).build(4, crowd_of(VOTES, 3, 4)).double()
    loss = layers(FEATURES, batch_of(FEATURES, VOTES, 3), CE)[0]
    assert all(torch.isfinite(gradient(loss, weight)).all() for weight in layers.parameters())
    assert torch.equal(layers.shared, torch.eye(3, dtype=torch.float64))
    assert torch.equal(layers.own[2], torch.eye(3, dtype=torch.float64))


def test_a_worker_without_a_vote_in_the_batch_has_exactly_no_gradient() -> None:
    layers = layers_of(apart=0.0)
    loss = layers(FEATURES, batch_of(FEATURES, VOTES[:2], 3), CE)[0]
    for weight in (layers.own, layers.worker_embedding):
        assert torch.all(gradient(loss, weight)[2:] == 0)
        assert torch.any(gradient(loss, weight)[0] != 0)


def test_bad_options_are_rejected() -> None:
    for options in ({"apart": -1.0}, {"embedding": 0}, {"reduction": "x"}):
        with pytest.raises(MethodError):
            Conal(**options)
