"""Value of expert labels at the start, and of the engine's choice, on pools of 1,000 and 10,000 tasks.

python -m benchmarks.decision.audit [--quick] [--json FILE]

QUORATE_DATA names the folder of the sets. Loss = votes + 10 for each label of an expert + the cost of errors. "Never"
buys no label, "always" 200; the engine decides by `quorate.audit.value_of_audit` on what it believes after its
warm-up and on 25 first labels. The constants of that module were set on FIT; TEST is what the targets are for. Replays
are kept on disk under a hash of the code. --quick: one pool of each size, set and error cost instead of three and two.
"""

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")  # two threads on two busy processors wait for each other


import numpy as np

from benchmarks.decision.audit_runs import PRICE, Case, begun, ended
from benchmarks.decision.rows import Row
from benchmarks.harness import Figures, run
from quorate.audit.value_of_audit import choose_audit, choose_first, likely_loss

ALWAYS = 200
ERROR_COSTS = (5, 20, 100, 500)
FIT = (Row("amazon_isbook"), Row("music_genre"), Row("cifar10h", "resnet_low_acc"), Row("temporal_snow"))
TEST = (
    Row("cifar10h", "resnet110"),
    *map(Row, ("labelme", "rte_snow", "zencrowd_us", "dog", "d_product", "movie_reviews_3class")),
)


def measure(figures: Figures, quick: bool) -> None:
    """Add the loss with the engine's choice against never and always, as geometric means."""
    if not os.environ.get("QUORATE_DATA"):
        raise SystemExit("QUORATE_DATA is not set: set it to the folder of the real sets")
    both: list[Case] = []
    for n_items, seeds in ((1000, 1 if quick else 3), (10_000, 1 if quick else 2)):
        cases = [Case(row, n_items, seed, cost) for row in TEST for cost in ERROR_COSTS for seed in range(seeds)]
        both += cases
        add(figures, f"pools of {n_items:,}", cases, most=1.0)
    add(figures, "all pools", both, most=1.0)
    cases = [Case(row, 1000, 0, cost, by_value=True) for row in TEST for cost in ERROR_COSTS]
    add(figures, "pools of 1,000, experts also asked by value", cases)


def add(figures: Figures, name: str, cases: list[Case], most: float | None = None) -> None:
    """Add the ratios of some cases, and of each error cost."""
    chosen = {case: choice(case) for case in cases}
    for other, n_gold in (("never", 0), ("always 200", ALWAYS)):
        ratios = {case: loss(case, chosen[case]) / loss(case, n_gold) for case in cases}
        details = {
            f"{case.row.name}, {case.n_items}, {case.error_cost}, {case.seed}": [chosen[case], ratios[case]]
            for case in cases
        }
        title = f"{name}: loss with the engine's choice of audit, share of {other}'s"
        figures.add(title, mean([*ratios.values()]), "x", most=most, details=details)
        for cost in ERROR_COSTS:
            part = [ratio for case, ratio in ratios.items() if case.error_cost == cost]
            figures.add(f"{title}, error cost {cost}", mean(part), "x")
    figures.add(f"{name}: labels bought, mean", float(np.mean([*chosen.values()])), "")


def mean(ratios: list[float]) -> float:
    """Geometric."""
    return float(np.exp(np.mean(np.log(ratios))))


def choice(case: Case) -> int:
    """Return how many labels the engine buys: a few first, then as many as are expected to pay."""
    start = begun(case)
    believed, most = start.expected_cost - start.value, PRICE if case.by_value else np.inf
    likely = min(likely_loss(believed, case.error_cost), most)
    first_labels = choose_first(n_pool=case.n_items, loss=likely, price=PRICE, stakes=case.error_cost)
    if not first_labels:
        return 0
    n_wrong, doubts = int(start.wrong[:first_labels].sum()), start.doubt[:first_labels]
    likely = min(likely_loss(believed, case.error_cost, n_wrong=n_wrong, doubts=doubts), most)
    more_labels = choose_audit(
        n_pool=case.n_items, loss=likely, price=PRICE, stakes=case.error_cost, bought=first_labels
    )
    return more_labels.n_labels


def loss(case: Case, n_gold: int) -> float:
    """Return the total loss per item."""
    end = ended(case, n_gold)
    return end.spent + PRICE * n_gold / case.n_items + case.error_cost * end.wrong


if __name__ == "__main__":
    run(measure, "Does it pay to buy labels of experts at the start, and does the engine know when?")
