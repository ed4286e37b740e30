"""NN1 of "Hybrid classification services": effect of each kind of target on F1 and calibration on its Appen sets.

NN1 is one linear layer on tf-idf of one to three words, trained by softmax cross-entropy on the crowd's labels. Here
L-BFGS fits it; Adam, which the paper uses, minimises the same loss (its weight decay is l2) and is compared on two
sets. Of all rounds of a fit, and of all cells of the grid (l2, class weights), the one with the lowest cross-entropy on
validation is kept, against targets of the same kind from the crowd. The authors' gold labels of the test items are used
for measuring only. --quick: one draw of validation items instead of three, and fewer bootstrap samples.

A fit is deterministic, but five sets have randomly drawn validation items: figures are means of several draws. Standard
errors come from a bootstrap of the test items in which all targets see the same items.
"""

import os
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.calibration.texts_fits import GRID, Fitted, fit, fit_by_adam
from benchmarks.calibration.texts_sets import PRINTED, TARGETS
from benchmarks.harness import Figures
from benchmarks.learning.runs import in_parallel
from quorate.metrics import accuracy, expected_calibration_error, macro_f1, sigmoid_reading
from quorate.typing import Array

MEASURES = ("f1", "ece_sigmoid", "ece_softmax")  # in percent; the first two as the paper's code reads them
ECE = "ECE in the paper's reading"
SAME_SPLIT = tuple(name for name, printed in PRINTED.items() if printed.same_split)
Fits = dict[tuple[str, str], list[Fitted]]  # by set and target: a fit for each draw of validation items
Tables = dict[str, Array]  # by set: (..., targets, measures)


def measure(figures: Figures, quick: bool) -> None:
    """F1 and ECE by set and target, their mean differences to hard labels, and Adam beside L-BFGS."""
    if not os.environ.get("QUORATE_DATA"):
        raise SystemExit("QUORATE_DATA is not set: set it to the folder of the real sets")
    fits = all_fits(draws=1) if quick else all_fits(draws=3)
    probs = {name: [[fitted.chosen for fitted in fits[name, target]] for target in TARGETS] for name in PRINTED}
    gold = {name: fits[name, "hard"][0].gold for name in PRINTED}
    tables: Tables = {name: table(probs[name], gold[name]) for name in PRINTED}
    again = in_parallel(resampled, [(probs[name], gold[name], 50 if quick else 200) for name in PRINTED])
    drawn: Tables = dict(zip(PRINTED, again, strict=True))
    for name in PRINTED:
        show_set(figures, name, fits, tables[name], drawn[name])
    for target in TARGETS[1:]:
        show_mean(figures, target, fits, tables, drawn)
    show_adam(figures, fits, list(product(SAME_SPLIT, ("hard", "soft_hard"))))


def all_fits(draws: int) -> Fits:
    """Fit every set and target with each draw of validation items."""
    jobs = [
        (name, target, draw)
        for name, printed in PRINTED.items()
        for draw in range(draws if printed.valid_per_class else 1)
        for target in TARGETS
    ]
    fits: Fits = {job: [] for job in product(PRINTED, TARGETS)}
    for (name, target, _), fitted in zip(jobs, in_parallel(fit, [(*job, GRID) for job in jobs]), strict=True):
        fits[name, target].append(fitted)
    return fits


def measures(probs: Array, gold: NDArray[np.int64]) -> Array:
    """MEASURES of probabilities: (3,)."""
    by_sigmoid = expected_calibration_error(sigmoid_reading(probs), gold, bins=10)
    return 100 * np.array([paper_f1(probs, gold), by_sigmoid, expected_calibration_error(probs, gold)])


def paper_f1(probs: Array, gold: NDArray[np.int64]) -> float:
    """F1 as the paper's code has it: macro where there are more classes than two, of two that of the second."""
    if probs.shape[1] > 2:
        return macro_f1(probs, gold)
    predicted, true = probs.argmax(axis=1) == 1, gold == 1
    return 2 * float((predicted & true).sum()) / float(predicted.sum() + true.sum())


def table(probs: list[list[Array]], gold: NDArray[np.int64]) -> Array:
    """MEASURES of each target, the mean of its draws: (targets, measures)."""
    return np.array([np.mean([measures(draw, gold) for draw in draws], axis=0) for draws in probs])


def resampled(probs: list[list[Array]], gold: NDArray[np.int64], times: int) -> Array:
    """Return the same for test items drawn with replacement, the same for every target: (times, targets, measures)."""
    rng = np.random.default_rng(0)
    rows = [rng.integers(len(gold), size=len(gold)) for _ in range(times)]
    return np.array([table([[draw[some] for draw in draws] for draws in probs], gold[some]) for some in rows])


