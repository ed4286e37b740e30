"""Three circles, three classifiers that vote."""

import numpy as np

from quorate.simulation.trained_workers import SimulatedItems, draws_of, number, split, three_workers

PER_CLASS = 250
NOISE, FACTOR, APART = 0.2, 0.3, (-1.75, -0.75)


def three_circles(*, seed: int = 0) -> SimulatedItems:
    """750 points on three noisy circles; 525 of them are voted on by three classifiers, 225 are to test on.

    From the paper: three classes of points by scikit-learn's function for circles; the split; the workers `linear_svc`,
    `svc` (RBF, stopped after one iteration) and `gbm` (five trees), all else scikit-learn's defaults; every worker
    votes on all 525; that they disagree in the north-east; that the best, gbm, is right about .84 of the test points.

    Chosen here, since the paper does not say where the circles are: class 1 and 2 are the outer and the inner circle of
    one `make_circles(factor=.3)`, class 0 is the outer circle of another, moved south-west by (1.75, .75), all with
    noise of .2. Of the placements that were tried it is among the nearest to the accuracies that the paper prints of
    gbm and of networks taught by majority and by WDS; nothing else chose it. Workers learn the true classes of the 525.

    Paper: Lefort et al., "Identify ambiguous tasks combining crowdsourced labels by weighting areas under the margin",
    TMLR 2024, section 4.1 and appendix D.1.1.

    >>> circles = three_circles(seed=1)
    >>> circles.votes, len(circles.test_x)
    (Votes(1575 votes, 525 tasks, 3 workers, 3 classes), 225)
    """
    draws = draws_of(seed)
    from sklearn.datasets import make_circles

    pair, _ = make_circles(
        (PER_CLASS, PER_CLASS), factor=FACTOR, noise=NOISE, shuffle=False, random_state=number(draws)
    )
    apart, _ = make_circles((PER_CLASS, 0), noise=NOISE, shuffle=False, random_state=number(draws))
    x = np.concatenate([apart + APART, pair])
    return three_workers(split(x, np.repeat(np.arange(3), PER_CLASS), draws), draws)
