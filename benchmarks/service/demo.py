"""The demo end to end: real images and a simulated crowd over HTTP, compared with five votes on every item.

python -m benchmarks.service.demo [--quick] [--json FILE]

--quick: two seeds instead of ten.
"""

import numpy as np

from benchmarks.harness import Figures, run
from examples.service_demo.run import run_demo

SEEDS = 10
MAX_SHARE = 0.4  # of the votes of a majority of five


def measure(figures: Figures, quick: bool) -> None:
    """Add the means over the seeds."""
    results = [run_demo(seed) for seed in range(2 if quick else SEEDS)]
    details = {
        str(result.seed): {"votes": result.votes, "error": result.error, "spent": result.spent} for result in results
    }
    share = float(np.mean([result.share_of_votes for result in results]))
    error = float(np.mean([result.error for result in results]))
    baseline = float(np.mean([result.fixed[5].error for result in results]))
    expert = float(np.mean([result.expert_votes / result.votes for result in results]))
    cost = float(np.mean([result.spent / result.fixed[5].votes for result in results]))
    name, note = "demo: votes, as a share of those of 5-vote majority", f"{len(results)} seeds"
    figures.add(name, share, "", most=MAX_SHARE, note=note)
    figures.add("demo: wrong labels, as a share of all", error, "", most=baseline, details=details)
    figures.add("demo: wrong labels of 5-vote majority", baseline, "")
    figures.add("demo: what it cost, experts included, as a share of 5-vote majority", cost, "")
    figures.add("demo: votes of experts, as a share of all votes", expert, "")
    figures.add("demo: seconds of a run", float(np.mean([result.seconds for result in results])), "s")


if __name__ == "__main__":
    run(measure, __doc__ or "")
