"""Items that come one by one and want an answer at once: what the classifier says of them, and what follows from it."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from sqlalchemy import Connection, Engine, bindparam, select, update

from quorate.service.classifiers.item import Item
from quorate.service.classifiers.softmax import Classifier, predict, unpack_classifier
from quorate.service.decisions import classifier_charges as machine_charges
from quorate.service.decisions.activation import first_votes_wanted
from quorate.service.decisions.decide import decide_rows
from quorate.service.decisions.evidence import TASK_COLUMNS
from quorate.service.decisions.model_versions import current_model
from quorate.service.decisions.results import results
from quorate.service.decisions.task_state import WAITING
from quorate.service.errors import Conflict, Invalid
from quorate.service.items import validate as new_rows
from quorate.service.items.insert import NewItem
from quorate.service.items.rows import BadRow, Row
from quorate.service.projects import projects
from quorate.service.projects.plan import Plan, plan_of
from quorate.service.projects.projects import AT_WORK, DONE
from quorate.service.store.blobs import to_blob
from quorate.service.store.cache import BoundedCache
from quorate.service.store.database import Store
from quorate.service.store.tables import items, models, tasks
from quorate.typing import Array

KEPT = 16  # classifiers that a process remembers

Said = Mapping[tuple[str, int], bytes]  # by key and question: probabilities
_kept = BoundedCache[Engine, int, Classifier](KEPT)  # by model
_THERE = select(items.c.key).where(
    items.c.project_id == bindparam("project"), items.c.key.in_(bindparam("keys", expanding=True))
)
_NEW = (
    select(tasks.c.id, tasks.c.question_id, tasks.c.item_id, items.c.key)
    .join(items, items.c.id == tasks.c.item_id)
    .where(tasks.c.id.in_(bindparam("ids", expanding=True)))
)
_SAY = update(tasks).where(tasks.c.id == bindparam("task"))


class NoMoneyError(Exception):
    """The classifier cannot be paid any more."""


def classify(store: Store, project_id: int, rows: Sequence[Row | BadRow]) -> list[dict[str, Any]]:
    """Add items, and decide on those that the machine may decide on alone; how all of them stand, in order.

    An item that is there already stays as it is. Where the money is not enough for the classifier, people are asked.
    """
    with store.read() as connection:
        project = projects.get(connection, project_id)
        if project.state == DONE:
            raise Conflict(f"project {project_id} is done: let it run again first")
        plan = plan_of(connection, project_id, project.settings_version)
        with_features = any(isinstance(row, Row) and row.features is not None for row in rows)
        width = new_rows.width_of(connection, project_id) if with_features else None
        ready = new_rows.validate_rows(plan, rows, width)
        if ready.bad:
            raise Invalid("; ".join(f"item {bad.number}: {bad.message}" for bad in ready.bad[:5]))
        said = _predicted(connection, plan, ready.items.new)
    try:
        _add(store, plan, ready, said)
    except NoMoneyError:
        _add(store, plan, ready, {})
    with store.read() as connection:
        return results(connection, plan, [row.key for row in rows if isinstance(row, Row)])


def _predicted(connection: Connection, plan: Plan, new: Sequence[NewItem]) -> Said:
    """What the classifiers in use say of items that are not there yet."""
    there = set(connection.execute(_THERE, {"project": plan.id, "keys": [one.key for one in new]}).scalars())
    fresh = [one for one in new if one.key not in there]
    shown = [Item(0, one.kind, one.content, one.features) for one in fresh]
    said: dict[tuple[str, int], bytes] = {}
    for question_id in plan.questions if fresh else ():
        classifier = _in_use(connection, question_id)
        if classifier is not None:
            probs: Array = predict(classifier, shown)
            said |= {(one.key, question_id): to_blob(row) for one, row in zip(fresh, probs, strict=True)}
    return said


def _in_use(connection: Connection, question_id: int) -> Classifier | None:
    """The classifier of the model in use, read once per process."""
    fitted = current_model(connection, question_id)
    if fitted is None or fitted.machine is None:
        return None
    kept = _kept.get(connection.engine, fitted.id)
    if kept is not None:
        return kept
    packed = connection.execute(select(models.c.classifier).where(models.c.id == fitted.id)).scalar_one()
    if packed is None:  # a model of somebody else's, which is asked by the learner
        return None
    return _kept.get_or_load(connection.engine, fitted.id, lambda: unpack_classifier(packed))


def _add(store: Store, plan: Plan, ready: new_rows.ValidatedRows, said: Said) -> None:
    """Add what is new with what was said of it, decide, and pay the classifier; all of it or nothing."""
    now = store.clock()
    with store.write() as connection:
        outcome = new_rows.insert_rows(connection, plan, ready, np.random.default_rng(), now)
        if outcome.bad:
            raise Conflict(outcome.bad[0].message)
        if not outcome.task_ids:
            return
        cost = _note(connection, plan, outcome.task_ids, said)
        _decide(connection, plan.id, outcome.task_ids, now)
        if cost and not machine_charges.pay(connection, plan, cost, now):  # last: all others wait for the project's row
            raise NoMoneyError


def _note(connection: Connection, plan: Plan, task_ids: Sequence[int], said: Said) -> int:
    """Write what was said of new tasks, and with their items what it costs; return the cost of all."""
    new = connection.execute(_NEW, {"ids": list(task_ids)}).all()
    heard = [row for row in new if (row.key, row.question_id) in said]
    if not heard:
        return 0
    connection.execute(_SAY, [{"task": row.id, "machine": said[row.key, row.question_id]} for row in heard])
    charged = {row.item_id for row in heard} if plan.machine_cost else set()
    if charged:
        machine_charges.note(connection, sorted(charged), plan.machine_cost)
    return len(charged) * plan.machine_cost


def _decide(connection: Connection, project_id: int, task_ids: Sequence[int], now: float) -> None:
    """Decide on new tasks that are in play; while first votes are wanted elsewhere, they wait with all others."""
    project = projects.get(connection, project_id)
    if project.state not in AT_WORK or first_votes_wanted(connection, project_id):
        return
    in_play = tasks.c.id.in_(task_ids), tasks.c.status == WAITING, tasks.c.draw <= project.open_draw
    rows = connection.execute(select(*TASK_COLUMNS).where(*in_play).order_by(tasks.c.id).with_for_update()).all()
    if rows:
        decide_rows(connection, plan_of(connection, project_id, project.settings_version), rows, now)
