"""Two moons, three classifiers that vote."""

import numpy as np

from quorate.simulation.trained_workers import SimulatedItems, draws_of, number, split, three_workers

POINTS = 500
NOISE = 0.2


def two_moons(*, seed: int = 0) -> SimulatedItems:
    """500 points on two crescents; 350 of them are voted on by three classifiers, 150 are to test on.

    From the paper: `make_moons` with noise of .2, the split of .3, the workers of `three_circles`; what is hard here is
    the shape itself, so that the ambiguous points should be kept. The paper's table says 500 points "used for
    training", its text 500 points and a test split of .3: as in the text. Workers learn the true classes of the 350.

    Paper: Lefort et al., "Identify ambiguous tasks combining crowdsourced labels by weighting areas under the margin",
    TMLR 2024, appendix D.1.2.

    >>> moons = two_moons(seed=1)
    >>> moons.votes, len(moons.test_x)
    (Votes(1050 votes, 350 tasks, 3 workers, 2 classes), 150)
    """
    draws = draws_of(seed)
    from sklearn.datasets import make_moons

    x, gold = make_moons(POINTS, noise=NOISE, random_state=number(draws))
    return three_workers(split(x, gold.astype(np.int64), draws), draws)
