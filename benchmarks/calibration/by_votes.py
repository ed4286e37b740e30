"""Calibration without gold labels: a temperature fitted to real votes with worker models.

python -m benchmarks.calibration.by_votes [--quick] [--json FILE]

QUORATE_DATA names the folder of the sets. The protocol is fixed: a predictor learns from the votes on the training
items; `quorate.calibrate` gets its out-of-fold predictions and their votes; the calibrator is applied to the
predictions for the test items. Baselines: no calibration, a temperature fitted to vote shares, and one fitted to gold
(of the validation items where a set has them, otherwise of the training items). Test gold is used for measuring only.
--quick: two seeds instead of five.
"""

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")  # two threads on two busy processors wait for each other

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.calibration import worker_models
from benchmarks.harness import Figures
from benchmarks.harness import run as run_benchmark
from benchmarks.learning.papers import RECIPE
from benchmarks.learning.runs import FAR, deviation, in_parallel, mean
from benchmarks.learning.sets import Task, load
from quorate import aggregate
from quorate.aggregation.dawid_skene import DawidSkene
from quorate.calibration.cross_validation import cross_calibrate, log_evidence
from quorate.calibration.selection import calibrate, vote_likelihoods
from quorate.calibration.temperature import Temperature
from quorate.learning._clone import fresh
from quorate.learning.bases.mlp import Mlp
from quorate.learning.cross_fitting import cross_fit
from quorate.learning.heads.crowd_layer import CrowdLayer
from quorate.learning.learners.joint_em import JointEm
from quorate.learning.learners.linear import Linear
from quorate.learning.learners.network import Network
from quorate.learning.targets.hard import Hard
from quorate.learning.targets.soft import Soft
from quorate.metrics import LEAST, accuracy, expected_calibration_error, log_loss
from quorate.protocols import Learner
from quorate.registry.method_names import AggregationMethod
from quorate.typing import Array

WAYS = ("before", "shares", "votes", "gold")
L2 = (0.001, 0.01, 0.1, 1.0)


@dataclass(frozen=True, eq=False)
class Predictor:
    """A learner and the aggregation method whose labels it is trained on."""

    name: str
    learner: Learner
    labels: AggregationMethod = "dawid_skene"


@dataclass(frozen=True, eq=False)
class Run:
    """One seed of a predictor. By way: ECE, log-loss and, against `before`, the rise of it in standard errors.

    evidence: how likely it makes the votes, cross-validated. floor: the ECE that it would have by chance if its
    calibrated probabilities were true.
    """

    ece: dict[str, float]
    nll: dict[str, float]
    rise: dict[str, float]
    temperature: dict[str, float]
    accuracy: float
    evidence: float
    floor: float


def predictors(name: str) -> list[Predictor]:
    """Too sure, about right and not sure enough: softmax regression, joint EM and networks."""
    songs = name == "music_genre"
    base = Mlp(sizes=(128,), batch_norm=True, dropout=0.5) if songs else Mlp(dropout=0.5)
    network = Network(base=base, target=Hard(), recipe=replace(RECIPE, weight_decay=0.01) if songs else RECIPE)
    joint = JointEm(
        learner=Linear(l2=0.1, scale="standard" if songs else "shares"),
        last=Linear(l2=0.02, scale="standard" if songs else "shares"),
        aggregator=DawidSkene(strength=8.0),
    )
    return [
        *(Predictor(linear_name(l2), Linear(l2=l2)) for l2 in L2),
        Predictor("joint EM", joint),
        Predictor("network, hard majority labels", network, "majority"),
        Predictor("network, hard Dawid-Skene labels", network),
        Predictor("network, vote shares", replace(network, target=Soft()), "naive_soft"),
        Predictor("network, soft Dawid-Skene labels", replace(network, target=Soft())),
        Predictor("CrowdLayer", replace(network, head=CrowdLayer())),
    ]


def linear_name(l2: float) -> str:
    return f"softmax regression, l2 {l2:g}"


def measure(figures: Figures, quick: bool) -> None:
    """Calibration errors on LabelMe and Music before and after, and whether anything got worse."""
    if not os.environ.get("QUORATE_DATA"):
        raise SystemExit("QUORATE_DATA is not set: set it to the folder of the real sets")
    seeds = 2 if quick else 5
    for name in ("labelme", "music_genre"):
        task = load(name)
        runs_by_predictor = {candidate.name: _runs(candidate, task, seeds) for candidate in predictors(name)}
        for predictor, runs in runs_by_predictor.items():
            most = 0.03 if (name, predictor) == ("labelme", "joint EM") else None
            _show(figures, f"{name}: {predictor}", name, predictor, runs, most)
        chosen = max(L2, key=lambda l2: mean([run.evidence for run in runs_by_predictor[linear_name(l2)]]))
        title = f"{name}: softmax regression, l2 chosen by votes"
        most = 0.03 if name == "labelme" else None
        _show(
            figures,
            title,
            name,
            f"softmax regression, l2 chosen by votes: {chosen:g}",
            runs_by_predictor[linear_name(chosen)],
            most,
        )
        _show_harm(figures, name, [run for runs in runs_by_predictor.values() for run in runs])
        worker_models.measure(figures, task, seeds)


