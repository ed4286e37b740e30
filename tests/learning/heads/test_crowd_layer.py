"""CrowdLayer: gradients by hand, against a dense reference, and against finite differences."""

from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor

from quorate.learning.heads.crowd_layer import CrowdLayer
from tests.learning.tiny import CE, Vote, batch_of, crowd_of, gradient, log, sees_log_probs

KINDS: list[Any] = ["MW", "VW", "VB", "VW+B", "SW"]
P = [[0.8, 0.1, 0.1], [0.2, 0.5, 0.3], [0.3, 0.3, 0.4]]
VOTES: list[Vote] = [(0, 0, 0), (0, 1, 2), (1, 1, 1), (2, 0, 1), (2, 3, 2)]  # worker 2 has none, 3 is anonymous


def layers_of(options: CrowdLayer, votes: list[Vote], n_classes: int = 3, n_voters: int = 4) -> Any:
    layers = sees_log_probs(options.build(n_classes, crowd_of(votes, n_classes, n_voters)))
    with torch.no_grad():  # away from the start, where all workers are alike
        for number, weight in enumerate([layers.own, *([layers.shared] if options.shrink else [])]):
            weight.add_(0.3 * torch.randn(weight.shape, generator=torch.Generator().manual_seed(number)))
    return layers


def test_gradients_by_hand() -> None:
    """Check the gradients of one vote for class 1 with p = (.8, .2) and W = [[1, 0], [.5, 1]].

    Logits p W = (.9, .2), q = softmax = (.668, .332), q - vote = (.668, -.668). The gradient of W is the outer product
    of p with that; of p, W times it; of the logits behind p, p * (that - its mean under p).
    """
    layers = layers_of(CrowdLayer(shrink=0.0), [(0, 0, 1)], 2, 2)
    with torch.no_grad():
        layers.own[0] = torch.tensor([[1.0, 0.0], [0.5, 1.0]])
    features = log([[0.8, 0.2]]).requires_grad_()
    loss, _ = layers(features, batch_of(features, [(0, 0, 1)]), CE)
    q0 = np.exp(0.9) / (np.exp(0.9) + np.exp(0.2))
    assert loss.item() == pytest.approx(-np.log(1 - q0))
    off = np.array([q0, -q0])
    assert gradient(loss, layers.own)[0].numpy() == pytest.approx(np.outer([0.8, 0.2], off))
    slope_p = np.array([[1.0, 0.0], [0.5, 1.0]]) @ off
    p = np.array([0.8, 0.2])
    assert gradient(loss, features)[0].numpy() == pytest.approx(p * (slope_p - p @ slope_p))


def scores_of(kind: str, p: Tensor, w: Tensor) -> Tensor:
    """Return the logits of a worker's vote on an item with class probabilities p."""
    if kind == "MW":
        return torch.stack([(p * w[:, voted]).sum() for voted in range(len(p))])
    if kind == "VB":
        return p + w
    return {"VW": lambda: p * w, "VW+B": lambda: p * w[0] + w[1], "SW": lambda: p * w[0]}[kind]()


def dense_loss(options: CrowdLayer, probs: Tensor, layer: Tensor, votes: list[Vote], n_classes: int) -> Tensor:
    """Compute the loss over all cells of items x workers, with missing votes masked."""
    total, mask = torch.zeros((), dtype=torch.float64), np.zeros((len(probs), len(layer)))
    for item in range(len(probs)):
        for worker in range(len(layer)):
            p, w = probs[item], layer[worker]
            scores = scores_of(options.weights, p, w)
            if options.softmax == "double":
                scores = scores.exp() / scores.exp().sum()
            answers = scores.exp() / scores.exp().sum()
            for voted_item, voter, label in votes:
                if (voted_item, voter) == (item, worker):
                    mask[item, worker] = 1
                    target = torch.eye(n_classes, dtype=torch.float64)[label]
                    if options.answers == "softmax":
                        target = target.exp() / target.exp().sum()
                    total = total - (target * answers.log()).sum()
    return total / mask.sum()


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    "readings", [{}, {"softmax": "double"}, {"answers": "softmax"}, {"softmax": "double", "answers": "softmax"}]
)
def test_against_a_dense_reference(kind: Any, readings: dict[str, Any]) -> None:
    options = CrowdLayer(weights=kind, shrink=0.0, **readings)
    layers = layers_of(options, VOTES)
    features = log(P).requires_grad_()
    loss, log_probs = layers(features, batch_of(features, VOTES, 3), CE)
    reference = dense_loss(options, torch.softmax(features, dim=1), layers.own, VOTES, 3)
    assert loss.item() == pytest.approx(reference.item())
    assert log_probs.exp().detach().numpy() == pytest.approx(np.array(P))
    for weight in (layers.own, features):
        assert gradient(loss, weight).numpy() == pytest.approx(gradient(reference, weight).numpy(), abs=1e-12)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("shrink", [0.0, 2.0])
