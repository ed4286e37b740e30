"""Lessons: the classifier is taught what is believed by now, and says what it thinks of every task."""

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

DEFAULT = "linear"  # taught in folds, each from where it was; others are fitted anew each time
MOST_TAUGHT = 100_000  # items: of more, so many are drawn
PART = 2_000  # items that are read and looked at together

_ITEMS = select(items.c.id, items.c.kind, items.c.content, items.c.features).where(
    items.c.id.in_(bindparam("ids", expanding=True))
)


@dataclass(frozen=True, eq=False)
class Lesson:
    """What came of teaching. said: (n_tasks, n_classes), out of fold. ambiguity: (n_tasks,), NaN = nothing is known."""

    classifier: Classifier
    said: NDArray[np.float32]
    ambiguity: Array


def teach(
    store: Store,
    snapshot: Snapshot,
    rows: NDArray[np.int64],
    believed: Array,
    before: Classifier | None,
    media: MediaReader,
    name: str,
) -> Lesson | None:
    """Teach the classifier what is believed of some tasks; None where nothing can be learnt from the items.

    rows: places of tasks that have votes or gold. believed: (n_rows, n_classes). name: of the learner.
    """
    if len(rows) > MOST_TAUGHT:
        drawn = np.sort(np.random.default_rng(0).choice(len(rows), MOST_TAUGHT, replace=False))
        rows, believed = rows[drawn], believed[drawn]
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
    return Lesson(classifier, ask(store, classifier, snapshot, np.arange(len(snapshot.ids)), media), ambiguity)


def ask(
    store: Store, classifier: Classifier, snapshot: Snapshot, rows: NDArray[np.int64], media: MediaReader
) -> NDArray[np.float32]:
    """What a classifier says of some tasks; of those that may have taught it, what it says out of fold."""
    said = np.empty((len(rows), snapshot.posterior.shape[1]), dtype=np.float32)
    for part in _parts(len(rows)):
        found = read_items(store, snapshot.items[rows[part]])
        said[part] = classifier.predict_proba(found, snapshot.informed[rows[part]], media)
    return said


def read_items(store: Store, ids: Sequence[int] | NDArray[np.int64]) -> list[Item]:
    """Items in the order of the ids. They never change: they need not be read in the transaction of the votes."""
    found: dict[int, Item] = {}
    wanted = [int(one) for one in ids]
    for part in _parts(len(wanted)):
        with store.read() as connection:
            for row in connection.execute(_ITEMS, {"ids": wanted[part]}):
                found[row.id] = Item(row.id, row.kind, row.content, row.features)
    return [found[one] for one in wanted]


def _parts(n: int) -> Iterator[slice]:
    for first in range(0, n, PART):
        yield slice(first, min(first + PART, n))
