"""What is kept of each version of a model: how much it saw, how good its classifier is, how far it can be trusted."""

from typing import Any

import numpy as np

from quorate.data.votes import Votes
from quorate.metrics import LEAST, expected_calibration_error
from quorate.service.refit.decide_pool import PoolView, machines_of
from quorate.typing import Array

ENOUGH = 10  # audited tasks: fewer say nothing of calibration


def metrics_of(view: PoolView, believed: Array, alone: float | None) -> dict[str, Any]:
    """Numbers for people. believed: of the tasks with votes or gold. alone: share of the rest the machine may decide.

    learner_accuracy and learner_log_loss: of what the classifier says out of fold, against what is believed.
    calibration_error: of what would be believed without the experts, against what they said.
    """
    snapshot, rows = view.snapshot, np.flatnonzero(view.snapshot.informed)
    found: dict[str, Any] = {
        "n_votes": len(snapshot.votes),
        "n_gold": int((snapshot.gold >= 0).sum()),
        "n_tasks": len(snapshot.ids),
        "classes": [round(float(share), 4) for share in view.model.class_prior] if _knows_classes(view) else None,
        "machine_alone": None if alone is None else round(alone, 4),
    }
    if view.machine is not None and len(rows):
        said = machines_of(view.machine, view.said[rows])[view.machine]
        found["learner_accuracy"] = round(float((said.argmax(axis=1) == believed.argmax(axis=1)).mean()), 4)
        log_loss = -(believed * np.log(np.maximum(said, LEAST))).sum(axis=1).mean()
        found["learner_log_loss"] = round(float(log_loss), 4)
    audited = np.flatnonzero(snapshot.by_expert)
    if len(audited) >= ENOUGH:
        found["n_audited"] = len(audited)
        probs = view.model.posterior(_of(snapshot.votes, audited), machines_of(view.machine, view.said[audited]))
        found["calibration_error"] = round(float(expected_calibration_error(probs, snapshot.gold[audited])), 4)
    return found


def _of(votes: Votes, rows: Any) -> Votes:
    return votes.subset(tasks=rows)


def _knows_classes(view: PoolView) -> bool:
    return hasattr(view.model, "class_prior")
