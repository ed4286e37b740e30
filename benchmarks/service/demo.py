"""The demo end to end: real images and a simulated crowd over HTTP, compared with five votes on every item.

python -m benchmarks.service.demo [--quick] [--json FILE]

--quick: two seeds instead of ten.
"""

import numpy as np

from benchmarks.harness import Figures, run
from examples.service_demo.run import run_demo

SEEDS = 10
MOST_SHARE = 0.4  # of the votes of a majority of five


def measure(figures: Figures, quick: bool) -> None:
    """The rows: means over the seeds."""
    found = [run_demo(seed) for seed in range(2 if quick else SEEDS)]
    details = {str(one.seed): {"votes": one.votes, "error": one.error, "spent": one.spent} for one in found}
    share = float(np.mean([one.share_of_votes for one in found]))
    error = float(np.mean([one.error for one in found]))
    usual = float(np.mean([one.fixed[5].error for one in found]))
    expert = float(np.mean([one.expert_votes / one.votes for one in found]))
    cost = float(np.mean([one.spent / one.fixed[5].votes for one in found]))
    name, note = "demo: votes, as a share of those of 5-vote majority", f"{len(found)} seeds"
    figures.add(name, share, "", most=MOST_SHARE, note=note)
    figures.add("demo: wrong labels, as a share of all", error, "", most=usual, details=details)
    figures.add("demo: wrong labels of 5-vote majority", usual, "")
    figures.add("demo: what it cost, experts included, as a share of 5-vote majority", cost, "")
    figures.add("demo: votes of experts, as a share of all votes", expert, "")
    figures.add("demo: seconds of a run", float(np.mean([one.seconds for one in found])), "s")


if __name__ == "__main__":
    run(measure, __doc__ or "")
