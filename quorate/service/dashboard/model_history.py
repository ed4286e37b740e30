"""The models of a question: their versions, how far they can be trusted, and what they say of the instructions."""

from typing import Any

from sqlalchemy import Connection, select

from quorate.service.dashboard.certificate import certificate
from quorate.service.projects.plan import Plan, QuestionPlan
from quorate.service.store.database import Record
from quorate.service.store.tables import models, questions, tallies

MOST_VERSIONS = 200


def model_history(connection: Connection, plan: Plan, asked: QuestionPlan) -> dict[str, Any]:
    """What is shown of the models of one question."""
    report = connection.execute(select(questions.c.report).where(questions.c.id == asked.id)).scalar_one() or {}
    counted = select(tallies.c.status, tallies.c.n).where(tallies.c.question_id == asked.id)
    statuses = {row.status: row.n for row in connection.execute(counted)}
    return {
        "question": asked.question.name,
        "versions": [row._mapping for row in _versions(connection, asked.id)],
        "reliability": report.get("reliability"),
        "mistakes": report.get("mistakes", []),
        "certificate": certificate(statuses, [report], plan.settings.audit_share),
    }


def _versions(connection: Connection, question_id: int) -> list[Record]:
    """Newest first; without the models themselves, which are large."""
    shown = (models.c.version, models.c.created_at, models.c.n_votes, models.c.machine, models.c.metrics)
    found = select(*shown).where(models.c.question_id == question_id)
    return list(connection.execute(found.order_by(models.c.version.desc()).limit(MOST_VERSIONS)))
