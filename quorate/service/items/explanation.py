"""Explanation of the state of a task: one sentence for requesters."""

from collections.abc import Sequence

from quorate.data.costs import CROWD, EXPERT
from quorate.service.decisions.counted_votes import CountedVote, has_expert_vote
from quorate.service.decisions.evidence import LABEL
from quorate.service.decisions.screening import NOT_YET
from quorate.service.decisions.task_state import (
    ASKING,
    BY_EXPERT,
    DECIDED,
    EXCLUDED,
    FIRST,
    FIRST_VOTES,
    MACHINE,
    NO_MONEY,
    UNCLASSIFIABLE,
    WAITING,
    WISHED,
)
from quorate.service.projects.plan import Plan
from quorate.service.projects.projects import AT_WORK, DRAFT
from quorate.service.store.database import Record

ASKED = {CROWD: "The crowd", EXPERT: "An expert"}
SETTLED = {
    NO_MONEY: "It is left undecided: the budget was spent first.",
    UNCLASSIFIABLE: "It has no label: any label is expected to cost more than none.",
    EXCLUDED: "It is not asked: the item is decided without it.",
}


def explain(plan: Plan, project: Record, task: Record, counted: Sequence[CountedVote]) -> str:
    """Return why a task is in its state. project, task: their rows. counted: the votes on the task that count."""
    if task.status == WAITING:
        return _waiting(project, task)
    if task.status == ASKING:
        pause = "" if project.state in AT_WORK else f" Nobody is asked while the project is {project.state}."
        return _asking(plan, task) + pause
    in_audit = task.ask == EXPERT and task.status in DECIDED
    return _decided(task, counted) + (" An expert will review it: it was drawn for the audit." if in_audit else "")


def _waiting(project: Record, task: Record) -> str:
    if project.state == DRAFT:
        return "It waits: the project has not started."
    if task.draw > project.open_draw:
        return "It waits: it is not among the items of the pilot."
    return "It waits: another criterion of the item is asked first." if task.reason == NOT_YET else "It waits its turn."


def _asking(plan: Plan, task: Record) -> str:
    who = ASKED.get(task.ask, task.ask)
    if task.reason in (*WISHED.values(), FIRST_VOTES):
        return f"{who} is asked: {task.reason}."
    if task.value is None or task.value <= 0 or task.priority >= FIRST:
        return f"{who} is asked: {task.reason}."
    price = _money(plan, plan.settings.prices.votes.get(task.ask, 0.0))
    return f"{who} is asked: a vote costs {price}, and is expected to save {_money(plan, task.value)} more than that."


def _decided(task: Record, counted: Sequence[CountedVote]) -> str:
    if task.status in SETTLED:
        return SETTLED[task.status]
    if task.status == BY_EXPERT:
        if task.wish == LABEL:
            return "A requester gave it this label."
        return "An expert decided on it." if has_expert_vote(counted) else "Its label was known from the start."
    who = "The classifier decided alone" if task.status == MACHINE else _with_votes(task, counted)
    return f"{who}, {_percent(task.confidence)} sure: {task.reason}."


def _with_votes(task: Record, counted: Sequence[CountedVote]) -> str:
    """Return who decided where there are votes: not the crowd if no vote is for the label."""
    n_against = sum(vote.label != task.label for vote in counted)
    votes = "1 vote" if len(counted) == 1 else f"{len(counted)} votes"
    if n_against == len(counted):
        return f"The {'model' if task.machine is None else 'classifier'} decided, against {votes}"
    return f"The crowd decided with {votes}" + (f" ({n_against} for another class)" if n_against else "")


def _percent(share: float) -> str:
    """Return a share in percent, rounded; only 1 is called 100%.

    >>> _percent(0.934), _percent(0.9991), _percent(1.0)
    ('93%', '99.9%', '100%')
    """
    rounded = 100 * share
    return f"{rounded:.0f}%" if rounded < 99 or share >= 1 else f"{min(rounded, 99.9):.1f}%"


def _money(plan: Plan, amount: float) -> str:
    return f"{amount:.3g} {plan.settings.currency}".strip()
