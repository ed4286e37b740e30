"""Cost of the engine with a classifier that reads texts, pairs and features, and learns only from the votes bought.

python -m benchmarks.hybrid.engine [--quick] [--json FILE]

QUORATE_DATA names the folder of the sets. Pools of 1,000 items, at most five votes each, five seeds; a vote costs 1 and
an error 50; no gold labels. The features are those of an encoder, of words (or the features of the set where it has no
texts), shuffled, or none. Constants were chosen on the first five sets; the others were looked at. --quick: two seeds.
Embeddings are kept under QUORATE_CACHE.
"""

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")  # two threads on two busy processors wait for each other

import numpy as np

from benchmarks.harness import Figures, run, slowness
from benchmarks.hybrid.pools import WAYS, PoolResult, draw_pool, features_of, run_pool

CHOSEN_ON = ("amazon_isbook", "sent_polarity", "labelme", "rte_snow", "zencrowd_us")
LOOKED_AT = ("music_genre", "movie_reviews_3class", "d_product", "stemming_jamison")
SEEDS, QUICK_SEEDS = 5, 2
MAX_COST = {"amazon_isbook": 2.1, "sent_polarity": 7.5, "labelme": 7.5, "zencrowd_us": 8.9, "d_product": 4.3}
AMAZON = {"votes": (0.7, None), "accuracy": (None, 0.968), "without_vote": (None, 0.55)}  # at most, at least
MANY_WITHOUT_VOTE = ("amazon_isbook", "labelme", "d_product")

Results = dict[str, list[PoolResult]]  # by way


def measure(figures: Figures, quick: bool) -> None:
    """Add the costs of every set in every way, then what holds over all sets."""
    if not os.environ.get("QUORATE_DATA"):
        raise SystemExit("QUORATE_DATA is not set: set it to the folder of the real sets")
    seeds = QUICK_SEEDS if quick else SEEDS
    results = {}
    for name in (*CHOSEN_ON, *LOOKED_AT):
        results[name] = replay_set(name, seeds)
        add_set(figures, name, results[name])
    add_summary(figures, results)


def replay_set(name: str, seeds: int) -> Results:
    """Replay the pools of a set in every way."""
    results: Results = {way: [] for way in WAYS}
    for seed in range(seeds):
        pool = draw_pool(name, seed)
        for way in WAYS:
            results[way].append(run_pool(pool, features_of(pool, way, seed), seed))
    return results


def add_set(figures: Figures, name: str, results: Results) -> None:
    """Add the mean cost in every way, with what it consists of."""
    for way, pools in results.items():
        target = MAX_COST.get(name) if way == "encoder" else None
        details = {"group": "chosen on" if name in CHOSEN_ON else "looked at", "set": name, "way": way}
        values = {what: round(mean(pools, what), 4) for what in ("votes", "accuracy", "without_vote")}
        spread = float(np.std([pool.cost for pool in pools], ddof=1))
        note = (
            f"{values['votes']:.2f} votes, {values['accuracy']:.3f} right, {values['without_vote']:.0%} without a vote"
        )
        all_details = details | values | {"deviation": round(spread, 4)}
        figures.add(f"{name}, {way}: cost", mean(pools, "cost"), "", most=target, note=note, details=all_details)


def add_summary(figures: Figures, results: dict[str, Results]) -> None:
    """Add the other targets: amazon_isbook in detail, shuffled features, labels without votes, and CPU."""
    for what, (most, least) in AMAZON.items():
        value = mean(results["amazon_isbook"]["encoder"], what)
        figures.add(f"amazon_isbook, encoder: {what}", value, "", most=most, least=least)
    worse = [name for name, ways in results.items() if is_worse(ways["shuffled"], ways["no classifier"])]
    figures.add("sets on which shuffled features cost more than no classifier", len(worse), "", most=0)
    alone = [pool for name in MANY_WITHOUT_VOTE for pool in results[name]["encoder"]]
    error = sum(pool.wrong_without_vote for pool in alone) / max(sum(pool.without_vote for pool in alone), 1e-9)
    figures.add("amazon_isbook, labelme, d_product: error of labels without a vote", error, "", most=0.02)
    for group, sets in (("chosen on", CHOSEN_ON), ("looked at", LOOKED_AT)):
        ratios = [
            mean(results[name]["encoder"], "cost") / mean(results[name]["no classifier"], "cost") for name in sets
        ]
        figures.add(f"cost relative to no classifier, sets {group}", float(np.exp(np.mean(np.log(ratios)))), "")
    cpu = max(mean(ways["encoder"], "cpu") for ways in results.values())
    figures.add("CPU of the engine per 1,000 items, features aside, slowest set", cpu, "s", most=6 * slowness())


def is_worse(pools: list[PoolResult], others: list[PoolResult]) -> bool:
    """Return whether the cost is higher by more than 2% and two paired standard errors."""
    gaps = np.array([pool.cost - other.cost for pool, other in zip(pools, others, strict=True)])
    error = gaps.std(ddof=1) / np.sqrt(len(gaps))
    return bool(gaps.mean() > max(0.02 * mean(others, "cost"), 2 * error))


def mean(pools: list[PoolResult], what: str) -> float:
    """Return the mean of a number over pools."""
    return float(np.mean([getattr(pool, what) for pool in pools]))


if __name__ == "__main__":
    run(measure, __doc__ or "")
