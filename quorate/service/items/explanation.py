"""Why a task is decided, asked, or not: one plain sentence for its requester."""

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

WHOM = {CROWD: "The crowd", EXPERT: "An expert"}
SETTLED = {
    NO_MONEY: "It is left undecided: the money ended first.",
    UNCLASSIFIABLE: "It has no label: any label would be expected to cost more than none.",
    EXCLUDED: "It is not asked: the item is decided without it.",
}


def why(plan: Plan, project: Record, task: Record, given: Sequence[CountedVote]) -> str:
    """Why a task stands as it does. project, task: their rows. given: the votes on it that count."""
    if task.status == WAITING:
        return _waiting(project, task)
    if task.status == ASKING:
        at_rest = "" if project.state in AT_WORK else f" Nobody is asked while the project is {project.state}."
        return _asking(plan, task) + at_rest
    again = task.ask == EXPERT and task.status in DECIDED
    return _decided(task, given) + (" An expert will look at it again: it was drawn for the audit." if again else "")


def _waiting(project: Record, task: Record) -> str:
    if project.state == DRAFT:
        return "It waits: the project has not begun."
    if task.draw > project.open_draw:
        return "It waits: it is not among the items of the pilot."
    return "It waits: another criterion of the item is asked first." if task.reason == NOT_YET else "It waits its turn."


def _asking(plan: Plan, task: Record) -> str:
    whom = WHOM.get(task.ask, task.ask)
    if task.reason in (*WISHED.values(), FIRST_VOTES):
        return f"{whom} is asked: {task.reason}."
    if task.value is None or task.value <= 0 or task.priority >= FIRST:
        return f"{whom} is asked: {task.reason}."
    price = _money(plan, plan.settings.prices.votes.get(task.ask, 0.0))
    return f"{whom} is asked: a vote costs {price}, and is expected to save {_money(plan, task.value)} more than that."


def _decided(task: Record, given: Sequence[CountedVote]) -> str:
    if task.status in SETTLED:
        return SETTLED[task.status]
    if task.status == BY_EXPERT:
        if task.wish == LABEL:
            return "A requester gave it this label."
        return "An expert decided on it." if has_expert_vote(given) else "Its label was known from the start."
    who = "The machine decided alone" if task.status == MACHINE else _with_votes(task, given)
    return f"{who}, {_percent(task.confidence)} sure: {task.reason}."


def _with_votes(task: Record, given: Sequence[CountedVote]) -> str:
    """Who decided where there are votes: not the crowd, where nobody of it said so."""
    n_against = sum(one.label != task.label for one in given)
    votes = "1 vote" if len(given) == 1 else f"{len(given)} votes"
    if n_against == len(given):
        return f"The {'model' if task.machine is None else 'machine'} decided, against {votes}"
    return f"The crowd decided with {votes}" + (f" ({n_against} for another class)" if n_against else "")


def _percent(share: float) -> str:
    """Nothing is called certain that is not.

    >>> _percent(0.934), _percent(0.9991), _percent(1.0)
    ('93 %', '99.9 %', '100 %')
    """
    rounded = 100 * share
    return f"{rounded:.0f} %" if rounded < 99 or share >= 1 else f"{min(rounded, 99.9):.1f} %"


def _money(plan: Plan, amount: float) -> str:
    return f"{amount:.3g} {plan.settings.currency}".strip()
