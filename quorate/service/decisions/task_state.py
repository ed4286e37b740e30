"""The state of a task after a decision: whether it is decided, by whom, and who is asked next. No database here.

The one implementation works on arrays: a vote that comes in decides on a few tasks, a round on a whole pool.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from quorate.data.costs import CROWD, EXPERT
from quorate.data.decisions import ACCEPT, ASK, UNDECIDED, Decisions
from quorate.service.decisions.evidence import AN_EXPERT, MORE_VOTES, WISHES, Evidence
from quorate.service.projects.plan import Plan
from quorate.service.store.blobs import BLOB_TYPE
from quorate.typing import Array

WAITING, ASKING, MACHINE, BY_CROWD, BY_EXPERT = "waiting", "asking", "machine", "crowd", "expert"
NO_MONEY, UNCLASSIFIABLE, EXCLUDED = "undecided", "unclassifiable", "excluded"
DECIDED = (MACHINE, BY_CROWD, BY_EXPERT, NO_MONEY, UNCLASSIFIABLE, EXCLUDED)
STATUSES = (WAITING, ASKING, *DECIDED)
FIRST = 1e6  # the priority of tasks that must have votes before anything can be decided
FIRST_VOTES = "votes are wanted here before anything is decided"
WISHED = {MORE_VOTES: "a requester asked for one more vote", AN_EXPERT: "a requester asked for an expert"}
DIGITS = 9  # of a value: what differs by less is equal, so that chance breaks the tie and not a rounding error
SCATTER = 7919.0  # makes another random number of a task's draw, for audits
_MIN_PRICE = 1e-6

_STATUS = {name: number for number, name in enumerate(STATUSES)}
ASKING_INDEX = _STATUS[ASKING]
DECIDED_INDICES = tuple(_STATUS[name] for name in DECIDED)


class TaskState(NamedTuple):
    """What is written about a task; the names are those of its columns."""

    status: str
    label: int | None
    ask: str | None
    wanted: int
    n_votes: int
    priority: float
    audited: bool
    expected_cost: float
    value: float
    confidence: float
    posterior: bytes
    reason: str
    disputed: bool


class TaskStates(NamedTuple):
    """The states of some tasks, as arrays with one entry per task.

    Attributes:
        status: index into STATUSES.
        label: index of the class; -1 = none.
        ask: index into `kinds`; -1 = nobody.
        wanted: the number of votes that are asked for.
        n_votes: the number of votes that count.
        priority: tasks with the highest are served first.
        audited: whether the task was drawn for an audit.
        expected_cost: of errors, if the label is accepted now.
        value: what asking is expected to save beyond its price.
        confidence: probability of the most probable class.
        posterior: (n_tasks, n_classes), as it is stored.
        reason: index into `reasons`.
        disputed: whether the votes of the crowd name more than one class.
        kinds: annotator kinds, or workers by name.
        reasons: sentences for people to read.
    """

    status: NDArray[np.integer]
    label: NDArray[np.integer]
    ask: NDArray[np.integer]
    wanted: NDArray[np.integer]
    n_votes: NDArray[np.integer]
    priority: Array
    audited: NDArray[np.bool_]
    expected_cost: Array
    value: Array
    confidence: Array
    posterior: NDArray[np.float32]
    reason: NDArray[np.integer]
    disputed: NDArray[np.bool_]
    kinds: tuple[str, ...]
    reasons: tuple[str, ...]

    def take(self, rows: Any) -> "TaskStates":
        """Return the states of some tasks. rows: indices, a mask or a slice."""
        return self._replace(**{name: getattr(self, name)[rows] for name in _ARRAYS})

    def to_rows(self) -> list[TaskState]:
        """Return the state of each task with the names of its status, its reason and whom it asks."""
        columns = zip(*(getattr(self, name).tolist() for name in (*_NAMED, *_NUMBERS)), strict=True)
        return [
            TaskState._make(
                (
                    STATUSES[status],
                    None if label < 0 else label,
                    None if ask < 0 else self.kinds[ask],
                    *numbers,
                    self.posterior[row].tobytes(),
                    self.reasons[reason],
                    disputed,
                )
            )
            for row, (status, label, ask, reason, disputed, *numbers) in enumerate(columns)
        ]


_ARRAYS = tuple(name for name in TaskStates._fields if name not in ("kinds", "reasons"))
_NAMED = ("status", "label", "ask", "reason", "disputed")
_NUMBERS = ("wanted", "n_votes", "priority", "audited", "expected_cost", "value", "confidence")


def join_states(parts: Sequence[TaskStates]) -> TaskStates:
    """Return the states of several parts of a pool as one; the parts may number their reasons differently."""
    reasons = tuple(dict.fromkeys(reason for part in parts for reason in part.reasons))
    arrays = {name: np.concatenate([getattr(part, name) for part in parts]) for name in _ARRAYS}
    numbers = [np.array([reasons.index(reason) for reason in part.reasons], dtype=np.int16) for part in parts]
    reason = np.concatenate([number[part.reason] for number, part in zip(numbers, parts, strict=True)])
    return TaskStates(**arrays | {"reason": reason}, kinds=parts[0].kinds, reasons=reasons)


def task_states(plan: Plan, evidence: Evidence, decisions: Decisions, *, experts: bool) -> TaskStates:
    """Return the state of each task, from what was decided on it.

    A wish for an expert comes first, then missing first votes, then the decision. experts: whether there are any.
    """
    kinds, n_crowd = kinds_of(decisions.kinds), evidence.n_crowd_votes
    status = status_of(decisions.action, evidence.has_gold, n_crowd > 0)
    value, priority, audited = decisions.value.round(DIGITS), np.zeros(len(status)), evidence.audited
    asking, accepted = status == ASKING_INDEX, is_accepted(status)
    ask = np.where(asking, decisions.ask, -1)
    if asking.any():
        prices = np.array([max(plan.settings.prices.votes.get(kind, 1.0), _MIN_PRICE) for kind in kinds])
        priority = np.where(asking, np.where(value > 0, value / prices[ask], -n_crowd.astype(np.float64)), 0.0)
    if accepted.any():
        audited = audited | (accepted & drawn_for_audit(evidence.draw, audit_share(plan, experts=experts)))
        ask[accepted & audited] = kinds.index(EXPERT)
    wanted = (ask >= 0).astype(np.int64)
    reason, reasons = decisions.reason, decisions.reasons
    to_expert = wants_expert(evidence, experts=experts)
    to_crowd = lacks_first_votes(evidence) & ~to_expert
    first = to_expert | to_crowd
    if first.any():
        status = np.where(first, ASKING_INDEX, status)
        ask = np.where(to_expert, kinds.index(EXPERT), np.where(to_crowd, kinds.index(CROWD), ask))
        wanted = np.where(to_expert, 1, np.where(to_crowd, evidence.least_votes - n_crowd, wanted))
        priority = np.where(first, FIRST, priority)
        audited = np.where(first, evidence.audited, audited)
        reason = np.where(first, len(reasons) + first_reason(evidence, to_expert), reason)
        reasons = (*reasons, *FIRST_REASONS)
    return TaskStates(
        status=status,
        label=decisions.label,
        ask=ask,
        wanted=wanted,
        n_votes=evidence.n_votes,
        priority=priority,
        audited=audited,
        expected_cost=decisions.expected_cost,
        value=value,
        confidence=decisions.probs.max(axis=1),
        posterior=decisions.probs.astype(BLOB_TYPE),
        reason=reason,
        disputed=evidence.disputed,
        kinds=kinds,
        reasons=reasons,
    )


FIRST_REASONS = (FIRST_VOTES, WISHED[MORE_VOTES], WISHED[AN_EXPERT])


def first_reason(evidence: Evidence, to_expert: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Return why a vote is wanted before anything is decided, as an index into FIRST_REASONS."""
    return np.where(to_expert, 2, np.where(evidence.wish == WISHES.index(MORE_VOTES), 1, 0))


