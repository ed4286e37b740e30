"""Accuracy of every method on real votes, compared with crowd-kit; where their labels differ, and why.

python -m benchmarks.aggregation.accuracy [--quick] [--json FILE]      (or: make accuracy)

QUORATE_DATA names the folder of the sets. A full run takes most of an hour, nearly all of it crowd-kit's, which has a
minute for each method and set. --quick: it has ten seconds; where that is not enough, the set is left out of the
comparison with it, as with the longer limit. Ours is measured on all sets in both. Where CROWDKIT_RUNS names a folder,
the results of crowd-kit are kept there for the next run.
"""

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")  # one thread for everybody

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.aggregation import crowdkit_rules as rules
from benchmarks.aggregation.crowdkit_runs import SECONDS, PeerRun, run_crowdkit
from benchmarks.harness import Figures, run
from quorate import Votes, datasets, registry, simulate_votes
from quorate.aggregation.dawid_skene import DawidSkene
from quorate.aggregation.ebcc import Ebcc
from quorate.aggregation.mace import Mace
from quorate.aggregation.one_coin import OneCoin
from quorate.errors import MethodError
from quorate.metrics import accuracy, log_loss
from quorate.typing import Array

ROUNDS = 10  # of EM, for both sides
NO_STOP = {"n_iter": ROUNDS, "tol": -1e18}
QUICK_SECONDS = 10  # of crowd-kit for each method and set, in place of SECONDS
ENOUGH = 0.99
COMBINED = ("ensemble", "select_best")  # made of other methods: not single methods


@dataclass(frozen=True, eq=False)
class VoteSet:
    """Votes, and gold labels of tasks that have votes.

    Attributes:
        name: of the set.
        votes: all of them.
        gold: (n_tasks,), -1 = unknown.
        limit: seconds that crowd-kit has for each method.
        runs: what crowd-kit returned, by method and options.
    """

    name: str
    votes: Votes
    gold: NDArray[np.int64]
    limit: float = SECONDS
    runs: dict[str, PeerRun] = field(default_factory=dict)

    def by_crowdkit(self, name: str, **options: Any) -> PeerRun:
        """Return what a method of crowd-kit returns; it is run once for the same options."""
        key = f"{name} {options}"
        if key not in self.runs:
            self.runs[key] = run_crowdkit(self.votes, name, limit=self.limit, **options)
        return self.runs[key]


@dataclass(frozen=True, kw_only=True)
class Pair:
    """A method of both, with the options that bring them closest.

    ours: scores with such options; None: the defaults. cause: why labels differ where they do.
    rule: scores as crowd-kit counts them. mended: crowd-kit's method and options without the cause.
    least: share of labels that must then agree on every set.
    """

    peer: str
    ours: Callable[[Votes], Array] | None = None
    options: dict[str, Any] | None = None
    cause: str = ""
    rule: Callable[[Votes], Array] | None = None
    mended: tuple[str, dict[str, Any]] | None = None
    least: float | None = ENOUGH


TIES = "crowd-kit gives a tie to {}, Quorate shares it"
PAIRS = {
    "majority": Pair(peer="MajorityVote"),
    "wawa": Pair(peer="Wawa", cause=TIES.format("the class that was named first"), rule=rules.wawa),
    "zero_based_skill": Pair(
        peer="ZeroBasedSkill", cause=TIES.format("the lowest class, in every round"), rule=rules.zero_based_skill
    ),
    "dawid_skene": Pair(
        peer="DawidSkene",
        ours=lambda votes: DawidSkene(shrink="none", max_rounds=ROUNDS, tol=-np.inf).aggregate(votes).probs,
        options=NO_STOP,
    ),
    "one_coin": Pair(
        peer="OneCoinDawidSkene",
        ours=lambda votes: OneCoin(strength=1e-6, max_rounds=ROUNDS, tol=-np.inf).aggregate(votes).probs,
        options=NO_STOP,
        cause="crowd-kit learns the class prior, Quorate takes all classes for equally likely",
        rule=lambda votes: rules.one_coin(votes, ROUNDS),
    ),
    "kos": Pair(
        peer="KOS",
        cause="Quorate turns the messages round where most votes contradict them, crowd-kit leaves them mirrored",
        rule=rules.kos,
    ),
    "mmsr": Pair(
        peer="MMSR",
        cause="crowd-kit counts pairs who never met as opponents, divides by sums of weights that may be negative, "
        "limits a skill by the number of all tasks, and finds outliers and signs by other rules",
        mended=("MendedMMSR", {}),
    ),
    "glad": Pair(
        peer="GLAD",
        cause="crowd-kit stops after two rounds, and expects tasks to be easier: log b ~ Normal(1, 1), not (0, 1)",
        mended=("GLAD", {**NO_STOP, "betas_priors_mean": 0.0}),
        least=None,  # ten rounds, which take it a minute, are not always enough
    ),
    "mace": Pair(
        peer="MACE",
        ours=lambda votes: Mace(class_prior="even").aggregate(votes).probs,
        cause="other priors (Beta(.5, .5), ten pseudo-votes for every class) and a random start",
        rule=rules.mace,
    ),
}


