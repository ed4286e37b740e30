"""Ambiguous items and calibration: tables of two papers reproduced, effects of pruning and calibration.

python -m benchmarks.calibration.suite [--quick] [--json FILE]      (or: make calibrate)

QUORATE_DATA names the folder of the sets. Figures on real sets are the mean of five seeds, those on simulated ones of
ten (--quick: two of either). A paper's claim that is not a target is shown without a verdict.
"""

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")  # two threads on two busy processors wait for each other


from benchmarks.calibration import by_votes, item_scores, pruning_real, pruning_simulated, texts
from benchmarks.harness import Figures, run


def measure(figures: Figures, quick: bool) -> None:
    """Run Lefort et al. on simulated sets and real votes, NN1 on texts, and calibration without gold labels."""
    if not os.environ.get("QUORATE_DATA"):
        raise SystemExit("QUORATE_DATA is not set: set it to the folder of the real sets")
    for part in (item_scores, by_votes, pruning_simulated, pruning_real, texts):
        part.measure(figures, quick)


if __name__ == "__main__":
    run(measure, "Ambiguous items, and probabilities that can be trusted.")
