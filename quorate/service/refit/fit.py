"""One question in a round: fit a model, publish it, and find the tasks whose state changes."""

import time
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection, update

from quorate.data.decisions import ACCEPT, NOBODY, Decisions
from quorate.decision.base import TAUGHT, Fused
from quorate.decision.stated_error import discounted_errors
from quorate.service.classifiers.softmax import pack_classifier
from quorate.service.decisions.evidence import Evidence, machines_of
from quorate.service.decisions.model_versions import ModelVersion, publish_model, version_of
from quorate.service.decisions.task_state import DECIDED_INDICES, TaskStates, join_states
from quorate.service.projects.plan import require_current
from quorate.service.refit.charge_classifier import due_charges, is_held
from quorate.service.refit.decide_pool import MACHINE_MOVED, PoolView, differ, is_changed, is_moved
from quorate.service.refit.inputs import Memory, QuestionInputs, read_inputs, recall
from quorate.service.refit.predict import Environment, predict_tasks
from quorate.service.refit.risk import ErrorEstimates
from quorate.service.refit.version_metrics import metrics_of
from quorate.service.store.database import Store
from quorate.service.store.tables import models
from quorate.typing import Array

MAX_TASKS, MAX_UNINFORMED = 200_000, 100_000  # a larger pool is fitted with all informed tasks and some of the others
KEPT = 10  # versions whose model is kept; of older ones only the metrics are


@dataclass(frozen=True, eq=False, kw_only=True)
class RoundResult:
    """What a round has learned about one question. The model is published, the tasks are not written yet.

    Attributes:
        view: the question in this round.
        fitted: the version of the model.
        rows: indices of the tasks that are to be written.
        states: their new states; None in a screening, where all criteria of an item are decided when it is written.
        predicted_rows: indices of tasks that wait, for which only the prediction is written.
        taught: whether the classifier was trained.
        doubts: how probably each task is wrong now.
        believed: posterior of the tasks with votes or gold, (n_informed, n_classes).
        waits: whether first votes are wanted before anything is decided.
    """

    view: PoolView
    fitted: ModelVersion
    rows: NDArray[np.int64]
    states: TaskStates | None
    predicted_rows: NDArray[np.int64]
    taught: bool
    doubts: ErrorEstimates
    believed: Array
    waits: bool


class _PoolDecisions(NamedTuple):
    """Decisions on the whole pool.

    Attributes:
        rows: indices of the tasks whose state changes.
        states: their states; None in a screening.
        automatic_share: of the tasks without votes and gold, the share that the classifier may decide alone.
        errors: how probably each task is wrong.
    """

    rows: NDArray[np.int64]
    states: TaskStates | None
    automatic_share: float | None
    errors: ErrorEstimates


def learn(
    store: Store, project_id: int, question_id: int, memory: Memory, around: Environment, *, lesson: bool
) -> RoundResult:
    """Fit a model to all votes on a question, publish it, and return the tasks that it changes.

    Args:
        store: the database.
        project_id: the project.
        question_id: the question.
        memory: what the learner remembers about the question; it is updated.
        around: media, and which addresses may be called.
        lesson: train the classifier, however few votes are new.
    """
    began = time.monotonic()
    with store.read() as connection:
        facts = read_inputs(connection, project_id, question_id)
        if not memory.begun:
            recall(connection, facts, memory)
    predictions = predict_tasks(store, facts, memory, around, lesson=lesson)
    charges = due_charges(facts, predictions.machine, predictions.probs)
    usable = np.where(charges.may_use[:, None], predictions.probs, np.float32(np.nan))
    view = PoolView(
        plan=facts.plan,
        asked=facts.asked,
        snapshot=facts.snapshot,
        model=_fit(facts, predictions.machine, usable),
        machine=predictions.machine,
        predicted=predictions.probs,
        usable=usable,
        due=charges.charged_now,
        ambiguity=predictions.ambiguity,
        experts=facts.experts,
        affordable=facts.affordable,
    )
    pool = _decide_all(facts, view, everything=memory.version != facts.plan.version)
    believed = facts.believed(view.model, view.machine, view.usable, np.flatnonzero(facts.snapshot.informed))
    metrics = metrics_of(view, believed, pool.automatic_share)
    metrics |= {"taught": memory.taught, "seconds": round(time.monotonic() - began, 3)}
    with store.write() as connection:
        fitted = _publish(connection, facts, view, memory, metrics, store.clock())
    memory.begun, memory.version = True, facts.plan.version
    held = is_held(facts)[pool.rows]
    is_new = differ(view.predicted[pool.rows], facts.snapshot.stored.machine[pool.rows], MACHINE_MOVED)
    return RoundResult(
        view=view,
        fitted=fitted,
        rows=pool.rows[~held],
        states=None if pool.states is None else pool.states.take(~held),
        predicted_rows=pool.rows[held & is_new & (view.machine is not None)],
        taught=predictions.taught,
        doubts=pool.errors,
        believed=believed,
        waits=facts.waits,
    )


