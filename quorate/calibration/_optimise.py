"""The loss of all calibrators with parameters, and its minimisation.

loss = -mean over items of log sum_k p_k L_k, where p are the calibrated probabilities and L the likelihoods of the
observations of the item given each class. Gold is the special case of a one-hot L, in which the loss is the log loss.
Its gradient with respect to the log-scores of p is p - r, where r, proportional to p * L, is the posterior of the item.
"""

from collections.abc import Callable, Sequence

import numpy as np
from scipy.optimize import minimize, minimize_scalar

from quorate.inference.kernels import safe_log, softmax_rows
from quorate.typing import Array

Penalty = Callable[[Array], tuple[float, Array]]  # parameters -> (value, gradient)
Bounds = Sequence[tuple[float | None, float | None]]


def loss(scores: Array, likelihood: Array) -> tuple[float, Array]:
    """Return the loss of log-scores, (n, n_classes), and its gradient with respect to them.

    >>> value, gradient = loss(np.log([[0.8, 0.2]]), np.array([[0.0, 1.0]]))
    >>> round(value, 3), gradient.round(3).tolist()
    (1.609, [[0.8, -0.8]])
    """
    probs, posterior = scores.copy(), scores + safe_log(likelihood)
    losses = softmax_rows(probs) - softmax_rows(posterior)
    return float(losses.mean()), (probs - posterior) / len(scores)


def minimise(
    forward: Callable[[Array], Array],
    backward: Callable[[Array], Array],
    start: Array,
    likelihood: Array,
    *,
    penalty: Penalty,
    bounds: Bounds | None = None,
) -> Array:
    """Return the parameters with the lowest loss plus penalty.

    Args:
        forward: parameters -> log-scores.
        backward: gradient with respect to log-scores -> gradient with respect to parameters.
        start: the initial parameters.
        likelihood: (n, n_classes).
        penalty: parameters -> (value, gradient).
        bounds: of each parameter.
    """

    def objective(parameters: Array) -> tuple[float, Array]:
        value, gap = loss(forward(parameters), likelihood)
        extra, extra_gradient = penalty(parameters)
        return value + extra, backward(gap) + extra_gradient

    options = {"maxiter": 1000, "ftol": 1e-12, "gtol": 1e-7}
    optimum = minimize(objective, start, jac=True, method="L-BFGS-B", bounds=bounds, options=options)
    return np.asarray(optimum.x, dtype=np.float64)


def normal_prior(centre: Array, deviation: float, n_items: int) -> Penalty:
    """Return the penalty of a normal prior around `centre`, per item: its weight decreases with their number."""
    weight = 0.0 if np.isinf(deviation) else 1 / (deviation**2 * n_items)

    def penalty(parameters: Array) -> tuple[float, Array]:
        gap = parameters - centre
        return 0.5 * weight * float(gap @ gap), weight * gap

    return penalty


def minimise_scalar(objective: Callable[[float], float], low: float, high: float, steps: int = 25) -> float:
    """Return the minimum of a function of one number: the best of a grid, refined by Brent's method.

    >>> round(minimise_scalar(lambda x: (x - 0.3) ** 2, -1.0, 1.0), 4)
    0.3
    """
    grid = np.linspace(low, high, steps)
    best = int(np.argmin([objective(float(point)) for point in grid]))
    bounds = grid[max(best - 1, 0)], grid[min(best + 1, steps - 1)]
    optimum = minimize_scalar(objective, bounds=bounds, method="bounded", options={"xatol": 1e-7})
    return float(optimum.x)


def softmax(scores: Array) -> Array:
    """Return the softmax of log-scores, (n, n_classes); the scores are overwritten."""
    softmax_rows(scores)
    return scores
