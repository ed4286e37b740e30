"""Classification of items on request: predicted by the current classifiers, inserted, decided, and answered at once."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from sqlalchemy import Connection, Engine, bindparam, select, update

from quorate.service.classifiers.item import Item
from quorate.service.classifiers.softmax import Classifier, predict, unpack_classifier
from quorate.service.decisions import classifier_charges
from quorate.service.decisions.activation import open_tasks
from quorate.service.decisions.budget import pay_classifier
from quorate.service.decisions.model_versions import current_model
from quorate.service.decisions.results import results
from quorate.service.errors import Conflict, Invalid
from quorate.service.items.insert import NewItem
from quorate.service.items.rows import BadRow, Row
from quorate.service.items.validate import ValidatedRows, insert_rows, validate_rows, width_of
from quorate.service.projects import projects
from quorate.service.projects.plan import Plan, plan_of
from quorate.service.projects.projects import DONE
from quorate.service.store.blobs import to_blob
from quorate.service.store.cache import BoundedCache
from quorate.service.store.database import Store
from quorate.service.store.tables import items, models, tasks
from quorate.typing import Array

CLASSIFIERS_KEPT = 16  # in the cache of a process

Predictions = Mapping[tuple[str, int], bytes]  # class probabilities by key and question
_classifiers = BoundedCache[Engine, int, Classifier](CLASSIFIERS_KEPT)  # by model
_EXISTING = select(items.c.key).where(
    items.c.project_id == bindparam("project"), items.c.key.in_(bindparam("keys", expanding=True))
)
_NEW = (
    select(tasks.c.id, tasks.c.question_id, tasks.c.item_id, items.c.key)
    .join(items, items.c.id == tasks.c.item_id)
    .where(tasks.c.id.in_(bindparam("ids", expanding=True)))
)
_PREDICT = update(tasks).where(tasks.c.id == bindparam("task"))


class NoMoneyError(Exception):
    """The rest of the budget is less than the classifier costs."""


def classify(store: Store, project_id: int, rows: Sequence[Row | BadRow]) -> list[dict[str, Any]]:
    """Add items, decide on those that the classifier may decide alone, and return the results of all, in order.

    An item that exists already stays as it is. Where the budget is not enough for the classifier, people are asked.
    """
    with store.read() as connection:
        project = projects.get(connection, project_id)
        if project.state == DONE:
            raise Conflict(f"project {project_id} is done: set it to running first")
        plan = plan_of(connection, project_id, project.settings_version)
        with_features = any(isinstance(row, Row) and row.features is not None for row in rows)
        width = width_of(connection, project_id) if with_features else None
        ready = validate_rows(plan, rows, width)
        if ready.bad:
            raise Invalid("; ".join(f"item {bad.number}: {bad.message}" for bad in ready.bad[:5]))
        predictions = _predict_new(connection, plan, ready.items.new)
    try:
        _add(store, plan, ready, predictions)
    except NoMoneyError:
        _add(store, plan, ready, {})
    with store.read() as connection:
        return results(connection, plan, [row.key for row in rows if isinstance(row, Row)])


def _predict_new(connection: Connection, plan: Plan, new: Sequence[NewItem]) -> Predictions:
    """Return the predictions of the current classifiers for items that do not exist yet."""
    keys = [item.key for item in new]
    existing = set(connection.execute(_EXISTING, {"project": plan.id, "keys": keys}).scalars())
    fresh = [item for item in new if item.key not in existing]
    inputs = [Item(0, item.kind, item.content, item.features) for item in fresh]
    predictions: dict[tuple[str, int], bytes] = {}
    for question_id in plan.questions if fresh else ():
        classifier = _current_classifier(connection, question_id)
        if classifier is not None:
            probs: Array = predict(classifier, inputs)
            predictions |= {(item.key, question_id): to_blob(row) for item, row in zip(fresh, probs, strict=True)}
    return predictions


def _current_classifier(connection: Connection, question_id: int) -> Classifier | None:
    """Return the classifier of the current model; a process reads it once."""
    model = current_model(connection, question_id)
    if model is None or model.machine is None:
        return None
    cached = _classifiers.get(connection.engine, model.id)
    if cached is not None:
        return cached
    packed = connection.execute(select(models.c.classifier).where(models.c.id == model.id)).scalar_one()
    if packed is None:  # a model at a URL, which only the learner asks
        return None
    return _classifiers.get_or_load(connection.engine, model.id, lambda: unpack_classifier(packed))


def _add(store: Store, plan: Plan, ready: ValidatedRows, predictions: Predictions) -> None:
    """Insert new items with their predictions, decide, and pay the classifier; all of it or nothing."""
    now = store.clock()
    with store.write() as connection:
        outcome = insert_rows(connection, plan, ready, np.random.default_rng(), now)
        if outcome.bad:
            raise Conflict(outcome.bad[0].message)
        if not outcome.task_ids:
            return
        cost = _write_predictions(connection, plan, outcome.task_ids, predictions)
        open_tasks(connection, plan.id, outcome.task_ids, now)
        if cost and not pay_classifier(connection, plan.id, cost, now):  # last: others wait for this row
            raise NoMoneyError


def _write_predictions(connection: Connection, plan: Plan, task_ids: Sequence[int], predictions: Predictions) -> int:
    """Write the predictions of new tasks, and with their items what they cost; return the total cost."""
    new = connection.execute(_NEW, {"ids": list(task_ids)}).all()
    predicted = [row for row in new if (row.key, row.question_id) in predictions]
    if not predicted:
        return 0
    values = [{"task": row.id, "machine": predictions[row.key, row.question_id]} for row in predicted]
    connection.execute(_PREDICT, values)
    charged = {row.item_id for row in predicted} if plan.machine_cost else set()
    if charged:
        classifier_charges.note(connection, sorted(charged), plan.machine_cost)
    return len(charged) * plan.machine_cost
