"""Examples and rows: what comes in a batch, whole or mixed, dense or sparse."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import torch

from quorate.learning.targets.soft import Soft
from quorate.learning.targets.stacked import Stacked
from quorate.learning.training.examples import Examples, whole_batches
from quorate.learning.training.rows import DenseRows
from tests.learning.tiny import tiny


def examples(target: Any = None) -> tuple[Any, Examples]:
    x, votes, posterior = tiny()
    targets = (target or Soft()).make(votes, posterior)
    return votes, Examples.of(DenseRows(torch.tensor(x, dtype=torch.float32)), votes, targets)


def test_a_batch_holds_all_votes_on_its_items_and_no_others() -> None:
    votes, all_examples = examples()
    chosen = torch.tensor([5, 0, 27])
    batch = all_examples.batch(chosen)
    result = sorted(zip(batch.item.tolist(), batch.worker.tolist(), batch.label.tolist(), strict=True))
    expected = sorted(
        (index, int(votes.voter[row]), int(votes.label[row]))
        for index, task in enumerate([5, 0, 27])
        for row in np.flatnonzero(votes.task == task)
    )
    assert result == expected
    assert batch.task.tolist() == [5, 0, 27]
    assert len(batch) == 3


def test_a_stacked_example_has_its_own_vote_only() -> None:
    votes, all_examples = examples(Stacked())
    batch = all_examples.batch(torch.tensor([7, 2]))
    assert batch.item.tolist() == [0, 1]
    assert batch.worker.tolist() == votes.voter[[7, 2]].tolist()
    assert batch.label.tolist() == votes.label[[7, 2]].tolist()


def test_mixing_by_hand() -> None:
    """Mix items by share; targets, weights and votes by share times weight, so that doubtful ones count less."""
    _, all_examples = examples()
    all_examples = replace(all_examples, weight=torch.arange(1.0, 29.0))
    share = torch.tensor([0.25, 0.5])
    batch = all_examples.batch(torch.tensor([3, 1]), torch.tensor([0, 7]), share)
    values = all_examples.rows.take(torch.arange(30))
    assert batch.x[0].numpy() == pytest.approx((0.25 * values[3] + 0.75 * values[0]).numpy())
    assert batch.weight.tolist() == pytest.approx([0.25 * 4 + 0.75 * 1, 0.5 * 2 + 0.5 * 8])
    expected = (0.25 * 4 * all_examples.target[3] + 0.75 * all_examples.target[0]) / 1.75
    assert batch.target[0].numpy() == pytest.approx(expected.numpy())
    assert batch.target.sum(dim=1).numpy() == pytest.approx(np.ones(2))
    counts = torch.zeros(2).index_add(0, batch.item, batch.vote_weight)
    assert counts.tolist() == pytest.approx([4 * 1.75, 4 * 5.0])  # four votes on each item
    assert sorted(set(batch.vote_weight.tolist())) == pytest.approx([0.75, 1.0, 4.0])


def test_mixing_with_itself_changes_nothing() -> None:
    _, all_examples = examples()
    chosen = torch.arange(6)
    mixed, plain = all_examples.batch(chosen, chosen, torch.rand(6)), all_examples.batch(chosen)
    assert torch.allclose(mixed.x, plain.x, atol=1e-6)
    assert torch.allclose(mixed.target, plain.target, atol=1e-6)
    assert mixed.vote_weight.sum().item() == pytest.approx(plain.vote_weight.sum().item(), rel=1e-5)


def test_weights_of_zero_mix() -> None:
    _, all_examples = examples()
    batch = replace(all_examples, weight=torch.zeros(28)).batch(
        torch.tensor([3]), torch.tensor([0]), torch.tensor([0.5])
    )
    assert batch.weight.tolist() == [0.0]
    assert torch.isfinite(batch.target).all()


@pytest.mark.parametrize(
    ("n", "size", "sizes"),
    [(10, 5, [5, 5]), (11, 5, [5, 6]), (12, 5, [5, 5, 2]), (3, 5, [3]), (1, 5, [1]), (5, 1, [1, 1, 1, 2])],
)
def test_no_batch_of_one_is_left_over(n: int, size: int, sizes: list[int]) -> None:
    parts = list(whole_batches(torch.arange(n), size))
    assert [len(part) for part in parts] == sizes
    assert torch.cat(parts).tolist() == list(range(n))
