"""Predictions for the tasks in a round: of a classifier that is trained on the votes, of an external one, or none."""

import logging
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from quorate.decision.base import TAUGHT
from quorate.service.classifiers.http import HttpClassifier, HttpClassifierError
from quorate.service.classifiers.item import MediaReader, no_media
from quorate.service.errors import ServiceError
from quorate.service.refit.charge_classifier import usable_predictions
from quorate.service.refit.inputs import Memory, QuestionInputs
from quorate.service.refit.train import predict_rows, read_items, train_classifier
from quorate.service.store.database import Store
from quorate.typing import Array

GROWTH = 1.5  # the classifier is trained again when there are this many times as many votes
NO_LEARNER, ELSEWHERE = "none", "http"
GIVEN = "given"  # the name of a classifier that was not trained on these votes
BATCH, MAX_ITEMS = 50, 2_000  # items that an external model predicts in one request, and in one round

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Environment:
    """What the learner may reach. media: reads uploaded images. allow_private: also models at private addresses."""

    media: MediaReader = no_media
    allow_private: bool = False


@dataclass(frozen=True, eq=False)
class Predictions:
    """Predictions for all tasks of a question.

    Attributes:
        machine: the name of the classifier; None = people alone.
        probs: (n_tasks, n_classes), NaN = none.
        ambiguity: (n_tasks,), NaN = unknown.
        taught: whether the classifier was trained in this round.
    """

    machine: str | None
    probs: NDArray[np.float32]
    ambiguity: Array
    taught: bool = False


def predict_tasks(
    store: Store, facts: QuestionInputs, memory: Memory, around: Environment, *, lesson: bool
) -> Predictions:
    """Return the predictions of the project's classifier. lesson: train it, however few votes are new."""
    name = facts.plan.settings.learner.name
    nothing = Predictions(None, facts.snapshot.stored.machine, facts.snapshot.stored.ambiguity)
    if name == NO_LEARNER:
        return nothing
    if name == ELSEWHERE:
        return _predict_externally(store, facts, memory, around)
    return _train_and_predict(store, facts, memory, around, lesson=lesson) or nothing


def _train_and_predict(
    store: Store, facts: QuestionInputs, memory: Memory, around: Environment, *, lesson: bool
) -> Predictions | None:
    snapshot = facts.snapshot
    due = snapshot.evidence > 0 and (lesson or snapshot.evidence >= GROWTH * memory.taught) and not facts.waits
    if due:
        rows = np.flatnonzero(snapshot.informed)
        believed = facts.believed(facts.model, facts.machine, usable_predictions(facts.asked, snapshot), rows)
        name = facts.plan.settings.learner.name
        trained = train_classifier(store, snapshot, rows, believed, memory.classifier, around.media, name)
        if trained is not None:
            memory.classifier, memory.taught = trained.classifier, snapshot.evidence
            ranks = np.where(np.isnan(trained.ambiguity), snapshot.stored.ambiguity, trained.ambiguity)
            return Predictions(TAUGHT, trained.probs, ranks, taught=True)
    if memory.classifier is None:
        return None
    probs = snapshot.stored.machine.copy()
    # New tasks have no prediction yet; and a round that broke off may have left predictions of an earlier classifier.
    rows = np.flatnonzero(np.isnan(probs).any(axis=1) | (not memory.begun))
    probs[rows] = predict_rows(store, memory.classifier, snapshot, rows, around.media)
    return Predictions(TAUGHT, probs, snapshot.stored.ambiguity)


def _predict_externally(store: Store, facts: QuestionInputs, memory: Memory, around: Environment) -> Predictions:
    """Request predictions for items that an external model has not seen; if it fails, the stored ones are used."""
    snapshot, settings, question = facts.snapshot, facts.plan.settings, facts.asked.question
    probs = snapshot.stored.machine.copy()
    if facts.machine != GIVEN and facts.machine is not None:
        probs[:] = np.nan  # those of another classifier
    unseen = np.flatnonzero(np.isnan(probs).any(axis=1) & snapshot.in_play)
    memory.more = len(unseen) > MAX_ITEMS
    model = HttpClassifier(
        url=settings.learner.url or "",
        question=question.name,
        classes=question.class_names,
        allow_private=around.allow_private,
    )
    try:
        for first in range(0, min(len(unseen), MAX_ITEMS), BATCH):
            rows = unseen[first : min(first + BATCH, MAX_ITEMS)]
            probs[rows] = model.predict_proba(read_items(store, snapshot.items[rows]))
            memory.failures = 0
    except (HttpClassifierError, ServiceError) as error:
        memory.more, memory.failures = True, memory.failures + 1
        logger.warning("project %s continues without its external model: %s", facts.plan.id, error)
    has_any = not np.isnan(probs).all()
    return Predictions(GIVEN if has_any else None, probs, snapshot.stored.ambiguity)
