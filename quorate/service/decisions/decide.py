"""Live decisions on a few tasks: from all their votes and the current model, in the transaction that adds a vote."""

from collections.abc import Sequence

from sqlalchemy import Connection

from quorate.decision.pool_decisions import accept_gold
from quorate.service.decisions.evidence import has_experts, lock_tasks, pool_of, read_evidence
from quorate.service.decisions.model_versions import ModelVersion, current_model
from quorate.service.decisions.screening import screen_rows
from quorate.service.decisions.task_state import TaskState, task_states
from quorate.service.decisions.write_states import lock_items, write_task_states
from quorate.service.projects.plan import Plan, QuestionPlan
from quorate.service.store.database import Record


def decide_rows(connection: Connection, plan: Plan, rows: Sequence[Record], at: float) -> list[TaskState]:
    """Decide on tasks from all that is known about them now, write their states and return them.

    rows: locked rows of one project. Tasks of a question without a model are left as they are.
    """
    if plan.is_screening:
        return screen_rows(connection, plan, rows, at)
    lock_items(connection, plan, rows)
    experts = has_experts(connection, plan)
    states: list[TaskState] = []
    for asked in plan.questions.values():
        own = [row for row in rows if row.question_id == asked.id]
        if own and (model := current_model(connection, asked.id)) is not None:
            own_states = states_of_tasks(connection, plan, asked, model, own, experts=experts)
            write_task_states(connection, plan, own, own_states, model.id, at)
            states += own_states
    return states


def decide_tasks(connection: Connection, plan: Plan, task_ids: Sequence[int], at: float) -> list[TaskState]:
    """Lock tasks, decide on them, write their states and return them."""
    return decide_rows(connection, plan, lock_tasks(connection, task_ids), at)


def states_of_tasks(
    connection: Connection,
    plan: Plan,
    asked: QuestionPlan,
    model: ModelVersion,
    rows: Sequence[Record],
    *,
    experts: bool,
) -> list[TaskState]:
    """Return the states that tasks of one question get from a model; nothing is written.

    Args:
        connection: reads the votes.
        plan: the plan of the project.
        asked: the question.
        model: the version of its model.
        rows: rows of its tasks.
        experts: whether there are experts to ask.
    """
    evidence = read_evidence(connection, asked, rows)
    pool = pool_of(asked, evidence, model.fused, model.machine, experts=experts)
    decisions = accept_gold(asked.policy.decide(pool), pool.gold, asked.policy.costs)
    return task_states(plan, evidence, decisions, experts=experts).to_rows()
