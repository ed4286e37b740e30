"""Versions of fitted models. The learner adds them; votes are decided with the current one."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Engine, bindparam, func, insert, select, update

from quorate.decision.base import Fused
from quorate.service.store.cache import BoundedCache
from quorate.service.store.model_blob import pack, unpack
from quorate.service.store.tables import models, questions

KEPT = 64  # models that a process remembers


@dataclass(frozen=True, eq=False)
class ModelVersion:
    """One version of the model of a question. machine: the name of its classifier; None = people alone."""

    id: int
    version: int
    n_votes: int
    fused: Fused
    machine: str | None


_kept = BoundedCache[Engine, int, ModelVersion](KEPT)
_IN_USE = select(questions.c.model_id).where(questions.c.id == bindparam("question"))
_MODEL = select(models.c.id, models.c.version, models.c.n_votes, models.c.fused, models.c.machine).where(
    models.c.id == bindparam("model")
)


def current_model(connection: Connection, question_id: int) -> ModelVersion | None:
    """Return the current model of a question; None before the first."""
    model_id = connection.execute(_IN_USE, {"question": question_id}).scalar_one()
    return None if model_id is None else version_of(connection, model_id)


def version_of(connection: Connection, model_id: int) -> ModelVersion:
    """Return one version of a model, read once per process."""
    return _kept.get_or_load(connection.engine, model_id, lambda: _read(connection, model_id))


def _read(connection: Connection, model_id: int) -> ModelVersion:
    row = connection.execute(_MODEL, {"model": model_id}).one()
    return ModelVersion(row.id, row.version, row.n_votes, unpack(row.fused), row.machine)


def publish_model(
    connection: Connection,
    question_id: int,
    fused: Fused,
    *,
    n_votes: int,
    machine: str | None,
    metrics: Mapping[str, Any],
    at: float,
    classifier: bytes | None = None,
) -> int:
    """Store the next version of a model, which is the current one from now on, and return its id.

    Args:
        connection: a transaction.
        question_id: the question.
        fused: the fitted model.
        n_votes: the number of votes that it was fitted to.
        machine: the name of its classifier; None = people alone.
        metrics: metrics of this version.
        at: the time.
        classifier: the packed classifier.
    """
    last = connection.execute(select(func.max(models.c.version)).where(models.c.question_id == question_id)).scalar()
    values = {
        "question_id": question_id,
        "version": (last or 0) + 1,
        "created_at": at,
        "n_votes": n_votes,
        "machine": machine,
        "metrics": dict(metrics),
        "fused": pack(fused),
        "classifier": classifier,
    }
    model_id = connection.execute(insert(models).values(values).returning(models.c.id)).scalar_one()
    connection.execute(update(questions).where(questions.c.id == question_id).values(model_id=model_id))
    return int(model_id)
