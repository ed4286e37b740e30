"""What the usual way would have done: the same number of votes of the same people on every item, and the majority."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from quorate.errors import MethodError
from quorate.simulated_crowd.ability import Ability
from quorate.simulated_crowd.truth import Truth


@dataclass(frozen=True, kw_only=True)
class FixedVotes:
    """So many votes on every item: how many in all, and which share of the labels is wrong."""

    votes_per_task: int
    votes: int
    error: float


def fixed_majority(
    people: Sequence[Ability], truth: Truth, classes: Mapping[str, Sequence[str]], votes_per_task: int, *, seed: int = 0
) -> FixedVotes:
    """Ask so many different workers, drawn at random, each question about every item; ties are drawn.

    classes: the answers to each question. An item is wrong where any of its labels is.
    """
    workers = [person for person in people if person.role == "crowd"]
    if not 1 <= votes_per_task <= len(workers):
        raise MethodError(f"{votes_per_task} votes an item need as many workers, got {len(workers)}")
    draws = np.random.default_rng(seed)
    wrong, votes = set(), 0
    for question, names in classes.items():
        for key in _keys(truth):
            true = truth.of(question, key)
            chosen = draws.choice(len(workers), votes_per_task, replace=False)
            said = Counter(workers[who].answer(question, key, true, names) for who in chosen)
            most = [label for label, n in said.items() if n == max(said.values())]
            votes += votes_per_task
            if most[int(draws.integers(len(most)))] != true:
                wrong.add(key)
    return FixedVotes(votes_per_task=votes_per_task, votes=votes, error=len(wrong) / truth.size)


def _keys(truth: Truth) -> list[str]:
    return list(next(iter(truth.labels.values())))
