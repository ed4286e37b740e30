"""Common mistakes in Python calls raise errors of one line."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from quorate.errors import QuorateError
from quorate.learning.bases.lstm import Lstm
from quorate.learning.bases.mlp import Mlp
from quorate.learning.bases.tf_idf import TfIdf
from quorate.learning.cross_fitting import cross_fit
from quorate.learning.crowd_classifier import CrowdClassifier
from quorate.learning.heads.crowd_layer import CrowdLayer
from quorate.learning.learners.ensemble import Ensemble
from quorate.learning.learners.joint_em import JointEm
from quorate.learning.learners.linear import Linear
from quorate.learning.learners.network import Network
from quorate.learning.learners.search import Between, Search
from quorate.learning.training.recipe import Recipe
from quorate.learning.training.schedules import Cyclic, Steps
from quorate.protocols import Valid
from tests.learning.tiny import tiny

X, VOTES, POSTERIOR = tiny()
NOTHING: Any = None
mlp: Any = Mlp  # what a type checker would tell is what is tested
recipe: Any = Recipe
network: Any = Network
joint_em: Any = JointEm
ensemble: Any = Ensemble
search: Any = Search
tf_idf: Any = TfIdf
steps: Any = Steps
cyclic: Any = Cyclic
between: Any = Between
matrix: Any = np.zeros((30, 3))


def fit(*args: Any, **named: Any) -> Any:
    return Linear().fit(*args, **named)


@pytest.mark.parametrize(
    ("slip", "message"),
    [
        (
            lambda: mlp(sizes=16),
            r"sizes must list at least one layer size, each an integer of 1 or more, such as \(128,\), got 16",
        ),
        (lambda: mlp(sizes=(1.5,)), r"sizes must list at least one layer size.* got \(1.5,\)"),
        (lambda: mlp(dropout="a"), "dropout must be a number, got 'a'"),
        (lambda: recipe(epochs="3"), "epochs must be a whole number, got '3'"),
        (lambda: recipe(epochs=1.5), "epochs must be a whole number, got 1.5"),
        (lambda: recipe(epochs=True), "epochs must be a whole number, got True"),
        (lambda: recipe(lr=None), "lr must be a number, got None"),
        (lambda: recipe(step="sam"), r"step must be an object such as Sam\(\), got 'sam'"),
        (lambda: network(base="mlp"), r"base must be an object such as Mlp\(\), got 'mlp'"),
        (lambda: network(head=CrowdLayer), r"head must be an object .* got the class CrowdLayer: write CrowdLayer\(\)"),
        (lambda: network(recipe={"epochs": 3}), r"recipe must be a Recipe, such as Recipe\(epochs=20\), got {'epochs'"),
        (lambda: network(seed="a"), "seed must be a whole number, got 'a'"),
        (lambda: joint_em(aggregator="one_coyn"), "did you mean 'one_coin'"),
        (lambda: joint_em(learner="linear"), r"learner must be an object such as Linear\(\), got 'linear'"),
        (lambda: joint_em(folds=2.5), "folds must be a whole number, got 2.5"),
        (lambda: ensemble(learner=Linear), r"got the class Linear: write Linear\(\)"),
        (lambda: Search(learner=NOTHING, options={}), "learner must be an object .* got None"),
        (lambda: search(learner=Linear(), options=["l2"]), r"options must be a dict, such as {'l2'.* got \['l2'\]"),
        (lambda: search(learner=Linear(), options={"l2": 3}), "option 'l2' needs a list of values or a range, got 3"),
        (lambda: search(learner=Linear(), options={}, tries="a"), "tries must be a whole number, got 'a': None is all"),
        (lambda: CrowdClassifier(learner="network").fit(X, VOTES), "learner must be an object .* got 'network'"),  # type: ignore[arg-type]
        (lambda: fit(X, VOTES, None), r"posterior must be a Posterior, got NoneType: give aggregate\(votes\)"),
        (lambda: fit(X, np.zeros((30, 3)), POSTERIOR), "votes must be Votes, got ndarray: make them with"),
        (lambda: fit(X, VOTES, POSTERIOR, valid="valid.csv"), "valid must be a quorate.protocols.Valid, got str"),
        (lambda: fit(X, VOTES, POSTERIOR, on_epoch=3), "on_epoch must be a function of an epoch .* got 3"),
        (lambda: fit("items.csv", VOTES, POSTERIOR), "x must hold one row per item, got str"),
        (lambda: fit(3, VOTES, POSTERIOR), "x must hold one row per item, got int"),
        (lambda: cross_fit(Linear(), X, VOTES, folds=NOTHING), "folds must be a whole number from 2 to .* got None"),
        (lambda: cross_fit(Linear(), X, NOTHING), "votes must be Votes, got NoneType"),
        (lambda: cross_fit(NOTHING, X, VOTES), r"learner must be an object such as Linear\(\), got None"),
        (lambda: tf_idf(min_count="a"), "min_count must be a whole number, got 'a'"),
        (lambda: tf_idf(most=1.5), "most must be a whole number, got 1.5"),
        (lambda: tf_idf(shortest=0), "shortest must be at least 1, got 0"),
        (lambda: tf_idf(ngrams=2), r"ngrams must be two numbers, such as \(1, 2\), got 2"),
        (lambda: steps(at=("a",)), r"at must be a tuple of epochs"),
        (lambda: cyclic(period="a"), "period must be a whole number, got 'a'"),
        (lambda: between("a", 2), "low must be a number, got 'a'"),
        (lambda: joint_em(class_prior="ab").fit(X, VOTES, POSTERIOR), "class_prior must be 3 numbers, got 'ab'"),
        (lambda: fit(NOTHING, VOTES, POSTERIOR), "x must hold one row per item, got NoneType"),
        (
            lambda: fit(X, VOTES, POSTERIOR, valid=Valid(x=X, votes=NOTHING, gold=1)),
            "valid has 30 rows of x, but labels of 1",
        ),
        (lambda: fit(X, VOTES, POSTERIOR, valid=Valid(x=X, votes=matrix)), "votes of valid must be Votes, got ndarray"),
        (lambda: TfIdf().learn(["", " "]), "the texts hold no word of 2 letters or more: are they empty"),
        (lambda: Lstm().learn("hello"), r"x must be a list of texts, got a single text: put it in a list, \[text\]"),
        (lambda: Lstm().learn([]), "x must be a list of texts, got an empty list"),
    ],
)
def test_a_mistake_raises_an_error_of_one_line(slip: Callable[[], Any], message: str) -> None:
    with pytest.raises(QuorateError, match=message) as caught:
        slip()
    assert "\n" not in str(caught.value)


def test_an_aggregator_may_be_named() -> None:
    by_name = JointEm(aggregator="one_coin", rounds=1, folds=2).fit(X, VOTES, POSTERIOR)
    assert type(by_name.aggregator).__name__ == "OneCoin"
    assert by_name.posterior_.probs.shape == POSTERIOR.probs.shape


def test_numbers_of_numpy_are_numbers() -> None:
    assert Recipe(epochs=np.int64(3), lr=np.float32(0.5)).epochs == 3  # type: ignore[arg-type]
    assert Mlp(sizes=(np.int32(4),)).sizes == (4,)  # type: ignore[arg-type]
