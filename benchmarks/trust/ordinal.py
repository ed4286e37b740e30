"""Rating scales: accuracy of `ordinal` and of methods that do not use the order, on simulated and real ratings.

python -m benchmarks.trust.ordinal [--quick] [--json FILE]

QUORATE_DATA names the folder of the sets, for the ratings of movies. Simulated scales have 5 and 7 points and are drawn
in three ways, none of which is the model of `ordinal` (see rating_scales.py). Its model and constants were chosen on
crowds drawn in the same ways with other seeds, and on these ratings of movies. Accuracy is the share of tasks whose
label is exactly right. --quick: three seeds instead of ten.
"""

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")  # two threads on two busy processors wait for each other

from collections.abc import Callable
from typing import cast

import numpy as np

from benchmarks.harness import Figures, run
from benchmarks.trust.rating_scales import CROWDS, Scale, movie_ratings, movies_3_classes, prototype_matrices
from quorate import Votes, aggregate
from quorate.metrics import accuracy, expected_calibration_error
from quorate.registry.method_names import AggregationMethod
from quorate.typing import Array

METHODS = ("majority", "dawid_skene", "one_coin", "glad", "ebcc", "ensemble", "ordinal")
POINTS = (5, 7)
VOTES_PER_TASK = (3, 5)
MANY_VOTES = 150  # of each worker, where confusion matrices can be learned
FIRST_SEED = 1000
LEAST_LEAD = 0.03
MEASURES = ("accuracy", "mean_error", "ece")  # mean_error: absolute, in steps of the scale


def measure(figures: Figures, quick: bool) -> None:
    """Measure the lead of ordinal over dawid_skene on simulated scales, and all methods on ratings of movies."""
    seeds = range(FIRST_SEED, FIRST_SEED + (3 if quick else 10))
    for n_points in POINTS:
        leads = []
        for name, simulate in CROWDS.items():
            scales = (simulate(n_points, n_votes, seed) for seed in seeds for n_votes in VOTES_PER_TASK)
            scores = _mean([measure_scale(scale) for scale in scales])
            leads.append(_lead(scores))
            _add(figures, f"{n_points} points, {name}", scores, n_points)
        many = [prototype_matrices(n_points, VOTES_PER_TASK[-1], seed, MANY_VOTES) for seed in seeds]
        title = f"{n_points} points, prototype matrices, {MANY_VOTES} votes per worker"
        _add(figures, title, _mean([measure_scale(scale) for scale in many]), n_points)
        note = f"{len(seeds)} seeds, {VOTES_PER_TASK[0]} and {VOTES_PER_TASK[1]} votes per task"
        title = f"{n_points}-point scales: accuracy of ordinal minus dawid_skene's"
        figures.add(title, float(np.mean(leads)), "", least=LEAST_LEAD, note=note)
    for name, load in real_scales().items():
        scale = load()
        _add(figures, name, measure_scale(scale), scale.votes.n_classes)


def real_scales() -> dict[str, Callable[[], Scale]]:
    """Return the scales of real ratings by name, as functions that load them."""
    finer = {f"movie ratings, {n} points": lambda n=n: movie_ratings(n) for n in (5, 7, 11)}
    return {"movie_reviews_3class": movies_3_classes, **finer}


def measure_scale(scale: Scale) -> dict[str, dict[str, float]]:
    """Return the accuracy, mean absolute error and calibration error of every method on one scale."""
    gold = scale.gold
    has_gold = gold >= 0
    scores = {}
    for name, probs in _probabilities(scale.votes).items():
        error = np.abs(probs.argmax(axis=1) - gold)[has_gold].mean()
        ece = expected_calibration_error(probs[has_gold], gold[has_gold])
        scores[name] = dict(zip(MEASURES, (accuracy(probs, gold), float(error), ece), strict=True))
    return scores


def _probabilities(votes: Votes) -> dict[str, Array]:
    """Return the probabilities of each method; those of the median and of the rounded mean are zero or one."""
    counts, points = votes.counts(), np.arange(votes.n_classes)
    n_votes = np.maximum(votes.votes_per_task, 1)
    median = (counts.cumsum(axis=1) >= n_votes[:, None] / 2).argmax(axis=1)
    mean = np.rint(counts @ points / n_votes).astype(np.int64)
    probs = {name: aggregate(votes, cast(AggregationMethod, name)).probs for name in METHODS}
    return {"median": np.eye(len(points))[median], "mean": np.eye(len(points))[mean], **probs}


def _add(figures: Figures, title: str, scores: dict[str, dict[str, float]], n_points: int) -> None:
    rounded = {name: {key: round(value, 4) for key, value in row.items()} for name, row in scores.items()}
    details = {"scale": title, "points": n_points, "methods": rounded}
    figures.add(f"{title}: accuracy of ordinal minus dawid_skene's", _lead(scores), "", details=details)
    for measured in MEASURES:
        row = ", ".join(f"{name} {score[measured]:.3f}" for name, score in scores.items())
        print(f"  {measured}: {row}", flush=True)


def _lead(scores: dict[str, dict[str, float]]) -> float:
    return scores["ordinal"]["accuracy"] - scores["dawid_skene"]["accuracy"]


def _mean(runs: list[dict[str, dict[str, float]]]) -> dict[str, dict[str, float]]:
    return {name: {key: float(np.mean([scores[name][key] for scores in runs])) for key in MEASURES} for name in runs[0]}


if __name__ == "__main__":
    run(measure, __doc__ or "")
