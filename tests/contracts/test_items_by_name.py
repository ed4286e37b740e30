"""Items in place of x: the names of their tasks bring them into the order of the votes."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from quorate import Votes, aggregate
from quorate.errors import VotesError
from quorate.io.items import Items, read_items
from quorate.learning.bases.linear import Linear as LinearBase
from quorate.learning.bases.small_cnn import SmallCnn
from quorate.learning.bases.tf_idf import TfIdf
from quorate.learning.cross_fitting import cross_fit
from quorate.learning.crowd_classifier import CrowdClassifier
from quorate.learning.heads.crowd_layer import CrowdLayer
from quorate.learning.learners.ensemble import Ensemble
from quorate.learning.learners.joint_em import JointEm
from quorate.learning.learners.linear import Linear
from quorate.learning.learners.network import Network
from quorate.learning.learners.search import Search
from quorate.learning.learners.self_training import SelfTraining
from quorate.learning.training.recipe import Recipe
from quorate.protocols import Valid
from tests.learning.tiny import tiny

SHORT = Recipe(epochs=3, lr=0.1)
LEARNERS: dict[str, Any] = {
    "linear": lambda: Linear(),
    "network": lambda: Network(base=LinearBase(), head=CrowdLayer(), recipe=SHORT),
    "joint_em": lambda: JointEm(rounds=1, folds=2),
    "ensemble": lambda: Ensemble(learner=Network(base=LinearBase(), recipe=SHORT), members=2),
    "search": lambda: Search(learner=Linear(), options={"l2": [0.1, 0.01]}),
    "self_training": lambda: SelfTraining(
        learner=Network(base=LinearBase(), head=CrowdLayer(), recipe=SHORT), rounds=1, amount=5
    ),
}


def two_tasks() -> Votes:
    votes = Votes.from_arrays([0, 1], [0, 0], [0, 1], n_classes=2)
    return replace(votes, tasks=np.array(["a", "b"]))


def shuffled(x: Any, votes: Votes) -> Items:
    """The items in another order, and some that have no votes."""
    order = np.random.default_rng(0).permutation(votes.n_tasks)
    tasks = np.append(votes.tasks[order], [1000, 1001])
    return Items(tasks=tasks, kind="features", x=np.vstack([x[order], np.full((2, x.shape[1]), 99.0)]))


@pytest.mark.parametrize("name", LEARNERS)
def test_items_are_brought_into_the_order_of_the_votes(name: str) -> None:
    x, votes, posterior = tiny()
    items = shuffled(x, votes)
    valid = Valid(x=x[:9], votes=votes.subset(tasks=np.arange(9)))
    named = Valid(x=items, votes=valid.votes)
    expected = LEARNERS[name]().fit(x, votes, posterior, valid=valid)
    learner = LEARNERS[name]().fit(items, votes, posterior, valid=named)
    assert np.array_equal(learner.predict_proba(items), expected.predict_proba(items.x))
    assert learner.predict(items).tolist() == learner.classes_[expected.predict_proba(items.x).argmax(axis=1)].tolist()
    if name in ("network", "self_training"):
        assert np.array_equal(learner.predict_votes(items), expected.predict_votes(items.x))


def test_cross_fit_and_crowd_classifier_take_items() -> None:
    x, votes, posterior = tiny()
    items = shuffled(x, votes)
    expected = cross_fit(Linear(), x, votes, posterior, folds=3)
    assert np.array_equal(cross_fit(Linear(), items, votes, posterior, folds=3), expected)
    classifier = CrowdClassifier().fit(items, votes)
    assert classifier.predict(items).tolist() == CrowdClassifier().fit(x, votes).predict(items.x).tolist()


def test_a_task_without_an_item_is_named() -> None:
    x, votes, posterior = tiny()
    items = Items(tasks=np.arange(1, 30), kind="features", x=x[1:])
    with pytest.raises(VotesError, match=r"task 0 of the votes has no item: add its row"):
        Linear().fit(items, votes, posterior)


def test_texts_go_by_name_too() -> None:
    votes = two_tasks()
    items = Items(tasks=np.array(["b", "a"]), kind="texts", x=["dog dog", "cat cat"])
    network = Network(base=TfIdf(), recipe=Recipe(epochs=30, lr=0.1)).fit(items, votes, aggregate(votes, "majority"))
    assert network.predict(["cat", "dog"]).tolist() == [0, 1]
    assert network.predict_proba([]).shape == (0, 2)


def test_images_are_read_when_asked_for(tmp_path: Path) -> None:
    image = pytest.importorskip("PIL.Image")
    for name, colour in (("a", "red"), ("b", "blue")):
        image.new("RGB", (9, 7), colour).save(tmp_path / f"{name}.png")
    (tmp_path / "items.csv").write_text("task,image\nb,b.png\na,a.png\n")
    items = read_items(tmp_path / "items.csv")
    votes = two_tasks()
    network = Network(base=SmallCnn(channels=(4,)), recipe=Recipe(epochs=1))
    with pytest.raises(VotesError, match=r"paths of images, which are not read yet: give items.images\(size=32\)"):
        network.fit(items, votes, aggregate(votes))
    read = items.images(8)
    assert read.x.shape == (2, 3, 8, 8)
    assert network.fit(read, votes, aggregate(votes)).predict(read).shape == (2,)
    with pytest.raises(VotesError, match="these items are features, not paths of images"):
        read.images(8)
