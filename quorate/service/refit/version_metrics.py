"""Metrics of each version of a model: what it was fitted to, and how good and how well calibrated it is."""

from typing import Any

import numpy as np

from quorate.metrics import LEAST, expected_calibration_error
from quorate.service.decisions.evidence import machines_of
from quorate.service.refit.decide_pool import PoolView
from quorate.typing import Array

MIN_AUDITED = 10  # tasks: fewer say nothing about calibration


def metrics_of(view: PoolView, believed: Array, automatic_share: float | None) -> dict[str, Any]:
    """Return the metrics of a version.

    `learner_accuracy` and `learner_log_loss` compare the out-of-fold predictions of the classifier with the posterior;
    `calibration_error` compares the posterior without the experts with their labels.

    Args:
        view: the question in this round.
        believed: posterior of the tasks with votes or gold.
        automatic_share: of the other tasks, the share that the classifier may decide alone.
    """
    snapshot, rows = view.snapshot, np.flatnonzero(view.snapshot.informed)
    metrics: dict[str, Any] = {
        "n_votes": len(snapshot.votes),
        "n_gold": int((snapshot.gold >= 0).sum()),
        "n_tasks": len(snapshot.ids),
        "classes": [round(float(share), 4) for share in view.model.class_prior] if _knows_classes(view) else None,
        "machine_alone": None if automatic_share is None else round(automatic_share, 4),
    }
    if view.machine is not None and len(rows):
        probs = machines_of(view.machine, view.usable[rows])[view.machine]
        metrics["learner_accuracy"] = round(float((probs.argmax(axis=1) == believed.argmax(axis=1)).mean()), 4)
        log_loss = -(believed * np.log(np.maximum(probs, LEAST))).sum(axis=1).mean()
        metrics["learner_log_loss"] = round(float(log_loss), 4)
    audited = np.flatnonzero(snapshot.by_expert)
    if len(audited) >= MIN_AUDITED:
        metrics["n_audited"] = len(audited)
        machines = machines_of(view.machine, view.usable[audited])
        probs = view.model.posterior(snapshot.votes.subset(tasks=audited), machines)
        metrics["calibration_error"] = round(float(expected_calibration_error(probs, snapshot.gold[audited])), 4)
    return metrics


def _knows_classes(view: PoolView) -> bool:
    return hasattr(view.model, "class_prior")
