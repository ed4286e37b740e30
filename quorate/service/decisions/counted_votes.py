"""The votes that count: of each voter the last vote on a task, if it names a class.

Answers to practice do not count, nor do votes of blocked voters. This module is the only statement of that rule: as a
condition for SQL, and as arrays for a whole question. Only `operations.invariants` counts by SQL of its own, so that a
mistake here is noticed.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import ColumnElement, Connection, and_, bindparam, exists, select

from quorate.data.costs import EXPERT
from quorate.data.ids import Names, as_names
from quorate.service.store.columns import integers, read_columns
from quorate.service.store.tables import voters, votes

WORK, GOLD, PRACTICE, AUDIT = "work", "gold", "practice", "audit"  # purposes of a vote
LEASED = (WORK, AUDIT)  # purposes of leases that stand for a vote to come: `tasks.leased` counts them
BLOCKED = "blocked"  # the state of a voter

_VOTERS = (
    select(voters.c.id, voters.c.code, voters.c.kind, voters.c.state)
    .where(voters.c.project_id == bindparam("project"))
    .order_by(voters.c.id)
)
_VOTES = (
    select(votes.c.task_id, votes.c.voter_id, votes.c.label)
    .where(votes.c.question_id == bindparam("question"), votes.c.purpose != PRACTICE)
    .order_by(votes.c.id)
)


class CountedVote(NamedTuple):
    """A vote that counts."""

    voter_id: int
    code: str
    kind: str
    label: int


def has_expert_vote(counted: Sequence[CountedVote]) -> bool:
    """Return whether an expert has voted."""
    return any(vote.kind == EXPERT for vote in counted)


def is_last() -> ColumnElement[bool]:
    """Return the condition that the voter has not amended a vote."""
    later = votes.alias("later")
    return ~exists().where(
        later.c.task_id == votes.c.task_id,
        later.c.voter_id == votes.c.voter_id,
        later.c.amendment > votes.c.amendment,
    )


def is_valid() -> ColumnElement[bool]:
    """Return the condition that a vote counts, or would if its voter had not skipped the task; joins the voters."""
    return and_(votes.c.purpose != PRACTICE, voters.c.state != BLOCKED, is_last())


def counts() -> ColumnElement[bool]:
    """Return the condition that a vote counts; joins the voters."""
    return and_(votes.c.label.is_not(None), is_valid())


VOTES_OF_TASKS = (
    select(votes.c.task_id, voters.c.code, voters.c.kind, votes.c.label)
    .join(voters, voters.c.id == votes.c.voter_id)
    .where(votes.c.task_id.in_(bindparam("ids", expanding=True)), counts())
    .order_by(votes.c.id)
)


class VotesOfQuestion(NamedTuple):
    """The votes that count on all tasks of a question, in the order in which they were given, as arrays.

    Attributes:
        task_id: the id of the task.
        voter: index into `codes`.
        label: index of the class.
        by_expert: whether the voter is an expert.
        codes: names of all voters of the project.
    """

    task_id: NDArray[np.int64]
    voter: NDArray[np.int64]
    label: NDArray[np.int64]
    by_expert: NDArray[np.bool_]
    codes: Names


def read_votes_of_question(connection: Connection, project_id: int, question_id: int) -> VotesOfQuestion:
    """Read the votes that count on a whole question.

    Amended votes are dropped here: in SQL, each of millions of votes would be looked up once more.
    """
    people = connection.execute(_VOTERS, {"project": project_id}).all()
    ids = np.array([person.id for person in people], dtype=np.int64)
    is_blocked = np.array([person.state == BLOCKED for person in people], dtype=bool)
    is_expert = np.array([person.kind == EXPERT for person in people], dtype=bool)
    columns = read_columns(connection, _VOTES, {"question": question_id}, (integers, integers, integers))
    task_id, voter, label = columns[0], np.searchsorted(ids, columns[1]), columns[2]
    last = last_of_each(task_id, voter)
    last = last[(label[last] >= 0) & ~is_blocked[voter[last]]]
    voter = voter[last]
    codes = as_names([person.code for person in people])
    return VotesOfQuestion(task_id[last], voter, label[last], is_expert[voter], codes)


def last_of_each(task: NDArray[np.int64], voter: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the positions of the last vote of every voter on every task, in rising order.

    >>> last_of_each(np.array([7, 8, 7, 7]), np.array([0, 0, 1, 0])).tolist()
    [1, 2, 3]
    """
    keys = task * (voter.max(initial=0) + 1) + voter
    _, from_behind = np.unique(keys[::-1], return_index=True)
    return np.sort(len(keys) - 1 - from_behind)
