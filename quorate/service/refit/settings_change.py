"""Changing the settings of a running project: the effect on decisions is previewed before, and logged after."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace

from sqlalchemy import Connection, select

from quorate.service.decisions.classifier_charges import settle_free_predictions
from quorate.service.decisions.decide import states_of_tasks
from quorate.service.decisions.evidence import TASK_COLUMNS, has_experts, machines_of
from quorate.service.decisions.model_versions import ModelVersion, current_model, publish_model
from quorate.service.decisions.screening import states_of_items
from quorate.service.decisions.task_state import DECIDED, WAITING, TaskState
from quorate.service.errors import Conflict
from quorate.service.projects import projects
from quorate.service.projects.plan import Plan, QuestionPlan, plan_of
from quorate.service.projects.settings import ProjectSettings
from quorate.service.refit.charge_classifier import usable_predictions
from quorate.service.refit.snapshot import read_snapshot
from quorate.service.store.database import Record, Store
from quorate.service.store.tables import models, questions, tasks

CHUNK = 2_000  # tasks that are read together


@dataclass(frozen=True)
class Effect:
    """The number of tasks that would re-open, close, or get another label."""

    reopened: int = 0
    closed: int = 0
    relabelled: int = 0


@dataclass(frozen=True, eq=False)
class Change:
    """New settings that are not in force yet.

    Attributes:
        before: the current plan.
        after: the new plan.
        models: models by question, fitted again if the policy changes.
        refitted: whether the policy changes.
    """

    before: Plan
    after: Plan
    models: Mapping[int, ModelVersion | None]
    refitted: bool


def preview(store: Store, project_id: int, settings: ProjectSettings) -> Effect:
    """Return the effect of new settings on all tasks in play; nothing is written."""
    with store.read() as connection:
        return _effect(connection, _change(connection, project_id, settings))


def put_in_force(store: Store, project_id: int, settings: ProjectSettings, actor: str) -> Effect:
    """Put new settings in force with their models, and return the effect; a round then decides on all tasks again."""
    with store.read() as connection:
        change = _change(connection, project_id, settings)
        effect = _effect(connection, change)
    settle_free_predictions(store, project_id, change.before.settings, settings)
    with store.write() as connection:
        row = projects.get(connection, project_id, lock=True)
        if row.settings_version != change.before.version:
            raise Conflict("somebody else changed the settings meanwhile: look at them again")
        projects.change_settings(connection, row, settings, actor, store.clock(), asdict(effect))
        for question_id, model in change.models.items():
            if change.refitted and model is not None:
                publish_model(
                    connection,
                    question_id,
                    model.fused,
                    n_votes=model.n_votes,
                    machine=model.machine,
                    metrics={"n_votes": model.n_votes, "policy": settings.policy.name},
                    at=store.clock(),
                    classifier=_classifier(connection, question_id),
                )
    return effect


def _classifier(connection: Connection, question_id: int) -> bytes | None:
    """Return the classifier of the current model; the learner may have emptied the version that was read before."""
    is_current = models.c.id == questions.c.model_id
    query = select(models.c.classifier).join(questions, is_current).where(questions.c.id == question_id)
    return connection.execute(query).scalar_one()


def _change(connection: Connection, project_id: int, settings: ProjectSettings) -> Change:
    row = projects.get(connection, project_id)
    projects.require_same_questions(row, settings)
    before = plan_of(connection, project_id, row.settings_version)
    if row.state == projects.DRAFT:
        return Change(before, before, {}, refitted=False)
    # Predictions that were free stay usable where they get a price (see settle_free_predictions), and those that no
    # decision has looked at yet are charged by the next round.
    decides = settings if before.machine_cost else _with_free_classifier(settings)
    asked = {
        number: QuestionPlan(number, old.position, question, decides.policy_for(question), settings.votes_per_item)
        for number, old in before.questions.items()
        for question in [settings.questions[old.position]]
    }
    after = Plan(before.id, before.version, settings, asked)
    is_other_policy = settings.policy != before.settings.policy
    versions = {number: current_model(connection, number) for number in asked}
    if is_other_policy:
        versions = {
            number: model and _refit(connection, after.questions[number], model, row)
            for number, model in versions.items()
        }
    return Change(before, after, versions, refitted=is_other_policy)


def _with_free_classifier(settings: ProjectSettings) -> ProjectSettings:
    return settings.model_copy(update={"prices": settings.prices.model_copy(update={"machine": 0.0})})


def _refit(connection: Connection, asked: QuestionPlan, model: ModelVersion, row: Record) -> ModelVersion:
    """Return the model of another policy, fitted to the same votes and the stored predictions."""
    snapshot = read_snapshot(connection, row.id, asked, row.open_draw)
    machines = machines_of(model.machine, usable_predictions(asked, snapshot))
    return replace(model, fused=asked.policy.fit(snapshot.votes, machines, snapshot.gold), n_votes=len(snapshot.votes))


def _effect(connection: Connection, change: Change) -> Effect:
    counts: Counter[str] = Counter()
    last = 0
    while change.models and (rows := _chunk(connection, change.before.id, last)):
        last = rows[-1].item_id
        for row, state in _states(connection, change, rows):
            was, is_now = row.status in DECIDED, state.status in DECIDED
            counts["reopened"] += was and not is_now
            counts["closed"] += is_now and not was
            counts["relabelled"] += was and is_now and row.label != state.label
    return Effect(**counts)


def _chunk(connection: Connection, project_id: int, last: int) -> list[Record]:
    """Return all tasks of the next items."""
    query = (
        select(*TASK_COLUMNS)
        .where(tasks.c.project_id == project_id, tasks.c.item_id > last)
        .order_by(tasks.c.item_id, tasks.c.id)
        .limit(CHUNK + 1)
    )
    rows = list(connection.execute(query))
    if len(rows) <= CHUNK:
        return rows
    return [row for row in rows if row.item_id != rows[-1].item_id]  # the last item may be cut in two


def _states(connection: Connection, change: Change, rows: list[Record]) -> list[tuple[Record, TaskState]]:
    """Return the tasks in play, each with the state that it would get."""
    plan = change.after
    if plan.is_screening:
        if None in change.models.values():
            return []
        states = states_of_items(connection, plan, rows, change.models)
        return [(row, states[row.id]) for row in rows if row.status != WAITING]
    experts = has_experts(connection, plan)
    pairs: list[tuple[Record, TaskState]] = []
    for number, asked in plan.questions.items():
        own = [row for row in rows if row.question_id == number and row.status != WAITING]
        model = change.models[number]
        if own and model is not None:
            pairs += zip(own, states_of_tasks(connection, plan, asked, model, own, experts=experts), strict=True)
    return pairs
