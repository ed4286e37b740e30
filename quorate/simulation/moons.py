"""Points on two moons, with votes of three classifiers."""

import numpy as np

from quorate.simulation.trained_workers import (
    SimulatedItems,
    draw_seed,
    seeded_rng,
    simulate_three_classifiers,
    split_points,
)

N_POINTS = 500
NOISE = 0.2


def two_moons(*, seed: int = 0) -> SimulatedItems:
    """Draw 500 points on two crescents: 350 with votes of three classifiers, 150 test points.

    From the paper: `make_moons` with noise of .2, a test share of .3, the workers of `three_circles`. The difficulty is
    the shape itself, so the ambiguous points should be kept. The table of the paper says 500 points "used for
    training", its text 500 points and a test share of .3; this function follows the text. Workers are trained on the
    true classes of the 350 points.

    Paper: Lefort et al., "Identify ambiguous tasks combining crowdsourced labels by weighting areas under the margin",
    TMLR 2024, appendix D.1.2.

    >>> moons = two_moons(seed=1)
    >>> moons.votes, len(moons.test_x)
    (Votes(1050 votes, 350 tasks, 3 workers, 2 classes), 150)
    """
    rng = seeded_rng(seed)
    from sklearn.datasets import make_moons

    x, gold = make_moons(N_POINTS, noise=NOISE, random_state=draw_seed(rng))
    return simulate_three_classifiers(split_points(x, gold.astype(np.int64), rng), rng)
