"""Likely mistakes in the instructions: classes where the best workers, or experts, say something else than most."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection, bindparam, select

from quorate.data.votes import Votes
from quorate.decision.crowd_model import agreement_accuracy
from quorate.inference.kernels import softmax_rows, sum_at
from quorate.quality.intervals import wilson_ends
from quorate.service.refit.fit import RoundResult
from quorate.service.refit.train import sample_rows
from quorate.service.store.tables import items
from quorate.typing import Array

BEST = 0.25  # share of the workers who are the best ones
LEAST_VOTES = 10  # of a worker: fewer may be luck
LEAST, SHARE = 3, 0.05  # tasks of a pair of classes, and as a share of those that the crowd calls so
DEVIATIONS = 2.5  # by which there must be more of them than slips explain
MOST_PAIRS, MOST_ITEMS, MOST_TASKS = 10, 5, 100_000
NONE, TWO = -1, 2  # one voter is no crowd

_KEYS = select(items.c.id, items.c.key).where(items.c.id.in_(bindparam("ids", expanding=True)))


class Voices(NamedTuple):
    """What the crowd says of each task, and what the best do, or what is known; -1 where nobody does, or all differ.

    of_crowd: (n_tasks, n_classes), votes. slip: how likely the best say one other class, whichever, though it is not.
    """

    crowd: NDArray[np.int64]
    best: NDArray[np.int64]
    of_crowd: NDArray[np.int64]
    slip: Array


def mistakes_of(connection: Connection, learnt: RoundResult) -> list[dict[str, Any]]:
    """By pair of classes, the most frequent first: how often, and some items to look at."""
    snapshot = learnt.view.snapshot
    informed = np.flatnonzero(snapshot.informed)
    part = sample_rows(np.arange(len(informed)), MOST_TASKS)
    rows = informed[part]
    votes = snapshot.votes.subset(tasks=rows)
    voices = two_voices(votes, snapshot.gold[rows], learnt.believed[part])
    names = learnt.view.asked.question.class_names
    found = [
        {
            "crowd": names[said],
            "best": names[better],
            "n": len(where),
            "share": round(share, 4),
            "items": snapshot.items[rows[where[:MOST_ITEMS]]].tolist(),
        }
        for said, better, share, where in pairs(voices)
    ]
    return _with_keys(connection, found)


def two_voices(votes: Votes, gold: NDArray[np.int64], believed: Array) -> Voices:
    """The crowd beside the best of it; what is known is the better word."""
    theirs = best_workers(votes, believed)[votes.worker]
    best, crowd = (votes.subset(rows=np.flatnonzero(which)) for which in (theirs, ~theirs))
    right = believed[best.task, best.label].mean() if len(best) else 1.0
    slip = np.where(gold >= 0, 0.0, (1 - right) / (votes.n_classes - 1))
    said, better = _winner(crowd.counts(), least=TWO), _winner(best.counts(), least=1)
    return Voices(said, np.where(gold >= 0, gold, better), crowd.counts(), slip)


def best_workers(votes: Votes, believed: Array) -> NDArray[np.bool_]:
    """The best of those with enough votes, by the low end of how often they are believed to be right: (n_workers,)."""
    n = votes.votes_per_worker
    right = sum_at(votes.worker, believed[votes.task, votes.label], (votes.n_workers,))
    low, _ = wilson_ends(right / np.maximum(n, 1), np.maximum(n, 1))
    enough = np.flatnonzero(n >= LEAST_VOTES)
    chosen = np.zeros(votes.n_workers, dtype=bool)
    chosen[enough[np.argsort(-low[enough], kind="stable")][: int(np.ceil(BEST * len(enough)))]] = True
    return chosen


def pairs(voices: Voices) -> Sequence[tuple[int, int, float, NDArray[np.int64]]]:
    """(crowd, best, share, places) of classes where they differ more often than slips explain.

    The places where the crowd is surest come first.
    """
    both, found = (voices.crowd != NONE) & (voices.best != NONE), []
    chance = by_slips(voices.of_crowd)
    for said in np.unique(voices.crowd[both]).tolist():
        called = np.flatnonzero(both & (voices.crowd == said))
        for better in np.unique(voices.best[called]).tolist():
            where = called[voices.best[called] == better]
            expected = np.minimum(chance[called, better] + voices.slip[called], 1.0)
            by_chance = expected.sum() + DEVIATIONS * np.sqrt((expected * (1 - expected)).sum())
            share = len(where) / len(called)
            if better != said and len(where) > max(by_chance, LEAST - 1) and share >= SHARE:
                surest = np.argsort(-voices.of_crowd[where, said], kind="stable")
                found.append((said, better, share, where[surest]))
    return sorted(found, key=lambda one: -len(one[3]))[:MOST_PAIRS]


def by_slips(counts: NDArray[np.int64]) -> Array:
    """How likely a task is of each class by its votes, if all err alike and each for itself: (n_tasks, n_classes).

    >>> by_slips(np.array([[2, 0], [1, 0]] * 200)).round(2)[:2].tolist()  # those who never differ are seldom wrong
    [[1.0, 0.0], [0.99, 0.01]]
    """
    accuracy = agreement_accuracy(Votes.from_counts(counts))
    scores = counts * np.log(accuracy * (counts.shape[1] - 1) / (1 - accuracy))
    softmax_rows(scores)
    return scores


def _winner(counts: NDArray[np.int64], *, least: int) -> NDArray[np.int64]:
    """The class that most say, so many at least; none where as many say another."""
    most = counts.max(axis=1)
    alone = (counts == most[:, None]).sum(axis=1) == 1
    return np.where((most >= least) & alone, counts.argmax(axis=1), NONE)


def _with_keys(connection: Connection, found: list[dict[str, Any]]) -> list[dict[str, Any]]:
    wanted = sorted({item for one in found for item in one["items"]})
    keys = dict(connection.execute(_KEYS, {"ids": wanted}).all()) if wanted else {}
    return [one | {"items": [{"id": item, "key": keys[item]} for item in one["items"]]} for one in found]
