"""The EM loop."""

from collections.abc import Callable
from typing import Generic, NamedTuple, TypeVar

from quorate.data.option_checks import require_number
from quorate.inference.progress import report_round

Model = TypeVar("Model")
Expected = TypeVar("Expected")


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
    require_number("max_rounds", max_rounds, at_least=1, whole=True)
    require_number("tol", tol, finite=False, note="it is the gain per vote that is too small to go on")
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
