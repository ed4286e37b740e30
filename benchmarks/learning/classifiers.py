"""Classifiers trained from real votes: accuracy, gains of the methods of the papers, and cost.

python -m benchmarks.learning.classifiers [--quick] [--json FILE]      (or: make learn)

QUORATE_DATA names the folder of the sets. Every figure is the mean of five seeds (--quick: two), chosen by validation
items or held-out votes and measured on the test items. LEARN_CACHE names a folder that keeps the features of texts
and images; without it, a run takes most of an hour.
"""

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")  # two threads on two busy processors wait for each other

from typing import Any

import numpy as np

from benchmarks.harness import Figures
from benchmarks.harness import run as run_benchmark
from benchmarks.learning import papers, speed
from benchmarks.learning.runs import Runs, choose_by_gold, choose_by_held_out_votes, choose_by_votes, mean, run
from benchmarks.learning.sets import Task, image_features, layered_sentence_features, load, sentence_features
from quorate.aggregation.dawid_skene import DawidSkene
from quorate.learning.bases.mlp import Mlp
from quorate.learning.heads.anno_reg import AnnoReg
from quorate.learning.heads.geo_crowd_net import GeoCrowdNet
from quorate.learning.learners.ensemble import Ensemble
from quorate.learning.learners.joint_em import JointEm
from quorate.learning.learners.linear import Linear
from quorate.learning.learners.network import Network
from quorate.learning.training.recipe import Recipe
from quorate.learning.training.schedules import Cosine
from quorate.metrics import accuracy, expected_calibration_error
from quorate.protocols import Learner

NETWORKS = 5  # of an ensemble


def measure(figures: Figures, quick: bool) -> None:
    """Learners set by set, the methods of the papers, and costs."""
    if not os.environ.get("QUORATE_DATA"):
        raise SystemExit("QUORATE_DATA is not set: set it to the folder of the real sets")
    seeds = 2 if quick else 5
    labelme(figures, seeds)
    labelme_without_gold(figures, seeds)
    labelme_images(figures, seeds)
    music(figures, seeds)
    sentences(figures, seeds)
    papers.measure(figures, quick)
    speed.measure(figures, quick)


def joint(*, l2: float, balance: float, strength: float, last_l2: float | None = None, **options: Any) -> JointEm:
    """Joint EM of softmax regression and Dawid-Skene; `last_l2` of the last fit, which predicts."""
    return JointEm(
        learner=Linear(l2=l2, **options),
        last=None if last_l2 is None else Linear(l2=last_l2, **options),
        aggregator=DawidSkene(strength=strength),
        balance=balance,
    )


def labelme(figures: Figures, seeds: int) -> None:
    """LabelMe by its own 512 features, chosen on the 500 validation items."""
    task = load("labelme")
    candidates: dict[str, Learner] = {
        f"joint EM, l2 .1 then {last}, balance {balance}, strength {strength}, {scale}": joint(
            l2=0.1, balance=balance, strength=strength, last_l2=last, scale=scale
        )
        for last in (0.02, 0.03)
        for balance in (0.5, 1.0, 1.5, 2.0)
        for strength in (2.0, 8.0)
        for scale in ("standard", "shares")
    }
    chosen, losses = choose_by_gold(candidates, task)
    runs = run(candidates[chosen], task, seeds)
    report(figures, "labelme", runs, chosen, losses, least=0.885, ece=0.03, consensus=0.88)
    five_networks(figures, task)


def five_networks(figures: Figures, task: Task) -> None:
    """Measure networks that explain the votes, one by one and together; the validation items choose their weights.

    There are five in the quick form too: fewer would be another ensemble.
    """
    learner = Network(
        base=Mlp(dropout=0.5, scale="shares"),
        head=GeoCrowdNet(weight=0.8),
        recipe=Recipe(epochs=40, optimiser="adam", mixup=1.0),
    )
    runs = run(learner, task, NETWORKS, with_valid=True)
    together = np.mean(runs.probs, axis=0)
    details = {"set": "labelme", "learner": "GeoCrowdNet-F, MLP 128, mixup", **runs.details()}
    figures.add("labelme: accuracy of a GeoCrowdNet with mixup", mean(runs.accuracy), "", details=details)
    right, gap = accuracy(together, task.test_gold), expected_calibration_error(together, task.test_gold)
    figures.add(f"labelme: accuracy of {NETWORKS} such networks together", right, "", least=0.905)
    figures.add(f"labelme: calibration error of {NETWORKS} such networks together", gap, "")


