"""Live decisions in a screening: an item is included only if all its criteria hold; one of them is asked at a time.

The criterion that is asked about next is chosen again after every vote.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection, bindparam, update

from quorate.data.costs import CROWD, EXPERT
from quorate.data.decisions import ASK, Decisions
from quorate.decision.screening.screen import INCLUDE, screen
from quorate.service.decisions.evidence import Evidence, has_experts, lock_tasks_of_items, pool_of, read_evidence
from quorate.service.decisions.model_versions import ModelVersion, current_model
from quorate.service.decisions.task_state import (
    ASKING,
    BY_CROWD,
    BY_EXPERT,
    DECIDED,
    DIGITS,
    EXCLUDED,
    FIRST,
    FIRST_REASONS,
    MACHINE,
    STATUSES,
    WAITING,
    TaskState,
    TaskStates,
    audit_share,
    drawn_for_audit,
    first_reason,
    is_accepted,
    kinds_of,
    lacks_first_votes,
    wants_expert,
)
from quorate.service.decisions.write_states import write_task_states
from quorate.service.projects.plan import Plan, QuestionPlan
from quorate.service.store.blobs import BLOB_TYPE
from quorate.service.store.database import Record
from quorate.service.store.tables import items
from quorate.typing import Array

NOT_NEEDED = "the item is decided without it"
NOT_YET = "another criterion is asked first"
_ITEM = update(items).where(items.c.id == bindparam("item"))
_STATUS = {name: number for number, name in enumerate(STATUSES)}


@dataclass(frozen=True, eq=False, kw_only=True)
class Criterion:
    """What is known about one criterion of some items, one row per item.

    Attributes:
        rows: rows of the tasks, in the order of the items.
        evidence: what the belief rests on.
        holds: (n_items,), probability that the criterion holds.
        answers: (2, 2), probability that a vote says no and yes, by the truth.
        probs: (n_items, 2), in the order of the question's classes.
        is_full: (n_items,), whether the crowd has given as many votes as it may.
    """

    rows: Sequence[Record]
    evidence: Evidence
    holds: Array
    answers: Array
    probs: Array
    is_full: NDArray[np.bool_]


def screen_rows(connection: Connection, plan: Plan, rows: Sequence[Record], at: float) -> list[TaskState]:
    """Decide on the items of some tasks from all their criteria, write it and return the states of these tasks."""
    models = {question_id: current_model(connection, question_id) for question_id in plan.questions}
    if any(model is None for model in models.values()):
        return []
    every = lock_tasks_of_items(connection, sorted({row.item_id for row in rows}))
    states = states_of_items(connection, plan, every, models)
    after = [states[row.id] for row in every]
    write_task_states(connection, plan, every, after, None, at)
    write_inclusion(connection, plan, every, after)
    return [states[row.id] for row in rows]


def states_of_items(
    connection: Connection, plan: Plan, rows: Sequence[Record], models: Mapping[int, ModelVersion | None]
) -> dict[int, TaskState]:
    """Return the states of all tasks of some items, by the id of the task; nothing is written."""
    experts = has_experts(connection, plan)
    criteria = []
    for asked in plan.questions.values():
        model = models[asked.id]
        assert model is not None
        own = rows_of_criterion(asked, rows)
        criteria.append(criterion_of(asked, own, read_evidence(connection, asked, own), model, experts=experts))
    return states_of_criteria(plan, criteria, decide_items(plan, criteria), experts=experts)


def rows_of_criterion(asked: QuestionPlan, rows: Sequence[Record]) -> list[Record]:
    """Return the rows of one criterion, in the order of their items."""
    return sorted((row for row in rows if row.question_id == asked.id), key=lambda row: row.item_id)


def criterion_of(
    asked: QuestionPlan, rows: Sequence[Record], evidence: Evidence, model: ModelVersion, *, experts: bool
) -> Criterion:
    """Return what a model says about one criterion."""
    pool = pool_of(asked, evidence, model.fused, model.machine, experts=experts)
    outlook = model.fused.belief(pool.votes, pool.machines)
    probs = np.where(evidence.has_gold[:, None], np.eye(2)[pool.gold], outlook.probs)
    yes = asked.holds
    order = [1 - yes, yes]
    weight = outlook.joint.sum(axis=(0, 2))
    answers = np.tensordot(weight / weight.sum(), outlook.answers, axes=1)[np.ix_(order, order)]
    return Criterion(
        rows=rows,
        evidence=evidence,
        holds=np.clip(probs[:, yes], 0, 1),
        answers=answers,
        probs=probs,
        is_full=evidence.n_crowd_votes >= asked.max_votes,
    )


def decide_items(plan: Plan, criteria: Sequence[Criterion]) -> Decisions:
    """Decide to include an item, to exclude it, or to ask about one criterion: one row per item."""
    price = plan.settings.prices.prices.votes.get(CROWD)
    can_ask = np.stack([~criterion.evidence.has_gold & ~criterion.is_full for criterion in criteria], axis=1)
    return screen(
        np.stack([criterion.holds for criterion in criteria], axis=1),
        plan.settings.costs.of(2),
        1.0 if price is None else price,
        np.stack([criterion.answers for criterion in criteria]),
        can_ask=can_ask & (price is not None),
        criteria=[asked.question.name for asked in plan.questions.values()],
    )


def states_of_criteria(
    plan: Plan, criteria: Sequence[Criterion], decisions: Decisions, *, experts: bool
) -> dict[int, TaskState]:
    """Return the state of each task, by its id, from what was decided on its item."""
    first = _first_votes(criteria, experts=experts)
    asked = np.where(first >= 0, first, np.where(decisions.action == ASK, decisions.ask, -1))
    weakest = np.argmin([criterion.holds for criterion in criteria], axis=0)
    states: dict[int, TaskState] = {}
    for number, criterion in enumerate(criteria):
        needed = (decisions.label == INCLUDE) | (weakest == number)
        own = _states_of(
            plan,
            criterion,
            decisions,
            is_open=asked >= 0,
            is_asked=asked == number,
            is_first=first >= 0,
            needed=needed,
            experts=experts,
        )
        states |= {row.id: state for row, state in zip(criterion.rows, own.to_rows(), strict=True)}
    return states


def _first_votes(criteria: Sequence[Criterion], *, experts: bool) -> NDArray[np.int64]:
    """Return the criterion of each item that must have votes before anything is decided; -1 = none."""
    lacking = np.stack(
        [
            wants_expert(criterion.evidence, experts=experts) | lacks_first_votes(criterion.evidence)
            for criterion in criteria
        ],
        axis=1,
    )
    return np.where(lacking.any(axis=1), lacking.argmax(axis=1), -1)


def _states_of(
    plan: Plan,
    criterion: Criterion,
    decisions: Decisions,
    *,
    is_open: NDArray[np.bool_],
    is_asked: NDArray[np.bool_],
    is_first: NDArray[np.bool_],
    needed: NDArray[np.bool_],
    experts: bool,
) -> TaskStates:
    """Return the states of one criterion.

    Args:
        plan: the plan of the project.
        criterion: what is known about it.
        decisions: on the items.
        is_open: whether something is asked about the item.
        is_asked: whether that is this criterion.
        is_first: whether it is asked because votes are wanted before anything is decided.
        needed: whether the decision on the item needs this criterion.
        experts: whether there are experts to ask.
    """
    evidence, kinds = criterion.evidence, kinds_of(())
    crowd, expert = kinds.index(CROWD), kinds.index(EXPERT)
    by = np.where(needed, _STATUS[MACHINE], _STATUS[EXCLUDED])
    by = np.where(evidence.n_crowd_votes > 0, _STATUS[BY_CROWD], by)
    by = np.where(evidence.has_gold, _STATUS[BY_EXPERT], by)
    status = np.where(is_open, np.where(is_asked, _STATUS[ASKING], _STATUS[WAITING]), by)
    excluded, accepted = status == _STATUS[EXCLUDED], is_accepted(status)
    audited = evidence.audited | (accepted & drawn_for_audit(evidence.draw, audit_share(plan, experts=experts)))
    to_expert = wants_expert(evidence, experts=experts)
    ask = np.where(is_asked, np.where(to_expert, expert, crowd), np.where(accepted & audited, expert, -1))
    missing = np.maximum(1, evidence.least_votes - evidence.n_votes)
    reasons = (*decisions.reasons, NOT_YET, NOT_NEEDED, *FIRST_REASONS)
    not_yet, not_needed, first_votes = (reasons.index(text) for text in (NOT_YET, NOT_NEEDED, FIRST_REASONS[0]))
    while_asked = np.where(is_first, first_votes + first_reason(evidence, to_expert), decisions.reason)
    while_open = np.where(is_asked, while_asked, not_yet)
    return TaskStates(
        status=status,
        label=np.where(excluded, -1, criterion.probs.argmax(axis=1)),
        ask=ask,
        wanted=np.where(is_asked & ~to_expert, missing, ask >= 0),
        n_votes=evidence.n_votes,
        priority=np.where(is_open, np.where(is_first, FIRST, decisions.value.round(DIGITS)), 0.0),
        audited=audited,
        expected_cost=decisions.expected_cost,
        value=decisions.value,
        confidence=criterion.probs.max(axis=1),
        posterior=criterion.probs.astype(BLOB_TYPE),
        reason=np.where(is_open, while_open, np.where(excluded, not_needed, decisions.reason)),
        disputed=evidence.disputed,
        kinds=kinds,
        reasons=reasons,
    )


def write_inclusion(connection: Connection, plan: Plan, rows: Sequence[Record], after: Sequence[TaskState]) -> None:
    """Write whether each item is decided, and whether it is included: all its criteria were needed and hold."""
    labels: dict[int, list[bool]] = {}
    open_items = {row.item_id for row, state in zip(rows, after, strict=True) if state.status not in DECIDED}
    for row, state in zip(rows, after, strict=True):
        question = plan.questions[row.question_id].question
        holds = state.label is not None and question.class_names[state.label] == question.holds
        labels.setdefault(row.item_id, []).append(holds)
    connection.execute(
        _ITEM,
        [
            {"item": item, "decided": item not in open_items, "label": None if item in open_items else int(all(holds))}
            for item, holds in sorted(labels.items())
        ],
    )
