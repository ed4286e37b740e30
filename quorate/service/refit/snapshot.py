"""All that is known of one question at one time: its tasks and the votes that count, as arrays."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection, bindparam, or_, select

from quorate.data.costs import EXPERT
from quorate.data.ids import Names, as_names, freeze
from quorate.data.votes import Votes
from quorate.service.decisions.evidence import AN_EXPERT, LABEL, MACHINE_COST, MORE_VOTES, PRACTICE
from quorate.service.decisions.task_state import ASKING, DECIDED, WAITING
from quorate.service.projects.plan import QuestionPlan
from quorate.service.refit.columns import Words, numbers, read_columns, rows_of, whole
from quorate.service.store.tables import tasks, voters, votes
from quorate.typing import Array, Gold

STATUSES = (WAITING, ASKING, *DECIDED)
WISHES = (LABEL, MORE_VOTES, AN_EXPERT)

_TASKS = (
    select(
        tasks.c.id,
        tasks.c.item_id,
        tasks.c.status,
        tasks.c.label,
        tasks.c.gold,
        tasks.c.ask,
        tasks.c.least_votes,
        tasks.c.value,
        tasks.c.posterior,
        tasks.c.machine,
        tasks.c.ambiguity,
        tasks.c.draw,
        tasks.c.wish,
        MACHINE_COST,
    )
    .where(tasks.c.question_id == bindparam("question"))
    .where(or_(tasks.c.draw <= bindparam("reach"), tasks.c.n_votes > 0, tasks.c.gold.is_not(None)))
    .order_by(tasks.c.id)
)
_VOTERS = select(voters.c.id, voters.c.code, voters.c.kind, voters.c.state).where(
    voters.c.project_id == bindparam("project")
)
_VOTES = (
    select(votes.c.task_id, votes.c.voter_id, votes.c.label)
    .where(votes.c.question_id == bindparam("question"), votes.c.purpose != PRACTICE)
    .order_by(votes.c.id)
)


@dataclass(frozen=True, eq=False, kw_only=True)
class Snapshot:
    """The tasks of a question that are in play or have something to tell, in the order of their ids.

    votes: of people and models, one per voter and task. gold: what a requester or experts said, or what was known;
    -1 = nothing. by_expert: whether an expert said something. status: as stored, an index into STATUSES. ask: whom, an
    index into the prices' kinds; -1 = nobody. wish: of a requester, an index into WISHES; -1 = none. Where nothing is
    stored, label is -1, and value, posterior, machine and ambiguity are NaN. charged: whether the classifier was
    charged for the item.
    """

    ids: NDArray[np.int64]
    items: NDArray[np.int64]
    votes: Votes
    gold: Gold
    by_expert: NDArray[np.bool_]
    status: NDArray[np.int16]
    label: NDArray[np.int64]
    ask: NDArray[np.int16]
    least_votes: NDArray[np.int64]
    value: Array
    posterior: NDArray[np.float32]
    machine: NDArray[np.float32]
    ambiguity: Array
    draw: Array
    in_play: NDArray[np.bool_]
    wish: NDArray[np.int16]
    charged: NDArray[np.bool_]

    @property
    def informed(self) -> NDArray[np.bool_]:
        """Tasks that have votes or gold."""
        found: NDArray[np.bool_] = (self.votes.votes_per_task > 0) | (self.gold >= 0)
        return found

    @property
    def evidence(self) -> int:
        """How many votes and known labels there are."""
        return len(self.votes) + int((self.gold >= 0).sum())


def read_snapshot(connection: Connection, project_id: int, asked: QuestionPlan, reach: float) -> Snapshot:
    """Read one question. Rows become numbers as they come in: a million tasks take some hundred megabytes at most.

    reach: tasks with a draw up to this are in play.
    """
    rows = rows_of(asked.n_classes)
    kinds = Words(asked.policy.prices.kinds)
    makers = (
        whole,
        whole,
        Words(STATUSES),
        whole,
        whole,
        kinds,
        whole,
        numbers,
        rows,
        rows,
        numbers,
        numbers,
        Words(WISHES),
        whole,
    )
    found = read_columns(connection, _TASKS, {"question": asked.id, "reach": reach}, makers)
    ids, items, status, label, known, ask, least_votes, value, posterior, machine, ambiguity, draw, wish, cost = found
    given, said, by_expert = _votes(connection, project_id, asked, ids)
    return Snapshot(
        ids=ids,
        items=items,
        votes=given,
        gold=np.where(by_expert & (wish != WISHES.index(LABEL)), said, known),
        by_expert=by_expert,
        status=status,
        label=label,
        ask=ask,
        least_votes=least_votes,
        value=value,
        posterior=posterior,
        machine=machine,
        ambiguity=ambiguity,
        draw=draw,
        in_play=draw <= reach,
        wish=wish,
        charged=cost >= 0,
    )


def _votes(
    connection: Connection, project_id: int, asked: QuestionPlan, ids: NDArray[np.int64]
) -> tuple[Votes, NDArray[np.int64], NDArray[np.bool_]]:
    """The votes of all but experts; what experts said of each task last, and whether any did."""
    people = connection.execute(_VOTERS, {"project": project_id}).all()
    known = np.array([one.id for one in people], dtype=np.int64)
    order = np.argsort(known)
    task_id, voter_id, label = read_columns(connection, _VOTES, {"question": asked.id}, (whole, whole, whole))
    place = np.searchsorted(ids, task_id)
    there = np.isin(task_id, ids)
    task, voter_id, label = place[there], voter_id[there], label[there]
    voter = order[np.searchsorted(known[order], voter_id)] if len(people) else voter_id
    last = _last_of_each(task * max(len(people), 1) + voter)
    task, voter, label = task[last], voter[last], label[last]
    blocked = np.array([one.state == "blocked" for one in people], dtype=bool)
    counts = (label >= 0) & ~blocked[voter]
    expert = np.array([one.kind == EXPERT for one in people], dtype=bool)[voter]
    of_crowd, of_experts = counts & ~expert, counts & expert
    said = np.full(len(ids), -1, dtype=np.int64)
    said[task[of_experts]] = label[of_experts]  # in the order of votes: the last one stays
    codes = as_names([one.code for one in people])
    return _made(asked, ids, task[of_crowd], voter[of_crowd], label[of_crowd], codes), said, said >= 0


def _made(
    asked: QuestionPlan,
    ids: NDArray[np.int64],
    task: NDArray[Any],
    voter: NDArray[Any],
    label: NDArray[Any],
    codes: Names,
) -> Votes:
    """Votes by indices, sorted by task; only voters who gave any are named."""
    order = np.argsort(task, kind="stable")
    who, place = np.unique(voter[order], return_inverse=True)
    return Votes(
        task=task[order],
        worker=place,
        label=label[order],
        tasks=freeze(ids.copy()),
        workers=codes[who],
        classes=as_names(list(asked.question.class_names)),
    )


def _last_of_each(keys: NDArray[np.int64]) -> NDArray[np.int64]:
    """Places of the last of all equal keys, in rising order."""
    _, from_behind = np.unique(keys[::-1], return_index=True)
    return np.sort(len(keys) - 1 - from_behind)
