"""Replayed audits: coverage of stated errors and certificates, and the number of audits that they need.

python -m benchmarks.decision.certificates [--quick] [--json FILE]

QUORATE_DATA names the folder of the sets. The truth is the sets' gold, which also plays the expert. --quick: a third of
the replays.
"""

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")  # two threads on two busy processors wait for each other


import numpy as np
from numpy.typing import NDArray
from scipy.stats import binom

from benchmarks.decision.certificate_bounds import (
    DELTA,
    agrapa,
    audits_until,
    chance_violated,
    even_mixture,
    floor,
    one_look,
    ours,
    ours_in_a_pool,
    plain,
)
from benchmarks.harness import Figures, run
from quorate.audit.bounds.anytime import certified_anytime, stake
from quorate.audit.certificate import certify
from quorate.audit.error_cost import state_cost
from quorate.audit.error_rate import state_error_of
from quorate.audit.false_negatives import bound_missed
from quorate.audit.fixed_sequence import Ladder
from quorate.audit.monitor import Watch
from quorate.data.costs import Costs
from quorate.io import datasets

MACHINES = ("resnet_low_acc", "resnet110", "densenet_bc_L190_k40")
POOLS = (
    *("amazon_isbook", "cifar10h", "labelme", "music_genre"),
    *("rte_snow", "sent_polarity", "temporal_snow", "zencrowd_us"),
)
Labels = NDArray[np.int64]


def measure(figures: Figures, quick: bool) -> None:
    """Coverage of stated errors, violations of certificates, audits they need, and drift."""
    if not os.environ.get("QUORATE_DATA"):
        raise SystemExit("QUORATE_DATA is not set: set it to the folder of the real sets")
    replays = 100 if quick else 300
    stated(figures, 70 if quick else 200)
    fixed_sequence(figures, replays)
    anytime(figures, replays)
    missed(figures, replays)
    audits(figures, 300 if quick else 2000)
    drift(figures, 30 if quick else 100)


def stated(figures: Figures, replays: int) -> None:
    """Labels by majority of three random votes; 150 are audited, from all alike or half from those not unanimous."""
    costs_held = {}
    for name in POOLS:
        data = datasets.load(name)
        n_classes = len(data.classes)
        costs = Costs(
            matrix=np.arange(1.0, n_classes + 1)[:, None] * (1 - np.eye(n_classes))
        )  # later classes cost more
        held, widths = np.zeros(3), []
        for seed in range(replays):
            rng = np.random.default_rng(seed)
            labels, unanimous, gold = majority_of_three(data, rng)
            audit = drawn(np.zeros(len(labels), dtype=np.int64), 150, rng, gold)
            intervals = (
                state_error_of(labels, audit),
                state_error_of(labels, drawn(unanimous, 75, rng, gold), strata=unanimous),
                state_cost(labels, audit, costs, draws=4000, seed=seed),
            )
            error, cost = float((labels != gold).mean()), float(costs.of_errors(gold, labels).mean())
            held += [
                interval.low <= truth <= interval.high
                for interval, truth in zip(intervals, (error, error, cost), strict=True)
            ]
            widths.append((intervals[0].high - intervals[0].low) / error)
        case, details = f"{name}: 90 % interval holds the truth", {"replays": replays, "width": float(np.mean(widths))}
        figures.add(f"{case}, one audit", held[0] / replays, "", least=0.88, details=details)
        figures.add(f"{case}, two strata", held[1] / replays, "", least=0.88)
        costs_held[name] = held[2] / replays
    mean = float(np.mean(list(costs_held.values())))
    figures.add("all sets: 90 % interval of the cost holds the truth", mean, "", least=0.88, details=costs_held)


def majority_of_three(data: datasets.Dataset, rng: np.random.Generator) -> tuple[Labels, Labels, Labels]:
    """Labels, whether all three agreed (0 or 1), and gold of up to 1500 tasks with gold and three votes."""
    votes = data.votes
    assert votes is not None
    order = rng.permutation(len(votes))
    order = order[np.argsort(votes.task[order], kind="stable")]
    begins = np.concatenate([[0], np.cumsum(votes.votes_per_task)[:-1]])
    tasks = np.flatnonzero((votes.votes_per_task >= 3) & (data.gold >= 0))
    tasks = rng.permutation(tasks)[:1500]
    three = votes.label[order[begins[tasks][:, None] + np.arange(3)]]  # (tasks, 3)
    counts = (three[:, :, None] == np.arange(votes.n_classes)).sum(axis=1)
    return counts.argmax(axis=1), (counts.max(axis=1) == 3).astype(np.int64), data.gold[tasks]


