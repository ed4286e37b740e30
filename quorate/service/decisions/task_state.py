"""How a task stands after a decision: whether it is decided, by whom, and who is asked next. No database here."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from quorate.data.costs import CROWD, EXPERT
from quorate.data.decisions import ACCEPT, ASK, UNDECIDED, Decisions
from quorate.service.decisions.evidence import AN_EXPERT, MORE_VOTES, Evidence, Given, disagree, said_by_expert
from quorate.service.projects.plan import Plan
from quorate.service.store.blobs import to_blob
from quorate.service.store.database import Record

WAITING, ASKING, MACHINE, BY_CROWD, BY_EXPERT = "waiting", "asking", "machine", "crowd", "expert"
NO_MONEY, UNCLASSIFIABLE, EXCLUDED = "undecided", "unclassifiable", "excluded"
DECIDED = (MACHINE, BY_CROWD, BY_EXPERT, NO_MONEY, UNCLASSIFIABLE, EXCLUDED)
FIRST = 1e6  # the priority of tasks that must have votes before anything can be decided
FIRST_VOTES = "votes are wanted here before anything is decided"
WISHED = {MORE_VOTES: "a requester asked for one more vote", AN_EXPERT: "a requester asked for an expert"}
DIGITS = 9  # of a value: what differs by less is equal, so that chance decides between equals and not rounding errors
SCATTER = 7919.0  # makes of a task's draw another one, for audits


class TaskState(NamedTuple):
    """What is written of a task; the names are those of its columns."""

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


def task_states(plan: Plan, evidence: Evidence, decisions: Decisions, *, experts: bool) -> list[TaskState]:
    """How each task stands, from what was decided on it. experts: whether there are any to audit."""
    prices = plan.settings.prices.votes
    share = plan.settings.audit_share if experts and EXPERT in prices else 0.0
    confidence = decisions.probs.max(axis=1).tolist()
    costs, values = decisions.expected_cost.tolist(), decisions.value.round(DIGITS).tolist()
    return [
        _standing(
            task,
            given,
            action=action,
            label=None if label < 0 else label,
            kind=decisions.kinds[ask] if ask >= 0 else None,
            expected_cost=costs[place],
            value=values[place],
            confidence=confidence[place],
            posterior=to_blob(decisions.probs[place]),
            reason=decisions.reasons[reason],
            audit_share=share,
            experts=experts,
            price=prices.get(decisions.kinds[ask], 1.0),
        )
        for place, (task, given, action, label, ask, reason) in enumerate(
            zip(
                evidence.tasks,
                evidence.given,
                decisions.action.tolist(),
                decisions.label.tolist(),
                decisions.ask.tolist(),
                decisions.reason.tolist(),
                strict=True,
            )
        )
    ]


def _standing(
    task: Record,
    given: Sequence[Given],
    *,
    action: int,
    label: int | None,
    kind: str | None,
    expected_cost: float,
    value: float,
    confidence: float,
    posterior: bytes,
    reason: str,
    audit_share: float,
    experts: bool,
    price: float,
) -> TaskState:
    by_expert = task.gold is not None or said_by_expert(given)
    n_crowd = sum(one.kind != EXPERT for one in given)
    status, wanted, priority, audited = status_of(action, by_expert, n_crowd), 0, 0.0, bool(task.audited)
    if experts and wants_expert(task, given):
        status, kind, wanted, priority, reason = ASKING, EXPERT, 1, FIRST, WISHED[AN_EXPERT]
    elif not by_expert and n_crowd < task.least_votes:
        status, kind, wanted, priority = ASKING, CROWD, task.least_votes - n_crowd, FIRST
        reason = WISHED[MORE_VOTES] if task.wish == MORE_VOTES else FIRST_VOTES
    elif status == ASKING:
        wanted, priority = 1, value / max(price, 1e-6) if value > 0 else -float(n_crowd)
    elif status in (MACHINE, BY_CROWD):
        audited = audited or drawn_for_audit(task.draw, audit_share)
        kind, wanted = (EXPERT, 1) if audited else (None, 0)
    else:
        kind = None
    return TaskState(
        status=status,
        label=label,
        ask=kind,
        wanted=wanted,
        n_votes=len(given),
        priority=priority,
        audited=audited,
        expected_cost=expected_cost,
        value=value,
        confidence=confidence,
        posterior=posterior,
        reason=reason,
        disputed=disagree(given),
    )


def wants_expert(task: Record, given: Sequence[Given]) -> bool:
    """Whether a requester wished for an expert, and none has voted yet."""
    return bool(task.wish == AN_EXPERT) and not said_by_expert(given)


def status_of(action: int, by_expert: bool, n_crowd: int) -> str:
    """Whether a task is asked on, or who decided on it.

    >>> status_of(ACCEPT, by_expert=False, n_crowd=0), status_of(ASK, by_expert=False, n_crowd=2)
    ('machine', 'asking')
    """
    if action == ASK:
        return ASKING
    if action == ACCEPT:
        return BY_EXPERT if by_expert else BY_CROWD if n_crowd else MACHINE
    return NO_MONEY if action == UNDECIDED else UNCLASSIFIABLE


def drawn_for_audit(draw: float, share: float) -> bool:
    """Whether a task is of the random share that an expert looks at again; the same whenever it is asked.

    >>> drawn_for_audit(0.3, 0.0), drawn_for_audit(0.3, 1.0)
    (False, True)
    """
    return bool(np.modf(draw * SCATTER)[0] < share)
