"""GeoCrowdNet: the volume by hand, and which way it goes."""

from typing import Any

import numpy as np
import pytest
import torch

from quorate import Votes, aggregate
from quorate.errors import MethodError
from quorate.learning.bases.linear import Linear
from quorate.learning.heads.anno_reg import AnnoReg
from quorate.learning.heads.annot_mix import AnnotMix
from quorate.learning.heads.crowd_layer import CrowdLayer
from quorate.learning.heads.geo_crowd_net import JITTER, GeoCrowdNet, log_volume
from quorate.learning.learners.network import Network
from quorate.learning.training.recipe import Recipe
from tests.learning.tiny import CE, Vote, batch_of, crowd_of, gradient, log, sees_log_probs

P = [[0.8, 0.2], [0.3, 0.7]]
VOTES: list[Vote] = [(0, 0, 0), (0, 1, 1), (1, 0, 1)]
MATRICES = np.array([[[0.9, 0.1], [0.3, 0.7]], [[0.6, 0.4], [0.4, 0.6]], [[0.7, 0.3], [0.2, 0.8]]])


def layers_of(**options: Any) -> Any:
    return sees_log_probs(GeoCrowdNet(**options).build(2, crowd_of(VOTES, 2, 3, MATRICES)))


def test_log_volume_by_hand() -> None:
    """Check P' P / 2 of [[.8, .2], [.3, .7]] = [[.365, .185], [.185, .265]], with determinant (det P)^2 / 4 = .0625."""
    jittered = (0.365 + JITTER) * (0.265 + JITTER) - 0.185**2
    assert jittered == pytest.approx(0.0625, abs=1e-3)
    assert log_volume(torch.tensor(P, dtype=torch.float64)).item() == pytest.approx(np.log(jittered))


def test_log_volume_is_finite_where_a_class_is_missing() -> None:
    rows = torch.tensor([[1.0, 0.0], [1.0, 0.0]], requires_grad=True)
    assert log_volume(rows).item() == pytest.approx(np.log((1 + JITTER) * JITTER), rel=1e-4)
    assert torch.isfinite(gradient(log_volume(rows), rows)).all()


def test_loss_by_hand() -> None:
    votes = -(np.log(0.78) + np.log(0.44) + np.log(0.52)) / 3
    voters = MATRICES[:2]  # the third has no votes
    for volume, rows in (("predictions", np.array(P)), ("workers", voters.transpose(0, 2, 1).reshape(-1, 2))):
        matrix = rows.T @ rows / len(rows) + JITTER * np.eye(2)
        loss = layers_of(volume=volume, weight=0.5, shrink=0.0)(log(P), batch_of(log(P), VOTES), CE)[0].item()
        assert loss == pytest.approx(votes - 0.5 * np.log(np.linalg.det(matrix)) / 2, abs=1e-5)


def test_a_step_spreads_the_predictions() -> None:
    layers = layers_of(weight=50.0)
    features = log([[0.6, 0.4], [0.5, 0.5]]).requires_grad_()
    slope = gradient(layers(features, batch_of(features, VOTES), CE)[0], features)
    after = torch.softmax(features - 0.02 * slope, dim=1)
    assert log_volume(after) > log_volume(torch.softmax(features, dim=1)) + 0.1


def test_a_step_sharpens_the_workers() -> None:
    layers = layers_of(volume="workers", weight=50.0, shrink=0.0)
    before = log_volume(layers.confusions.matrices().transpose(1, 2).flatten(0, 1)).item()
    slope = gradient(layers(log(P), batch_of(log(P), VOTES), CE)[0], layers.confusions.own)
    with torch.no_grad():
        layers.confusions.own -= 0.01 * slope
    assert log_volume(layers.confusions.matrices().transpose(1, 2).flatten(0, 1)).item() > before + 0.01


def test_unknown_options_are_rejected() -> None:
    for options in ({"volume": "x"}, {"weight": -1.0}, {"shrink": -1.0}, {"start": "x"}):
        with pytest.raises(MethodError):
            GeoCrowdNet(**options)


@pytest.mark.parametrize(
    "head",
    [
        pytest.param(GeoCrowdNet(), marks=pytest.mark.long),
        CrowdLayer(),
        pytest.param(AnnoReg(), marks=pytest.mark.long),
        pytest.param(AnnotMix(), marks=pytest.mark.long),
    ],
    ids=lambda head: type(head).__name__,
)
def test_many_classes_and_workers_do_not_collapse(head: Any) -> None:
    """Train on fifty classes and 300 workers with an accuracy of .75 and about 13 votes each."""
    random = np.random.default_rng(0)
    n_tasks, n_classes, n_workers = 1000, 50, 300
    truth = random.integers(0, n_classes, n_tasks)
    task = np.repeat(np.arange(n_tasks), 4)
    worker = np.argsort(random.random((n_tasks, n_workers)), axis=1)[:, :4].ravel()
    labels = np.where(random.random(len(task)) < 0.75, truth[task], random.integers(0, n_classes, len(task)))
    votes = Votes.from_arrays(task, worker, labels, n_classes=n_classes, n_workers=n_workers)
    x = np.eye(n_classes)[truth] + 0.2 * random.normal(size=(n_tasks, n_classes))
    network = Network(base=Linear(scale="none"), head=head, recipe=Recipe(epochs=30, lr=0.02))
    network.fit(x, votes, aggregate(votes))
    assert (network.predict_proba(x).argmax(axis=1) == truth).mean() > 0.9
