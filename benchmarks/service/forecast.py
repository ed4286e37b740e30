"""Forecasts of the dashboard for running projects, compared with their finish, on many kinds of pools.

python -m benchmarks.service.forecast [--quick] [--json FILE]

Every project is run to its end in process, on SQLite. The band is also made anew for each kind of pool by how far off
the forecasts of all others were: that tells what it does on pools it was not fitted to. QUORATE_DATA names the folder
of the real sets. --quick: one project of each kind instead of three.
"""

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")  # two threads on two busy processors wait for each other

from collections.abc import Sequence

import numpy as np

from benchmarks.harness import Figures, run
from benchmarks.service.forecast_pools import POOLS
from benchmarks.service.forecast_runs import MOMENTS, Foretold, foretold
from quorate.service.forecasts.running import LEVEL

SEEDS = (3, 4, 5)  # the rule was chosen on pools of seeds 0 to 2
LEAST, MOST_WIDTH = 0.75, 0.8
PEOPLE_ALONE = "no classifier"  # how the names of such pools begin


def measure(figures: Figures, quick: bool) -> None:
    """Add how often the bands of all forecasts hold."""
    if not os.environ.get("QUORATE_DATA"):
        raise SystemExit("QUORATE_DATA is not set: set it to the folder of the real sets")
    found: list[Foretold] = []
    for name in POOLS:
        own: list[Foretold] = []
        for seed in SEEDS:
            own += foretold(name, seed)
            if quick and own:  # a project that ends soon may show no forecast near any of the moments
                break
        add(figures, name, own)
        found += own
    alone = [one for one in found if one.pool.startswith(PEOPLE_ALONE)]
    add(figures, "with a classifier", [one for one in found if one not in alone])
    add(figures, "people alone", alone)
    for moment in MOMENTS:
        add(figures, f"at {moment:.0%} of the votes", [one for one in found if one.moment == moment])
    add(figures, "all", found)
    figures.add("all: 80 % band of the money holds", float(np.mean([one.holds("spend") for one in found])), "")
    by_others(figures, found)
    figures.add("fitted to all: OFF", off_of(found), "")


def add(figures: Figures, name: str, some: Sequence[Foretold]) -> None:
    """How often the bands that were shown hold, how wide they are, and how far off the value is."""
    if not some:
        return
    logs = np.log([one.ratio for one in some])
    bands = [one.told["votes"] for one in some]
    width = float(np.median([(band["high"] - band["low"]) / band["value"] for band in bands]))
    figures.add(f"{name}: 80 % band holds", float(np.mean([one.holds() for one in some])), "")
    details = {"forecasts": len(some), "bias": float(np.exp(-logs.mean()) - 1)}
    figures.add(f"{name}: width of the band / value, median", width, "")
    figures.add(f"{name}: mean error of votes in all", float(np.abs(np.expm1(-logs)).mean()), "", details=details)


def by_others(figures: Figures, found: Sequence[Foretold]) -> None:
    """Each kind of pool by the width that all others need."""
    kinds = sorted({one.pool for one in found})
    off = {kind: off_of([one for one in found if one.pool != kind]) for kind in kinds}
    holds = {kind: [one.needed <= off[kind] for one in found if one.pool == kind] for kind in kinds}
    width = float(np.median([one.width(off[one.pool]) for one in found]))
    share = float(np.mean([one for each in holds.values() for one in each]))
    details = {kind: float(np.mean(each)) for kind, each in holds.items()}
    figures.add("each kind by all others: 80 % band holds", share, "", least=LEAST, details=details)
    figures.add("each kind by all others: width of the band / value, median", width, "", most=MOST_WIDTH)


def off_of(some: Sequence[Foretold]) -> float:
    """The OFF by which four of five bands would have held."""
    return float(np.quantile([one.needed for one in some], LEVEL))


if __name__ == "__main__":
    run(measure, __doc__ or "")
