"""Points of four classes, with few votes per task from many classifiers."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.simulation.trained_workers import (
    SimulatedItems,
    collect_votes,
    draw_seed,
    seeded_rng,
    split_points,
    train_workers,
)

N_WORKERS, N_CLASSES, PER_CLASS, MAX_VOTES = 150, 4, 250, 5


def many_workers(*, seed: int = 0) -> SimulatedItems:
    """Draw 1,000 points of four classes: 700 with votes of 1 to 5 of 150 classifiers, 300 test points.

    From the paper, where it is called make_classification_many_workers: `make_classification` with four classes of 250
    points; 150 workers that are linear SVCs, SVCs or gradient boosted trees with equal probability; up to five votes
    per task; and the hyperparameters, each drawn uniformly: C from 20 steps between .001 and 3, hinge or squared hinge
    loss (linear SVC); a polynomial kernel of degree 3, RBF or sigmoid (SVC); 1 to 100 iterations at most (both); a
    learning rate of .01, .1 or .5, and 1, 2, 5, 10, 15, 20, 30, 50 or 100 trees. A worker's name begins with its kind.

    Chosen here: two informative features, one cluster per class and no flipped classes, otherwise the defaults; the
    number of votes is uniform from 1 to 5; the test share is .3, as in the other sets. The paper also gives trees a
    "maximum number of iterations", but in scikit-learn an iteration is a tree, so only the number of trees is drawn.
    Workers are trained on the true classes of the 700 points.

    Paper: Lefort et al., "Identify ambiguous tasks combining crowdsourced labels by weighting areas under the margin",
    TMLR 2024, appendix D.1.3.
    """
    rng = seeded_rng(seed)
    from sklearn.datasets import make_classification

    x, gold = make_classification(
        N_CLASSES * PER_CLASS,
        n_features=2,
        n_redundant=0,
        n_clusters_per_class=1,
        n_classes=N_CLASSES,
        flip_y=0.0,
        random_state=draw_seed(rng),
    )
    points = split_points(x, gold.astype(np.int64), rng)
    kinds = rng.choice(list(KINDS), N_WORKERS)
    classifiers = [KINDS[kind](rng) for kind in kinds]
    train_workers(classifiers, points)
    names = [f"{kind}{index:03}" for index, kind in enumerate(kinds)]
    return collect_votes(classifiers, names, points, _draw_assignment(len(points.x), rng))


def _draw_assignment(n_tasks: int, rng: np.random.Generator) -> NDArray[np.bool_]:
    """Draw a mask (n_tasks, n_workers) of who votes: one to five different workers per task."""
    order = rng.random((n_tasks, N_WORKERS)).argsort(axis=1).argsort(axis=1)
    return order < rng.integers(1, MAX_VOTES + 1, n_tasks)[:, None]


def linear_svc(rng: np.random.Generator) -> Any:
    """Draw a linear SVC."""
    from sklearn.svm import LinearSVC

    return LinearSVC(
        C=rng.choice(np.linspace(1e-3, 3, 20)),
        max_iter=int(rng.integers(1, 101)),
        loss=str(rng.choice(["hinge", "squared_hinge"])),
        random_state=draw_seed(rng),
    )


def svc(rng: np.random.Generator) -> Any:
    """Draw an SVC with a kernel."""
    from sklearn.svm import SVC

    kernel = str(rng.choice(["poly", "rbf", "sigmoid"]))
    return SVC(kernel=kernel, degree=3, max_iter=int(rng.integers(1, 101)), random_state=draw_seed(rng))


def gbm(rng: np.random.Generator) -> Any:
    """Draw gradient boosted trees."""
    from sklearn.ensemble import GradientBoostingClassifier

    return GradientBoostingClassifier(
        learning_rate=float(rng.choice([0.01, 0.1, 0.5])),
        n_estimators=int(rng.choice([1, 2, 5, 10, 15, 20, 30, 50, 100])),
        random_state=draw_seed(rng),
    )


KINDS: dict[str, Callable[[np.random.Generator], Any]] = {"linear_svc": linear_svc, "svc": svc, "gbm": gbm}
