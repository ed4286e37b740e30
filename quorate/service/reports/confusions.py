"""Classes that the crowd confuses: the best workers or experts often choose another class than the crowd.

Such a pair of classes hints at unclear instructions.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection, bindparam, select

from quorate.data.votes import Votes
from quorate.inference.crowd_model import agreement_accuracy
from quorate.inference.kernels import softmax_rows, sum_at
from quorate.quality.intervals import wilson_ends
from quorate.service.refit.fit import RoundResult
from quorate.service.refit.train import sample_rows
from quorate.service.store.tables import items
from quorate.typing import Array

BEST_SHARE = 0.25  # of the workers
MIN_VOTES = 10  # of a worker: the accuracy on fewer may be luck
MIN_TASKS, MIN_SHARE = 3, 0.05  # confused tasks of a pair, and their share of the tasks with this label of the crowd
DEVIATIONS = 2.5  # by which confused tasks must exceed the number that random errors explain
MAX_PAIRS, MAX_ITEMS, MAX_TASKS = 10, 5, 100_000
NO_LABEL = -1
MIN_CROWD = 2  # votes of the crowd for a label: a single voter is no crowd

_KEYS = select(items.c.id, items.c.key).where(items.c.id.in_(bindparam("ids", expanding=True)))


class LabelComparison(NamedTuple):
    """Labels of the crowd compared with reference labels.

    Attributes:
        crowd: (n_tasks,), label with most votes of the crowd; -1 without votes, with one vote, or in a tie.
        reference: (n_tasks,), gold label, otherwise the label with most votes of the best workers; -1 if there is none.
        crowd_counts: (n_tasks, n_classes), votes of the crowd.
        reference_error: (n_tasks,), probability that the reference label is a certain wrong class.
    """

    crowd: NDArray[np.int64]
    reference: NDArray[np.int64]
    crowd_counts: NDArray[np.int64]
    reference_error: Array


class ConfusedPair(NamedTuple):
    """Tasks that the crowd labels with one class and the reference with another.

    Attributes:
        crowd: class of the crowd.
        reference: class of the reference.
        share: share of these tasks among those with this label of the crowd.
        rows: the tasks, those with most votes of the crowd for its label first.
    """

    crowd: int
    reference: int
    share: float
    rows: NDArray[np.int64]


def find_confusions(connection: Connection, result: RoundResult) -> list[dict[str, Any]]:
    """Return the confused pairs of classes, the most frequent first, with some items as examples."""
    snapshot = result.view.snapshot
    informed = np.flatnonzero(snapshot.informed)
    sample = sample_rows(np.arange(len(informed)), MAX_TASKS)
    rows = informed[sample]
    votes = snapshot.votes.subset(tasks=rows)
    comparison = compare_labels(votes, snapshot.gold[rows], result.believed[sample])
    names = result.view.asked.question.class_names
    confusions = [
        {
            "crowd": names[pair.crowd],
            "best": names[pair.reference],
            "n": len(pair.rows),
            "share": round(pair.share, 4),
            "items": snapshot.items[rows[pair.rows[:MAX_ITEMS]]].tolist(),
        }
        for pair in confused_pairs(comparison)
    ]
    return _add_keys(connection, confusions)


def compare_labels(votes: Votes, gold: NDArray[np.int64], probs: Array) -> LabelComparison:
    """Return the labels of the crowd and those to compare them with: gold labels, else those of its best workers.

    Args:
        votes: votes on some tasks.
        gold: (n_tasks,), gold labels, -1 where there is none.
        probs: (n_tasks, n_classes), posterior of the tasks.
    """
    is_by_best = best_workers(votes, probs)[votes.worker]
    best, crowd = (votes.subset(rows=np.flatnonzero(mask)) for mask in (is_by_best, ~is_by_best))
    accuracy = probs[best.task, best.label].mean() if len(best) else 1.0
    error = np.where(gold >= 0, 0.0, (1 - accuracy) / (votes.n_classes - 1))
    crowd_labels, best_labels = _plurality(crowd.counts(), min_votes=MIN_CROWD), _plurality(best.counts(), min_votes=1)
    return LabelComparison(crowd_labels, np.where(gold >= 0, gold, best_labels), crowd.counts(), error)


def best_workers(votes: Votes, probs: Array) -> NDArray[np.bool_]:
    """Return a mask of the best workers, by the lower bound of their accuracy, among those with enough votes."""
    n = votes.votes_per_worker
    n_right = sum_at(votes.worker, probs[votes.task, votes.label], (votes.n_workers,))
    low, _ = wilson_ends(n_right / np.maximum(n, 1), np.maximum(n, 1))
    enough = np.flatnonzero(n >= MIN_VOTES)
    mask = np.zeros(votes.n_workers, dtype=bool)
    mask[enough[np.argsort(-low[enough], kind="stable")][: int(np.ceil(BEST_SHARE * len(enough)))]] = True
    return mask


def confused_pairs(labels: LabelComparison) -> Sequence[ConfusedPair]:
    """Return the pairs of classes that are confused more often than random errors explain, the most frequent first."""
    has_both, pairs = (labels.crowd != NO_LABEL) & (labels.reference != NO_LABEL), []
    posterior = posterior_by_agreement(labels.crowd_counts)
    for crowd in np.unique(labels.crowd[has_both]).tolist():
        rows = np.flatnonzero(has_both & (labels.crowd == crowd))
        for reference in np.unique(labels.reference[rows]).tolist():
            confused = rows[labels.reference[rows] == reference]
            expected = np.minimum(posterior[rows, reference] + labels.reference_error[rows], 1.0)
            by_chance = expected.sum() + DEVIATIONS * np.sqrt((expected * (1 - expected)).sum())
            share = len(confused) / len(rows)
            if reference != crowd and len(confused) > max(by_chance, MIN_TASKS - 1) and share >= MIN_SHARE:
                order = np.argsort(-labels.crowd_counts[confused, crowd], kind="stable")
                pairs.append(ConfusedPair(crowd, reference, share, confused[order]))
    return sorted(pairs, key=lambda pair: -len(pair.rows))[:MAX_PAIRS]


def posterior_by_agreement(counts: NDArray[np.int64]) -> Array:
    """Return the class probabilities of tasks by their votes, if all voters err independently and equally often.

    The accuracy of the voters is estimated from their agreement. Both arrays are (n_tasks, n_classes).

    >>> posterior_by_agreement(np.array([[2, 0], [1, 0]] * 200)).round(2)[:2].tolist()  # no disagreement: few errors
    [[1.0, 0.0], [0.99, 0.01]]
    """
    accuracy = agreement_accuracy(Votes.from_counts(counts))
    scores = counts * np.log(accuracy * (counts.shape[1] - 1) / (1 - accuracy))
    softmax_rows(scores)
    return scores


def _plurality(counts: NDArray[np.int64], *, min_votes: int) -> NDArray[np.int64]:
    """Return the class with most votes; NO_LABEL in a tie or with fewer than `min_votes` votes."""
    most = counts.max(axis=1)
    is_unique = (counts == most[:, None]).sum(axis=1) == 1
    return np.where((most >= min_votes) & is_unique, counts.argmax(axis=1), NO_LABEL)


def _add_keys(connection: Connection, confusions: list[dict[str, Any]]) -> list[dict[str, Any]]:
    ids = sorted({item for pair in confusions for item in pair["items"]})
    keys = dict(connection.execute(_KEYS, {"ids": ids}).all()) if ids else {}
    return [pair | {"items": [{"id": item, "key": keys[item]} for item in pair["items"]]} for pair in confusions]
