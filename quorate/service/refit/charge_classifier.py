"""Which predictions of the classifier may be used in a round, and for which items it is charged."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from quorate.service.decisions.task_state import DECIDED_INDICES, STATUSES, WAITING
from quorate.service.projects.plan import QuestionPlan
from quorate.service.refit.inputs import QuestionInputs
from quorate.service.refit.snapshot import Snapshot


@dataclass(frozen=True, eq=False)
class DueCharges:
    """By task: whether its prediction may be used, and whether the classifier is charged for its item in this round."""

    may_use: NDArray[np.bool_]
    charged_now: NDArray[np.bool_]


def usable_predictions(asked: QuestionPlan, snapshot: Snapshot) -> NDArray[np.float32]:
    """Return the stored predictions that decisions may use, NaN elsewhere: (n_tasks, n_classes)."""
    if not asked.machine_cost:
        return snapshot.stored.machine
    return np.where(snapshot.charged[:, None], snapshot.stored.machine, np.float32(np.nan))


def due_charges(facts: QuestionInputs, machine: str | None, predicted: NDArray[np.float32]) -> DueCharges:
    """Choose the tasks that the free money covers; open tasks come first, then the others, each by id.

    Tasks with gold, and those not decided on yet, need no charge: their predictions enter no decision.
    """
    snapshot, cost = facts.snapshot, facts.asked.machine_cost
    none = np.zeros(len(snapshot.ids), dtype=bool)
    if machine is None or not cost:
        return DueCharges(~none, none)
    lacking = ~snapshot.charged & ~np.isnan(predicted).any(axis=1) & (snapshot.gold < 0) & ~is_held(facts)
    rows = np.flatnonzero(lacking)
    order = rows[np.argsort(np.isin(snapshot.stored.status[rows], DECIDED_INDICES), kind="stable")]
    chosen = order if facts.free_money is None else order[: max(facts.free_money, 0) // cost]
    now = none.copy()
    now[chosen] = True
    return DueCharges(~lacking | now, now)


def is_held(facts: QuestionInputs) -> NDArray[np.bool_]:
    """Return which tasks are not decided on yet: they are not in play, or first votes are wanted elsewhere."""
    waiting = facts.snapshot.stored.status == STATUSES.index(WAITING)
    return waiting & (~facts.snapshot.in_play | (facts.waits and facts.affordable.any()))
