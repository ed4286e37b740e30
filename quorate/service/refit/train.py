"""Training of the classifier on the current posterior, and its predictions for every task."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import bindparam, select

from quorate.service.classifiers.ambiguity import waum_ranks
from quorate.service.classifiers.item import Item, MediaReader
from quorate.service.classifiers.library_learner import LibraryLearner
from quorate.service.classifiers.softmax import Classifier, Softmax
from quorate.service.refit.snapshot import Snapshot
from quorate.service.store.database import Store
from quorate.service.store.tables import items
from quorate.typing import Array

DEFAULT = "linear"  # trained in folds, each from where it was; others are fitted from scratch each time
MAX_TRAINING_ITEMS = 100_000  # of more, a random sample
PART = 2_000  # items that are read and predicted together

_ITEMS = select(items.c.id, items.c.kind, items.c.content, items.c.features).where(
    items.c.id.in_(bindparam("ids", expanding=True))
)


@dataclass(frozen=True, eq=False)
class Lesson:
    """A trained classifier. probs: (n_tasks, n_classes), out of fold. ambiguity: (n_tasks,), NaN = unknown."""

    classifier: Classifier
    probs: NDArray[np.float32]
    ambiguity: Array


def train_classifier(
    store: Store,
    snapshot: Snapshot,
    rows: NDArray[np.int64],
    believed: Array,
    before: Classifier | None,
    media: MediaReader,
    name: str,
) -> Lesson | None:
    """Train the classifier on the posterior of some tasks; return None if nothing can be learned from the items.

    Args:
        store: reads the items.
        snapshot: the question.
        rows: indices of tasks that have votes or gold.
        believed: (n_rows, n_classes), their posterior.
        before: the classifier that was trained before.
        media: reads uploaded images.
        name: the name of the learner.
    """
    sample = sample_rows(np.arange(len(rows)), MAX_TRAINING_ITEMS)
    rows, believed = rows[sample], believed[sample]
    taught = read_items(store, snapshot.items[rows])
    votes = snapshot.votes.subset(tasks=rows)
    classifier: Classifier | None
    if name == DEFAULT:
        classifier = Softmax.fit(taught, believed, media, before if isinstance(before, Softmax) else None)
    else:
        classifier = LibraryLearner.fit(name, taught, votes, believed, media)
    if classifier is None:
        return None
    ambiguity = np.full(len(snapshot.ids), np.nan)
    ambiguity[rows] = waum_ranks(classifier.extractor.transform(taught, media), votes)
    return Lesson(classifier, predict_rows(store, classifier, snapshot, np.arange(len(snapshot.ids)), media), ambiguity)


def predict_rows(
    store: Store, classifier: Classifier, snapshot: Snapshot, rows: NDArray[np.int64], media: MediaReader
) -> NDArray[np.float32]:
    """Return the predictions of a classifier for some tasks; out of fold where it may have been trained on them."""
    probs = np.empty((len(rows), snapshot.votes.n_classes), dtype=np.float32)
    for part in _parts(len(rows)):
        shown = read_items(store, snapshot.items[rows[part]])
        probs[part] = classifier.predict_proba(shown, snapshot.informed[rows[part]], media)
    return probs


def read_items(store: Store, ids: Sequence[int] | NDArray[np.int64]) -> list[Item]:
    """Return items in the order of the ids. They never change: they need not be read together with the votes."""
    by_id: dict[int, Item] = {}
    wanted = [int(item_id) for item_id in ids]
    for part in _parts(len(wanted)):
        with store.read() as connection:
            for row in connection.execute(_ITEMS, {"ids": wanted[part]}):
                by_id[row.id] = Item(row.id, row.kind, row.content, row.features)
    return [by_id[item_id] for item_id in wanted]


def sample_rows(rows: NDArray[np.int64], size: int, seed: int = 0) -> NDArray[np.int64]:
    """Return all rows, or a random sample of this size, in their order.

    >>> sample_rows(np.arange(3), 5).tolist(), len(sample_rows(np.arange(100), 5))
    ([0, 1, 2], 5)
    """
    return rows if len(rows) <= size else np.sort(np.random.default_rng(seed).choice(rows, size, replace=False))


def _parts(n: int) -> Iterator[slice]:
    for first in range(0, n, PART):
        yield slice(first, min(first + PART, n))
