"""Calibration of the consensus: ECE, log-loss and accuracy of the default, with and without gold, and of peers.

python -m benchmarks.trust.consensus [--quick] [--json FILE]

QUORATE_DATA names the folder of the sets: the 19 sets of aggregation/accuracy. ECE has 15 bins of equal width; log-loss
clips probabilities to 0.001. Figures are means over sets. With gold labels, 50 tasks are drawn at random, five times,
and the other tasks are measured. --quick: crowd-kit has ten seconds for each set instead of a minute, and gold labels
are drawn twice.
"""

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")  # one thread for everybody

from collections.abc import Mapping
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from benchmarks.aggregation.accuracy import COMBINED, QUICK_SECONDS, VoteSet, vote_sets
from benchmarks.aggregation.crowdkit_runs import SECONDS
from benchmarks.harness import Figures, best_cpu, run, slowness
from quorate import aggregate, registry, simulate_votes
from quorate.aggregation import DawidSkene
from quorate.errors import MethodError
from quorate.inference.design_effect import design_effect, discount
from quorate.metrics import accuracy, expected_calibration_error, log_loss
from quorate.registry.method_names import AggregationMethod
from quorate.typing import Array

N_GOLD, N_DRAWS, QUICK_DRAWS = 50, 5, 2
PEERS = ("DawidSkene", "OneCoinDawidSkene", "MajorityVote")
ORDINAL = "ordinal"  # it uses the order of classes, which the others do not have
CONSTANTS = (0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.1, 1.2, 1.4)  # n votes count as this times sqrt(n)

Scores = dict[str, float]


def measure(figures: Figures, quick: bool) -> None:
    """Add all rows."""
    if not os.environ.get("QUORATE_DATA"):
        raise SystemExit("QUORATE_DATA is not set: set it to the folder of the vote sets")
    sets = vote_sets(QUICK_SECONDS if quick else SECONDS)
    print(f"{len(sets)} sets", flush=True)
    measure_without_gold(figures, sets)
    measure_with_gold(figures, sets, QUICK_DRAWS if quick else N_DRAWS)
    measure_regret(figures, sets)
    measure_constant(figures, sets)
    measure_speed(figures, repeats=1 if quick else 3)


def measure_without_gold(figures: Figures, sets: list[VoteSet]) -> None:
    """Add the scores of the default, of dawid_skene with and without the discount, of vote shares, and of peers."""
    ours: dict[str, dict[str, Any]] = {
        "the default": {},
        "dawid_skene": {"method": "dawid_skene"},
        "dawid_skene, probabilities of the model": {"method": "dawid_skene", "probabilities": "model"},
        "vote shares": {"method": "naive_soft"},
    }
    targets = {"ECE": {"most": 0.068}, "log-loss": {"most": 0.53}, "accuracy": {"least": 0.827}}
    for name, options in ours.items():
        by_set = {data.name: score(aggregate(data.votes, **options).probs, data.gold) for data in sets}
        add_scores(figures, f"{name}, no gold", by_set, targets if name == "the default" else {})
    for peer in PEERS:
        runs = {data.name: (data.by_crowdkit(peer).scores, data.gold) for data in sets}
        by_set = {name: score(as_probs(scores), gold) for name, (scores, gold) in runs.items() if scores is not None}
        add_scores(figures, f"crowd-kit {peer}, no gold", by_set, {}, note=f"{len(by_set)} sets")


def measure_with_gold(figures: Figures, sets: list[VoteSet], n_draws: int) -> None:
    """Add the scores of tasks without gold where 50 others have it."""
    ways: dict[str, dict[str, Any]] = {
        "the default": {},
        "dawid_skene, probabilities of the model": {"method": "dawid_skene", "probabilities": "model"},
    }
    for name, options in ways.items():
        by_set = {data.name: mean_scores([score_draw(data, draw, options) for draw in range(n_draws)]) for data in sets}
        targets = {"ECE": {"most": 0.048}} if name == "the default" else {}
        add_scores(figures, f"{name}, {N_GOLD} gold", by_set, targets, note=f"{n_draws} draws")


def score_draw(data: VoteSet, seed: int, options: Mapping[str, Any]) -> Scores:
    """Return the scores of the other tasks with gold, given the gold labels of 50 that are drawn at random."""
    rows = np.random.default_rng(seed).permutation(np.flatnonzero(data.gold >= 0))
    shown, rest = np.full(len(data.gold), -1), data.gold.copy()
    shown[rows[:N_GOLD]], rest[rows[:N_GOLD]] = data.gold[rows[:N_GOLD]], -1
    return score(aggregate(data.votes, gold=shown, **options).probs, rest)


