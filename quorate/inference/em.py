"""The EM loop."""

import math
from collections.abc import Callable
from typing import Generic, NamedTuple, TypeVar

from quorate.data.option_checks import require_number
from quorate.inference.progress import report_round

Model = TypeVar("Model")
Expected = TypeVar("Expected")


NO_TOLERANCE = -math.inf  # of `em`: every round is taken


class Fit(NamedTuple, Generic[Model, Expected]):
    """Where EM ended: the model, the expectations under it, the objective of every round."""

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
    settled: Callable[[Expected, Expected], bool] | None = None,
) -> Fit[Model, Expected]:
    """Alternate M- and E-steps until the objective gains at most `tol` per vote; return the fit.

    start: expectations to begin with, as a rule a Tally of the posterior.
    m_step: expectations -> model.
    e_step: model -> (expectations, objective).
    settled: (expectations before, after) -> whether to stop; in place of `tol`, for methods without an objective.
    tol: NO_TOLERANCE takes `max_rounds` rounds, whatever the objective does: for steps that do not maximise it exactly.

    Where the M-step maximises the expected log-posterior, the objective (the log-evidence of the votes plus the
    log-prior of the model) does not decrease.
    """
    require_number("max_rounds", max_rounds, at_least=1, whole=True)
    require_number("tol", tol, finite=False, note="it is the gain per vote that is too small to go on")
    expected, objective, converged = start, list[float](), False
    for number in range(1, max_rounds + 1):
        model = m_step(expected)
        before, (expected, value) = expected, e_step(model)
        if settled is not None:
            converged = settled(before, expected)
        else:
            converged = bool(objective) and value - objective[-1] <= tol * n_votes
        objective.append(value)
        report_round(number, max_rounds)
        if converged:
            break
    return Fit(model, expected, objective, converged)