def labelme_without_gold(figures: Figures, seeds: int) -> None:
    """Measure the same without any gold label: held-out votes choose."""
    task = load("labelme")
    candidates: dict[str, Learner] = {
        f"joint EM, l2 .1 then .02, balance {balance}, {scale}": joint(
            l2=0.1, balance=balance, strength=8.0, last_l2=0.02, scale=scale
        )
        for balance in (0.0, 0.5, 1.0)
        for scale in ("standard", "shares")
    }
    chosen, scores = choose_by_held_out_votes(candidates, task)
    report(figures, "labelme, no gold", run(candidates[chosen], task, seeds), chosen, scores, least=0.862)
    usual = run(joint(l2=0.1, balance=0.5, strength=8.0, last_l2=0.02, scale="shares"), task, seeds)
    details = {"set": "labelme, no gold", "learner": "joint EM with the default balance, .5", **usual.details()}
    figures.add("labelme, no gold: accuracy with the default balance", mean(usual.accuracy), "", details=details)


def labelme_images(figures: Figures, seeds: int) -> None:
    """Measure LabelMe with features of EfficientNet-lite0 in addition to its own."""
    task = load("labelme", image_features)
    candidates: dict[str, Learner] = {
        f"joint EM, l2 .3 then {last}, balance {balance}": joint(l2=0.3, balance=balance, strength=8.0, last_l2=last)
        for last in (0.03, 0.05)
        for balance in (1.0, 1.5, 2.0)
    }
    chosen, losses = choose_by_gold(candidates, task)
    runs = run(candidates[chosen], task, seeds)
    report(figures, "labelme, EfficientNet", runs, chosen, losses, least=0.900, ece=0.025, consensus=0.895)


def music(figures: Figures, seeds: int) -> None:
    """Measure Music with its 124 features; without validation items, held-out votes choose."""
    task = load("music_genre")

    def network(decay: float, head: AnnoReg) -> Network:
        recipe = Recipe(
            epochs=100,
            batch_size=64,
            lr=2e-3,
            weight_decay=decay,
            schedule=Cosine(),
            mixup=1.0,
            balance="resample",
        )
        return Network(base=Mlp(sizes=(256, 256), dropout=0.5, scale="ranks"), head=head, recipe=recipe)

    candidates: dict[str, Learner] = {
        f"Anno-Reg, MLP 256-256, decay {decay}": network(decay, AnnoReg(trace=0.0)) for decay in (0.1, 1.0)
    }
    chosen, scores = choose_by_votes(candidates, task)
    together = JointEm(learner=Ensemble(learner=candidates[chosen], members=3), rounds=1)
    chosen = f"joint EM, one round, three of: {chosen}"
    report(figures, "music_genre", run(together, task, seeds), chosen, scores, least=0.71, ece=0.07, consensus=0.825)


def sentences(figures: Figures, seeds: int) -> None:
    """Measure sentence polarity with MiniLM features."""
    task = load("sent_polarity", sentence_features)
    candidates: dict[str, Learner] = {
        f"joint EM, l2 {l2}": joint(l2=l2, balance=0.5, strength=8.0) for l2 in (0.03, 0.06, 0.1, 0.3)
    }
    chosen, scores = choose_by_votes(candidates, task)
    runs = run(candidates[chosen], task, seeds)
    report(figures, "sent_polarity", runs, chosen, scores, least=0.752, ece=0.03, consensus=0.912)
    layers = load("sent_polarity", layered_sentence_features)
    regressions: dict[str, Learner] = {
        f"softmax regression on the states of all layers, l2 {l2}": Linear(l2=l2) for l2 in (0.1, 0.3, 1.0)
    }
    chosen, _ = choose_by_votes(regressions, layers)
    runs = run(regressions[chosen], layers, 1)
    details = {"set": "sent_polarity", "learner": chosen, **runs.details()}
    figures.add("sent_polarity, states of all layers: accuracy", mean(runs.accuracy), "", details=details)
    figures.add("sent_polarity, states of all layers: calibration error", mean(runs.ece), "")


def report(
    figures: Figures,
    name: str,
    runs: Runs,
    learner: str,
    choice: dict[str, float],
    *,
    least: float,
    ece: float | None = None,
    consensus: float | None = None,
) -> None:
    """Figures of one set, with what was chosen and by which scores."""
    details = {"set": name, "learner": learner, "choice": choice, **runs.details()}
    print(f"\n{name}: {learner} ({runs.seconds:.0f} s a seed)", flush=True)
    figures.add(f"{name}: accuracy", mean(runs.accuracy), "", least=least, details=details)
    figures.add(f"{name}: calibration error", mean(runs.ece), "", most=ece)
    figures.add(f"{name}: accuracy of the consensus of the training items", mean(runs.consensus), "", least=consensus)


if __name__ == "__main__":
    run_benchmark(measure, "Classifiers learnt from real votes.")
