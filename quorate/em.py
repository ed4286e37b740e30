"""The one EM loop, and how to watch it."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Generic, NamedTuple, TypeVar

from quorate.errors import MethodError
from quorate.results import Array

Model = TypeVar("Model")
Watcher = Callable[[int, int], None]

_watcher: ContextVar[Watcher | None] = ContextVar("watcher", default=None)


class Fit(NamedTuple, Generic[Model]):
    """Where EM ended: the posterior, the model it comes from, the objective of every round."""

    probs: Array
    model: Model
    objective: list[float]
    converged: bool


def em(
    start: Array,
    m_step: Callable[[Array], Model],
    e_step: Callable[[Model], tuple[Array, float]],
    *,
    n_votes: int,
    max_rounds: int,
    tol: float,
) -> Fit[Model]:
    """Fit a model to the posterior and the posterior to the model, until a round gains at most `tol` per vote.

    start: (n_tasks, n_classes). m_step: posterior -> model. e_step: model -> (posterior, objective).
    """
    if max_rounds < 1:
        raise MethodError(f"max_rounds must be at least 1, got {max_rounds}")
    probs, objective, converged = start, list[float](), False
    for number in range(1, max_rounds + 1):
        model = m_step(probs)
        probs, value = e_step(model)
        converged = bool(objective) and value - objective[-1] <= tol * n_votes
        objective.append(value)
        report_round(number, max_rounds)
        if converged:
            break
    return Fit(probs, model, objective, converged)


@contextmanager
def watch_rounds(watcher: Watcher) -> Iterator[None]:
    """Call watcher(round, most rounds there can be) after every round of what runs inside.

    >>> with watch_rounds(lambda number, most: print(number, "of", most)):
    ...     report_round(1, 100)
    1 of 100
    """
    token = _watcher.set(watcher)
    try:
        yield
    finally:
        _watcher.reset(token)


def report_round(number: int, most: int) -> None:
    """Tell whoever watches that a round is done; iterative methods that do not use `em` call it themselves."""
    watcher = _watcher.get()
    if watcher is not None:
        watcher(number, most)
