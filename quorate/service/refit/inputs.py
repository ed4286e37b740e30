"""A question as it was read at the start of a round, and what the learner remembers about it."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection, select

from quorate.decision.base import Fused
from quorate.replay.classifiers import training_targets
from quorate.service.classifiers.softmax import Classifier, unpack_classifier
from quorate.service.decisions.activation import first_votes_wanted
from quorate.service.decisions.evidence import has_experts, machines_of
from quorate.service.decisions.model_versions import ModelVersion, current_model
from quorate.service.projects import projects as project_cases
from quorate.service.projects.plan import Plan, QuestionPlan, plan_of
from quorate.service.refit.snapshot import Snapshot, read_snapshot
from quorate.service.store.database import Record
from quorate.service.store.tables import models
from quorate.typing import Array


@dataclass
class Memory:
    """What the learner remembers about a question from one round to the next; after a restart it is read again.

    Attributes:
        classifier: the classifier that was trained last.
        taught: the number of votes and gold labels that it was trained on.
        version: version of the settings in the last round.
        begun: whether there was a round since the start.
        more: whether there are items that an external model must still predict.
        failures: how often that model has failed in a row.
    """

    classifier: Classifier | None = None
    taught: int = 0
    version: int = 0
    begun: bool = False
    more: bool = False
    failures: int = 0


@dataclass(frozen=True, eq=False)
class QuestionInputs:
    """A question as it was read.

    Attributes:
        plan: the plan of the project.
        asked: the question.
        snapshot: its tasks and votes.
        before: the current model; None before the first.
        waits: whether first votes are wanted before tasks that wait are decided on.
        experts: whether there are experts to ask.
        affordable: by annotator kind, whether the money left buys one more vote.
        free_money: what is neither spent nor committed, in millionths; None = there is no limit.
    """

    plan: Plan
    asked: QuestionPlan
    snapshot: Snapshot
    before: ModelVersion | None
    waits: bool
    experts: bool
    affordable: NDArray[np.bool_]
    free_money: int | None

    @property
    def model(self) -> Fused | None:
        """The current model, unless it was fitted without votes."""
        return None if self.before is None or not self.before.n_votes else self.before.fused

    @property
    def machine(self) -> str | None:
        """The name of the classifier that the current model knows."""
        return None if self.before is None else self.before.machine

    def believed(
        self, model: Fused | None, machine: str | None, usable: NDArray[np.float32], rows: NDArray[np.int64]
    ) -> Array:
        """Return the posterior of some tasks; without a model, the shares of their votes.

        Args:
            model: the fitted model.
            machine: the name of its classifier.
            usable: (n_tasks, n_classes), predictions of the classifier.
            rows: indices of the tasks.
        """
        votes, gold = self.snapshot.votes.subset(tasks=rows), self.snapshot.gold[rows]
        return training_targets(votes, machines_of(machine, usable[rows]), gold, model)


def read_inputs(connection: Connection, project_id: int, question_id: int) -> QuestionInputs:
    """Read a question, all of it as of one time."""
    row = project_cases.get(connection, project_id)
    plan = plan_of(connection, project_id, row.settings_version)
    asked = plan.questions[question_id]
    return QuestionInputs(
        plan=plan,
        asked=asked,
        snapshot=read_snapshot(connection, project_id, asked, row.open_draw),
        before=current_model(connection, question_id),
        waits=first_votes_wanted(connection, project_id),
        experts=has_experts(connection, plan),
        affordable=affordable(plan, asked, row),
        free_money=None if row.money_limit is None else row.money_limit - row.spent - row.committed,
    )


def affordable(plan: Plan, asked: QuestionPlan, row: Record) -> NDArray[np.bool_]:
    """Return by annotator kind whether the money left buys one more vote; money that leases hold counts as left."""
    kinds = asked.policy.prices.kinds
    left = None if row.money_limit is None else row.money_limit - row.spent
    return np.array([left is None or plan.cost(kind) <= left for kind in kinds], dtype=bool)


def recall(connection: Connection, facts: QuestionInputs, memory: Memory) -> None:
    """Read into the memory what was learned before a restart."""
    if facts.before is None:
        return
    query = select(models.c.classifier, models.c.metrics).where(models.c.id == facts.before.id)
    row = connection.execute(query).one()
    if row.classifier is not None:
        memory.classifier = unpack_classifier(row.classifier)
        memory.taught = int(row.metrics.get("taught", 0))
