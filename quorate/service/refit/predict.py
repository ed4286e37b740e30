"""What a machine says of the tasks in a round: one that is taught by the votes, one that is elsewhere, or none."""

import logging
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from quorate.decision.base import TAUGHT
from quorate.service.classifiers.http import HttpClassifier, HttpClassifierError
from quorate.service.classifiers.item import MediaReader, no_media
from quorate.service.errors import ServiceError
from quorate.service.refit.charge_classifier import usable
from quorate.service.refit.inputs import Memory, QuestionInputs
from quorate.service.refit.train import ask, read_items, teach
from quorate.service.store.database import Store
from quorate.typing import Array

GROWTH = 1.5  # the classifier is taught again when there are so many times as many votes
NO_LEARNER, ELSEWHERE = "none", "http"
GIVEN = "given"  # the name of a machine that was not taught by these votes
BATCH, MOST_ASKED = 50, 2_000  # items that a model elsewhere is asked about at once, and in one round

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Environment:
    """What is around the learner. media: reads uploaded images. allow_private: whether models may be near by."""

    media: MediaReader = no_media
    allow_private: bool = False


@dataclass(frozen=True, eq=False)
class Predictions:
    """machine: its name; None = people alone. said: (n_tasks, n_classes), NaN = nothing. ambiguity: of the tasks."""

    machine: str | None
    said: NDArray[np.float32]
    ambiguity: Array
    taught: bool = False


def heard(store: Store, facts: QuestionInputs, memory: Memory, around: Environment, *, lesson: bool) -> Predictions:
    """What the project's machine says. lesson: teach it, however few votes are new."""
    name = facts.plan.settings.learner.name
    nothing = Predictions(None, facts.snapshot.machine, facts.snapshot.ambiguity)
    if name == NO_LEARNER:
        return nothing
    if name == ELSEWHERE:
        return _from_elsewhere(store, facts, memory, around)
    return _from_taught(store, facts, memory, around, lesson=lesson) or nothing


def _from_taught(
    store: Store, facts: QuestionInputs, memory: Memory, around: Environment, *, lesson: bool
) -> Predictions | None:
    snapshot = facts.snapshot
    due = snapshot.evidence > 0 and (lesson or snapshot.evidence >= GROWTH * memory.taught) and not facts.waits
    if due:
        rows = np.flatnonzero(snapshot.informed)
        told = facts.believed(facts.model, facts.machine, usable(facts.asked, snapshot), rows)
        name = facts.plan.settings.learner.name
        found = teach(store, snapshot, rows, told, memory.classifier, around.media, name)
        if found is not None:
            memory.classifier, memory.taught = found.classifier, snapshot.evidence
            ranks = np.where(np.isnan(found.ambiguity), snapshot.ambiguity, found.ambiguity)
            return Predictions(TAUGHT, found.said, ranks, taught=True)
    if memory.classifier is None:
        return None
    said = snapshot.machine.copy()
    # Of new tasks nothing was said; and a round that broke off may have left what an earlier classifier said.
    rows = np.flatnonzero(np.isnan(said).any(axis=1) | (not memory.begun))
    said[rows] = ask(store, memory.classifier, snapshot, rows, around.media)
    return Predictions(TAUGHT, said, snapshot.ambiguity)


def _from_elsewhere(store: Store, facts: QuestionInputs, memory: Memory, around: Environment) -> Predictions:
    """Ask a model elsewhere about items that it has not seen; where it fails, what it said before must do."""
    snapshot, settings, question = facts.snapshot, facts.plan.settings, facts.asked.question
    said = snapshot.machine.copy()
    if facts.machine != GIVEN and facts.machine is not None:
        said[:] = np.nan  # that was another one
    unseen = np.flatnonzero(np.isnan(said).any(axis=1) & snapshot.in_play)
    memory.more = len(unseen) > MOST_ASKED
    model = HttpClassifier(
        url=settings.learner.url or "",
        question=question.name,
        classes=question.class_names,
        allow_private=around.allow_private,
    )
    try:
        for first in range(0, min(len(unseen), MOST_ASKED), BATCH):
            rows = unseen[first : min(first + BATCH, MOST_ASKED)]
            said[rows] = model.predict_proba(read_items(store, snapshot.items[rows]))
            memory.failures = 0
    except (HttpClassifierError, ServiceError) as error:
        memory.more, memory.failures = True, memory.failures + 1
        logger.warning("project %s goes on without its model: %s", facts.plan.id, error)
    known = not np.isnan(said).all()
    return Predictions(GIVEN if known else None, said, snapshot.ambiguity)
