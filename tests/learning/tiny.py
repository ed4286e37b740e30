"""Small training sets, and batches built by hand."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor

from quorate import Votes, aggregate
from quorate.data.posterior import Posterior
from quorate.learning.heads.base import Crowd
from quorate.learning.losses.cross_entropy import CrossEntropy
from quorate.learning.training.examples import Batch
from quorate.registry.method_names import AggregationMethod
from quorate.typing import Array

CE = CrossEntropy().build(None)

Vote = tuple[int, int, int]  # (item, worker, label)


def tiny(
    n_classes: int = 3, n_tasks: int = 30, seed: int = 0, method: AggregationMethod = "dawid_skene"
) -> tuple[Array, Votes, Posterior]:
    """Well separated items with votes that are mostly right.

    The last two tasks have no votes, the last worker never voted, and every tenth vote is anonymous.
    """
    rng = np.random.default_rng(seed)
    truth = np.arange(n_tasks) % n_classes
    x = 3 * np.eye(n_classes, 4)[truth] + rng.normal(0, 0.5, (n_tasks, 4))
    task, worker = np.divmod(np.arange((n_tasks - 2) * 4), 4)
    worker = np.where(np.arange(len(task)) % 10 == 9, -1, (worker + task) % 5)
    label = np.where(rng.random(len(task)) < 0.85, truth[task], rng.integers(n_classes, size=len(task)))
    votes = Votes.from_arrays(task, worker, label, n_classes=n_classes, n_tasks=n_tasks, n_workers=6)
    return x, votes, aggregate(votes, method)


def batch_of(
    features: Any,
    votes: Sequence[Vote],
    n_classes: int = 2,
    target: Tensor | None = None,
    weight: Tensor | None = None,
    vote_weight: Tensor | None = None,
) -> Batch:
    """Return a batch of these items and votes; targets are uniform by default."""
    n = len(features)
    item, worker, label = torch.tensor(list(votes), dtype=torch.int64).reshape(-1, 3).T
    return Batch(
        features,
        torch.arange(n),
        torch.full((n, n_classes), 1 / n_classes) if target is None else target,
        torch.ones(n) if weight is None else weight,
        item,
        worker,
        label,
        torch.ones(len(item)) if vote_weight is None else vote_weight,
    )


def crowd_of(votes: Sequence[Vote], n_classes: int, n_voters: int, confusion: Array | None = None) -> Crowd:
    """Return the crowd of votes made by hand; the last voter is the anonymous one."""
    counts = np.bincount([worker for _, worker, _ in votes], minlength=n_voters)
    return Crowd(n_classes, n_voters, counts, confusion)


def sees_log_probs(layers: Any) -> Any:
    """Return the layers in double precision, with the features as scores: features = log p gives exactly p."""
    with torch.no_grad():
        layers.scores.weight.copy_(torch.eye(layers.scores.out_features))
        layers.scores.bias.zero_()
    return layers.double()


def gradient(loss: Tensor, of: Tensor) -> Tensor:
    """Return the gradient of a loss; zeros if the loss does not depend on the tensor."""
    result: Tensor | None = torch.autograd.grad(loss, of, allow_unused=True, retain_graph=True)[0]
    return torch.zeros_like(of) if result is None else result


def log(rows: Any) -> Tensor:
    """Return logarithms in double precision."""
    return torch.log(torch.tensor(rows, dtype=torch.float64))


def heads_for(head: Any, size: int, n_classes: int) -> Any:
    """Return untrained layers of a head."""
    torch.manual_seed(0)
    return head.build(size, Crowd(n_classes, 4))
