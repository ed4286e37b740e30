"""Pools for forecasts: real and synthetic items, with voters who answer like real or simulated workers."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate import datasets
from quorate.client.simulated_crowd.people import people
from quorate.io.datasets import Dataset
from quorate.service.items.insert import NewItem
from quorate.typing import Array

N_VOTERS = 40
OWN_SHARE = 0.5  # of the answers on real items: by the worker's confusion matrix; the others repeat a vote on the item
PRIOR_VOTES = 2.0  # of the whole crowd, added to the matrix of each worker
ERROR_COSTS = (50, 20, 100)  # by seed, in turn

Answer = Callable[[int, int, np.random.Generator], int]  # voter, item -> class


@dataclass(frozen=True, eq=False, kw_only=True)
class Pool:
    """Items to classify, their true classes, and the answers of voters."""

    items: list[NewItem]
    truth: NDArray[np.int64]
    answer: Answer
    classes: list[str]
    settings: dict[str, Any] = field(default_factory=dict)
    experts: int = 0


def real(name: str, seed: int, *, n_items: int = 400, learner: str = "linear") -> Pool:
    """Sample items of a real dataset, and workers like its own."""
    rng, data = np.random.default_rng(seed), _load(name)
    assert data.votes is not None
    usable = np.flatnonzero((data.votes.votes_per_task > 0) & (data.gold >= 0) & ~_filled_in(data))
    rows = rng.choice(usable, min(n_items, len(usable)), replace=False)
    truth, matrices = data.gold[rows], _matrices(data)
    activity = np.bincount(data.votes.worker, minlength=len(matrices)) / len(data.votes)
    workers = rng.choice(len(matrices), N_VOTERS, p=activity)
    votes = [data.votes.label[data.votes.task == row] for row in rows]

    def answer(voter: int, item: int, rng: np.random.Generator) -> int:
        if rng.random() < OWN_SHARE:
            return int(rng.choice(len(data.classes), p=matrices[workers[voter], truth[item]]))
        return int(rng.choice(votes[item]))

    items = [_item(data, int(row), str(key)) for key, row in enumerate(rows)]
    return Pool(items=items, truth=truth, answer=answer, classes=_names(len(data.classes)), settings=_learner(learner))


def digits(seed: int, *, experts: int = 0) -> Pool:
    """Sample handwritten digits."""
    from sklearn.datasets import load_digits

    data, rng = load_digits(), np.random.default_rng(seed)
    rows = rng.choice(len(data.target), 400, replace=False)
    return _synthetic(data.data[rows], data.target[rows].astype(np.int64), seed, experts=experts)


def blobs(
    seed: int, *, shares: tuple[float, ...], apart: float, n_items: int = 400, n_features: int = 6, learner: str = ""
) -> Pool:
    """Draw classes of these shares around centres that are `apart` deviations apart; 0: features are uninformative."""
    rng = np.random.default_rng(seed)
    truth = rng.choice(len(shares), n_items, p=np.array(shares) / sum(shares))
    centres = rng.normal(size=(len(shares), n_features))
    centres *= apart / np.sqrt(2 * n_features)
    return _synthetic(rng.normal(size=(n_items, n_features)) + centres[truth], truth, seed, learner=learner or "linear")


POOLS: dict[str, Callable[[int], Pool]] = {
    "digits": digits,
    "digits, an expert": lambda seed: digits(seed, experts=1),
    "rare class, weak features": lambda seed: blobs(seed, shares=(0.92, 0.08), apart=1.5),
    "rare class, good features": lambda seed: blobs(seed, shares=(0.9, 0.1), apart=4),
    "features that tell nothing": lambda seed: blobs(seed, shares=(0.5, 0.3, 0.2), apart=0, n_items=300),
    "20 classes": lambda seed: blobs(seed, shares=(1.0,) * 20, apart=6, n_features=20),
    "easy at once": lambda seed: blobs(seed, shares=(0.5, 0.5), apart=9, n_items=300),
    "labelme": lambda seed: real("labelme", seed),
    "music_genre": lambda seed: real("music_genre", seed),
    "movie_reviews_3class": lambda seed: real("movie_reviews_3class", seed, n_items=300),
    "amazon_isbook": lambda seed: real("amazon_isbook", seed),
    "sent_polarity": lambda seed: real("sent_polarity", seed),
    "d_product": lambda seed: real("d_product", seed),
    "zencrowd_us": lambda seed: real("zencrowd_us", seed),
    "gimpel_pos": lambda seed: real("gimpel_pos", seed),
    "no classifier, simulated": lambda seed: blobs(seed, shares=(0.7, 0.3), apart=0, learner="none"),
    "no classifier, dog": lambda seed: real("dog", seed, learner="none"),
    "no classifier, temporal_snow": lambda seed: real("temporal_snow", seed, learner="none"),
    "no classifier, face_sentiment": lambda seed: real("face_sentiment", seed, n_items=300, learner="none"),
}


def _synthetic(x: Array, truth: NDArray[np.int64], seed: int, *, experts: int = 0, learner: str = "linear") -> Pool:
    """Return a pool of items with these features, and simulated voters."""
    classes, crowd = _names(int(truth.max()) + 1), people(N_VOTERS, n_experts=experts, seed=seed)

    def answer(voter: int, item: int, rng: np.random.Generator) -> int:
        return classes.index(crowd[voter].answer("label", str(item), classes[truth[item]], classes))

    items = [NewItem(str(key), "features", {}, row.astype("<f4").tobytes()) for key, row in enumerate(x)]
    settings = _learner(learner) | ({"prices": {"votes": {"crowd": 1, "expert": 10}}} if experts else {})
    return Pool(items=items, truth=truth, answer=answer, classes=classes, settings=settings, experts=experts)


def _learner(name: str) -> dict[str, Any]:
    return {"learner": {"name": name}}


def _names(n_classes: int) -> list[str]:
    return [f"class {number}" for number in range(n_classes)]


@lru_cache(maxsize=2)
def _load(name: str) -> Dataset:
    return datasets.load(name)


def _filled_in(data: Dataset) -> NDArray[np.bool_]:
    """Return which items have votes that the source filled in (gimpel_pos)."""
    none: NDArray[np.bool_] = np.zeros(len(data.tasks), dtype=bool)
    return (data.items["auto"].fill_null(0) != 0).to_numpy() if "auto" in data.items.columns else none


def _matrices(data: Dataset) -> Array:
    """Return the confusion matrix of each worker, (n_workers, true, voted), shrunk a little to that of the crowd."""
    votes, n_classes = data.votes, len(data.classes)
    assert votes is not None
    has_gold = data.gold[votes.task] >= 0
    counts = np.zeros((votes.n_workers, n_classes, n_classes))
    np.add.at(counts, (votes.worker[has_gold], data.gold[votes.task[has_gold]], votes.label[has_gold]), 1)
    crowd = counts.sum(axis=0) + 1 / n_classes
    counts += PRIOR_VOTES * crowd / crowd.sum(axis=1, keepdims=True)
    return counts / counts.sum(axis=2, keepdims=True)


def _item(data: Dataset, row: int, key: str) -> NewItem:
    """Return an item of a dataset: its numbers, otherwise its texts."""
    columns, item = data.items.columns, data.items.row(row, named=True)
    if "text" not in columns and "token" not in columns:
        numbers = None if data.features is None else np.asarray(data.features[row], dtype="<f4").tobytes()
        return NewItem(key, "features" if numbers else "text", {} if numbers else {"text": ""}, numbers)
    if "text2" in columns:
        return NewItem(key, "pair", {"text_a": item["text"] or "", "text_b": item["text2"] or ""})
    return NewItem(key, "text", {"text": str(item.get("text") or item.get("token") or "")})
