"""The one loss of all calibrators with parameters, and how it is minimised.

loss = -mean over items of log sum_k p_k L_k, where p is what the calibrator says and L how likely what was seen of the
item is for each class. Gold is the special case of a single one in L, and the loss then the usual log-loss. Its
gradient with respect to the log-scores behind p is p - r, with r proportional to p * L: what the item is, all
considered.
"""

from collections.abc import Callable, Sequence

import numpy as np
from scipy.optimize import minimize, minimize_scalar

from quorate.inference.kernels import safe_log, softmax_rows
from quorate.typing import Array

Penalty = Callable[[Array], tuple[float, Array]]  # parameters -> (value, gradient)
Bounds = Sequence[tuple[float | None, float | None]]


def loss(scores: Array, likelihood: Array) -> tuple[float, Array]:
    """The loss of log-scores, (n, n_classes), and its gradient with respect to them.

    >>> value, gradient = loss(np.log([[0.8, 0.2]]), np.array([[0.0, 1.0]]))
    >>> round(value, 3), gradient.round(3).tolist()
    (1.609, [[0.8, -0.8]])
    """
    said, meant = scores.copy(), scores + safe_log(likelihood)
    each = softmax_rows(said) - softmax_rows(meant)
    return float(each.mean()), (said - meant) / len(scores)


def minimise(
    forward: Callable[[Array], Array],
    backward: Callable[[Array], Array],
    start: Array,
    likelihood: Array,
    *,
    penalty: Penalty,
    bounds: Bounds | None = None,
) -> Array:
    """The parameters with the least loss plus penalty.

    forward: parameters -> log-scores. backward: gradient with respect to log-scores -> with respect to parameters.
    """

    def objective(parameters: Array) -> tuple[float, Array]:
        value, gap = loss(forward(parameters), likelihood)
        more, pull = penalty(parameters)
        return value + more, backward(gap) + pull

    options = {"maxiter": 1000, "ftol": 1e-12, "gtol": 1e-7}
    found = minimize(objective, start, jac=True, method="L-BFGS-B", bounds=bounds, options=options)
    return np.asarray(found.x, dtype=np.float64)


def normal_prior(centre: Array, deviation: float, n_items: int) -> Penalty:
    """The penalty of a normal prior around `centre`, which weighs the less, the more items there are."""
    weight = 0.0 if np.isinf(deviation) else 1 / (deviation**2 * n_items)

    def penalty(parameters: Array) -> tuple[float, Array]:
        gap = parameters - centre
        return 0.5 * weight * float(gap @ gap), weight * gap

    return penalty


def lowest(objective: Callable[[float], float], low: float, high: float, steps: int = 25) -> float:
    """Where a function of one number is lowest: the best of a grid, then Brent between its neighbours.

    >>> round(lowest(lambda x: (x - 0.3) ** 2, -1.0, 1.0), 4)
    0.3
    """
    grid = np.linspace(low, high, steps)
    best = int(np.argmin([objective(float(place)) for place in grid]))
    bounds = grid[max(best - 1, 0)], grid[min(best + 1, steps - 1)]
    found = minimize_scalar(objective, bounds=bounds, method="bounded", options={"xatol": 1e-7})
    return float(found.x)


def softmax(scores: Array) -> Array:
    """Probabilities of log-scores, (n, n_classes); the scores are overwritten."""
    softmax_rows(scores)
    return scores
