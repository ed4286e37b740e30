"""Which predictions of the classifier may enter the decisions of a round, and which of them are to be charged for."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from quorate.service.decisions.task_state import DECIDED, WAITING
from quorate.service.projects.plan import QuestionPlan
from quorate.service.refit.inputs import QuestionInputs
from quorate.service.refit.snapshot import STATUSES, Snapshot

_DECIDED = [STATUSES.index(status) for status in DECIDED]


@dataclass(frozen=True, eq=False)
class DueCharges:
    """By task: whether its prediction may be used, and whether the classifier is charged for its item in this round."""

    may_use: NDArray[np.bool_]
    charged_now: NDArray[np.bool_]


def usable(asked: QuestionPlan, snapshot: Snapshot) -> NDArray[np.float32]:
    """Return the stored predictions that decisions may look at, NaN elsewhere: (n_tasks, n_classes)."""
    if not asked.machine_cost:
        return snapshot.machine
    return np.where(snapshot.charged[:, None], snapshot.machine, np.float32(np.nan))


def due_charges(facts: QuestionInputs, machine: str | None, predicted: NDArray[np.float32]) -> DueCharges:
    """Choose the tasks that the free money covers; those that are still open come first, then by their ids.

    Tasks that are known, or not decided on yet, need no charge: their predictions enter no decision.
    """
    snapshot, cost = facts.snapshot, facts.asked.machine_cost
    nothing = np.zeros(len(snapshot.ids), dtype=bool)
    if machine is None or not cost:
        return DueCharges(~nothing, nothing)
    lacking = ~snapshot.charged & ~np.isnan(predicted).any(axis=1) & (snapshot.gold < 0) & ~is_held(facts)
    places = np.flatnonzero(lacking)
    order = places[np.argsort(np.isin(snapshot.status[places], _DECIDED), kind="stable")]
    chosen = order if facts.free_money is None else order[: max(facts.free_money, 0) // cost]
    now = nothing.copy()
    now[chosen] = True
    return DueCharges(~lacking | now, now)


def is_held(facts: QuestionInputs) -> NDArray[np.bool_]:
    """Return which tasks are not decided on yet: they are not in play, or first votes are wanted elsewhere."""
    snapshot = facts.snapshot
    waiting = snapshot.status == STATUSES.index(WAITING)
    held: NDArray[np.bool_] = waiting & (~snapshot.in_play | (facts.waits and facts.affordable.any()))
    return held
