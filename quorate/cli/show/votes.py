"""Votes on single tasks, as tables show them."""

from collections.abc import Iterable

import numpy as np

from quorate.cli import console
from quorate.data.votes import Votes


def count_votes(votes: Votes) -> str:
    """Return how many votes there are, and of how many workers where these are known.

    >>> count_votes(Votes.from_matrix([[0, 1, 1]]))
    '3 votes of 3 workers'
    """
    workers = f" of {console.count(votes.n_workers, 'worker')}" if votes.n_workers else ""
    return console.count(len(votes), "vote") + workers


def describe_counts(votes: Votes, tasks: Iterable[int], *, common_first: bool = False) -> list[str]:
    """Return the number of votes for each class on these tasks, as text; tasks are given by index.

    common_first: whether the most common class comes first, not the first class.

    >>> (
    ...     describe_counts(Votes.from_matrix([[0, 1, 1]]), [0]),
    ...     describe_counts(Votes.from_matrix([[0, 1, 1]]), [0], common_first=True),
    ... )
    (['0: 1, 1: 2'], ['1: 2, 0: 1'])
    """
    rows = np.asarray(list(tasks), dtype=np.int64)
    return [_describe(votes, counts, common_first) for counts in votes.counts()[rows]] if len(rows) else []


def _describe(votes: Votes, counts: np.ndarray[tuple[int], np.dtype[np.int64]], common_first: bool) -> str:
    order = np.argsort(-counts, kind="stable") if common_first else np.arange(len(counts))
    parts = [f"{console.short(votes.classes[index], 16)}: {counts[index]}" for index in order if counts[index]]
    return ", ".join(parts) or "no votes"
