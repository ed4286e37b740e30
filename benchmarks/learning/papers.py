"""What each method of the papers adds on real votes: the same network without it and with it."""

from dataclasses import dataclass, replace
from typing import Any

from benchmarks.harness import Figures
from benchmarks.learning.runs import Runs, deviation, mean, run
from benchmarks.learning.sets import Task, load
from quorate.learning.bases.mlp import Mlp
from quorate.learning.heads.anno_reg import AnnoReg
from quorate.learning.heads.annot_mix import AnnotMix
from quorate.learning.heads.conal import Conal
from quorate.learning.heads.crowd_layer import CrowdLayer
from quorate.learning.heads.geo_crowd_net import GeoCrowdNet
from quorate.learning.heads.multi_task import MultiTask
from quorate.learning.heads.weighted_doctor_net import WeightedDoctorNet
from quorate.learning.learners.network import Network
from quorate.learning.learners.self_training import SelfTraining
from quorate.learning.steps.sam import Sam
from quorate.learning.targets.hard import Hard
from quorate.learning.targets.soft import Soft
from quorate.learning.training.recipe import Recipe
from quorate.protocols import Learner
from quorate.registry.method_names import AggregationMethod

RECIPE = Recipe(epochs=40, batch_size=64, optimiser="adam")


@dataclass(frozen=True, eq=False)
class Claim:
    """What a paper says that a method does: a network without it, and with it."""

    method: str
    claim: str
    without: Learner
    with_it: Learner
    labels: AggregationMethod = "dawid_skene"  # the method whose consensus both start from


def claims(recipe: Recipe, base: Mlp) -> list[Claim]:
    """Return the claims, all on one base and recipe."""
    hard = Network(base=base, target=Hard(), recipe=recipe)
    layer = Network(base=base, head=CrowdLayer(shrink=0.0), recipe=recipe)
    conal = replace(layer, head=Conal())
    started = replace(layer, head=AnnoReg(trace=0.0))
    dasc = SelfTraining(learner=layer)
    regularised = Network(base=base, head=AnnoReg(trace=0.0, start="diagonal"), recipe=recipe)
    together = Network(base=base, head=Conal(apart=0.0), recipe=recipe)
    with_trace = replace(layer, head=AnnoReg(start="diagonal"))
    confident = SelfTraining(learner=layer, choose="confidence", roll_back=False)
    mixed = Network(base=base, head=AnnotMix(), recipe=replace(recipe, mixup=1.0))
    return [
        Claim("soft targets", "beat hard ones", hard, replace(hard, target=Soft()), "naive_soft"),
        Claim("CrowdLayer", "beats majority labels", hard, layer, "majority"),
        Claim("CrowdLayer, shrunk", "beats a layer per worker alone", layer, replace(layer, head=CrowdLayer())),
        Claim("CoNAL", "beats CrowdLayer", layer, conal),
        Claim("CoNAL, lambda 1e-4", "beats lambda 0", together, conal),
        Claim("Anno-Reg", "beats CrowdLayer", layer, with_trace),
        Claim("the trace of Anno-Reg", "beats no trace", regularised, with_trace),
        Claim("Anno-Reg from D&S", "beats a diagonal start", regularised, started),
        Claim(
            "Weighted Doctor Net", "beats majority labels", hard, replace(layer, head=WeightedDoctorNet()), "majority"
        ),
        Claim("GeoCrowdNet-F", "beats no reward for volume", started, replace(layer, head=GeoCrowdNet())),
        Claim("annot-mix", "beats CrowdLayer", layer, mixed),
        Claim("multi-task", "beats the label alone", hard, replace(hard, head=MultiTask()), "majority"),
        Claim("DASC around CrowdLayer", "beats CrowdLayer", layer, dasc),
        Claim("DASC around Anno-Reg", "beats Anno-Reg", with_trace, SelfTraining(learner=with_trace)),
        Claim("choice by confidence around CrowdLayer", "is better than DASC", dasc, confident),
        Claim("SAM", "beats a plain step", hard, replace(hard, recipe=replace(recipe, step=Sam())), "majority"),
    ]


def measure(figures: Figures, quick: bool) -> None:
    """Gains in test accuracy, in points, of every method on LabelMe, with and without validation, and on Music."""
    seeds = 2 if quick else 5
    images, songs = load("labelme"), load("music_genre")
    to_the_end = replace(images, name="labelme, to the end", valid=None)
    plain, normed = Mlp(dropout=0.5), Mlp(sizes=(128,), batch_norm=True, dropout=0.5)
    for task, recipe, base in (
        (images, RECIPE, plain),
        (to_the_end, RECIPE, plain),
        (songs, replace(RECIPE, weight_decay=0.01), normed),
    ):
        done: dict[tuple[int, str], Runs] = {}
        for claim in claims(recipe, base):
            if task is to_the_end and isinstance(claim.with_it, SelfTraining):
                continue  # nothing is left there that could judge its rounds
            same = replace(task, method=claim.labels)
            show(
                figures, claim, task, [_once(learner, same, seeds, done) for learner in (claim.without, claim.with_it)]
            )


def _once(learner: Learner, task: Task, seeds: int, done: dict[tuple[int, str], Runs]) -> Runs:
    """Runs of a learner, which may stand in several claims."""
    key = id(learner), task.method
    if key not in done:
        done[key] = run(learner, task, seeds, with_valid=True)
    return done[key]


def show(figures: Figures, claim: Claim, task: Task, runs: list[Runs]) -> None:
    """Add a row: the gain, with the figures before and after."""
    before, after = runs
    details: dict[str, Any] = {
        "set": task.name,
        "method": claim.method,
        "claim": claim.claim,
        "without": mean(before.accuracy),
        "without_deviation": deviation(before.accuracy),
        "without_ece": mean(before.ece),
        "with": mean(after.accuracy),
        "with_deviation": deviation(after.accuracy),
        "with_ece": mean(after.ece),
        "holds": verdict(before.accuracy, after.accuracy),
    }
    gain = 100 * (mean(after.accuracy) - mean(before.accuracy))
    figures.add(f"{task.name}: {claim.method} {claim.claim}, by", gain, "pts", details=details)


def verdict(before: list[float], after: list[float]) -> str:
    """Return whether a gain is larger than twice its standard error over the seeds, which both sides share."""
    gains = [value - other for value, other in zip(after, before, strict=True)]
    error = deviation(gains) / len(gains) ** 0.5
    if abs(mean(gains)) <= 2 * error:
        return "not seen"
    return "holds" if mean(gains) > 0 else "refuted here"
