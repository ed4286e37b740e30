"""What the usual way would have done: the same number of votes of the same people on every item, and the majority."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from quorate.client.simulated_crowd.people import Ability
from quorate.client.simulated_crowd.truth import Truth
from quorate.errors import MethodError


@dataclass(frozen=True, kw_only=True)
class FixedVotes:
    """So many votes on every item: how many in all, and which share of the labels is wrong."""

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
    """Ask so many different workers, drawn at random, each question about every item; ties are drawn.

    classes: the answers to each question. holds: of screening, the answer by which each criterion holds: then an item
    is wrong where it is included but should not be, or the other way round; else where any of its labels is.
    """
    workers = [person for person in people if person.role == "crowd"]
    if not 1 <= votes_per_task <= len(workers):
        raise MethodError(f"{votes_per_task} votes an item need as many workers, got {len(workers)}")
    draws = np.random.default_rng(seed)
    wrong = 0
    for key in truth.keys:
        true = {question: truth.of(question, key) for question in classes}
        said = {}
        for question, names in classes.items():
            chosen = [workers[who] for who in draws.choice(len(workers), votes_per_task, replace=False)]
            said[question] = _majority([who.answer(question, key, true[question], names) for who in chosen], draws)
        wrong += said != true if holds is None else (said == holds) != (true == holds)
    votes = votes_per_task * len(truth.keys) * len(classes)
    return FixedVotes(votes_per_task=votes_per_task, votes=votes, error=wrong / len(truth.keys))


def _majority(labels: Sequence[str], draws: np.random.Generator) -> str:
    counts = Counter(labels)
    most = [label for label, n in counts.items() if n == max(counts.values())]
    return most[int(draws.integers(len(most)))]