def test_against_finite_differences(kind: Any, shrink: float) -> None:
    layers = layers_of(CrowdLayer(weights=kind, shrink=shrink), VOTES)
    features = log(P).requires_grad_()

    def loss(*_: Tensor) -> Tensor:
        value: Tensor = layers(features, batch_of(features, VOTES, 3), CE)[0]
        return value

    weights = (features, layers.own, *([layers.shared] if shrink else []))
    assert torch.autograd.gradcheck(loss, weights)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("reduction", ["votes", "sum", "cells"])
def test_a_worker_without_a_vote_has_exactly_no_gradient(kind: Any, reduction: Any) -> None:
    layers = layers_of(CrowdLayer(weights=kind, shrink=0.0, reduction=reduction), VOTES)
    loss, _ = layers(log(P), batch_of(log(P), VOTES, 3), CE)
    grad = gradient(loss, layers.own)
    assert torch.all(grad[2] == 0)
    assert all(torch.any(grad[worker] != 0) for worker in (0, 1, 3))


def test_an_item_without_votes_has_exactly_no_gradient() -> None:
    layers = layers_of(CrowdLayer(), VOTES[:3])
    features = log(P).requires_grad_()
    grad = gradient(layers(features, batch_of(features, VOTES[:3], 3), CE)[0], features)
    assert torch.all(grad[2] == 0)
    assert torch.all(grad[:2] != 0)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("shrink", [0.0, 1.0])
def test_at_the_start_votes_follow_the_softmax_of_p(kind: Any, shrink: float) -> None:
    layers = sees_log_probs(CrowdLayer(weights=kind, shrink=shrink).build(3, crowd_of(VOTES, 3, 4)))
    log_probs = layers.vote_log_probs(log(P), torch.tensor([0, 1, 2]), torch.tensor([0, 3, 2]))
    assert log_probs.exp().detach().numpy() == pytest.approx(torch.softmax(torch.tensor(P), dim=1).numpy(), abs=1e-6)


def test_shrink_by_hand() -> None:
    """Add half of shrink per vote times the squared deviations from the shared layer."""
    layers = sees_log_probs(CrowdLayer(weights="VB", shrink=3.0).build(3, crowd_of(VOTES, 3, 4)))
    plain = layers(log(P), batch_of(log(P), VOTES, 3), CE)[0].item()
    with torch.no_grad():
        layers.shared -= 2.0  # the same bias for all classes does not change the votes
        layers.own[0] += 2.0
        layers.own[2, :2] = torch.tensor([1.0, -1.0])  # without votes
    squares = 3 * 4 + 2
    assert layers(log(P), batch_of(log(P), VOTES, 3), CE)[0].item() == pytest.approx(plain + 0.5 * 3 / 5 * squares)


def test_workers_with_few_votes_stay_close_to_the_shared_layer() -> None:
    """Train on twenty votes of one worker against the class and one of another: the first layer deviates more."""
    votes = [(item, 0, 1) for item in range(20)] + [(0, 1, 1)]
    layers = sees_log_probs(CrowdLayer(weights="VB", shrink=5.0).build(2, crowd_of(votes, 2, 3)))
    features = log([[0.9, 0.1]] * 20)
    optimiser = torch.optim.SGD([layers.own], lr=0.5)
    for _ in range(200):
        optimiser.zero_grad()
        layers(features, batch_of(features, votes), CE)[0].backward()
        optimiser.step()
    deviation = layers.own.detach().abs().amax(dim=1)
    assert deviation[0] > 2 * deviation[1] > 0
    assert deviation[2] == 0


def test_double_softmax_bounds_the_probability() -> None:
    """Check that the softmax of probabilities is at most e / (e + K - 1)."""
    layers = sees_log_probs(CrowdLayer(softmax="double", shrink=0.0).build(2, crowd_of([(0, 0, 0)], 2, 2)))
    with torch.no_grad():
        layers.own *= 1000
    probs = layers.vote_log_probs(log([[0.99, 0.01]]), torch.tensor([0]), torch.tensor([0])).exp()
    assert probs[0, 0].item() == pytest.approx(np.e / (np.e + 1))
