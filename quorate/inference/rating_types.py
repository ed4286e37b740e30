"""Types of workers on a rating scale: every bias with every spread, and workers who do not look at the task."""

from typing import NamedTuple

import numpy as np

from quorate.typing import Array

# All in steps of the scale. Chosen on simulated scales and on ratings of movies, see docs/ordinal.md. Other priors
# change little. Biases in quarters of a step gain on simulated scales and lose on the movies: votes cannot tell whether
# a whole crowd is biased, and coarse steps keep the scale in place.
BIASES = (-2.0, -1.5, -1.0, -0.5, 0.0, 0.5, 1.0, 1.5, 2.0)
SMALLEST_SPREAD = 0.4
LARGEST_SPREAD = 2.0
SPREAD_RATIO = 1.5  # of a spread to the next smaller one
TYPICAL_BIAS = 0.7  # standard deviation of the biases in a crowd
TYPICAL_SPREAD = 0.8  # median
SPREAD_DEVIATION = 0.6  # standard deviation of the logarithm of the spreads
LONG_SCALE = 7  # number of points above which biases and spreads grow with the scale
SLIP = 0.03  # share of votes that are random: no vote is impossible
SPAMMERS = 0.1  # share of workers who do not look at the task
SPAM_WIDTHS = (0.5, 1.5)  # how fast the votes of such a worker become rarer with the distance from the favourite


class RatingTypes(NamedTuple):
    """Types of workers, before any vote is seen.

    Attributes:
        matrices: (n_types, true, observed), the confusion matrix of each type; rows sum to one, all cells are positive.
        shares: (n_types,), share of the workers who are of each type.
    """

    matrices: Array
    shares: Array


def rating_types(n_points: int) -> RatingTypes:
    """Return the types of workers on a scale with this number of points, from the lowest to the highest.

    >>> types = rating_types(5)
    >>> types.matrices.shape, round(float(types.shares.sum()), 6)
    ((56, 5, 5), 1.0)
    """
    unit = max(1.0, (n_points - 1) / (LONG_SCALE - 1))
    n_spreads = 1 + round(np.log(LARGEST_SPREAD * unit / SMALLEST_SPREAD) / np.log(SPREAD_RATIO))
    spreads = SMALLEST_SPREAD * SPREAD_RATIO ** np.arange(n_spreads)
    bias, spread = np.tile(unit * np.array(BIASES), n_spreads), np.repeat(spreads, len(BIASES))
    log_share = -0.5 * (bias / (TYPICAL_BIAS * unit)) ** 2
    log_share -= 0.5 * (np.log(spread / (TYPICAL_SPREAD * unit)) / SPREAD_DEVIATION) ** 2
    share = np.exp(log_share)
    spam = spam_rows(n_points)
    spam_matrices = np.repeat(spam[:, None, :], n_points, axis=1)
    return RatingTypes(
        _add_slips(np.concatenate([rating_matrices(n_points, bias, spread), spam_matrices])),
        np.concatenate([(1 - SPAMMERS) * share / share.sum(), np.full(len(spam), SPAMMERS / len(spam))]),
    )


def rating_matrices(n_points: int, bias: Array, spread: Array) -> Array:
    """Return the confusion matrices of workers with these biases and spreads, both (n,): (n, true, observed).

    The worker perceives the class plus the bias plus normal noise of this spread, and votes for the nearest point of
    the scale.

    >>> rating_matrices(3, np.array([0.5]), np.array([1.0]))[0].round(3).tolist()
    [[0.5, 0.341, 0.159], [0.159, 0.341, 0.5], [0.023, 0.136, 0.841]]
    """
    from scipy.special import ndtr  # takes 0.1 s: not at `import quorate`

    mean = np.arange(n_points) + bias[:, None]  # (n, true)
    limits = np.arange(n_points - 1) + 0.5
    below = ndtr((limits - mean[..., None]) / spread[:, None, None])  # (n, true, limit)
    ends = np.broadcast_to([0.0, 1.0], (*mean.shape, 2))
    return np.diff(np.concatenate([ends[..., :1], below, ends[..., 1:]], axis=2), axis=2)


def spam_rows(n_points: int) -> Array:
    """Return the votes of workers who do not look at the task, (n, observed): even, or around a favourite point.

    >>> spam_rows(2).round(2).tolist()
    [[0.5, 0.5], [0.88, 0.12], [0.12, 0.88], [0.66, 0.34], [0.34, 0.66]]
    """
    points = np.arange(n_points)
    distance = np.abs(points[:, None] - points)
    rows = np.concatenate([np.ones((1, n_points)), *(np.exp(-distance / width) for width in SPAM_WIDTHS)])
    return rows / rows.sum(axis=1, keepdims=True)


def _add_slips(matrices: Array) -> Array:
    return (1 - SLIP) * matrices + SLIP / matrices.shape[-1]
