"""Plans: the settings of a project as of one version, ready for use."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from sqlalchemy import Connection, Engine, bindparam, select

from quorate.decision.base import Policy, uses_machines
from quorate.service.errors import Conflict, Invalid
from quorate.service.money import to_money, with_fee
from quorate.service.projects.settings import ProjectSettings, Question
from quorate.service.store.cache import BoundedCache
from quorate.service.store.tables import projects, questions

PLANS_KEPT = 500  # that a process remembers, one per project


@dataclass(frozen=True, eq=False)
class QuestionPlan:
    """One question of a project, with the policy that decides on it."""

    id: int
    position: int
    question: Question
    policy: Policy
    most_votes: int  # of the crowd on one task

    @property
    def n_classes(self) -> int:
        """How many answers there are."""
        return len(self.question.classes)

    @property
    def holds(self) -> int:
        """The number of the answer which means that a criterion of a screening project holds."""
        return self.question.class_names.index(self.question.holds or "")

    @cached_property
    def machine_cost(self) -> int:
        """What the classifier costs per item, in millionths; nothing where the policy never looks at it."""
        return to_money(self.policy.prices.machine) if uses_machines(self.policy) else 0

    @cached_property
    def label_of(self) -> Mapping[str, int]:
        """The number of each answer."""
        return {name: place for place, name in enumerate(self.question.class_names)}


@dataclass(frozen=True, eq=False)
class Plan:
    """The settings of a project as of one version, ready for use; it changes only with the version."""

    id: int
    version: int
    settings: ProjectSettings
    questions: Mapping[int, QuestionPlan]  # by the id of the question

    @property
    def is_screening(self) -> bool:
        """Whether items are included only where all criteria hold."""
        return self.settings.kind == "screening"

    def price(self, kind: str) -> int:
        """What a voter of a kind gets for a vote, in millionths; a kind without a price gets nothing."""
        return to_money(self.settings.prices.votes.get(kind, 0.0))

    def cost(self, kind: str) -> int:
        """What a vote costs the project: the price, and the platform's fee."""
        return with_fee(self.price(kind), self.settings.prices.platform_fee)

    @property
    def machine_cost(self) -> int:
        """What the classifier costs per item, whatever the number of questions, in millionths."""
        return next(iter(self.questions.values())).machine_cost


_plans = BoundedCache[Engine, int, Plan](PLANS_KEPT)  # by project
_SETTINGS = select(projects.c.settings).where(projects.c.id == bindparam("id"))
_QUESTIONS = (
    select(questions.c.id, questions.c.position)
    .where(questions.c.project_id == bindparam("id"))
    .order_by(questions.c.position)
)


def plan_of(connection: Connection, project_id: int, version: int) -> Plan:
    """The plan of a project, read once per version and process."""
    kept = _plans.get(connection.engine, project_id)
    if kept is not None and kept.version == version:
        return kept
    plan = _read_plan(connection, project_id, version)
    _plans.put(connection.engine, project_id, plan)
    return plan


def _read_plan(connection: Connection, project_id: int, version: int) -> Plan:
    settings = ProjectSettings.model_validate(connection.execute(_SETTINGS, {"id": project_id}).scalar_one())
    asked = {
        row.id: QuestionPlan(row.id, row.position, one, settings.policy_for(one), settings.votes_per_item)
        for row in connection.execute(_QUESTIONS, {"id": project_id})
        for one in [settings.questions[row.position]]
    }
    return Plan(project_id, version, settings, asked)


def question_id(plan: Plan, name: str | None) -> int:
    """The id of a question by its name; of the first where none is named."""
    ids = {asked.question.name: asked.id for asked in plan.questions.values()}
    name = name or next(iter(ids))
    if name not in ids:
        raise Invalid(f"there is no question {name!r}: the questions are {', '.join(ids)}")
    return ids[name]


class SettingsChanged(Conflict):
    """The settings changed while something was worked out by the old ones."""


def require_current(connection: Connection, plan: Plan) -> None:
    """Refuse to go on by settings that are not in force any more."""
    version = connection.execute(select(projects.c.settings_version).where(projects.c.id == plan.id)).scalar_one()
    if version != plan.version:
        raise SettingsChanged(f"the settings of project {plan.id} have changed meanwhile")
