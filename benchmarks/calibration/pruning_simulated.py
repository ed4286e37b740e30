"""Pruning of ambiguous items: tables 1, 3 and 4 of the WAUM paper on its simulated sets, reproduced.

Every row trains the paper's network, an MLP of (30, 20, 20) with batches of 64, by the optimiser that the paper names
for all but LabelMe and Music: SGD, 150 epochs with a rate of .1, a tenth of it from epoch 50 on and a hundredth from
100 on, momentum .9, weight decay 5e-4; nothing is scaled. AUMC and WAUM watch the first 50 epochs of such a training,
WAUM's on every vote as an example of its own, AUMC's on the majority's labels; margins are psi5 of the softmax. Seeds
differ in the points, the split, the workers and the network. Where a set is pruned, its votes are aggregated again.

DS is Dawid and Skene's maximum likelihood, as the paper prints it (shrink="none"), as is what WDS and WAUM read. Which
labels teach the rows of WAUM in tables 3 and 4 is not said: WDS, as in table 1, whose row without pruning is added.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from benchmarks.harness import Figures
from benchmarks.learning.runs import deviation, in_parallel, mean
from quorate.aggregation.dawid_skene import DawidSkene
from quorate.aggregation.glad import Glad
from quorate.aggregation.majority import Majority
from quorate.aggregation.naive_soft import NaiveSoft
from quorate.aggregation.weighted_dawid_skene import WeightedDawidSkene
from quorate.ambiguity.aumc import Aumc
from quorate.ambiguity.prune import prune
from quorate.ambiguity.waum import Waum
from quorate.ambiguity.worker_waum import WorkerWaum
from quorate.data.item_scores import ItemScores
from quorate.learning.bases.mlp import Mlp
from quorate.learning.item_scores import score_items
from quorate.learning.learners.network import Network
from quorate.learning.targets.hard import Hard
from quorate.learning.targets.stacked import Stacked
from quorate.learning.training.protocols import Target
from quorate.learning.training.recipe import Recipe
from quorate.learning.training.schedules import Steps
from quorate.metrics import accuracy, expected_calibration_error
from quorate.protocols import Aggregator, ItemScorer
from quorate.simulation.circles import three_circles
from quorate.simulation.moons import two_moons
from quorate.simulation.trained_workers import SimulatedItems
from quorate.simulation.worker_pool import many_workers
from quorate.typing import Array

RECIPE = Recipe(
    epochs=150,
    batch_size=64,
    optimiser="sgd",
    lr=0.1,
    momentum=0.9,
    weight_decay=5e-4,
    schedule=Steps(at=(50, 100), factor=0.1),
)
METHODS: dict[str, Aggregator] = {
    "MV": Majority(),
    "NS": NaiveSoft(),
    "DS": DawidSkene(shrink="none"),
    "GLAD": Glad(),
    "WDS": WeightedDawidSkene(shrink="none"),
}
SCORES: dict[str, tuple[ItemScorer, Target, str]] = {  # with the labels that the watched network learns, from whom
    "AUMC": (Aumc(), Hard(), "MV"),
    "WAUM": (Waum(), Stacked(), "DS"),
    "worker-wise WAUM": (WorkerWaum(), Hard(), "DS"),  # each worker's own votes are all that it learns
}


@dataclass(frozen=True)
class Row:
    """A row of a table: the method, what is pruned by, how much, and the paper's accuracy and calibration error.

    printed: nothing where the paper has no such row, which stands here to compare with.
    """

    method: str
    printed: tuple[float, float] | None
    score: str = ""
    alpha: float = 0.0

    @property
    def name(self) -> str:
        """As the tables of the paper call it."""
        return f"{self.method} + {self.score}({self.alpha:g})" if self.score else self.method


@dataclass(frozen=True)
class Table:
    """A table of the paper: the set, and its rows."""

    number: int
    simulate: Callable[..., SimulatedItems]
    rows: tuple[Row, ...]

    @property
    def name(self) -> str:
        """The name of the set."""
        return self.simulate.__name__


THREE_CIRCLES = Table(
    1,
    three_circles,
    (
        Row("MV", (0.73, 0.13)),
        Row("NS", (0.70, 0.18)),
        Row("DS", (0.75, 0.22)),
        Row("GLAD", (0.58, 0.36)),
        Row("WDS", (0.81, 0.17)),
        Row("WDS", (0.81, 0.17), "AUMC", 0.1),
        Row("WDS", (0.80, 0.17), "WAUM", 0.01),
        Row("WDS", (0.83, 0.19), "WAUM", 0.1),
        Row("WDS", (0.69, 0.19), "WAUM", 0.25),
    ),
)
TWO_MOONS = Table(
    3,
    two_moons,
    (
        Row("MV", (0.894, 0.098)),
        Row("NS", (0.887, 0.217)),
        Row("DS", (0.867, 0.126)),
        Row("GLAD", (0.872, 0.107)),
        Row("WDS", None),
        Row("WDS", (0.875, 0.088), "worker-wise WAUM", 0.001),
        Row("WDS", (0.874, 0.092), "worker-wise WAUM", 0.01),
        Row("WDS", (0.870, 0.101), "worker-wise WAUM", 0.1),
        Row("WDS", (0.829, 0.135), "worker-wise WAUM", 0.25),
    ),
)
MANY_WORKERS = Table(
    4,
    many_workers,
    (
        Row("NS", (0.851, 0.146)),
        Row("DS", (0.849, 0.242)),
        Row("GLAD", (0.842, 0.196)),
        Row("WDS", None),
        Row("WDS", (0.849, 0.137), "worker-wise WAUM", 0.1),
        Row("WDS", (0.861, 0.156), "WAUM", 0.1),
    ),
)


def network(method: str, seed: int) -> Network:
    """Return the network of all rows; majority labels are hard, those of all other methods soft."""
    base = Mlp(sizes=(30, 20, 20), scale="none")
    plain = Network(base=base, recipe=RECIPE, seed=seed)
    return replace(plain, target=Hard()) if method == "MV" else plain


def score(name: str, items: SimulatedItems, seed: int) -> ItemScores:
    """Return the ambiguity of each task by AUMC, WAUM or worker-wise WAUM."""
    scorer, target, method = SCORES[name]
    watched = replace(network(method, seed), target=target)
    return score_items(scorer, items.x, items.votes, METHODS[method].aggregate(items.votes), learner=watched)


@dataclass(frozen=True)
class SeedResult:
    """Results of one seed on the test items, and the share of wrong labels among the pruned items, if any."""

    accuracy: float
    ece: float
    cut_wrong: float | None


def measure_seed(table: Table, seed: int) -> tuple[list[SeedResult], Array]:
    """Return the results of every row of a table with one seed, and the accuracy of each worker on the test items."""
    items = table.simulate(seed=seed)
    scores = {name: score(name, items, seed) for name in dict.fromkeys(row.score for row in table.rows) if name}
    return [_measure_row(row, items, scores, seed) for row in table.rows], items.worker_accuracy


def _measure_row(row: Row, items: SimulatedItems, scores: dict[str, ItemScores], seed: int) -> SeedResult:
    votes, x, cut_wrong = items.votes, items.x, None
    if row.score:
        pruning = prune(votes, scores[row.score], row.alpha)
        wrong = METHODS[row.method].aggregate(votes).labels != items.gold
        votes, x = pruning.votes, x[pruning.kept]
        cut_wrong = None if pruning.kept.all() else float(wrong[~pruning.kept].mean())
    fitted = network(row.method, seed).fit(x, votes, METHODS[row.method].aggregate(votes))
    probs = fitted.predict_proba(items.test_x)
    return SeedResult(accuracy(probs, items.test_gold), expected_calibration_error(probs, items.test_gold), cut_wrong)


def measure(figures: Figures, quick: bool) -> None:
    """Add the tables, and whether pruning pays where the paper claims it."""
    accuracies = {table.name: measure_table(figures, table, 2 if quick else 10) for table in TABLES}
    circles, moons = accuracies["three_circles"], accuracies["two_moons"]
    compare(figures, "three_circles", circles, "WDS + WAUM(0.1)", "WDS", better=True)
    compare(figures, "three_circles", circles, "WDS + WAUM(0.1)", "MV", better=True)
    compare(figures, "two_moons", moons, "WDS + worker-wise WAUM(0.25)", "WDS", better=False)


TABLES = (THREE_CIRCLES, TWO_MOONS, MANY_WORKERS)


def measure_table(figures: Figures, table: Table, seeds: int) -> dict[str, list[float]]:
    """Add every row of a table with the printed figures; return the accuracies of the seeds by row."""
    runs = in_parallel(measure_seed, [(table, seed) for seed in range(seeds)])
    best = [float(workers.max()) for _, workers in runs]
    print(f"\ntable {table.number}, {table.name}: the best worker has {mean(best):.3f} on test", flush=True)
    right: dict[str, list[float]] = {}
    for index, row in enumerate(table.rows):
        here = [rows[index] for rows, _ in runs]
        right[row.name] = [result.accuracy for result in here]
        details = _details(table, row, here)
        if row.score:
            details["gain"], details["gain_error"] = paired(right[row.name], right[row.method])
        paper = f"paper {row.printed[0]:.3f}, ECE {row.printed[1]:.3f}" if row.printed else "not in the paper"
        note = f"ECE {details['ece']:.3f}; {paper}"
        figures.add(f"{table.name}: {row.name}", details["accuracy"], "", note=note, details=details)
    return right


def _details(table: Table, row: Row, here: Sequence[SeedResult]) -> dict[str, Any]:
    right, gaps = [result.accuracy for result in here], [result.ece for result in here]
    details: dict[str, Any] = {
        "table": table.number,
        "set": table.name,
        "row": row.name,
        "accuracy": mean(right),
        "accuracy_deviation": deviation(right),
        "ece": mean(gaps),
        "ece_deviation": deviation(gaps),
        "printed": row.printed or (None, None),
    }
    wrong = [result.cut_wrong for result in here if result.cut_wrong is not None]
    return details | ({"cut_wrong": mean(wrong)} if wrong else {})


def compare(
    figures: Figures, name: str, accuracies: dict[str, list[float]], row: str, other: str, *, better: bool
) -> None:
    """Add the paired difference of two rows, which the paper claims to be above or below zero."""
    gain, error = paired(accuracies[row], accuracies[other])
    title, note = f"{name}: {row} above {other}, by", f"+- {200 * error:.1f}, two standard errors"
    details = {"set": name, "row": row, "than": other, "gain": gain, "gain_error": error}
    least, most = (0.0, None) if better else (None, 0.0)
    figures.add(title, 100 * gain, "pts", least=least, most=most, note=note, details=details)


def paired(values: Sequence[float], others: Sequence[float]) -> tuple[float, float]:
    """Return the mean difference over the same seeds, and its standard error."""
    differences = [left - right for left, right in zip(values, others, strict=True)]
    return mean(differences), deviation(differences) / len(differences) ** 0.5
