"""State of a fitted learner in a form that can be saved: values for JSON, and arrays by name."""

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
        """Return what was learnt: values for JSON, and arrays by name."""
        ...

    def restore(self, values: dict[str, Any], arrays: dict[str, NDArray[Any]]) -> None:
        """Restore what `state` returned."""
        ...


def nest_state(name: str, state: State) -> State:
    """Put the state of an inner learner under a name.

    >>> nest_state("inner", ({"n": 1}, {}))
    ({'inner': {'n': 1}}, {})
    """
    values, arrays = state
    return {name: values}, {f"{name}/{key}": array for key, array in arrays.items()}


def inner_state(name: str, values: dict[str, Any], arrays: dict[str, NDArray[Any]]) -> State:
    """Return the state that `nest_state` put under a name."""
    prefix = f"{name}/"
    return values[name], {key.removeprefix(prefix): array for key, array in arrays.items() if key.startswith(prefix)}


def posterior_state(posterior: Posterior) -> State:
    """Return the state of a posterior; a model of workers other than Confusion and Coin is not kept."""
    arrays = {"probs": posterior.probs, "class_prior": posterior.class_prior, "objective": posterior.objective}
    if isinstance(posterior.worker_model, Confusion):
        arrays["log_table"] = observed_first(posterior.worker_model.log_matrices)
    if isinstance(posterior.worker_model, Coin):
        arrays["accuracy"] = posterior.worker_model.accuracy
    names = {"tasks": posterior.tasks.tolist(), "workers": posterior.workers.tolist()}
    return names | {"converged": posterior.converged, "note": posterior.note}, arrays


def restore_posterior(values: dict[str, Any], arrays: dict[str, NDArray[Any]], classes: Names) -> Posterior:
    """Return the posterior of a state that `posterior_state` made."""
    tasks, workers = as_names(values["tasks"]), as_names(values["workers"])
    n_classes, n_voters = len(classes), len(workers) + 1
    shapes = {
        "probs": (len(tasks), n_classes),
        "class_prior": (n_classes,),
        "log_table": (n_voters, n_classes, n_classes),
        "accuracy": (n_voters,),
    }
    if any(arrays[name].shape != shape for name, shape in shapes.items() if name in arrays):
        raise ValueError("the posterior has other tasks, workers or classes")
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
        converged=bool(values["converged"]),
        note=str(values["note"]),
    )
