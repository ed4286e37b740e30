"""Forecasts of the dashboard for running projects, compared with their finish, on many kinds of pools.

python -m benchmarks.service.forecast [--quick] [--json FILE]

Every project is run to its end in process, on SQLite. The width of the band is also fitted for each kind of pool to the
forecasts of all others, which tests it on pools that it was not fitted to. QUORATE_DATA names the folder of the real
datasets. --quick: one project of each kind instead of three.
"""

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")  # threads on busy processors wait for each other

from collections.abc import Sequence

import numpy as np

from benchmarks.harness import Figures, run
from benchmarks.service.forecast_pools import POOLS
from benchmarks.service.forecast_runs import MOMENTS, Comparison, compare_forecasts
from quorate.service.forecasts.running import LEVEL

SEEDS = (3, 4, 5)  # the rule was chosen on pools of seeds 0 to 2
MIN_COVERAGE, MAX_WIDTH = 0.75, 0.8
NO_CLASSIFIER = "no classifier"  # prefix of the names of such pools


def measure(figures: Figures, quick: bool) -> None:
    """Add the coverage of the bands of all forecasts."""
    if not os.environ.get("QUORATE_DATA"):
        raise SystemExit("QUORATE_DATA is not set: set it to the folder of the real datasets")
    comparisons: list[Comparison] = []
    for name in POOLS:
        own: list[Comparison] = []
        for seed in SEEDS:
            own += compare_forecasts(name, seed)
            if quick and own:  # a project that ends soon may show no forecast near any of the moments
                break
        add(figures, name, own)
        comparisons += own
    alone = [result for result in comparisons if result.pool.startswith(NO_CLASSIFIER)]
    add(figures, "with a classifier", [result for result in comparisons if result not in alone])
    add(figures, "people alone", alone)
    for moment in MOMENTS:
        add(figures, f"at {moment:.0%} of the votes", [result for result in comparisons if result.moment == moment])
    add(figures, "all", comparisons)
    figures.add(
        "all: 80 % band of the money holds", float(np.mean([result.holds("spend") for result in comparisons])), ""
    )
    cross_validate(figures, comparisons)
    figures.add("fitted to all: OFF", fit_log_error(comparisons), "")


def add(figures: Figures, name: str, comparisons: Sequence[Comparison]) -> None:
    """Add coverage and width of the bands that were shown, and the error of the value."""
    if not comparisons:
        return
    logs = np.log([result.ratio for result in comparisons])
    bands = [result.shown["votes"] for result in comparisons]
    width = float(np.median([(band["high"] - band["low"]) / band["value"] for band in bands]))
    figures.add(f"{name}: 80 % band holds", float(np.mean([result.holds() for result in comparisons])), "")
    details = {"forecasts": len(comparisons), "bias": float(np.exp(-logs.mean()) - 1)}
    figures.add(f"{name}: width of the band / value, median", width, "")
    figures.add(f"{name}: mean error of votes in all", float(np.abs(np.expm1(-logs)).mean()), "", details=details)


def cross_validate(figures: Figures, comparisons: Sequence[Comparison]) -> None:
    """Add coverage and width of each kind of pool, with a band that is fitted to all other kinds."""
    kinds = sorted({result.pool for result in comparisons})
    errors = {kind: fit_log_error([result for result in comparisons if result.pool != kind]) for kind in kinds}
    holds = {kind: [result.needed <= errors[kind] for result in comparisons if result.pool == kind] for kind in kinds}
    width = float(np.median([result.width(errors[result.pool]) for result in comparisons]))
    share = float(np.mean([is_held for results in holds.values() for is_held in results]))
    details = {kind: float(np.mean(results)) for kind, results in holds.items()}
    figures.add("each kind by all others: 80 % band holds", share, "", least=MIN_COVERAGE, details=details)
    figures.add("each kind by all others: width of the band / value, median", width, "", most=MAX_WIDTH)


def fit_log_error(comparisons: Sequence[Comparison]) -> float:
    """Return the LOG_ERROR with which four of five bands would have contained the truth."""
    return float(np.quantile([result.needed for result in comparisons], LEVEL))


if __name__ == "__main__":
    run(measure, __doc__ or "")