def measure(figures: Figures, quick: bool) -> None:
    """Add all rows."""
    if not os.environ.get("QUORATE_DATA"):
        raise SystemExit("QUORATE_DATA is not set: set it to the folder of the vote sets")
    limit = QUICK_SECONDS if quick else SECONDS
    sets = vote_sets(limit)
    print(f"{len(sets)} sets; crowd-kit has {limit} s for each method and set", flush=True)
    means = measure_methods(figures, sets)
    best = max((name for name in means if name not in COMBINED), key=means.__getitem__)
    figures.add("mean accuracy of the default, ensemble", means["ensemble"], "", least=0.827)
    figures.add("mean accuracy of dawid_skene, the default above 1M votes", means["dawid_skene"], "", least=0.822)
    lead = means["select_best"] - means[best]
    figures.add("select_best less the best single method", lead, "", least=-0.003, note=best)
    figures.add("select_best less dawid_skene", means["select_best"] - means["dawid_skene"], "", least=0.0001)
    measure_ebcc(figures, sets, means["dawid_skene"])
    for method, pair in PAIRS.items():
        measure_agreement(figures, sets, method, pair)
    measure_crowdlab(figures)


def vote_sets(limit: float = SECONDS) -> list[VoteSet]:
    """Return the sets with votes of named workers and gold, small ones first."""
    sets = []
    for name in datasets.names():
        data = datasets.load(name)
        if data.votes is None or not data.votes.n_workers:
            continue
        gold = np.where(data.votes.votes_per_task > 0, data.gold, -1)
        if np.any(gold >= 0):
            sets.append(VoteSet(name, data.votes, gold, limit))
    return sorted(sets, key=lambda data: len(data.votes))


def measure_methods(figures: Figures, sets: list[VoteSet]) -> dict[str, float]:
    """Measure every method with its defaults, and crowd-kit's with its own; return our means over all sets."""
    means = {}
    for method in registry.names("aggregation"):
        aggregator = registry.method("aggregation", method)
        aggregator.aggregate(simulate_votes(n_tasks=50, seed=0).votes)  # compiled and imported before the clock starts
        right, losses, seconds = dict[str, float](), [], 0.0
        for data in sets:
            begin = time.process_time()
            try:
                probs = aggregator.aggregate(data.votes).probs
            except MethodError:
                continue
            seconds += time.process_time() - begin
            right[data.name] = accuracy(probs, data.gold)
            losses.append(log_loss(probs, data.gold))
        details: dict[str, Any] = {"method": method, "log_loss": float(np.mean(losses)), "seconds": seconds}
        details["sets"] = _rounded(right)
        peer = PAIRS[method].peer if method in PAIRS else ""
        if peer:
            details["crowd-kit"] = measure_peer(peer, [data for data in sets if data.name in right], right)
        mean = float(np.mean(list(right.values())))
        takes_all = len(right) == len(sets)
        note = "" if takes_all else f"over the {len(right)} sets that it takes"
        figures.add(f"mean accuracy: {method}", mean, "", note=note, details=details)
        if takes_all:
            means[method] = mean
    return means


def measure_peer(peer: str, sets: list[VoteSet], ours: dict[str, float]) -> dict[str, Any]:
    """Accuracy of crowd-kit on every set, or why there is none; ours over the sets that it took."""
    runs = {data.name: data.by_crowdkit(peer) for data in sets}
    right = {data.name: accuracy(scores, data.gold) for data in sets if (scores := runs[data.name].scores) is not None}
    refused = {name: result.why_not for name, result in runs.items() if result.scores is None}
    for name, why_not in refused.items():
        print(f"  crowd-kit {peer}, {name}: {why_not}", flush=True)
    return {
        "method": peer,
        "accuracy": float(np.mean(list(right.values()))),
        "ours on the same sets": float(np.mean([ours[name] for name in right])),
        "seconds": sum(runs[name].seconds for name in right),
        "sets": _rounded(right),
        "refused": refused,
    }


def measure_ebcc(figures: Figures, sets: list[VoteSet], beside: float) -> None:
    """Measure the lead of EBCC over Dawid-Skene that its paper reports: other seeds, more restarts, and set by set."""
    tries = {f"seed {seed}": Ebcc(seed=seed) for seed in range(5)} | {"40 restarts": Ebcc(restarts=40)}
    base = {data.name: accuracy(DawidSkene().aggregate(data.votes).probs, data.gold) for data in sets}
    for name, method in tries.items():
        right = {data.name: accuracy(method.aggregate(data.votes).probs, data.gold) for data in sets}
        lead = {name: right[name] - base[name] for name in right}
        most = max(lead, key=lead.__getitem__)
        rest = float(np.mean([value for name, value in lead.items() if name != most]))
        ahead, behind = (sum(sign * value > 0 for value in lead.values()) for sign in (1, -1))
        details = {"try": name, "most": most, "lead there": lead[most], "lead elsewhere": rest}
        details |= {"ahead": ahead, "behind": behind}
        mean = float(np.mean(list(right.values())))
        note = f"on {most} {lead[most]:+.3f}, elsewhere {rest:+.4f}"
        figures.add(f"ebcc less dawid_skene, {name}", mean - beside, "", note=note, details=details)