def drawn(strata: Labels, n_audits: int, rng: np.random.Generator, gold: Labels) -> Labels:
    """Return the expert labels of random items of each stratum; -1 = not audited."""
    expert_labels = np.full(len(gold), -1)
    for part in np.unique(strata):
        chosen = rng.permutation(np.flatnonzero(strata == part))[:n_audits]
        expert_labels[chosen] = gold[chosen]
    return expert_labels


def machine(name: str) -> tuple[Labels, NDArray[np.float64], Labels]:
    """Labels, confidence and gold of a classifier of CIFAR-10H."""
    cifar = datasets.load("cifar10h")
    probs = cifar.machines[name]
    return probs.argmax(axis=1), probs.max(axis=1), cifar.gold


def fixed_sequence(figures: Figures, replays: int) -> None:
    """Certificates over thresholds of confidence: looked at once, and after every audit."""
    for name in MACHINES:
        labels, confidence, gold = machine(name)
        wrong = labels != gold
        for target, n_audits in ((0.02, 300), (0.02, 800), (0.05, 300)):
            once, watched, shares = 0, 0, []
            for seed in range(replays):
                order = np.random.default_rng(seed).permutation(len(labels))[:n_audits]
                expert = np.full(len(labels), -1)
                expert[order] = gold[order]
                kept = confidence >= certify(labels, confidence, expert, target=target).threshold
                once += bool(kept.any()) and float(wrong[kept].mean()) > target
                watched += ever_broken(wrong, confidence, order, target)
                shares.append(float(kept.mean()))
            case = f"{name}, target {100 * target:g} %, {n_audits} audits"
            figures.add(f"{case}: fixed sequence violated, one look", once / replays, "", most=DELTA)
            figures.add(f"{case}: watched sequence violated, looked at after each", watched / replays, "", most=DELTA)
            figures.add(f"{case}: share of answers certified in one look", float(np.mean(shares)), "")


def ever_broken(wrong: NDArray[np.bool_], confidence: NDArray[np.float64], order: Labels, target: float) -> bool:
    """Return whether `certify(..., watched=True)` is wrong after any of these audits, for all sets at once."""
    ladder = Ladder.of(confidence, np.isin(np.arange(len(wrong)), order), wrong)
    passing = np.ones(len(order), dtype=bool)
    for rung in ladder.rungs(ladder.first(target, DELTA, watched=True), steps=20):
        kept = confidence >= ladder.confidence[rung]
        inside = kept[order]
        passing &= certified_anytime(np.cumsum(inside & wrong[order]), np.cumsum(inside), target, rung + 1, delta=DELTA)
        if passing.any() and float(wrong[kept].mean()) > target:
            return True
    return False


def anytime(figures: Figures, replays: int) -> None:
    """Measure how often the bound, or Clopper and Pearson's, is below the truth after any of 3000 audits.

    A bound that needs few audits is violated as often as it may be, so that 300 replays of one pool go above a tenth
    by chance: the target is for the exact chance, and for the replays of all pools together.
    """
    pools = [
        (f"{name} from {least:g} on", (labels != gold)[confidence >= least])
        for name, (labels, confidence, gold) in ((name, machine(name)) for name in MACHINES[:2])
        for least in (0.0, 0.9, 0.99)
    ]
    pools += [(f"made up, {k} of {n}", np.arange(n) < k) for k, n in ((5, 1000), (20, 400), (500, 100_000))]
    all_broken, all_peeked = [], []
    for name, wrong in pools:
        count, n_pool, broken, peeked = int(wrong.sum()), len(wrong), 0, 0
        for seed in range(replays):
            seen = np.cumsum(np.random.default_rng(seed).permutation(wrong)[:3000])
            audit = np.arange(1, len(seen) + 1)
            broken += bool((stake(seen, audit, count, n_pool) >= -np.log(DELTA)).any())
            peeked += bool((binom.cdf(seen, audit, count / n_pool) <= DELTA).any())
        case = f"{name}, error {100 * count / n_pool:.2f} %, looked at after every audit"
        figures.add(f"{case}: violated, exactly", chance_violated(count, n_pool, 3000), "", most=DELTA)
        figures.add(f"{case}: violated in replays", broken / replays, "", note=f"of {replays}")
        all_broken.append(broken / replays)
        all_peeked.append(peeked / replays)
    figures.add("all these pools, looked at after every audit: violated", float(np.mean(all_broken)), "", most=DELTA)
    figures.add("all these pools, Clopper-Pearson after every audit: violated", float(np.mean(all_peeked)), "")


