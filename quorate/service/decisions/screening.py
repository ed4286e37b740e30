"""Screening, live: an item is included only if all its criteria hold; the criterion that is asked is chosen anew."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection, bindparam, update

from quorate.data.costs import CROWD, EXPERT
from quorate.data.decisions import ASK, Decisions
from quorate.decision.screening.screen import INCLUDE, screen
from quorate.service.decisions.decide import has_experts, write_task_states
from quorate.service.decisions.evidence import (
    MORE_VOTES,
    Evidence,
    Given,
    disagree,
    evidence_on,
    locked_items,
    pool_of,
    said_by_expert,
)
from quorate.service.decisions.model_versions import ModelVersion, current_model
from quorate.service.decisions.task_state import (
    ASKING,
    BY_CROWD,
    BY_EXPERT,
    DECIDED,
    DIGITS,
    EXCLUDED,
    FIRST,
    FIRST_VOTES,
    MACHINE,
    WAITING,
    WISHED,
    TaskState,
    drawn_for_audit,
    wants_expert,
)
from quorate.service.projects.plan import Plan, QuestionPlan
from quorate.service.store.blobs import to_blob
from quorate.service.store.database import Record
from quorate.service.store.tables import items
from quorate.typing import Array

NOT_NEEDED = "the item is decided without it"
NOT_YET = "another criterion is asked first"
_ITEM = update(items).where(items.c.id == bindparam("item"))


@dataclass(frozen=True, eq=False)
class Criterion:
    """What is known of one criterion of some items, one row per item.

    holds: (n_items,), how likely it holds. answers: (2, 2), how often a vote says no and yes, by the truth.
    probs: (n_items, 2), in the order of the question's classes.
    """

    evidence: Evidence
    holds: Array
    answers: Array
    probs: Array


def screen_rows(connection: Connection, plan: Plan, rows: Sequence[Record], at: float) -> list[TaskState]:
    """Decide on the items of some tasks by all their criteria, and write it down; how the given tasks stand."""
    models = {asked.id: current_model(connection, asked.id) for asked in plan.questions.values()}
    if any(fitted is None for fitted in models.values()):
        return []
    every = locked_items(connection, sorted({row.item_id for row in rows}))
    stands = states_of_items(connection, plan, every, models)
    after = [stands[row.id] for row in every]
    write_task_states(connection, plan, every, after, None, at)
    write_inclusion(connection, plan, every, after)
    return [stands[row.id] for row in rows]


def states_of_items(
    connection: Connection, plan: Plan, every: Sequence[Record], models: Mapping[int, ModelVersion | None]
) -> dict[int, TaskState]:
    """How all tasks of some items stand, by the id of the task, without writing anything."""
    experts = has_experts(connection, plan)
    criteria = []
    for asked in plan.questions.values():
        fitted = models[asked.id]
        assert fitted is not None
        own = sorted((row for row in every if row.question_id == asked.id), key=lambda row: row.item_id)
        criteria.append(criterion_of(asked, evidence_on(connection, own), fitted, experts=experts))
    return stands(plan, criteria, decided(plan, criteria), experts=experts)


def criterion_of(asked: QuestionPlan, evidence: Evidence, fitted: ModelVersion, *, experts: bool) -> Criterion:
    """What a model says of one criterion."""
    pool = pool_of(asked, evidence, fitted, experts=experts)
    outlook = fitted.fused.belief(pool.votes, pool.machines)
    probs = np.where((pool.gold >= 0)[:, None], np.eye(2)[pool.gold], outlook.probs)
    yes = asked.holds
    order = [1 - yes, yes]
    weight = outlook.joint.sum(axis=(0, 2))
    answers = np.tensordot(weight / weight.sum(), outlook.answers, axes=1)[np.ix_(order, order)]
    return Criterion(evidence, np.clip(probs[:, yes], 0, 1), answers, probs)


def decided(plan: Plan, criteria: Sequence[Criterion]) -> Decisions:
    """Include, exclude, or ask on one criterion: one row per item."""
    price = plan.settings.prices.prices.votes.get(CROWD)
    known = np.stack([one.evidence.gold >= 0 for one in criteria], axis=1)
    full = np.array(
        [
            [one.evidence.is_full(place, asked) for one, asked in zip(criteria, plan.questions.values(), strict=True)]
            for place in range(len(known))
        ]
    ).reshape(known.shape)
    return screen(
        np.stack([one.holds for one in criteria], axis=1),
        plan.settings.costs.of(2),
        1.0 if price is None else price,
        np.stack([one.answers for one in criteria]),
        can_ask=~known & ~full & (price is not None),
        criteria=[asked.question.name for asked in plan.questions.values()],
    )


def stands(plan: Plan, criteria: Sequence[Criterion], made: Decisions, *, experts: bool) -> dict[int, TaskState]:
    """How each task stands, from what was decided on its item."""
    share = plan.settings.audit_share if experts and EXPERT in plan.settings.prices.votes else 0.0
    first = _first_votes(criteria, experts)
    found = {}
    for place in range(len(made.tasks)):
        asks = first[place] if first[place] >= 0 else int(made.ask[place]) if made.action[place] == ASK else -1
        weakest = int(np.argmin([one.holds[place] for one in criteria]))
        for number, one in enumerate(criteria):
            row = one.evidence.tasks[place]
            if asks >= 0:
                stand = _asking(one, made, place, asked=asks == number, first=first[place] >= 0, experts=experts)
            else:
                needed = made.label[place] == INCLUDE or number == weakest
                stand = _done(one, made, place, needed=needed, audited=drawn_for_audit(row.draw, share))
            found[row.id] = stand
    return found


def _first_votes(criteria: Sequence[Criterion], experts: bool) -> NDArray[np.int64]:
    """The criterion of each item that must have votes before anything is decided; -1 = none."""
    lacking = np.stack(
        [
            [_lacks(row, given, experts) for row, given in zip(one.evidence.tasks, one.evidence.given, strict=True)]
            for one in criteria
        ],
        axis=1,
    )
    return np.where(lacking.any(axis=1), lacking.argmax(axis=1), -1)


def _lacks(row: Record, given: Sequence[Given], experts: bool) -> bool:
    known = row.gold is not None or said_by_expert(given)
    return (experts and wants_expert(row, given)) or (not known and len(given) < row.least_votes)


def _asking(one: Criterion, made: Decisions, place: int, *, asked: bool, first: bool, experts: bool) -> TaskState:
    row, given = one.evidence.tasks[place], one.evidence.given[place]
    whom = EXPERT if experts and wants_expert(row, given) else CROWD
    wished = WISHED[whom] if whom == EXPERT or row.wish == MORE_VOTES else FIRST_VOTES
    reason = NOT_YET if not asked else wished if first else made.reasons[made.reason[place]]
    wanted = 0 if not asked else 1 if whom == EXPERT else max(1, row.least_votes - len(given))
    return _standing(
        one,
        made,
        place,
        status=ASKING if asked else WAITING,
        ask=whom if asked else None,
        wanted=wanted,
        priority=FIRST if first else round(float(made.value[place]), DIGITS),
        reason=reason,
        audited=bool(row.audited),
    )


def _done(one: Criterion, made: Decisions, place: int, *, needed: bool, audited: bool) -> TaskState:
    row, given = one.evidence.tasks[place], one.evidence.given[place]
    known = row.gold is not None or said_by_expert(given)
    status = BY_EXPERT if known else BY_CROWD if given else MACHINE if needed else EXCLUDED
    audited = bool(row.audited) or (audited and status in (BY_CROWD, MACHINE))
    ask = EXPERT if audited and status in (BY_CROWD, MACHINE) else None
    return _standing(
        one,
        made,
        place,
        status=status,
        ask=ask,
        wanted=int(ask is not None),
        priority=0.0,
        reason=made.reasons[made.reason[place]] if status != EXCLUDED else NOT_NEEDED,
        audited=audited,
    )


def _standing(
    one: Criterion,
    made: Decisions,
    place: int,
    *,
    status: str,
    ask: str | None,
    wanted: int,
    priority: float,
    reason: str,
    audited: bool,
) -> TaskState:
    probs = one.probs[place]
    return TaskState(
        status=status,
        label=None if status == EXCLUDED else int(probs.argmax()),
        ask=ask,
        wanted=wanted,
        n_votes=len(one.evidence.given[place]),
        priority=priority,
        audited=audited,
        expected_cost=float(made.expected_cost[place]),
        value=float(made.value[place]),
        confidence=float(probs.max()),
        posterior=to_blob(probs),
        reason=reason,
        disputed=disagree(one.evidence.given[place]),
    )


def write_inclusion(connection: Connection, plan: Plan, rows: Sequence[Record], after: Sequence[TaskState]) -> None:
    """Write of every item whether it is decided, and whether it is included: all its criteria were needed and hold."""
    labels: dict[int, list[bool]] = {}
    open_items = {row.item_id for row, stand in zip(rows, after, strict=True) if stand.status not in DECIDED}
    for row, stand in zip(rows, after, strict=True):
        question = plan.questions[row.question_id].question
        holds = stand.label is not None and question.class_names[stand.label] == question.holds
        labels.setdefault(row.item_id, []).append(holds)
    connection.execute(
        _ITEM,
        [
            {"item": item, "decided": item not in open_items, "label": None if item in open_items else int(all(holds))}
            for item, holds in sorted(labels.items())
        ],
    )
