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

PLANS_KEPT = 500  # in the cache of a process, one per project


@dataclass(frozen=True, eq=False)
class QuestionPlan:
    """One question of a project, with the policy that decides on it."""

    id: int
    position: int
    question: Question
    policy: Policy
    max_votes: int  # of the crowd on one task

    @property
    def n_classes(self) -> int:
        """The number of classes."""
        return len(self.question.classes)

    @property
    def holds(self) -> int:
        """The index of the class which means that a criterion of a screening project holds."""
        return self.question.class_names.index(self.question.holds or "")

    @cached_property
    def machine_cost(self) -> int:
        """The price of the classifier per item, in millionths; 0 where the policy does not use it."""
        return to_money(self.policy.prices.machine) if uses_machines(self.policy) else 0

    @cached_property
    def label_of(self) -> Mapping[str, int]:
        """The index of each class by its name."""
        return {name: index for index, name in enumerate(self.question.class_names)}


@dataclass(frozen=True, eq=False)
class Plan:
    """The settings of a project as of one version, ready for use."""

    id: int
    version: int
    settings: ProjectSettings
    questions: Mapping[int, QuestionPlan]  # by the id of the question

    @property
    def is_screening(self) -> bool:
        """Whether items are included only where all criteria hold."""
        return self.settings.kind == "screening"

    def price(self, kind: str) -> int:
        """Return what a voter of a kind is paid for a vote, in millionths; 0 for a kind without a price."""
        return to_money(self.settings.prices.votes.get(kind, 0.0))

    def cost(self, kind: str) -> int:
        """Return what a vote costs the project, in millionths: the price and the platform's fee."""
        return with_fee(self.price(kind), self.settings.prices.platform_fee)

    @property
    def machine_cost(self) -> int:
        """The price of the classifier per item, whatever the number of questions, in millionths."""
        return next(iter(self.questions.values())).machine_cost


_plans = BoundedCache[Engine, int, Plan](PLANS_KEPT)  # by project
_SETTINGS = select(projects.c.settings).where(projects.c.id == bindparam("id"))
_QUESTIONS = (
    select(questions.c.id, questions.c.position)
    .where(questions.c.project_id == bindparam("id"))
    .order_by(questions.c.position)
)


def plan_of(connection: Connection, project_id: int, version: int) -> Plan:
    """Return the plan of a project; a process reads it once per version."""
    cached = _plans.get(connection.engine, project_id)
    if cached is not None and cached.version == version:
        return cached
    plan = _read_plan(connection, project_id, version)
    _plans.put(connection.engine, project_id, plan)
    return plan


def _read_plan(connection: Connection, project_id: int, version: int) -> Plan:
    settings = ProjectSettings.model_validate(connection.execute(_SETTINGS, {"id": project_id}).scalar_one())
    plans = {}
    for row in connection.execute(_QUESTIONS, {"id": project_id}):
        question = settings.questions[row.position]
        policy = settings.policy_for(question)
        plans[row.id] = QuestionPlan(row.id, row.position, question, policy, settings.votes_per_item)
    return Plan(project_id, version, settings, plans)


def question_id(plan: Plan, name: str | None) -> int:
    """Return the id of a question by its name; of the first question where the name is None."""
    ids = {planned.question.name: planned.id for planned in plan.questions.values()}
    name = name or next(iter(ids))
    if name not in ids:
        raise Invalid(f"there is no question {name!r}: the questions are {', '.join(ids)}")
    return ids[name]


class SettingsChanged(Conflict):
    """The settings changed during a computation with the old ones."""


def require_current(connection: Connection, plan: Plan) -> None:
    """Refuse to go on with settings that have been replaced."""
    version = connection.execute(select(projects.c.settings_version).where(projects.c.id == plan.id)).scalar_one()
    if version != plan.version:
        raise SettingsChanged(f"the settings of project {plan.id} have changed meanwhile: try again")
