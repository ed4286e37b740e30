from itertools import combinations

import numpy as np
import pytest

from quorate import Votes, aggregate
from quorate.data.posterior import Posterior
from quorate.data.worker_models import Confusion
from quorate.quality.workers import _pairs
from quorate.quality.workers._pairs import Crowd, Pairs
from tests.crowds import small_crowd


def slow_pairs(votes: Votes, posterior: Posterior) -> dict[tuple[int, int], list[float]]:
    """(common, agreed, expected, by chance) of each pair, counted task by task."""
    assert isinstance(posterior.worker_model, Confusion)
    matrices = posterior.worker_model.matrices
    labels = {(task, worker): label for task, worker, label in zip(votes.task, votes.worker, votes.label, strict=True)}
    habit = [np.bincount(votes.label[votes.worker == w], minlength=3) for w in range(votes.n_workers)]
    pairs = {}
    for first, second in combinations(range(votes.n_workers), 2):
        common = [t for t in range(votes.n_tasks) if (t, first) in labels and (t, second) in labels]
        agreed = sum(labels[t, first] == labels[t, second] for t in common)
        products = (matrices[first] * matrices[second]).sum(axis=1)
        expected = sum(posterior.probs[t] @ products for t in common)
        by_chance = len(common) * (habit[first] @ habit[second]) / max(habit[first].sum() * habit[second].sum(), 1)
        pairs[first, second] = [len(common), agreed, expected, by_chance]
    return pairs


def test_pairs_equal_counting_task_by_task(monkeypatch: pytest.MonkeyPatch) -> None:
    """In one block and in many; a worker's factor comes from the pairs with all others."""
    monkeypatch.setattr(_pairs, "MIN_PROBABILITY", 0.0)
    votes = small_crowd(3)
    posterior = aggregate(votes)
    slow = slow_pairs(votes, posterior)
    for block in (1 << 21, 1, 20):
        monkeypatch.setattr(_pairs, "BLOCK", block)
        pairs = Pairs.join(list(Crowd(votes, posterior).blocks()))
        assert len(pairs.common) == sum(row[0] >= 10 for row in slow.values())
        for first, second, common, agreed, expected in zip(*pairs, strict=True):
            row = slow[first, second]
            assert [common, agreed] == row[:2]
            factor = 1.0
            for worker in (first, second):
                others = [row for pair, row in slow.items() if worker in pair and pair != (first, second)]
                surplus, skill = sum(r[1] - r[2] for r in others), sum(r[2] - r[3] for r in others)
                factor += np.clip(surplus * skill / (skill**2 + 100), -1, 1)
            assert expected == pytest.approx(row[3] + factor * (row[2] - row[3]), rel=1e-4)
