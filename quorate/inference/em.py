"""Expectation-maximization (EM)."""

import math
from collections.abc import Callable
from typing import Generic, NamedTuple, TypeVar

from quorate.data.option_checks import require_number
from quorate.inference.progress import report_round

Model = TypeVar("Model")
Statistics = TypeVar("Statistics")

NO_TOLERANCE = -math.inf  # value of `tol` that makes `em` take all rounds


class Fit(NamedTuple, Generic[Model, Statistics]):
    """Result of EM.

    Attributes:
        model: the fitted parameters.
        statistics: expected sufficient statistics under the model.
        objective: its value after every round.
        converged: whether the stopping rule was met within `max_rounds`.
    """

    model: Model
    statistics: Statistics
    objective: list[float]
    converged: bool


def em(
    start: Statistics,
    m_step: Callable[[Statistics], Model],
    e_step: Callable[[Model], tuple[Statistics, float]],
    *,
    n_votes: int,
    max_rounds: int,
    tol: float,
    settled: Callable[[Statistics, Statistics], bool] | None = None,
) -> Fit[Model, Statistics]:
    """Alternate M- and E-steps until the objective gains at most `tol` per vote; return the fit.

    If the M-step maximises the expected log-posterior, the objective (the log-evidence of the votes plus the log-prior
    of the model) does not decrease.

    Args:
        start: expected sufficient statistics to start from, usually a Tally of the vote shares.
        m_step: statistics -> model.
        e_step: model -> (statistics, objective).
        n_votes: number of votes, which scales `tol`.
        max_rounds: maximum number of rounds.
        tol: smallest gain per vote that is worth another round. NO_TOLERANCE takes all rounds, for steps that do not
            maximise the objective exactly.
        settled: (statistics before, after) -> whether to stop; replaces `tol` for methods without an objective.
    """
    require_number("max_rounds", max_rounds, at_least=1, whole=True)
    require_number("tol", tol, finite=False, note="it is the gain per vote that is too small to go on")
    statistics, objective, converged = start, list[float](), False
    for iteration in range(1, max_rounds + 1):
        model = m_step(statistics)
        before, (statistics, value) = statistics, e_step(model)
        if settled is not None:
            converged = settled(before, statistics)
        else:
            converged = bool(objective) and value - objective[-1] <= tol * n_votes
        objective.append(value)
        report_round(iteration, max_rounds)
        if converged:
            break
    return Fit(model, statistics, objective, converged)
