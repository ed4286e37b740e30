"""One round: learn from all votes of a project, put the models in use, and write down what has changed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from sqlalchemy import select

from quorate.service.projects.timeline import ProjectCounts, count_project
from quorate.service.refit.fit import RoundResult, learn
from quorate.service.refit.inputs import Memory
from quorate.service.refit.predict import Environment
from quorate.service.refit.write_screening import write_items_of
from quorate.service.refit.write_tasks import Pace, Written, write_told, write_view
from quorate.service.store.database import Store
from quorate.service.store.tables import questions


@dataclass(frozen=True)
class Outcome:
    """What became of a round. lessons: questions whose classifier was taught. versions: of their models.

    before: how the project stood when it was read. learnt: what each question taught; large, so not to be kept.
    """

    before: ProjectCounts
    written: Written = field(default_factory=Written)
    lessons: int = 0
    versions: Mapping[int, int] = field(default_factory=dict)
    learnt: Sequence[RoundResult] = field(default=(), repr=False)


def run_round(
    store: Store,
    project_id: int,
    memory: dict[int, Memory],
    *,
    lesson: bool = False,
    pace: Pace | None = None,
    around: Environment | None = None,
) -> Outcome:
    """Learn from all votes of a project. lesson: teach the classifiers, however few votes are new.

    Models are put in use before the first row is written: whatever comes in between is judged by them already, and a
    round that breaks off leaves rows that the next one writes.
    """
    pace, around = pace or Pace(), around or Environment()
    with store.read() as connection:
        query = select(questions.c.id).where(questions.c.project_id == project_id).order_by(questions.c.position)
        asked = list(connection.execute(query).scalars())
        before = count_project(connection, project_id)
    found = [learn(store, project_id, one, memory.setdefault(one, Memory()), around, lesson=lesson) for one in asked]
    for one in found:
        write_told(store, one.view, one.told, pace)
    if found[0].view.plan.is_screening:
        written = write_items_of(store, [(one.view, one.fitted, one.rows) for one in found], pace)
    else:
        written = sum((write_view(store, one.view, one.fitted, one.rows, pace) for one in found), Written())
    versions = {one.view.asked.id: one.fitted.version for one in found}
    return Outcome(before, written, sum(one.taught for one in found), versions, found)
