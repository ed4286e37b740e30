"""The checks of scikit-learn, and common uses of a classifier in scikit-learn."""

import subprocess
import sys
import warnings
from typing import Any

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV, KFold, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import check_estimator

from quorate import Votes, aggregate
from quorate.aggregation.majority import Majority
from quorate.learning.bases.mlp import Mlp
from quorate.learning.crowd_classifier import CrowdClassifier
from quorate.learning.learners.linear import Linear
from quorate.learning.learners.network import Network
from quorate.learning.training.recipe import Recipe

RANDOM = np.random.default_rng(0)
X = RANDOM.normal(size=(60, 2))
Y = np.where(X[:, 0] > 0, "yes", "no")


def vote_table(right: float = 0.8) -> Any:
    """Return votes of five workers on every item, some of them missing; the last item has none."""
    votes = np.where(RANDOM.random((60, 5)) < right, Y[:, None], np.where(Y == "yes", "no", "yes")[:, None])
    votes = votes.astype(object)
    votes[RANDOM.random((60, 5)) < 0.2] = None
    votes[-1] = None
    return votes


def test_scikit_learns_checks() -> None:
    """Run all checks: none is expected to fail. (check_array_api_input runs only with scipy's array API.)"""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        results = check_estimator(CrowdClassifier(), expected_failed_checks={}, on_skip=None)
    assert {result["check_name"] for result in results if result["status"] != "passed"} <= {"check_array_api_input"}
    assert len(results) > 50


def test_votes_in_every_shape_teach_the_same() -> None:
    table = vote_table()
    votes = Votes.from_matrix(table)
    from_votes = CrowdClassifier().fit(X, votes)
    from_table = CrowdClassifier().fit(X, table)
    assert np.array_equal(from_votes.predict_proba(X), from_table.predict_proba(X))
    assert from_table.classes_.tolist() == ["no", "yes"]
    assert from_table.score(X, Y) > 0.9
    numbers = np.array([[np.nan if cell is None else float(cell == "yes") for cell in row] for row in table])
    codes = np.where(np.isnan(numbers), -1, numbers).astype(int)
    for matrix in (numbers, codes):
        fitted = CrowdClassifier().fit(X, matrix)
        assert fitted.classes_.tolist() == [0, 1]
        assert np.allclose(fitted.predict_proba(X), from_votes.predict_proba(X))


def test_labels_are_taken_for_true() -> None:
    fitted = CrowdClassifier().fit(X, Y)
    assert np.array_equal(fitted.posterior_.label_names() == 1, Y == "yes")
    assert fitted.posterior_.confidence.min() == 1
    assert fitted.score(X, Y) > 0.9
    assert fitted.n_features_in_ == 2


def test_any_learner_and_aggregator() -> None:
    network = Network(base=Mlp(sizes=(8,)), recipe=Recipe(epochs=20, lr=0.01))
    table = vote_table()
    fitted = CrowdClassifier(network, Majority()).fit(X, table)
    assert not hasattr(network, "layers_")  # the option stays unfitted
    votes = Votes.from_matrix(table)
    alone = Network(base=Mlp(sizes=(8,)), recipe=Recipe(epochs=20, lr=0.01)).fit(X, votes, aggregate(votes, "majority"))
    assert np.array_equal(fitted.predict_proba(X), alone.predict_proba(X))


def test_in_a_pipeline_and_a_search() -> None:
    pipeline = make_pipeline(StandardScaler(), CrowdClassifier())
    assert pipeline.fit(X, vote_table()).score(X, Y) > 0.9
    assert cross_val_score(pipeline, X, Y, cv=3).mean() > 0.9
    grid = {"learner": [Linear(l2=0.01), Linear(l2=100.0)], "aggregator": ["majority"]}
    search = GridSearchCV(CrowdClassifier(), grid, cv=3, scoring="neg_log_loss").fit(X, Y)
    assert search.best_params_["learner"].l2 == 0.01


def test_clone_and_params() -> None:
    classifier = CrowdClassifier(Linear(l2=0.5), "majority")
    assert set(classifier.get_params()) == {"learner", "aggregator"}
    assert clone(classifier).learner.l2 == 0.5
    assert not hasattr(clone(classifier.fit(X, Y)), "learner_")


def test_sparse_features() -> None:
    dense = CrowdClassifier(Linear(scale="none")).fit(X, Y).predict_proba(X)
    assert np.allclose(CrowdClassifier().fit(sparse.csr_matrix(X), Y).predict_proba(sparse.csr_matrix(X)), dense)


@pytest.mark.parametrize(
    ("x", "y", "message"),
    [
        (X, Y[:5], "X has 60 samples, but y has 5"),
        (np.where(X > 1, np.nan, X), Y, "contains NaN"),
        (X, np.full(60, "a"), "two classes or more to tell apart, got one class"),
        (X, np.full((60, 3), "a"), "at least two classes"),
        (X, np.zeros((60, 3, 2)), "y must be Votes, a matrix"),
        (X, None, "requires y"),
    ],
)
def test_wrong_inputs_are_refused_with_the_reason(x: Any, y: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        CrowdClassifier().fit(x, y)


def test_predicting_comes_after_fitting() -> None:
    with pytest.raises(NotFittedError):
        CrowdClassifier().predict(X)
    with pytest.raises(ValueError, match="features"):
        CrowdClassifier().fit(X, Y).predict(X[:, :1])


def test_missing_scikit_learn_is_reported() -> None:
    code = "import sys; sys.modules['sklearn'] = None; import quorate.learning.crowd_classifier"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "CrowdClassifier needs scikit-learn 1.6: pip install 'quorate[learn]'" in done.stderr


def test_votes_score_by_how_many_agree() -> None:
    table = vote_table()
    fitted = CrowdClassifier().fit(X, table)
    cells_with_votes = [(row, cell) for row, cells in enumerate(table) for cell in cells if cell is not None]
    agreed = np.mean([fitted.predict(X)[row] == cell for row, cell in cells_with_votes])
    assert fitted.score(X, table) == pytest.approx(agreed)
    assert fitted.score(X, Votes.from_matrix(table)) == pytest.approx(agreed)
    first = np.r_[1.0, np.zeros(59)]
    assert fitted.score(X, table, first) == np.mean([fitted.predict(X)[0] == c for c in table[0] if c is not None])
    with pytest.raises(ValueError, match="X has 10 samples, but y has 60"):
        fitted.score(X[:10], table)


@pytest.mark.parametrize("kind", ["names", "numbers"])
def test_a_grid_is_searched_on_a_matrix_of_votes(kind: str) -> None:
    table = vote_table()
    if kind == "numbers":
        table = np.array([[-1 if cell is None else int(cell == "yes") for cell in row] for row in table])
    cv = KFold(3) if kind == "names" else 3  # scikit-learn would sort names and None to see how to split
    grid = GridSearchCV(CrowdClassifier(), {"learner": [Linear(l2=100.0), Linear(l2=0.01)]}, cv=cv, error_score="raise")
    grid.fit(X, table)
    scores = grid.cv_results_["mean_test_score"]
    assert np.isfinite(scores).all()
    assert grid.best_params_["learner"].l2 == 0.01
    assert grid.best_score_ > 0.65
