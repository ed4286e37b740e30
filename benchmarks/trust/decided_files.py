"""Stated errors of whole files of votes, decided without buying any more."""

import numpy as np

from benchmarks.aggregation.accuracy import VoteSet, vote_sets
from benchmarks.harness import Figures
from quorate import Costs, Prices, decide
from quorate.data.decisions import ACCEPT

ERROR_COST = 100
MAX_VOTES = 60_000  # larger sets take long, and have hundreds of classes


def measure(figures: Figures) -> None:
    """Add how far the stated error of the accepted labels is from the true one, over the sets."""
    ratios, covered = {}, []
    for data in vote_sets():
        if len(data.votes) <= MAX_VOTES and (result := ratio_and_band(data)) is not None:
            ratios[data.name], holds = result
            covered.append(holds)
    values = np.array(list(ratios.values()))
    note = f"{len(values)} sets"
    name = "files decided as they are"
    details = {data: round(ratio, 3) for data, ratio in ratios.items()}
    figures.add(
        f"{name}: stated / true error, median of sets", float(np.median(values)), "", note=note, details=details
    )
    figures.add(f"{name}: sets within 2x", float(np.mean((values >= 0.5) & (values <= 2))), "", note=note)
    figures.add(f"{name}: band holds the true error", float(np.mean(covered)), "", note=note)


def ratio_and_band(data: VoteSet) -> tuple[float, bool] | None:
    """Return stated / true error of accepted labels, and whether the band holds the true one; None without errors."""
    costs = Costs.of_error(ERROR_COST, data.votes.n_classes)
    decisions = decide(data.votes, costs=costs, prices=Prices(votes={"crowd": 1.0}))
    judged = (decisions.action == ACCEPT) & (data.gold >= 0)
    wrong = decisions.label[judged] != data.gold[judged]
    if not wrong.any():
        return None
    stated, error = decisions.model_error, float(wrong.mean())
    return stated.value / error, stated.low <= error <= stated.high
