"""What the simulated sets of WAUM's authors share: points, a split, and classifiers of scikit-learn as workers."""

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
    """Items that simulated workers voted on, and items to test on that nobody voted on.

    x: (n_tasks, n_features), with `votes` and the true class `gold` of each task. test_x, test_gold: the test items,
    named by test_tasks. worker_accuracy: (n_workers,), how often each worker would be right about the test items.
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
    """Points with their classes, split into those to vote on and those to test on."""

    x: Array
    gold: NDArray[np.int64]
    test_x: Array
    test_gold: NDArray[np.int64]


def draws_of(seed: int) -> np.random.Generator:
    """The source of all that is random in a set; says first what is wrong with the seed, or missing."""
    if find_spec("sklearn") is None:
        raise MissingExtraError("workers that are classifiers need scikit-learn: pip install 'quorate[learn]'")
    require_number("seed", seed, at_least=0, whole=True)
    return np.random.default_rng(seed)


def number(draws: np.random.Generator) -> int:
    """A seed for scikit-learn."""
    return int(draws.integers(2**31))


def split(x: Array, gold: NDArray[np.int64], draws: np.random.Generator) -> Points:
    """Leave out a share of the points to test on."""
    from sklearn.model_selection import train_test_split

    train_x, test_x, train_gold, test_gold = train_test_split(x, gold, test_size=TEST_SHARE, random_state=number(draws))
    return Points(train_x, train_gold, test_x, test_gold)


def train(classifiers: Sequence[Any], points: Points) -> None:
    """Teach every worker the true classes of the points to vote on; some are to stop before they have learnt."""
    from sklearn.exceptions import ConvergenceWarning

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        for classifier in classifiers:
            classifier.fit(points.x, points.gold)


def vote(
    classifiers: Sequence[Any], names: Sequence[str], points: Points, votes_on: NDArray[np.bool_]
) -> SimulatedItems:
    """Trained workers say which class they see; votes_on: (n_tasks, n_workers), who votes on what."""
    said = np.stack([classifier.predict(points.x) for classifier in classifiers], axis=1)  # (n_tasks, n_workers)
    task, worker = np.nonzero(votes_on)
    votes = Votes(
        task=task,
        worker=worker,
        label=said[task, worker],
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


def three_workers(points: Points, draws: np.random.Generator) -> SimulatedItems:
    """Three classifiers that see alike in their own ways, each of which votes on everything."""
    from sklearn.ensemble import GradientBoostingClassifier
    from sklearn.svm import SVC, LinearSVC

    classifiers = {
        "linear_svc": LinearSVC(random_state=number(draws)),
        "svc": SVC(max_iter=1, random_state=number(draws)),
        "gbm": GradientBoostingClassifier(n_estimators=5, random_state=number(draws)),
    }
    train(list(classifiers.values()), points)
    everything = np.ones((len(points.x), len(classifiers)), dtype=bool)
    return vote(list(classifiers.values()), list(classifiers), points, everything)


def _numbered(kind: str, size: int) -> Names:
    return as_names([f"{kind}{index:0{len(str(size - 1))}}" for index in range(size)])
