"""What decisions rest on: the votes that count, gold labels and predictions; of a few tasks, or of a whole pool."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from operator import itemgetter

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection, bindparam, select

from quorate.data.costs import CROWD, EXPERT
from quorate.data.ids import TEXT, Names, as_names, freeze
from quorate.data.votes import Votes
from quorate.decision.base import Fused, Machines, PoolState
from quorate.service.decisions.counted_votes import BLOCKED, VOTES_OF_TASKS
from quorate.service.projects.plan import Plan, QuestionPlan
from quorate.service.store.columns import probability_rows
from quorate.service.store.database import Record
from quorate.service.store.tables import items, tasks, voters
from quorate.typing import Array, Gold

LABEL, MORE_VOTES, AN_EXPERT = "label", CROWD, EXPERT  # what a requester may wish for a task
WISHES = (LABEL, MORE_VOTES, AN_EXPERT)

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
_TASKS = (
    select(*TASK_COLUMNS).where(tasks.c.id.in_(bindparam("ids", expanding=True))).order_by(tasks.c.id).with_for_update()
)
_TASKS_OF_ITEMS = (
    select(*TASK_COLUMNS)
    .where(tasks.c.item_id.in_(bindparam("items", expanding=True)))
    .order_by(tasks.c.id)
    .with_for_update()
)
_EXPERTS = (
    select(voters.c.id)
    .where(voters.c.project_id == bindparam("project"), voters.c.kind == EXPERT, voters.c.state != BLOCKED)
    .limit(1)
)
_WISH = {None: -1} | {wish: number for number, wish in enumerate(WISHES)}


@dataclass(frozen=True, eq=False, kw_only=True)
class Evidence:
    """What is known about some tasks of one question, one entry per task.

    Attributes:
        votes: the counted votes of the crowd and of models, sorted by task; votes of experts are gold labels.
        gold: the label given by a requester, by the last vote of an expert, or with the item; -1 = none.
        n_expert_votes: the number of counted votes of experts.
        least_votes: the number of crowd votes that are wanted before anything is decided.
        wish: what a requester asked for, an index into WISHES; -1 = nothing.
        audited: whether the task was drawn for an audit before.
        draw: the random number of the task, from 0 to 1.
        predictions: (n_tasks, n_classes), output of the classifier that may be used; NaN = none.
        ambiguity: rank from 0, the clearest, to 1; NaN = unknown.
    """

    votes: Votes
    gold: Gold
    n_expert_votes: NDArray[np.int64]
    least_votes: NDArray[np.int64]
    wish: NDArray[np.integer]
    audited: NDArray[np.bool_]
    draw: Array
    predictions: NDArray[np.float32]
    ambiguity: Array

    @property
    def n_crowd_votes(self) -> NDArray[np.int64]:
        """Number of votes that are not by experts."""
        return self.votes.votes_per_task

    @cached_property
    def n_votes(self) -> NDArray[np.int64]:
        """Number of votes that count."""
        return self.n_crowd_votes + self.n_expert_votes

    @cached_property
    def has_gold(self) -> NDArray[np.bool_]:
        """Whether the label is known: nobody is asked about it, except where a requester wishes for an expert."""
        return self.gold >= 0

    @cached_property
    def disputed(self) -> NDArray[np.bool_]:
        """Whether the votes of the crowd name more than one class."""
        task, label = self.votes.task, self.votes.label
        differs = label != label[np.searchsorted(task, task)]  # from the first vote on the same task
        disputed = np.zeros(self.votes.n_tasks, dtype=bool)
        disputed[task[differs]] = True
        return disputed


def lock_tasks(connection: Connection, task_ids: Sequence[int]) -> list[Record]:
    """Lock tasks and return their rows, in the order of their ids."""
    return list(connection.execute(_TASKS, {"ids": list(task_ids)}))


def lock_tasks_of_items(connection: Connection, item_ids: Sequence[int]) -> list[Record]:
    """Lock all tasks of some items and return their rows, in the order of their ids."""
    return list(connection.execute(_TASKS_OF_ITEMS, {"items": list(item_ids)}))


def has_experts(connection: Connection, plan: Plan) -> bool:
    """Return whether experts have a price and there are any to ask."""
    if EXPERT not in plan.settings.prices.votes:
        return False
    return connection.execute(_EXPERTS, {"project": plan.id}).first() is not None


def read_evidence(connection: Connection, asked: QuestionPlan, rows: Sequence[Record]) -> Evidence:
    """Return the evidence on tasks of a question whose rows were read."""
    position = {row.id: number for number, row in enumerate(rows)}
    counted = connection.execute(VOTES_OF_TASKS, {"ids": list(position)})
    return evidence_of(asked, rows, [(position[task_id], *vote) for task_id, *vote in counted])


def evidence_of(asked: QuestionPlan, rows: Sequence[Record], counted: Sequence[tuple[int, str, str, int]]) -> Evidence:
    """Return the evidence from the rows of tasks and the votes that count.

    counted: in the order in which they were given; each is (position of the task, code and kind of the voter, label).
    """
    codes: dict[str, int] = {}
    table = [
        (task, -1 if kind == EXPERT else codes.setdefault(code, len(codes)), label)
        for task, code, kind, label in sorted(counted, key=itemgetter(0))
    ]
    task, voter, label = np.array(table, dtype=np.int64).reshape(-1, 3).T
    names = np.array([str(row.id) for row in rows], dtype=TEXT)
    votes, expert_label, n_expert_votes = split_votes(asked, names, task, voter, label, np.array([*codes], dtype=TEXT))
    whole = [(-1 if row.gold is None else row.gold, row.least_votes, row.audited, _WISH[row.wish]) for row in rows]
    gold, least_votes, audited, wish = np.array(whole, dtype=np.int64).reshape(-1, 4).T
    real = [(row.draw, np.nan if row.ambiguity is None else row.ambiguity) for row in rows]
    draw, ambiguity = np.array(real, dtype=np.float64).reshape(-1, 2).T
    usable = [row.machine if is_usable(asked, row) else None for row in rows]
    return Evidence(
        votes=votes,
        gold=gold_of(gold, expert_label, wish),
        n_expert_votes=n_expert_votes,
        least_votes=least_votes,
        wish=wish,
        audited=audited > 0,
        draw=draw,
        predictions=probability_rows(asked.n_classes)(usable),
        ambiguity=ambiguity,
    )


def split_votes(
    asked: QuestionPlan,
    tasks: Names,
    task: NDArray[np.int64],
    voter: NDArray[np.int64],
    label: NDArray[np.int64],
    codes: Names,
) -> tuple[Votes, NDArray[np.int64], NDArray[np.int64]]:
    """Return the votes of the crowd, the label of the last expert vote on each task (-1 = none), and their number.

    Args:
        asked: the question.
        tasks: names of the tasks, distinct.
        task: index into `tasks` of each vote that counts, in rising order; votes on a task in the order of time.
        voter: index into `codes`; -1 = an expert.
        label: index of the class.
        codes: names of the voters who are not experts, distinct.
    """
    expert_label = np.full(len(tasks), -1, dtype=np.int64)
    n_expert_votes = np.zeros(len(tasks), dtype=np.int64)
    by_expert = voter < 0
    if by_expert.any():
        expert_label[task[by_expert]] = label[by_expert]  # of several experts, the one who voted or amended last
        n_expert_votes += np.bincount(task[by_expert], minlength=len(tasks))
        task, voter, label = task[~by_expert], voter[~by_expert], label[~by_expert]
    votes = Votes(
        task=task,
        worker=voter,
        label=label,
        tasks=freeze(tasks),
        workers=freeze(codes),
        classes=_class_names(tuple(asked.question.class_names)),
    )
    return votes, expert_label, n_expert_votes


@lru_cache(maxsize=1000)
def _class_names(names: tuple[str, ...]) -> Names:
    return freeze(as_names(list(names)))


def gold_of(gold: Gold, expert_label: NDArray[np.int64], wish: NDArray[np.integer]) -> Gold:
    """Return the gold labels: those of a requester, otherwise those of experts, otherwise those given with the items.

    >>> given, experts = np.array([0, 0, -1]), np.array([1, 1, -1])
    >>> gold_of(given, experts, np.array([WISHES.index(LABEL), -1, -1])).tolist()
    [0, 1, -1]
    """
    return np.where((expert_label >= 0) & (wish != WISHES.index(LABEL)), expert_label, gold)


def pool_of(asked: QuestionPlan, evidence: Evidence, model: Fused, machine: str | None, *, experts: bool) -> PoolState:
    """Return the state of the pool that a policy decides on.

    Args:
        asked: the question.
        evidence: what is known about the tasks.
        model: the fitted model.
        machine: the name of its classifier; None = people alone.
        experts: whether there are experts to ask.
    """
    unknown = np.isnan(evidence.ambiguity)
    return PoolState(
        votes=evidence.votes,
        machines=machines_of(machine, evidence.predictions),
        model=model,
        gold=evidence.gold,
        open=_open(asked, evidence, experts),
        ambiguity=None if unknown.all() else np.where(unknown, 0.5, evidence.ambiguity),  # .5 changes nothing
    )


def machines_of(name: str | None, predictions: NDArray[np.floating]) -> Machines:
    """Return the output of a classifier as policies expect it: uniform probabilities where there is none (NaN).

    >>> machines_of("softmax", np.array([[0.25, 0.75], [np.nan, np.nan]], dtype=np.float32))["softmax"].tolist()
    [[0.25, 0.75], [0.5, 0.5]]
    """
    if name is None:
        return {}
    probs = predictions.astype(np.float64)
    probs[np.isnan(probs)] = 1 / predictions.shape[1]
    return {name: probs / probs.sum(axis=1, keepdims=True)}


def is_usable(asked: QuestionPlan, task: Record) -> bool:
    """Return whether the prediction of a task may enter a decision: the classifier is free, or was charged for."""
    return not asked.machine_cost or task.machine_cost is not None


def _open(asked: QuestionPlan, evidence: Evidence, experts: bool) -> NDArray[np.bool_]:
    """Return which kinds can still be asked, (n_tasks, n_kinds).

    Nobody is asked about a task with gold, a worker by name only once, and the crowd up to a limit.
    """
    kinds, votes = asked.policy.prices.kinds, evidence.votes
    can_ask = np.repeat(~evidence.has_gold[:, None], len(kinds), axis=1)
    if CROWD in kinds:
        can_ask[:, kinds.index(CROWD)] &= evidence.n_crowd_votes < asked.max_votes
    if EXPERT in kinds and not experts:
        can_ask[:, kinds.index(EXPERT)] = False
    by_name = {*kinds} - {CROWD, EXPERT}
    for number, code in enumerate(votes.workers.tolist() if by_name else ()):
        if code in by_name:
            can_ask[votes.task[votes.worker == number], kinds.index(code)] = False
    return can_ask
