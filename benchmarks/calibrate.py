"""Ambiguous items and probabilities that can be trusted: papers' tables redone, what pruning and calibration do.

python benchmarks/calibrate.py [--quick] [--json FILE]      (or: make calibrate)

QUORATE_DATA names the folder of the sets. Figures on real sets are the mean of five seeds (--quick: two), those on
simulated ones of ten. Where a paper's claim is no target, its row is shown as it came out.
"""

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")  # two threads on two busy processors wait for each other

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from benchmarks import calibrate_pruning, calibrate_scores, calibrate_simulated, calibrate_texts, calibrate_votes
from benchmarks.harness import Figures, run


def measure(figures: Figures, quick: bool) -> None:
    """Paper B on its simulated sets and on real votes, paper A on its texts, and calibration without gold."""
    if not os.environ.get("QUORATE_DATA"):
        raise SystemExit("QUORATE_DATA is not set: let it name the folder of the real sets")
    for part in (calibrate_scores, calibrate_votes, calibrate_simulated, calibrate_pruning, calibrate_texts):
        part.measure(figures, quick)


if __name__ == "__main__":
    run(measure, "Ambiguous items, and probabilities that can be trusted.")
