"""What stands out about workers: named where it is so, and not where chance may have done it."""

import os
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from quorate import Votes, aggregate, read_gold, read_votes, simulate_votes
from quorate.quality.flags import flags
from quorate.quality.workers.copying import suspects
from quorate.registry.method_names import AggregationMethod
from tests.crowds import with_copy


def found(votes: Votes, method: AggregationMethod = "dawid_skene") -> list[list[str]]:
    posterior = aggregate(votes, method)
    return flags(votes, posterior, suspects(votes, posterior))


def test_kinds_of_workers_are_told_apart() -> None:
    """Of five simulated crowds: every spammer and adversary stands out, hardly a reliable worker does."""
    flagged: Counter[str] = Counter()
    n_workers: Counter[str] = Counter()
    for seed in range(5):
        crowd = simulate_votes(n_tasks=1000, classes=["cat", "dog", "fox"], seed=seed)
        for kind, texts in zip(crowd.kinds, found(crowd.votes), strict=True):
            n_workers[kind] += 1
            flagged[kind] += bool(texts)
    assert flagged["spammer"] == n_workers["spammer"]
    assert flagged["adversary"] == n_workers["adversary"]
    assert flagged["reliable"] + flagged["expert"] <= 0.02 * (n_workers["reliable"] + n_workers["expert"])


def test_few_votes_are_not_judged() -> None:
    """Nine votes against three others who agree are not enough, ten are."""
    for n_tasks, expected in ((9, []), (10, ["against the truth"])):
        votes = Votes.from_matrix([[0, 0, 0, 1], [1, 1, 1, 0]] * 4 + [[0, 0, 0, 1]] * (n_tasks - 8))
        assert found(votes, "majority")[3] == expected


def test_a_class_is_named_by_its_name() -> None:
    votes = Votes.from_matrix([["no", "no", "yes"], ["yes", "yes", "yes"]] * 20)
    assert found(votes, "majority") == [[], [], ["almost at random", "says yes too often"]]


def test_the_hasty() -> None:
    votes = Votes.from_matrix([[0, 0, 0, 0, 0], [1, 1, 1, 1, 1]] * 20)
    seconds = np.where(votes.worker == 4, 0.5, 5 + votes.worker).astype(np.float32)
    assert found(replace(votes, seconds=seconds)) == [[], [], [], [], ["hasty"]]


def test_copies_name_each_other() -> None:
    votes = with_copy(votes_per_task=8)
    texts = found(votes)
    assert "same as 30" in texts[0]
    assert "same as 0" in texts[30]


def test_nobody_voted() -> None:
    assert found(Votes.from_arrays([], [], [], n_classes=2, n_tasks=2, n_workers=2)) == [[], []]
    assert found(Votes.from_counts([[2, 1]])) == []


@pytest.mark.needs_data
def test_whom_flags_call_random_is_so_by_gold() -> None:
    """On a real set of two classes: those called random are right about half of the time, the others far more often."""
    folder = Path(os.environ["QUORATE_DATA"]) / "rte_snow"
    votes = read_votes(folder / "votes.csv.gz")
    gold = read_gold(folder / "truth.csv.gz", votes)
    right = gold[votes.task] == votes.label
    random = np.array(["almost at random" in texts for texts in found(votes)])
    assert 5 <= random.sum() <= 20
    assert 0.4 < right[random[votes.worker]].mean() < 0.6
    assert right[~random[votes.worker]].mean() > 0.8