def measure_regret(figures: Figures, sets: list[VoteSet]) -> None:
    """Add how far the default and dawid_skene are behind the best single method of each set, chosen in hindsight."""
    singles = {data.name: single_accuracies(data) for data in sets}
    for name, method in (("the default", "ensemble"), ("dawid_skene", "dawid_skene")):
        ours = {
            data.name: accuracy(aggregate(data.votes, cast(AggregationMethod, method)).probs, data.gold)
            for data in sets
        }
        without_order = {data: max(row[other] for other in row if other != ORDINAL) for data, row in singles.items()}
        with_order = {data: max(row.values()) for data, row in singles.items()}
        target = 0.011 if name == "the default" else None
        add_regret(figures, f"{name}: accuracy below the best single method of each set", ours, without_order, target)
        add_regret(figures, f"{name}: the same, ordinal among the methods", ours, with_order, None)


def add_regret(figures: Figures, name: str, ours: Scores, best: Scores, target: float | None) -> None:
    """Add the mean over the sets of how far an accuracy is below the best."""
    gaps = {data: best[data] - ours[data] for data in ours}
    figures.add(name, float(np.mean(list(gaps.values()))), "", most=target, details={"sets": rounded(gaps)})


def single_accuracies(data: VoteSet) -> Scores:
    """Return the accuracy of every single method that takes the votes."""
    right = {}
    for name in registry.names("aggregation"):
        if name in COMBINED:
            continue
        try:
            right[name] = accuracy(registry.method("aggregation", name).aggregate(data.votes).probs, data.gold)
        except MethodError:
            continue
    return right


def measure_constant(figures: Figures, sets: list[VoteSet]) -> None:
    """Add the ECE of dawid_skene for several constants of the discount, and for one chosen on the other sets."""
    table = np.array([discounted_errors(data) for data in sets])  # (n_sets, n_constants)
    for constant, mean in zip(CONSTANTS, table.mean(axis=0), strict=True):
        details = {"constant": constant}
        figures.add(f"dawid_skene, n votes count as {constant} sqrt(n): ECE", float(mean), "", details=details)
    chosen = [int(np.argmin(np.delete(table, row, axis=0).mean(axis=0))) for row in range(len(sets))]
    left_out = float(np.mean(table[np.arange(len(sets)), chosen]))
    note = ", ".join(f"{CONSTANTS[column]} on {chosen.count(column)} sets" for column in sorted(set(chosen)))
    figures.add("dawid_skene, constant chosen with the measured set left out: ECE", left_out, "", note=note)


def discounted_errors(data: VoteSet) -> list[float]:
    """Return the ECE of dawid_skene for each constant."""
    raw, n_votes = DawidSkene().aggregate(data.votes).probs, data.votes.votes_per_task
    discounted = [discount(raw, design_effect(n_votes, constant)) for constant in CONSTANTS]
    return [expected_calibration_error(probs, data.gold) for probs in discounted]


def measure_speed(figures: Figures, repeats: int) -> None:
    """Add the CPU time of the default for 100,000 votes."""
    votes = simulate_votes(n_tasks=20_000, votes_per_task=5, workers={"reliable": 500, "spammer": 50}, seed=0).votes
    seconds = best_cpu(lambda: aggregate(votes), repeats=repeats)
    figures.add("CPU of the default, 100,000 votes of 550 workers on two classes", seconds, "s", most=5 * slowness())


def add_scores(
    figures: Figures, name: str, by_set: Mapping[str, Scores], targets: Mapping[str, dict[str, float]], note: str = ""
) -> None:
    """Add the means over the sets of all scores, as one row each."""
    for what in ("ECE", "log-loss", "accuracy"):
        values = {data: scores[what] for data, scores in by_set.items()}
        details = {"way": name, "score": what, "sets": rounded(values)}
        mean = float(np.mean(list(values.values())))
        figures.add(f"{name}: {what}", mean, "", **targets.get(what, {}), note=note, details=details)


def score(probs: Array, gold: NDArray[np.int64]) -> Scores:
    """Return ECE, log-loss and accuracy of the tasks with gold."""
    return {
        "ECE": expected_calibration_error(probs, gold),
        "log-loss": log_loss(probs, gold),
        "accuracy": accuracy(probs, gold),
    }


def mean_scores(draws: list[Scores]) -> Scores:
    """Return the mean of every score."""
    return {what: float(np.mean([scores[what] for scores in draws])) for what in draws[0]}


def as_probs(scores: Array) -> Array:
    """Return the probabilities of crowd-kit; a class that it does not know of has none."""
    return np.where(np.isfinite(scores), scores, 0.0)


def rounded(values: Mapping[str, float]) -> Scores:
    return {name: round(value, 4) for name, value in values.items()}


if __name__ == "__main__":
    run(measure, __doc__ or "")