def show_set(figures: Figures, name: str, fits: Fits, figures_of_set: Array, drawn: Array) -> None:
    """Rows of a set: ECE of each target with all else in the details; F1 against the paper's where that can be done."""
    printed, errors = PRINTED[name], drawn.std(axis=0)
    for index, target in enumerate(TARGETS):
        draws = fits[name, target]
        details: dict[str, Any] = {"texts": name, "target": target, "n_test": len(draws[0].gold), "draws": len(draws)}
        details |= {
            "l2": [fitted.cell.l2 for fitted in draws],
            "class_weights": [fitted.cell.class_weights for fitted in draws],
        }
        details |= dict(zip(MEASURES, figures_of_set[index].tolist(), strict=True))
        details |= {f"{measure}_error": error for measure, error in zip(MEASURES, errors[index].tolist(), strict=True)}
        details |= {"macro_f1": 100 * float(np.mean([macro_f1(fitted.chosen, fitted.gold) for fitted in draws]))}
        details |= {"same_split": printed.same_split, "paper_f1": printed.f1[index], "paper_ece": printed.ece[index]}
        figures.add(f"{name}, {target}: {ECE}", float(figures_of_set[index, 1]), "%", details=details)
    if printed.same_split:
        away = np.abs(figures_of_set[:, 0] - printed.f1) / errors[:, 0]
        figures.add(f"{name}, hard: F1 away from the paper's, in standard errors", float(away[0]), "", most=2.0)
        figures.add(f"{name}, the farthest of five targets: the same", float(away.max()), "")


def show_mean(figures: Figures, target: str, fits: Fits, tables: Tables, drawn: Tables) -> None:
    """Rows of a target: its difference to hard labels, the mean of all sets, in all readings."""
    index = TARGETS.index(target)
    gains = np.array([tables[name][index] - tables[name][0] for name in PRINTED])  # (sets, measures)
    errors = np.mean([drawn[name][:, index] - drawn[name][:, 0] for name in PRINTED], axis=0).std(axis=0)
    by_draw = gains_by_draw(fits, target)  # (draws, measures)
    alike = np.mean([gain_in_one_cell(fits[name, target], fits[name, "hard"]) for name in PRINTED], axis=0)
    paper = {
        "f1": np.mean([printed.f1[index] - printed.f1[0] for printed in PRINTED.values()]),
        "ece_sigmoid": np.mean([printed.ece[index] - printed.ece[0] for printed in PRINTED.values()]),
    }
    for number, (measure, title) in enumerate(zip(MEASURES, ("F1", ECE, "ECE by softmax"), strict=True)):
        details: dict[str, Any] = {"target_mean": target, "measure": measure, "error": float(errors[number])}
        details |= {"by_draw": by_draw[:, number].tolist(), "in_one_cell": float(alike[number])}
        details |= {"lower": int((gains[:, number] < 0).sum()), "of": len(gains)}
        details |= {"paper": float(paper[measure])} if measure in paper else {}
        most = 0.0 if target == "soft_hard" and measure == "ece_sigmoid" else None
        gain = float(gains[:, number].mean())
        figures.add(f"eight Appen sets, {target} - hard: {title}", gain, "pts", most=most, details=details)


def gains_by_draw(fits: Fits, target: str) -> Array:
    """Return the difference to hard labels of each draw, the mean of all sets: (draws, measures)."""
    means = []
    for draw in range(max(len(draws) for draws in fits.values())):
        pairs = [[fits[name, kind][draw % len(fits[name, kind])] for kind in (target, "hard")] for name in PRINTED]
        gains = [measures(soft.chosen, soft.gold) - measures(hard.chosen, hard.gold) for soft, hard in pairs]
        means.append(np.mean(gains, axis=0))
    return np.array(means)


def gain_in_one_cell(draws: list[Fitted], hard_draws: list[Fitted]) -> Array:
    """Return the difference to hard labels if both use the cell that hard labels chose: (measures,)."""
    pairs = zip(draws, hard_draws, strict=True)
    gains = [measures(soft.probs[hard.cell], soft.gold) - measures(hard.chosen, hard.gold) for soft, hard in pairs]
    return np.mean(gains, axis=0)


def show_adam(figures: Figures, fits: Fits, jobs: list[tuple[str, str]]) -> None:
    """Rows that compare L-BFGS with Adam in the cell that was chosen."""
    results = in_parallel(fit_by_adam, [(*job, fits[job][0].cell) for job in jobs])
    for (name, target), (probs, seconds) in zip(jobs, results, strict=True):
        fitted = fits[name, target][0]
        details: dict[str, Any] = {"adam_texts": name, "target": target, "adam_seconds": seconds}
        details |= {"seconds": fitted.seconds, "gap": float(np.abs(probs - fitted.chosen).max(axis=1).mean())}
        details |= dict(zip(MEASURES, measures(fitted.chosen, fitted.gold).tolist(), strict=True))
        by_adam = measures(probs, fitted.gold).tolist()
        details |= {f"adam_{measure}": value for measure, value in zip(MEASURES, by_adam, strict=True)}
        alike = accuracy(probs, fitted.chosen.argmax(axis=1))
        figures.add(f"{name}, {target}: test items that Adam labels as L-BFGS does", 100 * alike, "%", details=details)