def kinds_of(kinds: Sequence[str]) -> tuple[str, ...]:
    """Return all whom a task can ask: the kinds with a price, and also the crowd and experts.

    >>> kinds_of(["expert", "ann"])
    ('expert', 'ann', 'crowd')
    """
    return (*kinds, *(kind for kind in (CROWD, EXPERT) if kind not in kinds))


def wants_expert(evidence: Evidence, *, experts: bool) -> NDArray[np.bool_]:
    """Return where a requester wished for an expert and none has voted yet. experts: whether there are any."""
    return (evidence.wish == WISHES.index(AN_EXPERT)) & (evidence.n_expert_votes == 0) & experts


def lacks_first_votes(evidence: Evidence) -> NDArray[np.bool_]:
    """Return where votes of the crowd are missing before anything is decided."""
    return ~evidence.has_gold & (evidence.n_crowd_votes < evidence.least_votes)


def status_of(
    action: NDArray[np.integer], has_gold: NDArray[np.bool_], has_votes: NDArray[np.bool_]
) -> NDArray[np.integer]:
    """Return whether each task is asked about, or who decided on it, as an index into STATUSES.

    >>> no, yes = np.array([False, False]), np.array([False, True])
    >>> [STATUSES[number] for number in status_of(np.array([ACCEPT, ASK]), no, yes)]
    ['machine', 'asking']
    """
    status: NDArray[np.integer] = _STATUS_OF[action, np.where(has_gold, 2, has_votes)]
    return status


def _status_table() -> NDArray[np.int64]:
    """Return the status by action, and by who gave the label: 0 = the classifier, 1 = the crowd, 2 = an expert."""
    table = np.full((4, 3), _STATUS[UNCLASSIFIABLE])
    table[ACCEPT] = [_STATUS[MACHINE], _STATUS[BY_CROWD], _STATUS[BY_EXPERT]]
    table[ASK], table[UNDECIDED] = _STATUS[ASKING], _STATUS[NO_MONEY]
    return table


_STATUS_OF = _status_table()


def is_accepted(status: NDArray[np.integer]) -> NDArray[np.bool_]:
    """Return which tasks have a label that no expert gave: an audit may test it."""
    return (status == _STATUS[MACHINE]) | (status == _STATUS[BY_CROWD])


def audit_share(plan: Plan, *, experts: bool) -> float:
    """Return the share of accepted tasks that experts audit. experts: whether there are any."""
    return plan.settings.audit_share if experts and EXPERT in plan.settings.prices.votes else 0.0


def drawn_for_audit(draw: Array, share: float) -> NDArray[np.bool_]:
    """Return which tasks are in the random share that an expert audits; the same at every call.

    >>> drawn_for_audit(np.array([0.3]), 0.0).tolist(), drawn_for_audit(np.array([0.3]), 1.0).tolist()
    ([False], [True])
    """
    return np.modf(draw * SCATTER)[0] < share
