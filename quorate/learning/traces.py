"""The trace of a training: what a classifier says of each task, epoch by epoch."""

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
    """What a fresh copy of a learner says of each task in every epoch: (n_epochs, n_tasks, n_classes).

    Scores such as `aum` and `waum` read it. Of a network it is what the pass that trains says, dropout and all; with
    `Recipe(record="after")`, what it says after the epoch, which takes a second pass. Where the learning
    rate drops by steps, training ends at the first drop: after it a network learns by heart what it should be confused
    by. NaN: not met in that epoch.

    >>> from quorate import Votes, aggregate
    >>> from quorate.learning.learners.linear import Linear
    >>> votes = Votes.from_matrix([[0, 0], [1, 1]])
    >>> record_trace(Linear(), [[0.0], [1.0]], votes, aggregate(votes)).shape[1:]
    (2, 2)
    """
    require_part("learner", learner, "Linear()", "fit", "predict_proba")
    epochs: list[NDArray[np.float32]] = []

    def note(epoch: int, probs: Array) -> None:
        epochs.append(probs.astype(np.float32))

    until_drop(fresh(learner)).fit(x, votes, posterior, on_epoch=note)
    if not epochs:
        raise MethodError(f"{type(learner).__name__} tells nothing of its epochs: use a learner that calls on_epoch")
    return np.stack(epochs)


def until_drop(learner: Any) -> Any:
    """The learner, its training ended before the first drop of its learning rate, where that goes by steps.

    So it is with learners inside it. A new one is given where anything is changed.
    """
    inside = {name: until_drop(one) for name, one in inner_learners(learner).items()}
    if inside:
        learner = replace(learner, **inside)
    schedule = getattr(getattr(learner, "recipe", None), "schedule", None)
    if isinstance(schedule, Steps) and schedule.at and 0 < min(schedule.at) < learner.recipe.epochs:
        return replace(learner, recipe=replace(learner.recipe, epochs=min(schedule.at)))
    return learner
