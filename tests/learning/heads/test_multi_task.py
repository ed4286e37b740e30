"""Multi-task: the sum of both losses by hand, and the three kinds of soft labels."""

from math import log as ln
from typing import Any

import numpy as np
import pytest
import torch

from quorate.errors import MethodError
from quorate.learning.heads.multi_task import MultiTask, soft_labels
from quorate.learning.losses.cross_entropy import CrossEntropy
from quorate.learning.losses.inverse_kl import InverseKl
from quorate.learning.losses.jensen_shannon import JensenShannon
from quorate.learning.losses.kl import Kl
from tests.learning.tiny import CE, Vote, batch_of, crowd_of, gradient

VOTES: list[Vote] = [(0, 0, 0), (0, 1, 0), (0, 2, 1), (1, 0, 1)]  # the third item has none
FEATURES = torch.zeros(3, 2)
TARGET = torch.tensor([[1.0, 0.0], [0.0, 1.0], [0.5, 0.5]])


def layers_of(**options: Any) -> Any:
    layers: Any = MultiTask(**options).build(2, crowd_of(VOTES, 2, 4))
    with torch.no_grad():
        layers.scores.bias.copy_(torch.log(torch.tensor([0.6, 0.4])))
        layers.spread.bias.copy_(torch.log(torch.tensor([0.7, 0.3])))
    return layers


def test_soft_labels_by_hand() -> None:
    """Check items with two votes to one, one vote, and no vote."""
    batch = batch_of(FEATURES, VOTES)
    soft, has_votes = soft_labels(batch, 2, "dirichlet")
    assert soft.numpy() == pytest.approx(np.array([[2.5 / 4, 1.5 / 4], [0.25, 0.75], [0.5, 0.5]]))
    assert has_votes.tolist() == [1, 1, 0]
    e = np.exp
    counts = soft_labels(batch, 2, "softmax_counts")[0][:2].numpy()
    assert counts == pytest.approx(
        np.array([[e(2) / (e(2) + e(1)), e(1) / (e(2) + e(1))], [1 / (1 + e(1)), e(1) / (1 + e(1))]])
    )
    shares = soft_labels(batch, 2, "softmax_shares")[0][:2].numpy()
    first = e(2 / 3) / (e(2 / 3) + e(1 / 3))
    assert shares == pytest.approx(np.array([[first, 1 - first], [1 / (1 + e(1)), e(1) / (1 + e(1))]]))


@pytest.mark.parametrize("labels", ["dirichlet", "softmax_counts", "softmax_shares"])
def test_soft_labels_do_not_change_with_the_weight_of_an_example(labels: Any) -> None:
    """Check that the weight of an example does not affect the distribution of its votes."""
    weight = torch.tensor([0.2, 5.0, 1.0])
    weighted = batch_of(FEATURES, VOTES, weight=weight, vote_weight=weight[torch.tensor([0, 0, 0, 1])])
    plain = batch_of(FEATURES, VOTES)
    assert soft_labels(weighted, 2, labels)[0].numpy() == pytest.approx(soft_labels(plain, 2, labels)[0].numpy())


MAIN = -(ln(0.6) + ln(0.4) + 0.5 * ln(0.6) + 0.5 * ln(0.4))
SOFT = ([0.625, 0.375], [0.25, 0.75])


def auxiliary(kind: str) -> float:
    q = (0.7, 0.3)
    if kind == "ce":
        return -sum(p[c] * ln(q[c]) for p in SOFT for c in (0, 1))
    if kind == "kl":
        return sum(p[c] * ln(p[c] / q[c]) for p in SOFT for c in (0, 1))
    if kind == "inverse":
        return sum(q[c] * ln(q[c] / p[c]) for p in SOFT for c in (0, 1))
    return sum(
        0.5 * p[c] * ln(2 * p[c] / (p[c] + q[c])) + 0.5 * q[c] * ln(2 * q[c] / (p[c] + q[c]))
        for p in SOFT
        for c in (0, 1)
    )


@pytest.mark.parametrize(
    ("loss", "kind"), [(CrossEntropy(), "ce"), (Kl(), "kl"), (InverseKl(), "inverse"), (JensenShannon(), "js")]
)
def test_the_sum_of_both_losses_by_hand(loss: Any, kind: str) -> None:
    with torch.no_grad():
        layers = layers_of(auxiliary=loss)
        layers.scores.weight.zero_()
        layers.spread.weight.zero_()
    value = layers(FEATURES, batch_of(FEATURES, VOTES, target=TARGET), CE)[0].item()
    assert value == pytest.approx((MAIN + auxiliary(kind)) / 3, rel=1e-5)
    layers = layers_of(auxiliary=loss, units="bits")
    value = layers(FEATURES, batch_of(FEATURES, VOTES, target=TARGET), CE)[0].item()
    assert value == pytest.approx((MAIN + auxiliary(kind) / ln(2)) / 3, rel=1e-5)


def test_both_losses_use_the_weight_of_an_example() -> None:
    weight = torch.tensor([2.0, 0.0, 0.0])
    batch = batch_of(FEATURES, VOTES, target=TARGET, weight=weight, vote_weight=weight[torch.tensor([0, 0, 0, 1])])
    expected = 2 * (-ln(0.6) - 0.625 * ln(0.7) - 0.375 * ln(0.3)) / 3
    assert layers_of(auxiliary=CrossEntropy())(FEATURES, batch, CE)[0].item() == pytest.approx(expected, rel=1e-5)


def test_items_without_votes_have_no_auxiliary_loss() -> None:
    layers = layers_of()
    features = torch.randn(3, 2, requires_grad=True)
    with torch.no_grad():
        layers.scores.weight.zero_()  # so that only the second output can reach the features
    slope = gradient(layers(features, batch_of(features, VOTES, target=TARGET), CE)[0], features)
    assert torch.all(slope[2] == 0)
    assert torch.all(slope[:2] != 0)


def test_the_first_output_predicts() -> None:
    assert layers_of().log_probs(FEATURES).exp()[0].detach().numpy() == pytest.approx(np.array([0.6, 0.4]), abs=1e-6)


def test_unknown_options_are_rejected() -> None:
    for options in ({"labels": "x"}, {"units": "x"}):
        with pytest.raises(MethodError):
            MultiTask(**options)  # type: ignore[arg-type]
