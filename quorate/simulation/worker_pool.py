"""Many classifiers that vote, few votes a task."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.simulation.trained_workers import SimulatedItems, draws_of, number, split, train, vote

WORKERS, CLASSES, PER_CLASS, MOST_VOTES = 150, 4, 250, 5


def many_workers(*, seed: int = 0) -> SimulatedItems:
    """1,000 points of four classes; 700 are voted on by 1 to 5 of 150 classifiers, 300 are to test on.

    From the paper, where it is called make_classification_many_workers: `make_classification` with four classes of 250,
    150 workers that are linear SVCs, SVCs or gradient boosted trees, one kind as likely as another, up to five votes a
    task, and the hyperparameters, each drawn evenly from its set: C from 20 steps between .001 and 3, hinge or squared
    hinge; a polynomial (degree 3), RBF or sigmoid kernel; for both 1 to 100 iterations at most; a learning rate of .01,
    .1 or .5 and 1, 2, 5, 10, 15, 20, 30, 50 or 100 trees. A worker's name begins with its kind.

    Chosen here: two features, both of use, one cluster a class and no class changed at random, all else by default;
    1 to 5 votes evenly; the split of .3 of the other sets. The "maximum number of iterations" that the paper gives
    trees too has no place in scikit-learn, where an iteration is a tree: the number of trees alone is drawn. Workers
    learn the true classes of the 700.

    Paper: Lefort et al., "Identify ambiguous tasks combining crowdsourced labels by weighting areas under the margin",
    TMLR 2024, appendix D.1.3.
    """
    draws = draws_of(seed)
    from sklearn.datasets import make_classification

    x, gold = make_classification(
        CLASSES * PER_CLASS,
        n_features=2,
        n_redundant=0,
        n_clusters_per_class=1,
        n_classes=CLASSES,
        flip_y=0.0,
        random_state=number(draws),
    )
    points = split(x, gold.astype(np.int64), draws)
    kinds = draws.choice(list(KINDS), WORKERS)
    classifiers = [KINDS[kind](draws) for kind in kinds]
    train(classifiers, points)
    names = [f"{kind}{index:03}" for index, kind in enumerate(kinds)]
    return vote(classifiers, names, points, _who_votes(len(points.x), draws))


def _who_votes(n_tasks: int, draws: np.random.Generator) -> NDArray[np.bool_]:
    """(n_tasks, n_workers): on each task one to five different workers."""
    place = draws.random((n_tasks, WORKERS)).argsort(axis=1).argsort(axis=1)
    return place < draws.integers(1, MOST_VOTES + 1, n_tasks)[:, None]


def linear_svc(draws: np.random.Generator) -> Any:
    """A linear SVC."""
    from sklearn.svm import LinearSVC

    return LinearSVC(
        C=draws.choice(np.linspace(1e-3, 3, 20)),
        max_iter=int(draws.integers(1, 101)),
        loss=str(draws.choice(["hinge", "squared_hinge"])),
        random_state=number(draws),
    )


def svc(draws: np.random.Generator) -> Any:
    """An SVC with a kernel."""
    from sklearn.svm import SVC

    kernel = str(draws.choice(["poly", "rbf", "sigmoid"]))
    return SVC(kernel=kernel, degree=3, max_iter=int(draws.integers(1, 101)), random_state=number(draws))


def gbm(draws: np.random.Generator) -> Any:
    """Gradient boosted trees."""
    from sklearn.ensemble import GradientBoostingClassifier

    return GradientBoostingClassifier(
        learning_rate=float(draws.choice([0.01, 0.1, 0.5])),
        n_estimators=int(draws.choice([1, 2, 5, 10, 15, 20, 30, 50, 100])),
        random_state=number(draws),
    )


KINDS: dict[str, Callable[[np.random.Generator], Any]] = {"linear_svc": linear_svc, "svc": svc, "gbm": gbm}