def measure_agreement(figures: Figures, sets: list[VoteSet], method: str, pair: Pair) -> None:
    """Share of labels that both give, ties left out; and the same once the cause of differences is taken out."""
    ours = pair.ours or (lambda votes: registry.method("aggregation", method).aggregate(votes).probs)
    plain, without, below = Agreed(), Agreed(), []
    for data in sets:
        if method == "kos" and data.votes.n_classes > 2:
            continue
        scores, theirs = ours(data.votes), data.by_crowdkit(pair.peer, **pair.options or {})
        share = plain.add(data, scores, theirs)
        entry: dict[str, Any] = {"set": data.name, "items": int((data.votes.votes_per_task > 0).sum()), "share": share}
        if pair.rule is not None:
            entry["without the cause"] = without.add(data, pair.rule(data.votes), theirs)
        elif pair.mended is not None and theirs.scores is not None and theirs.seconds < data.limit / 4:
            name, options = pair.mended
            entry["without the cause"] = without.add(data, scores, data.by_crowdkit(name, **options))
        if share is None or share < ENOUGH:
            below.append(entry | ({"why": theirs.why_not} if theirs.why_not else {}))
    details = {"method": method, "crowd-kit": pair.peer, "cause": pair.cause, "sets": plain.n_sets, "below": below}
    target = None if pair.cause else ENOUGH
    note = f"{plain.n_sets} sets"
    figures.add(f"labels as crowd-kit's: {method}", plain.share, "", least=target, note=note, details=details)
    for entry in below:
        print(f"  {entry}", flush=True)
    if pair.cause:
        name = f"labels as crowd-kit's: {method}, the causes taken out, the lowest set"
        note = f"of {without.n_sets} sets"
        details = {"without": method, "share": without.share}
        figures.add(name, without.lowest, "", least=pair.least, note=note, details=details)


@dataclass
class Agreed:
    """Labels that agree, of all that were compared."""

    same: int = 0
    compared: int = 0
    n_sets: int = 0
    lowest: float = 1.0

    def add(self, data: VoteSet, scores: Array, theirs: PeerRun) -> float | None:
        """The share on one set; None where crowd-kit gave no labels."""
        if theirs.scores is None:
            return None
        use = (data.votes.votes_per_task > 0) & ~tied(scores) & ~tied(theirs.scores)
        same = int((scores.argmax(axis=1) == theirs.scores.argmax(axis=1))[use].sum())
        self.same, self.compared, self.n_sets = self.same + same, self.compared + int(use.sum()), self.n_sets + 1
        share = same / max(int(use.sum()), 1)
        self.lowest = min(self.lowest, share)
        return round(share, 4)

    @property
    def share(self) -> float:
        """Of all labels."""
        return self.same / max(self.compared, 1)


def tied(scores: Array) -> NDArray[np.bool_]:
    """Tasks whose two highest scores are the same but for rounding."""
    second, first = np.sort(np.where(np.isfinite(scores), scores, -1e9), axis=1)[:, -2:].T
    return first - second <= 1e-9 * np.abs(first)


def measure_crowdlab(figures: Figures) -> None:
    """crowdlab beside cleanlab's, on made-up votes without ties and a made-up classifier."""
    try:
        from cleanlab.multiannotator import get_label_quality_multiannotator
    except ImportError:
        print("cleanlab is not installed: crowdlab is not compared")
        return
    crowd = simulate_votes(n_tasks=500, votes_per_task=3, workers={"reliable": 20, "spammer": 3}, seed=0)
    votes, rng = crowd.votes, np.random.default_rng(0)
    classifier = rng.dirichlet(np.ones(2), votes.n_tasks) * 0.6
    classifier[np.arange(votes.n_tasks), crowd.gold] += 0.4
    labels = np.full((votes.n_tasks, votes.n_workers), np.nan)
    labels[votes.task, votes.worker] = votes.label
    # Its labels are the posterior's; its probabilities those of the majority's labels, before it weights them again.
    options = {"consensus_method": ["best_quality", "majority_vote"], "calibrate_probs": False, "verbose": False}
    quality = get_label_quality_multiannotator(labels, classifier, **options)
    theirs = {name: column.to_numpy() for name, column in quality["label_quality"].items()}
    probs = registry.method("aggregation", "crowdlab").aggregate(votes, prior=classifier).probs
    same = float((probs.argmax(axis=1) == theirs["consensus_label"]).mean())
    of_majority = probs[np.arange(len(probs)), theirs["consensus_label_majority_vote"]]
    gap = np.abs(of_majority - theirs["consensus_quality_score_majority_vote"]).max()
    figures.add("crowdlab: labels as cleanlab's, 500 made-up tasks", same, "", least=ENOUGH)
    figures.add("crowdlab: the largest gap of a probability", float(gap), "", most=1e-9)


def _rounded(values: dict[str, float]) -> dict[str, float]:
    return {name: round(value, 4) for name, value in values.items()}


if __name__ == "__main__":
    run(measure, __doc__ or "")
