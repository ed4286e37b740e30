"""Predictions and how good they are, as `train` and `predict` show them."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from quorate.cli import console
from quorate.cli.options import output
from quorate.data.ids import as_names
from quorate.data.posterior import Posterior
from quorate.io.items import Items

NAMES = {
    "items": "items with gold",
    "accuracy": "accuracy",
    "balanced_accuracy": "balanced accuracy",
    "macro_f1": "macro F1",
    "ece": "ECE (calibration)",
    "nll": "NLL (log-loss)",
    "brier": "Brier score",
    "votes": "votes",
    "votes_cross_entropy": "votes' cross-entropy",
    "votes_through_workers": "... through workers",
    "votes_log_likelihood": "log-likelihood of votes",
}
COUNTS = ("items", "votes")
SHOWN = 16


def predicted(learner: Any, items: Items) -> Posterior:
    """What a learner says of items, in the shape in which tables are written."""
    probs = learner.predict_proba(items.x)
    return Posterior(
        probs=probs,
        tasks=items.tasks,
        workers=as_names([]),
        classes=learner.classes_,
        class_prior=probs.mean(axis=0),
        objective=np.empty(0),
    )


def scores_table(title: str, groups: Mapping[str, Mapping[str, float]], form: output.Format) -> None:
    """One column per group of items, one row per score; a dot where a group has none."""
    there = [name for name in NAMES if any(name in scores for scores in groups.values())]
    if form is not output.Format.table:
        columns: dict[str, list[Any]] = {"score": there}
        console.rows(columns | {group: [scores.get(name) for name in there] for group, scores in groups.items()}, form)
        return
    shown = {"score": [NAMES[name] for name in there]}
    for group, scores in groups.items():
        shown[group] = [
            f"{scores[name]:,.0f}" if name in COUNTS and name in scores else console.number(scores.get(name))
            for name in there
        ]
    console.table(title, shown, right=list(groups), wrap=list(groups))


def classes_table(predictions: Posterior) -> None:
    """How many items each class has, and how sure the predictions are of them."""
    n_classes = len(predictions.classes)
    items = np.bincount(predictions.labels, minlength=n_classes)
    sure = np.bincount(predictions.labels, predictions.confidence, minlength=n_classes) / np.maximum(items, 1)
    order = np.argsort(-items, kind="stable")[:SHOWN]
    columns = {
        "class": [console.short(predictions.classes[index]) for index in order],
        "items": [f"{items[index]:,}" for index in order],
        "mean confidence": [console.number(sure[index] if items[index] else None, 2) for index in order],
        "share": [
            f"{items[index] / items.sum():6.1%} {console.bar(items[index] / items.sum(), 24)}" for index in order
        ],
    }
    console.table("Predictions", columns, right=["items", "mean confidence"])
    if n_classes > len(order):
        console.line(f"... and {n_classes - len(order):,} more classes")
