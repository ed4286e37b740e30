"""Traces of a training: the predictions of a classifier for each task, epoch by epoch."""

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.data.option_checks import require_part
from quorate.data.posterior import Posterior
from quorate.data.votes import Votes
from quorate.errors import MethodError
from quorate.learning._clone import fresh, inner_learners
from quorate.learning.training.schedules import Steps
from quorate.protocols import Learner
from quorate.typing import Array


def record_trace(learner: Learner, x: Any, votes: Votes, posterior: Posterior) -> NDArray[np.float32]:
    """Train a fresh copy of a learner; return its probabilities in every epoch: (n_epochs, n_tasks, n_classes).

    Scores such as `aum` and `waum` read the trace. For a network, it is recorded in the training pass, with dropout;
    with `Recipe(record="after")`, in a second pass after the epoch. If the learning rate drops by steps, training ends
    at the first drop: after it, a network memorises the ambiguous items. NaN: the task was not seen in that epoch.

    Args:
        learner: learner to copy and train.
        x: items, one per task.
        votes: votes on them.
        posterior: posterior of the votes, from which the training targets come.

    >>> from quorate import Votes, aggregate
    >>> from quorate.learning.learners.linear import Linear
    >>> votes = Votes.from_matrix([[0, 0], [1, 1]])
    >>> record_trace(Linear(), [[0.0], [1.0]], votes, aggregate(votes)).shape[1:]
    (2, 2)
    """
    require_part("learner", learner, "Linear()", "fit", "predict_proba")
    epochs: list[NDArray[np.float32]] = []

    def record(epoch: int, probs: Array) -> None:
        epochs.append(probs.astype(np.float32))

    stop_before_drop(fresh(learner)).fit(x, votes, posterior, on_epoch=record)
    if not epochs:
        raise MethodError(f"{type(learner).__name__} does not report its epochs: use a learner that calls on_epoch")
    return np.stack(epochs)


def stop_before_drop(learner: Any) -> Any:
    """Return a learner whose training ends before the first drop of a stepwise learning rate.

    The same holds for learners inside it. If nothing changes, the learner itself is returned.
    """
    inside = {name: stop_before_drop(value) for name, value in inner_learners(learner).items()}
    if inside:
        learner = replace(learner, **inside)
    schedule = getattr(getattr(learner, "recipe", None), "schedule", None)
    if isinstance(schedule, Steps) and schedule.at and 0 < min(schedule.at) < learner.recipe.epochs:
        return replace(learner, recipe=replace(learner.recipe, epochs=min(schedule.at)))
    return learner
