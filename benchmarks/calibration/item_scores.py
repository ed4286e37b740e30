"""Which score finds the items whose consensus label is wrong; and what watching a training for it costs."""

import os
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.stats import rankdata

from benchmarks.harness import Figures
from benchmarks.learning.runs import FAR, in_parallel, mean
from benchmarks.learning.sets import Task, load
from benchmarks.learning.speed import labelme_like, least_cpu
from quorate import ItemScores, aggregate, datasets, registry
from quorate.ambiguity.waum import Waum
from quorate.data.votes import Votes
from quorate.learning._clone import fresh
from quorate.learning.bases.mlp import Mlp
from quorate.learning.item_scores import score_items
from quorate.learning.learners.linear import Linear
from quorate.learning.learners.network import Network
from quorate.learning.targets.soft import Soft
from quorate.learning.targets.stacked import Stacked
from quorate.learning.training.recipe import Recipe
from quorate.protocols import ItemScorer, Learner

WORST = 0.1  # the share of items that somebody may want to look at
MOST_VOTES = 300_000  # sets beyond are left out: glad takes long on them


def measure(figures: Figures, quick: bool) -> None:
    """Scores of votes on every set with gold, scores of features where there are any, and the cost of WAUM."""
    of_votes(figures)
    for name in ("labelme", "music_genre"):
        of_features(figures, name, 2 if quick else 5)
    cost_of_waum(figures, 3 if quick else 7)


def of_votes(figures: Figures) -> None:
    """Measure how well scores that read only votes rank wrong labels before right ones: the mean over the sets."""
    aucs: dict[str, dict[str, float]] = {}
    for name in sorted(folder.name for folder in Path(os.environ["QUORATE_DATA"]).iterdir() if folder.is_dir()):
        data = datasets.load(name)
        if data.votes is None or len(data.votes) > MOST_VOTES or not np.any(data.gold >= 0):
            continue
        wrong = wrong_labels(data.votes, data.gold)
        if 0 < np.nansum(wrong) < np.sum(~np.isnan(wrong)):
            aucs[name] = {score: auc(scored(score, data.votes), wrong) for score in names("votes")}
    for score in names("votes"):
        values = [row[score] for row in aucs.values()]
        details: dict[str, Any] = {
            "table": "votes",
            "score": score,
            "sets": {s: row[score] for s, row in aucs.items()},
        }
        name, note = f"sets of votes: {score} finds wrong labels, AUROC", f"{len(aucs)} sets"
        figures.add(name, mean(values), "", note=note, details=details)


def names(*reads: str) -> list[str]:
    """Return the scores that read one of these."""
    return [name for name in registry.names("ambiguity") if registry.method_class("ambiguity", name).reads in reads]


def scored(score: str, votes: Votes) -> ItemScores:
    """Return a score of votes, with its default aggregation method."""
    scorer: ItemScorer = registry.method("ambiguity", score)
    posterior = aggregate(votes, getattr(scorer, "aggregated_by", "dawid_skene"))
    return score_items(scorer, None, votes, posterior)


def wrong_labels(votes: Votes, gold: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return 1 where the label by dawid_skene is wrong, 0 where it is right, NaN without gold: (n_tasks,)."""
    wrong = (aggregate(votes).labels != gold).astype(float)
    return np.where((gold >= 0) & (votes.votes_per_task > 0), wrong, np.nan)


def auc(scores: ItemScores, wrong: NDArray[np.float64]) -> float:
    """Return the probability that a wrong label is ranked as more ambiguous than a right one; ties count half."""
    has_both = ~np.isnan(wrong) & ~np.isnan(scores.values)
    ranks, is_wrong = rankdata(scores.ambiguity[has_both]), wrong[has_both] == 1
    n_wrong, n_right = is_wrong.sum(), (~is_wrong).sum()
    return float((ranks[is_wrong].sum() - n_wrong * (n_wrong + 1) / 2) / (n_wrong * n_right))


def share_wrong(scores: ItemScores, wrong: NDArray[np.float64]) -> float:
    """Return the share of wrong labels among the worst tenth."""
    judged = [task for task in scores.worst() if not np.isnan(wrong[task])]
    return float(np.mean(wrong[judged[: max(1, round(WORST * len(judged)))]]))


def of_features(figures: Figures, name: str, seeds: int) -> None:
    """Measure the same on a set with features, with softmax regression and a network with several seeds."""
    task = load(name)
    wrong = wrong_labels(task.votes, task.gold)
    rows = in_parallel(_one_seed, [(task, FAR * seed) for seed in range(seeds)])
    for score, by in rows[0]:
        values = [row[score, by] for row in rows]
        details: dict[str, Any] = {"table": name, "score": score, "by": by, "wrong": float(np.nanmean(wrong))}
        details["share_wrong"] = mean([share for _, share in values])
        figures.add(f"{name}: {score} {by}finds wrong labels, AUROC", mean([a for a, _ in values]), "", details=details)


def _one_seed(task: Task, shift: int) -> dict[tuple[str, str], tuple[float, float]]:
    wrong = wrong_labels(task.votes, task.gold)
    figures_by_score = {}
    for score in registry.names("ambiguity"):
        scorer: ItemScorer = registry.method("ambiguity", score)
        for by, learner in learners(scorer, shift).items():
            posterior = aggregate(task.votes, getattr(scorer, "aggregated_by", "dawid_skene"))
            scores = score_items(scorer, task.x, task.votes, posterior, learner=learner)
            figures_by_score[score, by] = auc(scores, wrong), share_wrong(scores, wrong)
    return figures_by_score


def learners(scorer: ItemScorer, shift: int) -> dict[str, Learner | None]:
    """Return the classifiers that a score is tried with."""
    if scorer.reads == "votes":
        return {"": None}
    target = Soft() if scorer.reads == "out_of_fold" else Stacked()
    by_prefix: dict[str, Learner | None] = {"by softmax regression ": Linear(target=target)}
    if scorer.reads != "worker_traces":
        recipe = Recipe(epochs=40, optimiser="adam")
        by_prefix["by a network "] = fresh(Network(base=Mlp(dropout=0.5), target=target, recipe=recipe), shift)
    return by_prefix


def cost_of_waum(figures: Figures, repeats: int) -> None:
    """Measure the CPU seconds that recording and scoring the trace add to the training."""
    x, votes = labelme_like()
    posterior = aggregate(votes)
    network = Network(base=Mlp(dropout=0.5), target=Stacked(), recipe=Recipe(epochs=30))

    def train() -> None:
        fresh(network).fit(x, votes, posterior)

    def train_and_score() -> None:
        score_items(Waum(), x, votes, posterior, learner=network)

    bare, watched = least_cpu([train, train_and_score], repeats)
    figures.add("WAUM: what it adds to the training that it watches", watched / bare - 1, "x", most=0.10)
