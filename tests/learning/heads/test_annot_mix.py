"""annot-mix: what is mixed, and by how much."""

from typing import Any

import numpy as np
import pytest
import torch

from quorate.errors import MethodError
from quorate.learning.heads.annot_mix import AnnotMix
from quorate.learning.heads.base import Crowd
from quorate.learning.targets.stacked import Stacked
from quorate.learning.training.examples import Examples
from quorate.learning.training.rows import DenseRows
from tests.learning.tiny import CE, tiny


def examples_and_layers() -> tuple[Examples, Any]:
    x, votes, posterior = tiny()
    rows = DenseRows(torch.tensor(x, dtype=torch.float32))
    torch.manual_seed(0)
    layers: Any = AnnotMix(embedding=3, hidden=5).build(4, Crowd.of(votes, posterior))
    return Examples.of(rows, votes, Stacked().make(votes, posterior)), layers


def loss_by_hand(layers: Any, x: Any, embedding: Any, target: Any) -> float:
    """Compute the loss of one example, p C with the confusion matrix of the embedding."""
    matrix = torch.softmax(layers.matrix(embedding).reshape(3, 3), dim=1)
    p = torch.softmax(layers.scores(x), dim=0)
    loss: float = -(target * torch.log(p @ matrix)).sum().item()
    return loss


def test_a_vote_is_explained_by_its_worker() -> None:
    examples, layers = examples_and_layers()
    chosen = torch.tensor([0, 7, 40])
    batch = examples.batch(chosen)
    expected = np.mean(
        [
            loss_by_hand(layers, batch.x[i], layers.workers[examples.worker[vote]], examples.target[vote])
            for i, vote in enumerate(chosen)
        ]
    )
    assert layers(batch.x, batch, CE)[0].item() == pytest.approx(expected, rel=1e-5)


def test_items_workers_and_votes_are_mixed_with_the_same_weight() -> None:
    examples, layers = examples_and_layers()
    chosen, other, share = torch.tensor([0, 7, 40]), torch.tensor([21, 0, 40]), torch.tensor([0.3, 0.8, 0.5])
    batch = examples.batch(chosen, other, share)
    expected = []
    for a, b, s in zip(chosen, other, share, strict=True):
        x = s * examples.rows.take(examples.task[a]) + (1 - s) * examples.rows.take(examples.task[b])
        embedding = s * layers.workers[examples.worker[a]] + (1 - s) * layers.workers[examples.worker[b]]
        target = s * examples.target[a] + (1 - s) * examples.target[b]
        expected.append(loss_by_hand(layers, x, embedding, target))
    assert layers(batch.x, batch, CE)[0].item() == pytest.approx(np.mean(expected), rel=1e-5)


def test_workers_start_close_to_the_diagonal() -> None:
    _, layers = examples_and_layers()
    log_probs = layers.vote_log_probs(
        torch.log(torch.eye(3).clamp_min(1e-9)), torch.tensor([0, 1, 2]), torch.tensor([0, 3, 6])
    )
    assert log_probs.exp().detach().numpy() == pytest.approx(0.7 * np.eye(3) + 0.1, abs=0.05)


def test_bad_options_are_rejected() -> None:
    for options in ({"embedding": 0}, {"hidden": 0}):
        with pytest.raises(MethodError):
            AnnotMix(**options)
