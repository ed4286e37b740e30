"""Baseline: majority vote with a fixed number of votes of the same workers on every item."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from quorate.client.simulated_crowd.people import Ability
from quorate.client.simulated_crowd.truth import Truth
from quorate.errors import MethodError


@dataclass(frozen=True, kw_only=True)
class FixedVotes:
    """Result of a fixed number of votes per task: the total of votes, and the error rate of the majority."""

    votes_per_task: int
    votes: int
    error: float


def fixed_majority(
    people: Sequence[Ability],
    truth: Truth,
    classes: Mapping[str, Sequence[str]],
    votes_per_task: int,
    *,
    holds: Mapping[str, str] | None = None,
    seed: int = 0,
) -> FixedVotes:
    """Simulate the majority vote of randomly drawn workers on every item, and return votes and error rate.

    Ties are broken at random. An item is wrong if any of its labels is; in screening, if its inclusion is wrong.

    Args:
        people: workers and experts; only the workers vote.
        truth: true labels of all items.
        classes: names of the classes of each question.
        votes_per_task: number of different workers who vote on a question about an item.
        holds: in screening, the class with which each criterion is met.
        seed: seed of the random generator.
    """
    workers = [person for person in people if person.role == "crowd"]
    if not 1 <= votes_per_task <= len(workers):
        raise MethodError(f"votes_per_task must be from 1 to {len(workers)}, the workers, got {votes_per_task}")
    rng = np.random.default_rng(seed)
    wrong = 0
    for key in truth.keys:
        true = {question: truth.of(question, key) for question in classes}
        labels = {}
        for question, names in classes.items():
            chosen = [workers[index] for index in rng.choice(len(workers), votes_per_task, replace=False)]
            votes = [worker.answer(question, key, true[question], names) for worker in chosen]
            labels[question] = _majority(votes, rng)
        wrong += labels != true if holds is None else (labels == holds) != (true == holds)
    n_votes = votes_per_task * len(truth.keys) * len(classes)
    return FixedVotes(votes_per_task=votes_per_task, votes=n_votes, error=wrong / len(truth.keys))


def _majority(labels: Sequence[str], rng: np.random.Generator) -> str:
    counts = Counter(labels)
    winners = [label for label, n in counts.items() if n == max(counts.values())]
    return winners[int(rng.integers(len(winners)))]
