"""Details of an item: its votes, the posterior after each, the decisions, and an explanation."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from sqlalchemy import Connection, Select, select

from quorate.data.costs import EXPERT
from quorate.service.decisions.counted_votes import CountedVote, counts, has_expert_vote
from quorate.service.decisions.evidence import AN_EXPERT, LABEL, MACHINE_COST, MORE_VOTES, evidence_of, pool_of
from quorate.service.decisions.model_versions import current_model
from quorate.service.errors import NotFound
from quorate.service.items.explanation import explain
from quorate.service.items.summary import COLUMNS, class_name, summarize_tasks
from quorate.service.projects import projects
from quorate.service.projects.plan import Plan, QuestionPlan
from quorate.service.store.blobs import by_class, from_blob
from quorate.service.store.database import Record
from quorate.service.store.tables import decisions, items, models, tasks, voters, votes

TASK_FIELDS = ("ask", "wanted", "leased", "value", "expected_cost", "audited", "decided_at")


class _Step(NamedTuple):
    """A task before some of its votes."""

    id: int
    machine: bytes | None
    machine_cost: int | None
    gold: None = None
    wish: None = None
    ambiguity: None = None
    least_votes: int = 0
    audited: bool = False
    draw: float = 0.0


def item_details(connection: Connection, plan: Plan, item_id: int) -> dict[str, Any]:
    """Return an item with its votes (amended ones too) and all decisions on it."""
    query = select(*COLUMNS, items.c.features).where(items.c.project_id == plan.id, items.c.id == item_id)
    row = connection.execute(query).one_or_none()
    if row is None:
        raise NotFound(f"there is no item {item_id} in project {plan.id}")
    features = None if row.features is None else from_blob(row.features).tolist()
    project = projects.get(connection, plan.id)
    summaries = {task["id"]: task for task in summarize_tasks(connection, plan, [item_id])[item_id]}
    rows = connection.execute(_tasks(item_id)).all()
    details = [summaries[task.id] | _task_details(connection, plan, project, task) for task in rows]
    return row._asdict() | {"features": features, "tasks": details}


def _task_details(connection: Connection, plan: Plan, project: Record, task: Record) -> dict[str, Any]:
    asked = plan.questions[task.question_id]
    names = asked.question.class_names
    all_votes = connection.execute(_votes(task.id)).all()
    counted = _counted(all_votes)
    return {name: getattr(task, name) for name in TASK_FIELDS} | {
        "price": None if task.ask is None else plan.settings.prices.votes.get(task.ask),
        "machine": by_class(names, task.machine),
        "model_version": task.model_version,
        "wish": _pending_wish(task, list(counted.values())),
        "why": explain(plan, project, task, list(counted.values())),
        "path": _path(connection, asked, task, counted),
        "votes": [_vote(names, vote) for vote in all_votes],
        "decisions": [_decision(names, decision) for decision in connection.execute(_decisions(task.id))],
    }


def _counted(rows: Sequence[Record]) -> dict[int, CountedVote]:
    """Return the votes that count, by their ids."""
    return {row.id: CountedVote(row.voter_id, row.code, row.kind, row.label) for row in rows if row.counts}


def _pending_wish(task: Record, counted: Sequence[CountedVote]) -> str | None:
    """Return the request of a requester that is not fulfilled yet, or LABEL where the requester set the label."""
    n_crowd = sum(vote.kind != EXPERT for vote in counted)
    pending = (task.wish == AN_EXPERT and not has_expert_vote(counted)) or (
        task.wish == MORE_VOTES and n_crowd < task.least_votes
    )
    return task.wish if pending or task.wish == LABEL else None


def _path(
    connection: Connection, asked: QuestionPlan, task: Record, counted: dict[int, CountedVote]
) -> list[dict[str, Any]]:
    """Return the posteriors of the current model before the first vote and after each; a gold label ends the path."""
    model = current_model(connection, asked.id)
    if model is None:
        return []
    in_order, afters = list(counted.values()), [None, *counted]
    steps: Any = [_Step(n, task.machine, task.machine_cost) for n in range(len(afters))]
    votes_so_far = [(n, vote.code, vote.kind, vote.label) for n in range(len(afters)) for vote in in_order[:n]]
    pool = pool_of(asked, evidence_of(asked, steps, votes_so_far), model.fused, model.machine, experts=False)
    posteriors = model.fused.posterior(pool.votes, pool.machines, pool.gold)
    names = asked.question.class_names
    path = [_step(names, after, n, posteriors[n]) for n, after in enumerate(afters)]
    if task.gold is not None and (task.wish == LABEL or not has_expert_vote(in_order)):
        path.append(_step(names, None, len(in_order), np.eye(len(names))[task.gold]))
    return path


def _step(names: Sequence[str], after: int | None, n_votes: int, posterior: Any) -> dict[str, Any]:
    return {"after": after, "votes": n_votes, "posterior": dict(zip(names, posterior.tolist(), strict=True))}


def _tasks(item_id: int) -> Select[Any]:
    """Select the tasks of an item, each with the version of the model that wrote it last.

    Only the number is read: the learner empties the models of old versions.
    """
    return (
        select(tasks, MACHINE_COST, models.c.version.label("model_version"))
        .outerjoin(models, models.c.id == tasks.c.model_id)
        .where(tasks.c.item_id == item_id)
        .order_by(tasks.c.question_id)
    )


def _votes(task_id: int):  # type: ignore[no-untyped-def]
    return (
        select(votes, voters.c.code, voters.c.kind, counts().label("counts"))
        .join(voters, voters.c.id == votes.c.voter_id)
        .where(votes.c.task_id == task_id)
        .order_by(votes.c.id)
    )


def _decisions(task_id: int):  # type: ignore[no-untyped-def]
    return select(decisions).where(decisions.c.task_id == task_id).order_by(decisions.c.id)


def _vote(names: Sequence[str], row: Record) -> dict[str, Any]:
    fields = {name: getattr(row, name) for name in ("id", "kind", "said", "note", "purpose", "seconds", "given_at")}
    voter = {"voter": row.code, "voter_id": row.voter_id}
    return fields | voter | {"label": class_name(names, row.label), "amendment": row.amendment}


def _decision(names: Sequence[str], row: Record) -> dict[str, Any]:
    fields = {name: getattr(row, name) for name in ("made_at", "status", "confidence", "reason", "n_votes")}
    return fields | {"label": class_name(names, row.label)}
