"""One round: fit models to all votes of a project, publish them, and write what has changed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from sqlalchemy import select

from quorate.service.projects.timeline import ProjectCounts, count_project
from quorate.service.refit.fit import RoundResult, learn
from quorate.service.refit.inputs import Memory
from quorate.service.refit.predict import Environment
from quorate.service.refit.write_screening import write_items
from quorate.service.refit.write_tasks import Pace, Written, write_predictions_of_waiting, write_states
from quorate.service.store.database import Store
from quorate.service.store.tables import questions


@dataclass(frozen=True)
class Outcome:
    """The outcome of a round.

    Attributes:
        before: counts of the project when it was read.
        written: the number of tasks that were written.
        lessons: the number of questions whose classifier was trained.
        versions: version of the model by question.
        learnt: the result of each question; large, so not to be kept.
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
    """Learn from all votes of a project, write what has changed, and return the outcome.

    Models are published before the first row is written: votes that come in meanwhile are decided with them, and a
    round that breaks off leaves rows that the next one writes.

    Args:
        store: the database.
        project_id: the project.
        memory: what the learner remembers, by question; it is updated.
        lesson: train the classifiers, however few votes are new.
        pace: how many rows are written at a time.
        around: media, and which addresses may be called.
    """
    pace, around = pace or Pace(), around or Environment()
    with store.read() as connection:
        query = select(questions.c.id).where(questions.c.project_id == project_id).order_by(questions.c.position)
        question_ids = list(connection.execute(query).scalars())
        before = count_project(connection, project_id)
    results = [
        learn(store, project_id, question_id, memory.setdefault(question_id, Memory()), around, lesson=lesson)
        for question_id in question_ids
    ]
    for result in results:
        write_predictions_of_waiting(store, result, pace)
    if results[0].view.plan.is_screening:
        written = write_items(store, results, pace)
    else:
        written = sum((write_states(store, result, pace) for result in results), Written())
    versions = {result.view.asked.id: result.fitted.version for result in results}
    return Outcome(before, written, sum(result.taught for result in results), versions, results)