def missed(figures: Figures, replays: int) -> None:
    """Share of cats, and of ships, that the weakest classifier took for something else; 600 audits."""
    labels, _, gold = machine(MACHINES[0])
    for of in (3, 8):
        real = float((labels != gold)[gold == of].mean())
        for way, n_audits, strata in (("all alike", 600, np.zeros_like(labels)), ("60 of each label", 60, labels)):
            bounds = [
                bound_missed(
                    labels, drawn(strata, n_audits, np.random.default_rng(seed), gold), of, strata=strata
                ).bound
                for seed in range(replays)
            ]
            case = f"class {of}, {100 * real:.1f} % missed, {way}"
            broken = float(np.mean(np.array(bounds) < real))
            details = {"mean_bound": float(np.mean(bounds))}
            figures.add(f"{case}: bound violated", broken, "", most=DELTA, details=details)


def audits(figures: Figures, replays: int) -> None:
    """Audits until an error is certified at 2.5 times its size, looked at after every audit."""
    for error in (0.005, 0.01, 0.02, 0.05):
        target = 2.5 * error
        needed = {
            bet.__name__: audits_until(bet, error, target, replays) for bet in (ours, plain, agrapa, even_mixture)
        }
        in_pool = audits_until(ours_in_a_pool, error, target, replays, n_pool=1000)
        case = f"error {100 * error:g} % certified at {100 * target:g} %"
        details = {
            name: {"mean": float(n.mean()), "median": float(np.median(n)), "four_in_five": float(np.quantile(n, 0.8))}
            for name, n in needed.items()
        }
        most = float(needed["plain"].mean())
        figures.add(f"{case}: audits on average, ours", float(needed["ours"].mean()), "", most=most, details=details)
        figures.add(f"{case}: audits on average, plain bet", most, "")
        figures.add(f"{case}: audits on average, aGRAPA", float(needed["agrapa"].mean()), "")
        figures.add(f"{case}: audits on average, even mixture", float(needed["even_mixture"].mean()), "")
        figures.add(f"{case}: audits on average, ours, of a pool of 1000", float(in_pool.mean()), "")
        figures.add(f"{case}: audits on average, the floor (Wald)", floor(error, target), "")
        figures.add(f"{case}: audits in the median, ours", float(np.median(needed["ours"])), "")
        figures.add(f"{case}: audits in the median, plain bet", float(np.median(needed["plain"])), "")
        figures.add(f"{case}: audits in one look, to certify in half the runs", one_look(error, target, 0.5), "")
        figures.add(f"{case}: audits in one look, to certify in 4 of 5 runs", one_look(error, target, 0.8), "")
        figures.add(f"{case}: audits of ours, to certify in 4 of 5 runs", float(np.quantile(needed["ours"], 0.8)), "")


def drift(figures: Figures, replays: int) -> None:
    """Audits until a rise of the error is noticed, and false alarms without one."""
    for before, after in ((0.02, 0.1), (0.01, 0.05), (0.05, 0.2), (0.02, 0.04)):
        delays, early = [], 0
        for seed in range(replays):
            rng, watch = np.random.default_rng(seed), Watch()
            for wrong in np.concatenate([rng.random(500) < before, rng.random(500) < after]):
                watch.tell(wrong=bool(wrong))
                if watch.drifts:
                    break
            early += bool(watch.drifts) and watch.starts[1] <= 500
            delays.append(watch.starts[1] - 500 if watch.drifts else 500)
        case = f"error {100 * before:g} to {100 * after:g} % after 500 audits"
        noticed = float(np.mean([0 < delay < 500 for delay in delays]))
        figures.add(f"{case}: audits until noticed, median", float(np.median([d for d in delays if d > 0])), "")
        figures.add(f"{case}: noticed within 500 audits", noticed, "")
        figures.add(f"{case}: false alarms before", early / replays, "", most=DELTA)


if __name__ == "__main__":
    run(measure, "Audits replayed: stated errors, certificates, drift.")
