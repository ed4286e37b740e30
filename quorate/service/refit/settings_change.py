"""Other settings for a project at work: what they would do to what is decided is shown before, and logged after."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace

from sqlalchemy import Connection, select

from quorate.service.decisions.classifier_charges import settle_free_predictions
from quorate.service.decisions.decide import has_experts, states_of_tasks
from quorate.service.decisions.evidence import TASK_COLUMNS
from quorate.service.decisions.model_versions import ModelVersion, current_model, publish_model
from quorate.service.decisions.screening import states_of_items
from quorate.service.decisions.task_state import DECIDED, WAITING, TaskState
from quorate.service.errors import Conflict
from quorate.service.projects import projects
from quorate.service.projects.plan import Plan, QuestionPlan, plan_of
from quorate.service.projects.settings import ProjectSettings
from quorate.service.refit.charge_classifier import usable
from quorate.service.refit.decide_pool import machines_of
from quorate.service.refit.snapshot import read_snapshot
from quorate.service.store.database import Record, Store
from quorate.service.store.tables import models, questions, tasks

CHUNK = 2_000


@dataclass(frozen=True)
class Effect:
    """How many tasks would re-open, close, or get another label."""

    reopened: int = 0
    closed: int = 0
    relabelled: int = 0


@dataclass(frozen=True, eq=False)
class Change:
    """Settings that are not in force yet. models: by question; where the policy is another, fitted anew for it."""

    before: Plan
    after: Plan
    models: Mapping[int, ModelVersion | None]
    refitted: bool


def preview(store: Store, project_id: int, settings: ProjectSettings) -> Effect:
    """Decide on all tasks in play by other settings, and write nothing."""
    with store.read() as connection:
        return _effect(connection, _change(connection, project_id, settings))


def put_in_force(store: Store, project_id: int, settings: ProjectSettings, actor: str) -> Effect:
    """Put other settings in force, with the models that go with them; the learner then decides anew on all."""
    with store.read() as connection:
        change = _change(connection, project_id, settings)
        effect = _effect(connection, change)
    settle_free_predictions(store, project_id, change.before.settings, settings)
    with store.write() as connection:
        row = projects.get(connection, project_id, lock=True)
        if row.settings_version != change.before.version:
            raise Conflict("somebody else changed the settings meanwhile: look at them again")
        projects.change_settings(connection, row, settings, actor, store.clock(), asdict(effect))
        for question_id, fitted in change.models.items():
            if change.refitted and fitted is not None:
                publish_model(
                    connection,
                    question_id,
                    fitted.fused,
                    n_votes=fitted.n_votes,
                    machine=fitted.machine,
                    metrics={"n_votes": fitted.n_votes, "policy": settings.policy.name},
                    at=store.clock(),
                    classifier=_classifier(connection, question_id),
                )
    return effect


def _classifier(connection: Connection, question_id: int) -> bytes | None:
    """Return the classifier of the model in use; the learner may have emptied the version that was read before."""
    in_use_now = models.c.id == questions.c.model_id
    query = select(models.c.classifier).join(questions, in_use_now).where(questions.c.id == question_id)
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
        number: QuestionPlan(number, one.position, question, decides.policy_for(question), settings.votes_per_item)
        for number, one in before.questions.items()
        for question in [settings.questions[one.position]]
    }
    after = Plan(before.id, before.version, settings, asked)
    other = settings.policy != before.settings.policy
    fits = {number: current_model(connection, number) for number in asked}
    if other:
        fits = {
            number: fitted and _fitted_anew(connection, after.questions[number], fitted, row)
            for number, fitted in fits.items()
        }
    return Change(before, after, fits, refitted=other)


def _with_free_classifier(settings: ProjectSettings) -> ProjectSettings:
    return settings.model_copy(update={"prices": settings.prices.model_copy(update={"machine": 0.0})})


def _fitted_anew(connection: Connection, asked: QuestionPlan, fitted: ModelVersion, row: Record) -> ModelVersion:
    """The model of another policy, from the same votes and what the classifier said of the tasks."""
    snapshot = read_snapshot(connection, row.id, asked, row.open_draw)
    said = machines_of(fitted.machine, usable(asked, snapshot))
    return replace(fitted, fused=asked.policy.fit(snapshot.votes, said, snapshot.gold), n_votes=len(snapshot.votes))


def _effect(connection: Connection, change: Change) -> Effect:
    found: Counter[str] = Counter()
    last = 0
    while change.models and (rows := _chunk(connection, change.before.id, last)):
        last = rows[-1].item_id
        for row, stand in _stands(connection, change, rows):
            was, is_now = row.status in DECIDED, stand.status in DECIDED
            found["reopened"] += was and not is_now
            found["closed"] += is_now and not was
            found["relabelled"] += was and is_now and row.label != stand.label
    return Effect(**found)


def _chunk(connection: Connection, project_id: int, last: int) -> list[Record]:
    """All tasks of the next items."""
    found = (
        select(*TASK_COLUMNS)
        .where(tasks.c.project_id == project_id, tasks.c.item_id > last)
        .order_by(tasks.c.item_id, tasks.c.id)
        .limit(CHUNK + 1)
    )
    rows = list(connection.execute(found))
    if len(rows) <= CHUNK:
        return rows
    return [row for row in rows if row.item_id != rows[-1].item_id]  # the last item may be cut in two


def _stands(connection: Connection, change: Change, rows: list[Record]) -> list[tuple[Record, TaskState]]:
    """How tasks in play would stand."""
    plan = change.after
    if plan.is_screening:
        if None in change.models.values():
            return []
        stands = states_of_items(connection, plan, rows, change.models)
        return [(row, stands[row.id]) for row in rows if row.status != WAITING]
    experts = has_experts(connection, plan)
    found: list[tuple[Record, TaskState]] = []
    for number, asked in plan.questions.items():
        own = [row for row in rows if row.question_id == number and row.status != WAITING]
        fitted = change.models[number]
        if own and fitted is not None:
            found += zip(own, states_of_tasks(connection, plan, asked, fitted, own, experts=experts), strict=True)
    return found
