"""What a fitted learner has learnt, in a shape that can be saved: plain JSON, and arrays by name."""

from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from quorate.data.ids import Names, as_names
from quorate.data.posterior import Posterior
from quorate.data.worker_models import Coin, Confusion, WorkerModel
from quorate.inference.kernels import observed_first, true_first
from quorate.protocols import Learner

State = tuple[dict[str, Any], dict[str, NDArray[Any]]]


class Storable(Learner, Protocol):
    """A learner that can be saved (see `saving`)."""

    def state(self) -> State:
        """What was learnt: what JSON can hold, and arrays by name."""
        ...

    def restore(self, known: dict[str, Any], arrays: dict[str, NDArray[Any]]) -> None:
        """Take on what `state` gave."""
        ...


def nested(name: str, state: State) -> State:
    """The state of a learner inside another one, under a name of its own.

    >>> nested("inner", ({"n": 1}, {}))
    ({'inner': {'n': 1}}, {})
    """
    known, arrays = state
    return {name: known}, {f"{name}/{array}": value for array, value in arrays.items()}


def inner(name: str, known: dict[str, Any], arrays: dict[str, NDArray[Any]]) -> State:
    """What `nested` put under a name."""
    start = f"{name}/"
    return known[name], {key.removeprefix(start): value for key, value in arrays.items() if key.startswith(start)}


def posterior_state(posterior: Posterior) -> State:
    """A posterior that is kept with a learner; a model of workers other than Confusion and Coin is not."""
    arrays = {"probs": posterior.probs, "class_prior": posterior.class_prior, "objective": posterior.objective}
    if isinstance(posterior.worker_model, Confusion):
        arrays["log_table"] = observed_first(posterior.worker_model.log_matrices)
    if isinstance(posterior.worker_model, Coin):
        arrays["accuracy"] = posterior.worker_model.accuracy
    names = {"tasks": posterior.tasks.tolist(), "workers": posterior.workers.tolist()}
    return names | {"converged": posterior.converged, "note": posterior.note}, arrays


def posterior_of(known: dict[str, Any], arrays: dict[str, NDArray[Any]], classes: Names) -> Posterior:
    """What `posterior_state` told of."""
    tasks, workers = as_names(known["tasks"]), as_names(known["workers"])
    n_classes, n_voters = len(classes), len(workers) + 1
    shapes = {
        "probs": (len(tasks), n_classes),
        "class_prior": (n_classes,),
        "log_table": (n_voters, n_classes, n_classes),
        "accuracy": (n_voters,),
    }
    if any(arrays[name].shape != shape for name, shape in shapes.items() if name in arrays):
        raise ValueError("the posterior is not of these tasks, workers and classes")
    model: WorkerModel | None = None
    if "log_table" in arrays:
        model = Confusion(true_first(arrays["log_table"]))
    elif "accuracy" in arrays:
        model = Coin(arrays["accuracy"], n_classes)
    return Posterior(
        probs=arrays["probs"],
        tasks=tasks,
        workers=workers,
        classes=classes,
        class_prior=arrays["class_prior"],
        worker_model=model,
        objective=np.atleast_1d(arrays["objective"]),
        converged=bool(known["converged"]),
        note=str(known["note"]),
    )
