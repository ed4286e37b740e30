"""The one EM loop, and how to watch it."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Generic, NamedTuple, TypeVar

from quorate.errors import MethodError

Model = TypeVar("Model")
Expected = TypeVar("Expected")
Watcher = Callable[[int, int], None]

_watcher: ContextVar[Watcher | None] = ContextVar("watcher", default=None)


class Fit(NamedTuple, Generic[Model, Expected]):
    """Where EM ended: the model, what is expected under it, the objective of every round."""

    model: Model
    expected: Expected
    objective: list[float]
    converged: bool


def em(
    start: Expected,
    m_step: Callable[[Expected], Model],
    e_step: Callable[[Model], tuple[Expected, float]],
    *,
    n_votes: int,
    max_rounds: int,
    tol: float,
) -> Fit[Model, Expected]:
    """Fit a model to what is expected, and what is expected to the model, until a round gains at most `tol` per vote.

    What is expected is as a rule a Tally of the posterior. e_step: model -> (expected, objective).
    """
    if max_rounds < 1:
        raise MethodError(f"max_rounds must be at least 1, got {max_rounds}")
    if tol != tol:
        raise MethodError("tol must be a number, the gain per vote that is too small to go on, got nan")
    expected, objective, converged = start, list[float](), False
    for number in range(1, max_rounds + 1):
        model = m_step(expected)
        expected, value = e_step(model)
        converged = bool(objective) and value - objective[-1] <= tol * n_votes
        objective.append(value)
        report_round(number, max_rounds)
        if converged:
            break
    return Fit(model, expected, objective, converged)


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


@contextmanager
def quiet_rounds() -> Iterator[None]:
    """Let nobody be told of the rounds of what runs inside: it is itself one round of something larger.

    >>> with watch_rounds(lambda number, most: print(number, "of", most)), quiet_rounds():
    ...     report_round(1, 100)
    """
    token = _watcher.set(None)
    try:
        yield
    finally:
        _watcher.reset(token)


def report_round(number: int, most: int) -> None:
    """Tell whoever watches that a round is done; iterative methods that do not use `em` call it themselves."""
    watcher = _watcher.get()
    if watcher is not None:
        watcher(number, most)