def _fit(facts: QuestionInputs, machine: str | None, usable: NDArray[np.float32]) -> Fused:
    """Return the model fitted to the pool; in a large pool, only some of the tasks without votes and gold are used."""
    snapshot, rows = facts.snapshot, np.arange(len(facts.snapshot.ids))
    if len(rows) > MAX_TASKS:
        others = np.flatnonzero(~snapshot.informed)
        drawn = np.random.default_rng(0).permutation(others)[:MAX_UNINFORMED]
        rows = np.sort(np.concatenate([np.flatnonzero(snapshot.informed), drawn]))
    votes = snapshot.votes if len(rows) == len(snapshot.ids) else snapshot.votes.subset(tasks=rows)
    return facts.asked.policy.fit(votes, machines_of(machine, usable[rows]), snapshot.gold[rows], facts.model)


def _decide_all(facts: QuestionInputs, view: PoolView, *, everything: bool) -> _PoolDecisions:
    """Decide on the whole pool, and find the tasks whose state changes. everything: all tasks of a screening do."""
    changed, parts, errors = [np.empty(0, dtype=np.int64)], [], ErrorEstimates.of(view)
    n_unseen, n_automatic = 0, 0
    for rows, evidence in view.slices():
        if facts.plan.is_screening:  # decided when they are written, with all other criteria of their items
            pool = view.pool(evidence)
            probs = pool.model.posterior(pool.votes, pool.machines, pool.gold)
            is_different = is_moved(view, rows, probs) | everything
            holds = np.full(len(probs), view.asked.holds)
            errors.wrong[rows] = _stated_errors(view, evidence, probs, holds)
        else:
            decisions = view.decide(evidence)
            states = view.states(evidence, decisions)
            is_different = is_changed(view, rows, evidence, states, decisions.probs)
            parts.append(states.take(is_different))
            unseen, accepted = ~facts.snapshot.informed[rows], decisions.action == ACCEPT
            n_unseen, n_automatic = n_unseen + int(unseen.sum()), n_automatic + int((accepted & unseen).sum())
            errors.wrong[rows] = _stated_errors(view, evidence, decisions.probs, _labels(decisions))
            errors.accepted[rows] = accepted & ~evidence.has_gold
        changed.append(np.flatnonzero(is_different) + rows.start)
    if facts.plan.is_screening:
        errors.accepted[:] = np.isin(facts.snapshot.stored.status, DECIDED_INDICES)
    errors.accepted[is_held(facts)] = False
    return _PoolDecisions(
        np.concatenate(changed),
        join_states(parts) if parts else None,
        n_automatic / n_unseen if n_unseen and view.machine is not None else None,
        errors,
    )


def _labels(decisions: Decisions) -> NDArray[np.int64]:
    """Return the label of each task; of a task without one, its most probable label."""
    return np.where(decisions.label == NOBODY, decisions.probs.argmax(axis=1), decisions.label)


def _stated_errors(view: PoolView, evidence: Evidence, probs: Array, labels: NDArray[np.int64]) -> Array:
    """Return the probability that the label of each task is wrong, from discounted beliefs: what is stated of them."""
    n_votes = evidence.votes.votes_per_task
    return discounted_errors(probs, labels, n_votes, taught=view.machine == TAUGHT)


def _publish(
    connection: Connection, facts: QuestionInputs, view: PoolView, memory: Memory, metrics: dict[str, Any], now: float
) -> ModelVersion:
    require_current(connection, facts.plan)
    model_id = publish_model(
        connection,
        facts.asked.id,
        view.model,
        n_votes=len(facts.snapshot.votes),
        machine=view.machine,
        metrics=metrics,
        at=now,
        classifier=None if view.machine is None or memory.classifier is None else pack_classifier(memory.classifier),
    )
    fitted = version_of(connection, model_id)
    old = models.c.question_id == facts.asked.id, models.c.version <= fitted.version - KEPT, models.c.fused != b""
    connection.execute(update(models).where(*old).values(fused=b"", classifier=None))
    return fitted
