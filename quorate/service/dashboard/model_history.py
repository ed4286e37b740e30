"""Model versions of a question, with their reliability and the confusions found in the votes."""

from typing import Any

from sqlalchemy import Connection, select

from quorate.service.dashboard.certificate import certificate
from quorate.service.projects.plan import Plan, QuestionPlan
from quorate.service.store.database import Record
from quorate.service.store.tables import models, questions, tallies

MAX_VERSIONS = 200


def model_history(connection: Connection, plan: Plan, question: QuestionPlan) -> dict[str, Any]:
    """Return the model versions of a question, its reliability, confusions and certificate."""
    report = connection.execute(select(questions.c.report).where(questions.c.id == question.id)).scalar_one() or {}
    query = select(tallies.c.status, tallies.c.n).where(tallies.c.question_id == question.id)
    statuses = {row.status: row.n for row in connection.execute(query)}
    return {
        "question": question.question.name,
        "versions": [row._mapping for row in _versions(connection, question.id)],
        "reliability": report.get("reliability"),
        "mistakes": report.get("mistakes", []),
        "certificate": certificate(statuses, [report], plan.settings.audit_share),
    }


def _versions(connection: Connection, question_id: int) -> list[Record]:
    """Read the newest versions, newest first, without the models themselves, which are large."""
    columns = (models.c.version, models.c.created_at, models.c.n_votes, models.c.machine, models.c.metrics)
    query = select(*columns).where(models.c.question_id == question_id)
    return list(connection.execute(query.order_by(models.c.version.desc()).limit(MAX_VERSIONS)))
