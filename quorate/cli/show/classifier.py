"""A classifier and its predictions, as `quorate train` and `quorate predict` show them."""

from typing import Any

import numpy as np

from quorate import registry
from quorate.api.learner_items import innermost
from quorate.api.train import TrainedClassifier
from quorate.cli import console
from quorate.cli.show.votes import count_votes
from quorate.data.posterior import Posterior
from quorate.data.votes import Votes

DIVERGED = 1e6  # a final loss that no training has that went well
MAX_CLASSES = 16


def show_training(result: TrainedClassifier, method: str) -> None:
    """Print what the classifier was trained on, and how long."""
    _show_learner(result.learner, result.votes, method)


def show_predictions(predictions: Posterior, learner: Any) -> None:
    """Print how many items each class has, and how confident the predictions are."""
    n_items = console.count(len(predictions.tasks), "item")
    console.line(f"{type(learner).__name__}: {n_items}; mean confidence {predictions.confidence.mean():.2f}")
    n_classes = len(predictions.classes)
    items = np.bincount(predictions.labels, minlength=n_classes)
    confidence = np.bincount(predictions.labels, predictions.confidence, minlength=n_classes) / np.maximum(items, 1)
    order = np.argsort(-items, kind="stable")[:MAX_CLASSES]
    shares = items / items.sum()
    columns = {
        "class": [console.short(predictions.classes[index]) for index in order],
        "items": [f"{items[index]:,}" for index in order],
        "mean confidence": [console.number(confidence[index] if items[index] else None, 2) for index in order],
        "share": [f"{shares[index]:6.1%} {console.bar(shares[index], 24)}" for index in order],
    }
    console.table("Predictions", columns, right=["items", "mean confidence"])
    if n_classes > len(order):
        console.line(f"... and {n_classes - len(order):,} more classes")


def _show_learner(learner: Any, votes: Votes, method: str) -> None:
    if hasattr(learner, "calibration_"):
        _show_learner(learner.learner_, votes, method)
        console.line(learner.calibration_.note)
        return
    n_voted = int((votes.votes_per_task > 0).sum())
    part = f"{n_voted:,} of " if n_voted < votes.n_tasks else ""
    used = registry.name_of(learner.aggregator) if hasattr(learner, "aggregator") else method
    sizes = f"trained on {part}{console.count(votes.n_tasks, 'item')} with {count_votes(votes)} ({used})"
    console.line(f"{type(learner).__name__}: {sizes}{_rounds(learner)}{_epochs(learner)}")
    inside = getattr(innermost(learner), "history_", None)
    if inside is not None and inside.losses[-1] > DIVERGED:
        console.line(f"the loss is {inside.losses[-1]:.2g}, so training has diverged: lower --lr")


def _rounds(learner: Any) -> str:
    """Return how many rounds joint EM or self-training had."""
    if hasattr(learner, "rounds_"):
        kept = sum(record.kept for record in learner.rounds_)
        return f"; {console.count(len(learner.rounds_), 'round')}, {kept} kept"
    return f"; {console.count(learner.rounds, 'round')}" if hasattr(learner, "rounds") else ""


def _epochs(learner: Any) -> str:
    """Return how many epochs a network had, and which was kept."""
    history = getattr(learner, "history_", None)
    if history is None:
        return ""
    kept = f", epoch {history.kept + 1} kept" if history.scores else ""
    return f"; {console.count(len(history.losses), 'epoch')}, loss {history.losses[-1]:.3f}{kept}"
