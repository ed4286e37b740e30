"""A classifier from noisy votes: simulated workers label handwritten digits, and several learners are compared.

    python examples/learn_digits.py
    python examples/learn_digits.py --labelme      # real votes on photos; QUORATE_DATA names the folder of data sets

Needs scikit-learn and torch: pip install 'quorate[deep]'.
"""

import argparse
from dataclasses import dataclass
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate import Votes, aggregate, datasets
from quorate.learning import CrowdLayer, Hard, JointEm, Linear, Mlp, Network, Recipe
from quorate.metrics import accuracy
from quorate.protocols import Learner
from quorate.registry import AggregationMethod

SIMILAR = ((1, 7), (3, 8), (4, 9), (5, 6))  # digits that some workers confuse


@dataclass(frozen=True, eq=False)
class Problem:
    """Training items with votes, and test items with gold labels."""

    name: str
    x: Any
    votes: Votes
    gold: NDArray[np.int64]
    test_x: Any
    test_gold: NDArray[np.int64]


def digits(votes_per_item: int = 3, seed: int = 0) -> Problem:
    """Simulate votes of forty workers of three kinds on two thirds of scikit-learn's digits."""
    from sklearn.datasets import load_digits

    x, true = load_digits(return_X_y=True)
    random = np.random.default_rng(seed)
    order = random.permutation(len(x))
    train, test = order[:1200], order[1200:]
    confusion = np.array([worker_confusion(worker, random) for worker in range(40)])  # (worker, true, voted)
    task = np.repeat(np.arange(len(train)), votes_per_item)
    worker = np.concatenate([random.choice(40, votes_per_item, replace=False) for _ in train])
    labels = [random.choice(10, p=confusion[who, true[train[item]]]) for who, item in zip(worker, task, strict=True)]
    votes = Votes.from_arrays(task, worker, labels, n_classes=10, n_tasks=len(train), n_workers=40)
    return Problem("digits with simulated workers", x[train], votes, true[train], x[test], true[test])


def worker_confusion(worker: int, random: np.random.Generator) -> NDArray[np.float64]:
    """Return the confusion matrix of a worker, (true, voted): good, confusing similar digits, or guessing."""
    right = random.uniform(0.6, 0.95)
    confusion = np.eye(10) * right + (1 - right) / 10
    if worker % 4 == 1:  # confuses the first digit of a pair with the second
        for first, second in SIMILAR:
            confusion[first, [first, second]] = confusion[first, [second, first]]
    if worker % 4 == 3:  # guesses
        confusion = np.full((10, 10), 0.1)
    return confusion / confusion.sum(axis=1, keepdims=True)


def labelme() -> Problem:
    """Load photos of eight kinds of scenes with votes from Amazon Mechanical Turk (Rodrigues and Pereira, 2018)."""
    data = datasets.load("labelme")
    assert data.votes is not None
    train, test = data.rows("train"), data.rows("test")
    votes = data.votes.subset(tasks=train)
    return Problem("LabelMe", data.features[train], votes, data.gold[train], data.features[test], data.gold[test])


def learners(epochs: int) -> dict[str, tuple[Learner, AggregationMethod]]:
    """Return learners, and the aggregation method of their training labels, by name."""

    def network(**parts: Any) -> Network:
        return Network(base=Mlp(sizes=(128,), dropout=0.5), recipe=Recipe(epochs=epochs), **parts)

    return {
        "Linear, majority": (Linear(target=Hard()), "majority"),
        "Linear, Dawid-Skene": (Linear(), "dawid_skene"),
        "MLP, majority": (network(target=Hard()), "majority"),
        "MLP, Dawid-Skene": (network(), "dawid_skene"),
        "MLP with CrowdLayer": (network(head=CrowdLayer()), "dawid_skene"),
        "Linear, joint EM": (JointEm(), "dawid_skene"),
    }


def main() -> None:
    """Train every learner and print its accuracy on items without votes."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--labelme", action="store_true", help="real votes on photos instead of digits")
    parser.add_argument("--epochs", type=int, default=40, help="training epochs of a network")
    arguments = parser.parse_args()
    problem = labelme() if arguments.labelme else digits()
    votes = problem.votes
    print(f"{problem.name}: {len(votes):,} votes of {votes.n_workers} workers on {votes.n_tasks:,} items; ", end="")
    print(f"{np.mean(votes.label == problem.gold[votes.task]):.0%} of the votes are right")
    for method in ("majority", "dawid_skene"):
        print(f"accuracy of {method}: {accuracy(aggregate(votes, method).probs, problem.gold):.3f}")
    print(f"\n{'learner':22} {'accuracy on test items':>24} {'seconds':>8}")
    for name, (learner, method) in learners(arguments.epochs).items():
        begin = perf_counter()
        learner.fit(problem.x, votes, aggregate(votes, method))
        score = accuracy(learner.predict_proba(problem.test_x), problem.test_gold)
        print(f"{name:22} {score:24.3f} {perf_counter() - begin:8.1f}")


if __name__ == "__main__":
    main()