def _show(figures: Figures, title: str, name: str, predictor: str, runs: list[Run], most: float | None) -> None:
    """Add a row: the calibration error after calibration by votes, with those of the baselines."""
    details: dict[str, Any] = {"set": name, "predictor": predictor, "accuracy": mean([run.accuracy for run in runs])}
    details |= {"evidence": mean([run.evidence for run in runs]), "floor_ece": mean([run.floor for run in runs])}
    details["helped"] = mean([float(run.temperature["votes"] != 1) for run in runs])
    for way in WAYS:
        eces = [run.ece[way] for run in runs]
        details[f"{way}_ece"], details[f"{way}_ece_deviation"] = mean(eces), deviation(eces)
        details[f"{way}_nll"] = mean([run.nll[way] for run in runs])
        details[f"{way}_temperature"] = mean([run.temperature[way] for run in runs])
    figures.add(f"{title}: calibration error, by votes", details["votes_ece"], "", most=most, details=details)


def _show_harm(figures: Figures, name: str, runs: list[Run]) -> None:
    """Count the runs that got worse: their log-loss rose by more than twice its standard error."""
    for way, most in (("votes", 0.0), ("shares", None)):
        worse = sum(run.rise[way] > 2 for run in runs)
        largest = max(run.ece[way] - run.ece["before"] for run in runs)
        details = {"set": name, "way": way, "runs": len(runs), "worse": worse, "largest_rise_of_ece": largest}
        title, note = f"{name}: runs that {way} made worse beyond noise", f"of {len(runs)}"
        figures.add(title, worse, "", most=most, note=note, details=details)
        figures.add(f"{name}: largest rise of a calibration error by {way}", largest, "")


def _runs(predictor: Predictor, task: Task, seeds: int) -> list[Run]:
    return in_parallel(_one_run, [(predictor, task, seed) for seed in range(seeds)])


def _one_run(predictor: Predictor, task: Task, seed: int) -> Run:
    posterior = aggregate(task.votes, predictor.labels)
    learner = fresh(predictor.learner, FAR * seed)
    out_of_fold = cross_fit(learner, task.x, task.votes, posterior, seed=seed)
    fitted = fresh(learner).fit(task.x, task.votes, posterior)
    seen = vote_likelihoods(task.votes)
    if task.valid is None:
        by_gold = Temperature().fit(out_of_fold, task.gold)
    else:
        by_gold = Temperature().fit(fitted.predict_proba(task.valid.x), np.asarray(task.valid.gold))
    by_votes = calibrate(out_of_fold, votes=task.votes, seed=seed).calibrator
    temperature = {
        "before": 1.0,
        "shares": Temperature().fit(out_of_fold[task.votes.task], task.votes.label.astype(np.int64)).temperature_,
        "votes": float(getattr(by_votes, "temperature_", 1.0)),
        "gold": by_gold.temperature_,
    }
    test = fitted.predict_proba(task.test_x)
    calibrated = {way: Temperature().restore({"temperature": temperature[way]}).transform(test) for way in WAYS}
    item_losses = {way: _losses(probs, task.test_gold) for way, probs in calibrated.items()}
    return Run(
        ece={way: expected_calibration_error(probs, task.test_gold) for way, probs in calibrated.items()},
        nll={way: log_loss(probs, task.test_gold) for way, probs in calibrated.items()},
        rise={way: _in_errors(losses - item_losses["before"]) for way, losses in item_losses.items()},
        temperature=temperature,
        accuracy=accuracy(test, task.test_gold),
        evidence=float(log_evidence(cross_calibrate(Temperature(), out_of_fold, seen, seed=seed), seen).mean()),
        floor=_floor(calibrated["votes"], seed),
    )


def _floor(probs: Array, seed: int, draws: int = 50) -> float:
    """Return the mean ECE if gold is drawn from the probabilities themselves."""
    random = np.random.default_rng(seed)
    drawn = [(random.random((len(probs), 1)) > probs.cumsum(axis=1)[:, :-1]).sum(axis=1) for _ in range(draws)]
    return mean([expected_calibration_error(probs, gold) for gold in drawn])


def _losses(probs: Array, gold: NDArray[np.int64]) -> Array:
    """Return the log-loss of each item."""
    return -np.log(np.maximum(probs[np.arange(len(gold)), gold], LEAST))


def _in_errors(gaps: Array) -> float:
    """Return the mean in units of its standard error; 0 if nothing differs."""
    error = float(gaps.std(ddof=1) / np.sqrt(len(gaps)))
    return float(gaps.mean()) / error if error > 1e-12 else 0.0


if __name__ == "__main__":
    run_benchmark(measure, "Calibration without gold.")
