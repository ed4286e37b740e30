"""Methods ranked without gold labels, by held-out votes: how well the ranking agrees with their accuracy.

python -m benchmarks.aggregation.without_gold [--quick] [--json FILE]

QUORATE_DATA names the folder of the sets. --quick: the smaller sets only.
"""

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")

from typing import Any

import numpy as np
from scipy.stats import spearmanr

from benchmarks.aggregation.accuracy import VoteSet, vote_sets
from benchmarks.harness import Figures, run
from quorate import compare

MAX_VOTES, QUICK_VOTES = 100_000, 20_000
FIXED = ("ensemble", "dawid_skene", "majority")


def measure(figures: Figures, quick: bool) -> None:
    """Add the mean over sets of the rank correlation, and of the accuracy lost by each way to choose a method."""
    compared = [compare_set(data) for data in vote_sets() if len(data.votes) <= (QUICK_VOTES if quick else MAX_VOTES)]
    correlations = [row["correlation"] for row in compared]
    note = f"{len(compared)} sets"
    figures.add(
        "rank correlation of held-out votes and accuracy",
        np.mean(correlations),
        "",
        note=note,
        details={"sets": compared},
    )
    figures.add("the lowest of a set", min(correlations), "", note=note)
    for choice in ("first by votes", *FIXED):
        lost = np.mean([row["lost"][choice] for row in compared])
        figures.add(f"accuracy below the best method: {choice}", float(lost), "", note=note)


def compare_set(data: VoteSet) -> dict[str, Any]:
    """Return the rank correlation of a set, and how far choices of a method are below the most accurate one."""
    by_votes, by_gold = (compare(data.votes, gold) for gold in (None, data.gold))
    ranked = {row["method"]: row["votes_log_likelihood"] for row in by_votes.iter_rows(named=True)}
    accuracy = {row["method"]: row["accuracy"] for row in by_gold.iter_rows(named=True)}
    taken = [name for name, value in ranked.items() if value is not None and accuracy[name] is not None]
    correlation = spearmanr([ranked[name] for name in taken], [accuracy[name] for name in taken]).statistic
    best = max(accuracy[name] for name in taken)
    choices = {"first by votes": taken[0]} | {name: name for name in FIXED}
    lost = {choice: best - accuracy[name] for choice, name in choices.items()}
    return {"set": data.name, "votes": len(data.votes), "correlation": float(correlation), "lost": lost}


if __name__ == "__main__":
    run(measure, __doc__)
