"""What is known of some tasks: their rows, the votes that count, and what the machine says; ready to be decided on."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from sqlalchemy import ColumnElement, Connection, bindparam, exists, select

from quorate.data.costs import CROWD, EXPERT
from quorate.data.ids import as_names
from quorate.data.votes import Votes
from quorate.decision.base import Machines, PoolState
from quorate.service.decisions.model_versions import ModelVersion
from quorate.service.projects.plan import QuestionPlan
from quorate.service.store.blobs import probabilities
from quorate.service.store.database import Record
from quorate.service.store.tables import items, tasks, voters, votes
from quorate.typing import Array

WORK, GOLD, PRACTICE, AUDIT = "work", "gold", "practice", "audit"  # what a vote was asked for
LABEL, MORE_VOTES, AN_EXPERT = "label", CROWD, EXPERT  # what a requester may wish for a task

# What the classifier was charged for the item of a task; none = its prediction may not be used.
MACHINE_COST = (
    select(items.c.machine_cost)
    .where(items.c.id == tasks.c.item_id)
    .correlate(tasks)
    .scalar_subquery()
    .label("machine_cost")
)
TASK_COLUMNS = (
    tasks.c.id,
    tasks.c.item_id,
    tasks.c.question_id,
    tasks.c.status,
    tasks.c.label,
    tasks.c.gold,
    tasks.c.ask,
    tasks.c.wanted,
    tasks.c.leased,
    tasks.c.n_votes,
    tasks.c.least_votes,
    tasks.c.draw,
    tasks.c.audited,
    tasks.c.machine,
    tasks.c.ambiguity,
    tasks.c.wish,
    tasks.c.decided_at,
    MACHINE_COST,
)
_LOCKED = (
    select(*TASK_COLUMNS).where(tasks.c.id.in_(bindparam("ids", expanding=True))).order_by(tasks.c.id).with_for_update()
)
_GIVEN = (
    select(votes.c.task_id, votes.c.voter_id, voters.c.code, voters.c.kind, votes.c.label)
    .join(voters, voters.c.id == votes.c.voter_id)
    .where(votes.c.task_id.in_(bindparam("ids", expanding=True)))
    .where(votes.c.purpose != PRACTICE, voters.c.state != "blocked")
    .order_by(votes.c.id)
)
_ITEMS_TASKS = (
    select(*TASK_COLUMNS)
    .where(tasks.c.item_id.in_(bindparam("items", expanding=True)))
    .order_by(tasks.c.id)
    .with_for_update()
)


def is_last() -> ColumnElement[bool]:
    """Of votes: that the voter has not amended it."""
    later = votes.alias("later")
    return ~exists().where(
        later.c.task_id == votes.c.task_id,
        later.c.voter_id == votes.c.voter_id,
        later.c.amendment > votes.c.amendment,
    )


class Given(NamedTuple):
    """A vote that counts."""

    voter_id: int
    code: str
    kind: str
    label: int


def said_by_expert(given: Sequence[Given]) -> bool:
    """Whether an expert has voted."""
    return any(one.kind == EXPERT for one in given)


def disagree(given: Sequence[Given]) -> bool:
    """Whether the crowd is of more than one mind.

    >>> disagree([Given(1, "a", "crowd", 0), Given(2, "b", "crowd", 1)]), disagree([Given(1, "a", "crowd", 0)])
    (True, False)
    """
    return len({one.label for one in given if one.kind != EXPERT}) > 1


@dataclass(frozen=True, eq=False)
class Evidence:
    """Tasks of one question, and the votes on each that count: the last of every voter, if it names a class."""

    tasks: Sequence[Record]
    given: Sequence[Sequence[Given]]

    @property
    def gold(self) -> np.ndarray[Any, np.dtype[np.int64]]:
        """What is known of each task: by a requester, by what an expert said last, or from the start; -1 = nothing."""
        return np.array([_known(task, given) for task, given in zip(self.tasks, self.given, strict=True)], dtype=int)

    def is_full(self, place: int, asked: QuestionPlan) -> bool:
        """Whether the crowd has given as many votes on a task as it may."""
        return sum(one.kind != EXPERT for one in self.given[place]) >= asked.max_votes


def locked(connection: Connection, task_ids: Sequence[int]) -> list[Record]:
    """The rows of tasks, in the order of their ids, which nobody else changes until the transaction ends."""
    return list(connection.execute(_LOCKED, {"ids": list(task_ids)}))


def locked_items(connection: Connection, item_ids: Sequence[int]) -> list[Record]:
    """All tasks of some items, likewise."""
    return list(connection.execute(_ITEMS_TASKS, {"items": list(item_ids)}))


def evidence_on(connection: Connection, rows: Sequence[Record]) -> Evidence:
    """The votes on tasks whose rows were read."""
    last: dict[int, dict[int, Given | None]] = {row.id: {} for row in rows}
    for task_id, voter_id, code, kind, label in connection.execute(_GIVEN, {"ids": list(last)}):
        last[task_id][voter_id] = None if label is None else Given(voter_id, code, kind, label)
    return Evidence(rows, [[one for one in last[row.id].values() if one is not None] for row in rows])


def pool_of(asked: QuestionPlan, evidence: Evidence, fitted: ModelVersion, *, experts: bool) -> PoolState:
    """The same, as policies take it. experts: whether there are any to ask."""
    gold = evidence.gold
    return PoolState(
        votes=votes_of(asked, evidence),
        machines=_machines(asked, evidence, fitted),
        model=fitted.fused,
        gold=gold,
        open=_open(asked, evidence, gold, experts),
        ambiguity=_ambiguity(evidence),
    )


def votes_of(asked: QuestionPlan, evidence: Evidence) -> Votes:
    """The votes of the crowd and of models; those of experts are gold."""
    codes: dict[str, int] = {}
    triples = [
        (place, codes.setdefault(one.code, len(codes)), one.label)
        for place, given in enumerate(evidence.given)
        for one in given
        if one.kind != EXPERT
    ]
    task, worker, label = np.array(triples, dtype=np.int64).reshape(-1, 3).T
    return Votes(
        task=task,
        worker=worker,
        label=label,
        tasks=as_names([str(row.id) for row in evidence.tasks]),
        workers=as_names(list(codes)),
        classes=as_names(list(asked.question.class_names)),
    )


def _machines(asked: QuestionPlan, evidence: Evidence, fitted: ModelVersion) -> Machines:
    if fitted.machine is None:
        return {}
    usable = [row.machine if is_usable(asked, row) else None for row in evidence.tasks]
    said = probabilities(usable, asked.n_classes)
    even = np.full((len(evidence.tasks), asked.n_classes), 1 / asked.n_classes)
    return {fitted.machine: even if said is None else said}


def is_usable(asked: QuestionPlan, task: Record) -> bool:
    """Return whether the prediction of a task may enter a decision: the classifier is free, or was charged for."""
    return not asked.machine_cost or task.machine_cost is not None


def _open(asked: QuestionPlan, evidence: Evidence, gold: np.ndarray[Any, Any], experts: bool) -> np.ndarray[Any, Any]:
    """Whom each task can still be put to: nobody once it is known; a named voter once; the crowd up to a limit."""
    kinds = asked.policy.prices.kinds
    there = np.repeat((gold < 0)[:, None], len(kinds), axis=1)
    if CROWD in kinds:
        there[:, kinds.index(CROWD)] &= [not evidence.is_full(place, asked) for place in range(len(evidence.tasks))]
    if EXPERT in kinds and not experts:
        there[:, kinds.index(EXPERT)] = False
    for place, given in enumerate(evidence.given):
        for one in given:
            if one.code in kinds:
                there[place, kinds.index(one.code)] = False
    return there


def _ambiguity(evidence: Evidence) -> Array | None:
    if all(row.ambiguity is None for row in evidence.tasks):
        return None
    return np.array([0.5 if row.ambiguity is None else row.ambiguity for row in evidence.tasks])  # .5 changes nothing


def _known(task: Record, given: Sequence[Given]) -> int:
    said = [one.label for one in given if one.kind == EXPERT and task.wish != LABEL]
    return said[-1] if said else -1 if task.gold is None else int(task.gold)
