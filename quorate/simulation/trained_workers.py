"""Shared parts of the simulated sets of the WAUM paper: points, a split, and scikit-learn classifiers as workers."""

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.data.ids import Names, as_names
from quorate.data.option_checks import require_number
from quorate.data.votes import Votes
from quorate.errors import MissingExtraError
from quorate.typing import Array

TEST_SHARE = 0.3


@dataclass(frozen=True, eq=False, kw_only=True)
class SimulatedItems:
    """Items with votes of simulated workers, and test items without votes.

    Attributes:
        x: (n_tasks, n_features), the items.
        votes: votes on the items.
        gold: (n_tasks,), true classes.
        test_x: features of the test items.
        test_gold: true classes of the test items.
        test_tasks: names of the test items.
        worker_accuracy: (n_workers,), accuracy of each worker on the test items.
    """

    x: Array
    votes: Votes
    gold: NDArray[np.int64]
    test_x: Array
    test_gold: NDArray[np.int64]
    test_tasks: Names
    worker_accuracy: Array


@dataclass(frozen=True, eq=False)
class Points:
    """Points with their classes, split into training points, which get votes, and test points."""

    x: Array
    gold: NDArray[np.int64]
    test_x: Array
    test_gold: NDArray[np.int64]


def seeded_rng(seed: int) -> np.random.Generator:
    """Check the seed and that scikit-learn is installed, and return a random generator."""
    if find_spec("sklearn") is None:
        raise MissingExtraError("simulated classifiers need scikit-learn: pip install 'quorate[learn]'")
    require_number("seed", seed, at_least=0, whole=True)
    return np.random.default_rng(seed)


def draw_seed(rng: np.random.Generator) -> int:
    """Draw a seed for scikit-learn."""
    return int(rng.integers(2**31))


def split_points(x: Array, gold: NDArray[np.int64], rng: np.random.Generator) -> Points:
    """Split off a share of the points for testing."""
    from sklearn.model_selection import train_test_split

    train_x, test_x, train_gold, test_gold = train_test_split(
        x, gold, test_size=TEST_SHARE, random_state=draw_seed(rng)
    )
    return Points(train_x, train_gold, test_x, test_gold)


def train_workers(classifiers: Sequence[Any], points: Points) -> None:
    """Fit every classifier to the true classes of the training points; some stop before convergence on purpose."""
    from sklearn.exceptions import ConvergenceWarning

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        for classifier in classifiers:
            classifier.fit(points.x, points.gold)


def collect_votes(
    classifiers: Sequence[Any], names: Sequence[str], points: Points, votes_on: NDArray[np.bool_]
) -> SimulatedItems:
    """Return the votes of fitted classifiers; votes_on: (n_tasks, n_workers), mask of who votes on what."""
    labels = np.stack([classifier.predict(points.x) for classifier in classifiers], axis=1)  # (n_tasks, n_workers)
    task, worker = np.nonzero(votes_on)
    votes = Votes(
        task=task,
        worker=worker,
        label=labels[task, worker],
        tasks=_numbered("t", len(points.x)),
        workers=as_names(names),
        classes=np.arange(points.gold.max() + 1),
    )
    return SimulatedItems(
        x=points.x,
        votes=votes,
        gold=points.gold,
        test_x=points.test_x,
        test_gold=points.test_gold,
        test_tasks=_numbered("test", len(points.test_x)),
        worker_accuracy=np.array([classifier.score(points.test_x, points.test_gold) for classifier in classifiers]),
    )


def simulate_three_classifiers(points: Points, rng: np.random.Generator) -> SimulatedItems:
    """Fit three different classifiers, and return their votes on all training points."""
    from sklearn.ensemble import GradientBoostingClassifier
    from sklearn.svm import SVC, LinearSVC

    classifiers = {
        "linear_svc": LinearSVC(random_state=draw_seed(rng)),
        "svc": SVC(max_iter=1, random_state=draw_seed(rng)),
        "gbm": GradientBoostingClassifier(n_estimators=5, random_state=draw_seed(rng)),
    }
    train_workers(list(classifiers.values()), points)
    everything = np.ones((len(points.x), len(classifiers)), dtype=bool)
    return collect_votes(list(classifiers.values()), list(classifiers), points, everything)


def _numbered(kind: str, size: int) -> Names:
    return as_names([f"{kind}{index:0{len(str(size - 1))}}" for index in range(size)])
