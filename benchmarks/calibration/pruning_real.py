"""What pruning by AUMC and WAUM does on real votes (tables 5 and 6 of Lefort et al., on given features)."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.stats import t as student

from benchmarks.harness import Figures
from benchmarks.learning.runs import FAR, deviation, in_parallel, mean
from benchmarks.learning.sets import Task, load
from quorate import ItemScores, aggregate, prune
from quorate.ambiguity.aumc import Aumc
from quorate.ambiguity.waum import Waum
from quorate.learning._clone import fresh
from quorate.learning.bases.mlp import Mlp
from quorate.learning.heads.conal import Conal
from quorate.learning.heads.crowd_layer import CrowdLayer
from quorate.learning.item_scores import score_items
from quorate.learning.learners.network import Network
from quorate.learning.targets.hard import Hard
from quorate.learning.targets.stacked import Stacked
from quorate.learning.training.recipe import Recipe
from quorate.metrics import expected_calibration_error
from quorate.registry.method_names import AggregationMethod

ALPHAS = (0.01, 0.05, 0.1)
PRUNED_BY = ("aumc", "waum")
RECIPE = Recipe(epochs=40, batch_size=64, optimiser="adam")
BASES = {"labelme": Mlp(dropout=0.5), "music_genre": Mlp(sizes=(128,), batch_norm=True, dropout=0.5)}


@dataclass(frozen=True, eq=False)
class Way:
    """A way to learn from votes: the aggregation method and the network."""

    name: str
    method: AggregationMethod
    network: Network


def ways(base: Mlp) -> list[Way]:
    """Return those of the paper's tables 5 and 6, all with one base and recipe, trained to the end."""
    plain, hard = Network(base=base, recipe=RECIPE), Network(base=base, recipe=RECIPE, target=Hard())
    return [
        Way("MV", "majority", hard),
        Way("NS", "naive_soft", plain),
        Way("DS", "dawid_skene", plain),
        Way("GLAD", "glad", plain),
        Way("WDS", "weighted_dawid_skene", plain),
        Way("CrowdLayer", "dawid_skene", replace(plain, head=CrowdLayer(shrink=0.0))),
        Way("CoNAL", "dawid_skene", replace(plain, head=Conal())),
    ]


def measure(figures: Figures, quick: bool) -> None:
    """Gain in test accuracy, in points, of every way with pruning over the same way without."""
    seeds = 2 if quick else 5
    for name, base in BASES.items():
        task = load(name)
        runs = in_parallel(_one_seed, [(task, base, FAR * seed) for seed in range(seeds)])
        for way in ways(base):
            for kind, alpha in _prunings():
                show(figures, task, way.name, kind, alpha, [probs_by_way[way.name] for probs_by_way in runs])


Answers = dict[tuple[str, float], NDArray[np.float64]]  # (pruned by, alpha) -> probabilities of the test items


def _prunings() -> Iterator[tuple[str, float]]:
    return ((kind, alpha) for kind in PRUNED_BY for alpha in ALPHAS)


def _one_seed(task: Task, base: Mlp, shift: int) -> dict[str, Answers]:
    """Return the predictions of each way for the test items, with every pruning and without."""
    scores = {"waum": measured(task, base, shift), "aumc": measured(task, base, shift, by_majority=True)}
    probs_by_way: dict[str, Answers] = {}
    for way in ways(base):
        probs_by_way[way.name] = {("", 0.0): taught(way, task, None, 0.0, shift)}
        for kind, alpha in _prunings():
            probs_by_way[way.name][kind, alpha] = taught(way, task, scores[kind], alpha, shift)
    return probs_by_way


def measured(task: Task, base: Mlp, shift: int, by_majority: bool = False) -> ItemScores:
    """WAUM, by a network that learns every vote; or AUMC, by one that learns the majority's labels."""
    if by_majority:
        watched = Network(base=base, target=Hard(), recipe=RECIPE)
        posterior = aggregate(task.votes, "majority")
        return score_items(Aumc(), task.x, task.votes, posterior, learner=fresh(watched, shift))
    watched = Network(base=base, target=Stacked(), recipe=RECIPE)
    return score_items(Waum(), task.x, task.votes, task.posterior, learner=fresh(watched, shift))


def taught(way: Way, task: Task, scores: ItemScores | None, alpha: float, shift: int) -> NDArray[np.float64]:
    """Return predictions for the test items after training without the most ambiguous, on votes aggregated again."""
    rows, votes = np.arange(task.votes.n_tasks), task.votes
    if scores is not None:
        pruning = prune(votes, scores, alpha)
        rows, votes = np.flatnonzero(pruning.kept), pruning.votes
    fitted = fresh(way.network, shift).fit(task.x[rows], votes, aggregate(votes, way.method))
    return fitted.predict_proba(task.test_x)


def show(figures: Figures, task: Task, way: str, kind: str, alpha: float, seeds: list[Answers]) -> None:
    """Add a row: the paired gain and its 95% interval, over seeds and test items together."""
    gold = task.test_gold
    right = {
        key: np.array([answers[key].argmax(axis=1) == gold for answers in seeds]) for key in (("", 0.0), (kind, alpha))
    }
    gains = 100 * (right[kind, alpha].astype(float) - right["", 0.0])  # (n_seeds, n_items)
    low, high = interval(gains)
    eces = {key: mean([expected_calibration_error(answers[key], gold) for answers in seeds]) for key in right}
    details: dict[str, Any] = {
        "set": task.name,
        "way": way,
        "pruned by": kind,
        "alpha": alpha,
        "low": low,
        "high": high,
        "without": float(right["", 0.0].mean()),
        "without_deviation": deviation(right["", 0.0].mean(axis=1).tolist()),
        "with": float(right[kind, alpha].mean()),
        "without_ece": eces["", 0.0],
        "with_ece": eces[kind, alpha],
    }
    figures.add(f"{task.name}: {way} + {kind.upper()}({alpha}) over {way}", float(gains.mean()), "pts", details=details)


def interval(gains: NDArray[np.float64]) -> tuple[float, float]:
    """Return the 95% interval of a mean over seeds (rows) and items (columns), both random samples."""
    n_seeds, n_items = gains.shape
    of_seeds = gains.mean(axis=1).var(ddof=1) / n_seeds if n_seeds > 1 else 0.0
    of_items = gains.mean(axis=0).var(ddof=1) / n_items
    reach = float(student.ppf(0.975, max(n_seeds - 1, 1)) * of_seeds**0.5)
    reach = float(np.hypot(reach, 1.96 * of_items**0.5))
    return float(gains.mean()) - reach, float(gains.mean()) + reach
