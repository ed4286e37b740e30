"""Encoders of texts and images: accuracy of a softmax regression on their features, and their speed.

python -m benchmarks.learning.encoders [--quick] [--json FILE]

The regression is taught all gold labels, in five folds, and compared with one on words or pixels. Speed is in items per
second of CPU, of one thread, without the cache. --quick: 200 items of each set instead of 2,000.
"""

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ["QUORATE_CACHE"] = ""

import time
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.harness import Figures, run
from quorate import datasets
from quorate.io.items import Items
from quorate.learning.encoders.cache import feature_cache
from quorate.learning.features import encoder_of, fit_features

SETS = {  # name -> the question
    "amazon_isbook": "is this review about a book?",
    "movie_reviews_3class": "how good is this film, by its review?",
    "sent_polarity": "is this sentence positive?",
    "rte_snow": "does a sentence follow from another?",
    "zencrowd_us": "is this link about this name?",
    "d_product": "are these the same product?",
    "stemming_jamison": "do these words have the same stem?",
    "labelme": "which of eight scenes is this photo?",
}
VARIANCE = 4.0  # of the prior of a weight; features have a mean squared length of 1


def measure(figures: Figures, quick: bool) -> None:
    """Accuracy and speed on each set."""
    for name, question in SETS.items():
        items, gold = load(name, 200 if quick else 2000)
        encoder_of(items)  # loaded before the time is measured
        plain, _ = accuracy(items, gold, "none")
        encoded, seconds = accuracy(items, gold, "auto")
        details = {"set": name, "question": question, "kind": items.kind, "n_items": len(items)}
        details |= {"plain": plain, "encoded": encoded, "per_second": len(items) / seconds}
        note = f"{len(items):,} items, words or pixels {plain:.3f}"
        figures.add(f"{name}: accuracy on features of the encoder", encoded, "", note=note, details=details)
        figures.add(f"{name}: {items.kind} encoded per second of CPU", len(items) / seconds, "")


def load(name: str, most: int) -> tuple[Items, NDArray[np.int64]]:
    """Return at most `most` items that have votes and gold labels, drawn at random, and the labels."""
    data = datasets.load(name)
    assert data.votes is not None
    rows = np.flatnonzero((data.votes.votes_per_task > 0) & (data.gold >= 0))
    rows = np.sort(np.random.default_rng(0).permutation(rows)[:most])
    table = data.items[rows].fill_null("")
    columns = {name: table[name].to_list() for name in ("text", "text2", "file") if name in table.columns}
    tasks = data.tasks[rows]
    if "file" in columns:
        folder = Path(os.environ["QUORATE_DATA"]) / name
        return Items(tasks=tasks, kind="images", x=[folder / file for file in columns["file"]]), data.gold[rows]
    if "text2" in columns:
        pairs = list(zip(columns["text"], columns["text2"], strict=True))
        return Items(tasks=tasks, kind="pairs", x=pairs), data.gold[rows]
    return Items(tasks=tasks, kind="texts", x=columns["text"]), data.gold[rows]


def accuracy(items: Items, gold: NDArray[np.int64], encoder: str) -> tuple[float, float]:
    """Return the accuracy in five folds, and the CPU seconds that the features took."""
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import StratifiedKFold, cross_val_score

    feature_cache.cache_clear()
    begin = time.process_time()
    features = fit_features(items, encoder)[1]
    seconds = time.process_time() - begin
    folds = StratifiedKFold(5, shuffle=True, random_state=0)
    scores: Any = cross_val_score(LogisticRegression(C=VARIANCE, max_iter=1000), features, gold, cv=folds)
    return float(scores.mean()), seconds


if __name__ == "__main__":
    run(measure, __doc__ or "")
