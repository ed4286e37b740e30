"""What one question teaches: a model of whom to trust, put in use, and the tasks that stand differently by it."""

import time
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection, update

from quorate.data.decisions import ACCEPT, NOBODY, Decisions
from quorate.decision.base import Fused
from quorate.service.classifiers.softmax import pack_classifier
from quorate.service.decisions.model_versions import ModelVersion, publish_model, version_of
from quorate.service.decisions.task_state import DECIDED
from quorate.service.projects.plan import require_current
from quorate.service.refit.charge_classifier import due_charges, is_held
from quorate.service.refit.decide_pool import MACHINE_MOVED, PoolView, changed, far, machines_of, moved
from quorate.service.refit.inputs import Memory, QuestionInputs, read_inputs, recall
from quorate.service.refit.predict import Environment, Predictions, heard
from quorate.service.refit.risk import ErrorEstimates
from quorate.service.refit.snapshot import STATUSES
from quorate.service.refit.version_metrics import metrics_of
from quorate.service.store.database import Store
from quorate.service.store.tables import models
from quorate.typing import Array

WHOLE, SOME = 200_000, 100_000  # tasks: models of larger pools are fitted to all that is known, and some of the rest
KEPT = 10  # versions whose model is kept; of older ones the numbers are


@dataclass(frozen=True, eq=False)
class RoundResult:
    """What came of it: the model, in use by now, and the places of tasks that are to be written.

    told: places of tasks that wait, of which only what the classifier says is kept. doubts: how far all tasks may be
    wrong as things stand. believed: of the tasks with votes or gold, (n_informed, n_classes). waits: whether first
    votes are wanted before anything is decided.
    """

    view: PoolView
    fitted: ModelVersion
    rows: NDArray[np.int64]
    told: NDArray[np.int64]
    taught: bool
    doubts: ErrorEstimates
    believed: Array
    waits: bool


def learn(
    store: Store, project_id: int, question_id: int, memory: Memory, around: Environment, *, lesson: bool
) -> RoundResult:
    """Learn from all votes on a question, and put the model in use. lesson: teach, however few votes are new."""
    began = time.monotonic()
    with store.read() as connection:
        facts = read_inputs(connection, project_id, question_id)
        if not memory.begun:
            recall(connection, facts, memory)
    machine = heard(store, facts, memory, around, lesson=lesson)
    due = due_charges(facts, machine.machine, machine.said)
    said = np.where(due.may_use[:, None], machine.said, np.float32(np.nan))
    view = _view(facts, machine, said, due.charged_now, _fitted(facts, machine.machine, said))
    places, alone, doubts = _to_write(facts, view, everything=memory.version != facts.plan.version)
    held = is_held(facts)[places]
    believed = facts.believed(view.model, view.machine, view.said, np.flatnonzero(facts.snapshot.informed))
    numbers = metrics_of(view, believed, alone)
    numbers |= {"taught": memory.taught, "seconds": round(time.monotonic() - began, 3)}
    with store.write() as connection:
        fitted = _put_in_use(connection, facts, view, memory, numbers, store.clock())
    memory.begun, memory.version = True, facts.plan.version
    new = far(view.predicted[places], view.snapshot.machine[places], MACHINE_MOVED) & (view.machine is not None)
    return RoundResult(view, fitted, places[~held], places[held & new], machine.taught, doubts, believed, facts.waits)


def _view(
    facts: QuestionInputs, machine: Predictions, said: NDArray[np.float32], due: NDArray[np.bool_], model: Fused
) -> PoolView:
    return PoolView(
        plan=facts.plan,
        asked=facts.asked,
        snapshot=facts.snapshot,
        model=model,
        machine=machine.machine,
        predicted=machine.said,
        said=said,
        due=due,
        ambiguity=machine.ambiguity,
        experts=facts.experts,
        affordable=facts.affordable,
    )


def _fitted(facts: QuestionInputs, machine: str | None, said: NDArray[np.float32]) -> Fused:
    """The model fitted to all that is known; where the pool is large, not to all of which nothing is."""
    snapshot, rows = facts.snapshot, np.arange(len(facts.snapshot.ids))
    if len(rows) > WHOLE:
        others = np.flatnonzero(~snapshot.informed)
        drawn = np.random.default_rng(0).permutation(others)[:SOME]
        rows = np.sort(np.concatenate([np.flatnonzero(snapshot.informed), drawn]))
    votes = snapshot.votes if len(rows) == len(snapshot.ids) else snapshot.votes.subset(tasks=rows)
    return facts.asked.policy.fit(votes, machines_of(machine, said[rows]), snapshot.gold[rows], facts.model)


def _to_write(
    facts: QuestionInputs, view: PoolView, *, everything: bool
) -> tuple[NDArray[np.int64], float | None, ErrorEstimates]:
    """Places of the tasks that stand differently; and the share of those without votes that the machine may decide."""
    snapshot, found, doubts = facts.snapshot, [], ErrorEstimates.of(view)
    idle, accepted = 0, 0
    for rows, pool in view.pools():
        if facts.plan.is_screening:
            probs = pool.model.posterior(pool.votes, pool.machines, pool.gold)
            different = moved(view, rows, probs) | everything
            doubts.wrong[rows] = 1 - probs[:, view.asked.holds]
        else:
            made = view.decisions(pool)
            different = changed(view, rows, made)
            unseen = ~snapshot.informed[rows]
            idle, accepted = idle + int(unseen.sum()), accepted + int((made.action[unseen] == ACCEPT).sum())
            doubts.wrong[rows] = _wrong(made)
            doubts.accepted[rows] = (made.action == ACCEPT) & (pool.gold < 0)
        found.append(np.flatnonzero(different) + rows.start)
    places = np.concatenate(found) if found else np.empty(0, dtype=np.int64)
    if facts.plan.is_screening:
        doubts.accepted[:] = np.isin(snapshot.status, [STATUSES.index(status) for status in DECIDED])
    doubts.accepted[is_held(facts)] = False
    return places, accepted / idle if idle and view.machine is not None else None, doubts


def _wrong(made: Decisions) -> NDArray[np.float64]:
    """How likely the label of each task is wrong, or, where it has none, the likeliest one."""
    label = np.where(made.label == NOBODY, made.probs.argmax(axis=1), made.label)
    return 1 - made.probs[np.arange(len(label)), label]


def _put_in_use(
    connection: Connection, facts: QuestionInputs, view: PoolView, memory: Memory, numbers: dict[str, Any], now: float
) -> ModelVersion:
    require_current(connection, facts.plan)
    model_id = publish_model(
        connection,
        facts.asked.id,
        view.model,
        n_votes=len(facts.snapshot.votes),
        machine=view.machine,
        metrics=numbers,
        at=now,
        classifier=None if view.machine is None or memory.classifier is None else pack_classifier(memory.classifier),
    )
    fitted = version_of(connection, model_id)
    old = models.c.question_id == facts.asked.id, models.c.version <= fitted.version - KEPT, models.c.fused != b""
    connection.execute(update(models).where(*old).values(fused=b"", classifier=None))
    return fitted
