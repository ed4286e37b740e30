"""The rows of the table of replays: sets of real votes, the machine of each, and pools drawn from them."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from benchmarks.decision.cache import fingerprint, folder, kept
from benchmarks.decision.features import features_of
from quorate import Votes, datasets
from quorate.replay.classifiers import Classifier, FixedClassifier, IncrementalClassifier
from quorate.typing import Array, Gold

MOST_ITEMS = 1500
N_GOLD = 200
ENOUGH_GOLD = 700  # items of a pool from which on gold is given away
SURE = 0.98  # of a perfect machine

MachineKind = Literal["own", "shuffled", "perfect"]


@dataclass(frozen=True)
class Row:
    """A set of votes and, where it has several, the name of a machine."""

    data: str
    machine: str = ""

    @property
    def name(self) -> str:
        """As in tables and in --rows."""
        return f"{self.data}:{self.machine}" if self.machine else self.data


ROWS = (
    Row("cifar10h", "resnet_low_acc"),
    Row("cifar10h", "resnet110"),
    Row("cifar10h", "densenet_bc_L190_k40"),
    Row("amazon_isbook"),
    Row("labelme"),
    Row("music_genre"),
    Row("movie_reviews_3class"),
    Row("rte_snow"),
    Row("zencrowd_us"),
    Row("sent_polarity"),
    Row("d_product"),
    Row("dog"),
    Row("temporal_snow"),
    Row("bluebird"),
)
NEVER_TUNED = tuple(map(Row, ("face_sentiment", "fact_eval", "trec", "s_rel", "reuters8", "gimpel_pos")))


@dataclass(frozen=True, eq=False)
class Source:
    """All items of a set that have votes and gold. items: their rows in the set."""

    items: NDArray[np.int64]
    votes: Votes
    gold: Gold
    said: Array | None = None
    features: Array | None = None


@dataclass(frozen=True, eq=False)
class Pool:
    """The votes, gold and machine of one replay. known: gold that is given away, -1 = none."""

    votes: Votes
    gold: Gold
    machine: Classifier | None
    known: Gold | None


@lru_cache(maxsize=4)
def source(row: Row) -> Source:
    """Return a set, with the features of its items, which are kept on disk."""
    data = datasets.load(row.data)
    assert data.votes is not None
    usable = (data.votes.votes_per_task > 0) & (data.gold >= 0)
    if "auto" in data.items.columns:  # votes that were filled in by the source (gimpel_pos: the same for all workers)
        usable &= (data.items["auto"].fill_null(0) == 0).to_numpy()
    items = np.flatnonzero(usable)
    votes, gold = data.votes.subset(tasks=items), data.gold[items]
    if row.machine:
        return Source(items, votes, gold, said=data.machines[row.machine][items])
    path = folder() / "features" / f"{row.data}-{fingerprint(('benchmarks.decision.features',), len(items))}.npz"

    def make() -> dict[str, NDArray[np.float64]]:
        made = features_of(data, items)
        return {} if made is None else {"x": made}

    found = kept(path, make).get("x")
    return Source(items, votes, gold, features=found)


@dataclass(frozen=True, eq=False)
class Drawn:
    """The items of a seed. items: which of the source's they are. known: gold that is given away, -1 = none."""

    items: NDArray[np.int64]
    known: Gold | None = None

    @property
    def open(self) -> NDArray[np.bool_]:
        """Items whose label is to be found."""
        return np.ones(len(self.items), dtype=bool) if self.known is None else self.known < 0


@lru_cache(maxsize=512)
def drawn(row: Row, seed: int, with_gold: bool = False) -> Drawn | None:
    """Up to 1500 items, others for each seed; None where there are too few to give gold away."""
    gold = source(row).gold
    items = np.random.default_rng(100 + seed).choice(len(gold), min(MOST_ITEMS, len(gold)), replace=False)
    items.sort()
    if not with_gold:
        return Drawn(items)
    if len(items) < ENOUGH_GOLD:
        return None
    known = np.full(len(items), -1)
    given = np.random.default_rng(200 + seed).choice(len(items), N_GOLD, replace=False)
    known[given] = gold[items[given]]
    return Drawn(items, known)


@lru_cache(maxsize=4)
def pool(row: Row, seed: int, *, with_gold: bool = False, machine: MachineKind = "own") -> Pool:
    """Return the pool that is replayed with a seed."""
    whole, chosen = source(row), drawn(row, seed, with_gold)
    if chosen is None:
        raise ValueError(f"{row.name} is too small to give gold away")
    votes, gold = whole.votes.subset(tasks=chosen.items), whole.gold[chosen.items]
    return Pool(votes, gold, _machine(whole, chosen.items, seed, machine), chosen.known)


def _machine(whole: Source, items: NDArray[np.int64], seed: int, kind: MachineKind) -> Classifier | None:
    n_classes = whole.votes.n_classes
    if kind == "perfect":
        rest = (1 - SURE) / (n_classes - 1)
        return FixedClassifier(np.where(np.eye(n_classes, dtype=bool)[whole.gold[items]], SURE, rest))
    if kind == "shuffled":
        items = np.random.default_rng(300 + seed).permutation(items)
    if whole.said is not None:
        return FixedClassifier(whole.said[items])
    return None if whole.features is None else IncrementalClassifier(whole.features[items])
