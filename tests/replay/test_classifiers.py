"""Classifiers of replays. The incremental one predicts every task out of fold, in this fit and in later ones."""

import numpy as np
import pytest

from quorate.data.votes import Votes
from quorate.errors import MethodError
from quorate.replay.classifiers import FixedClassifier, IncrementalClassifier, training_targets
from quorate.typing import Array

NO_GOLD = np.full(60, -1)


def test_a_fixed_classifier_never_changes() -> None:
    votes, probs = Votes.from_matrix([[0, 1]]), np.array([[0.3, 0.7]])
    classifier = FixedClassifier(probs)
    assert not classifier.learns
    assert classifier.start() is classifier.learn(votes, np.array([[1.0, 0.0]]), np.array([0]))
    assert classifier.probs.tolist() == probs.tolist()


def test_before_any_fit_the_classifier_is_taught_vote_shares_and_gold() -> None:
    votes = Votes.from_matrix([[0, 0], [0, 1]])
    assert training_targets(votes, {}, np.array([-1, -1]), None).round(3).tolist() == [[1.0, 0.0], [0.5, 0.5]]
    assert training_targets(votes, {}, np.array([1, -1]), None)[0].tolist() == [0.0, 1.0]


def two_clusters(seed: int = 0) -> tuple[Array, Votes, Array]:
    """Return two classes that the first of three features separates; one vote per task, all right."""
    rng = np.random.default_rng(seed)
    label = np.arange(60) % 2
    x = rng.normal(size=(60, 3))
    x[:, 0] = 2 * label - 1 + 0.1 * x[:, 0]
    votes = Votes.from_arrays(np.arange(60), np.zeros(60, dtype=int), label, n_classes=2)
    return x, votes, np.eye(2)[label]


def test_separate_clusters_are_classified() -> None:
    x, votes, probs = two_clusters()
    pred_probs = IncrementalClassifier(x).learn(votes, probs, NO_GOLD)
    assert np.array_equal(pred_probs.argmax(axis=1), votes.label)
    assert pred_probs.sum(axis=1) == pytest.approx(1)


def test_uninformative_features_by_hand() -> None:
    """Fit intercepts only: each fold predicts the mean target of the other, tasks without votes the mean of both."""
    votes = Votes.from_arrays([0, 1, 2, 3], [0, 0, 0, 0], [0, 0, 1, 1], n_tasks=5, n_classes=2)
    machine = IncrementalClassifier(np.zeros((5, 1)), folds=2)
    machine.fold = np.array([0, 0, 1, 1, 1])
    probs = np.array([[0.9, 0.1], [0.7, 0.3], [0.5, 0.5], [0.1, 0.9], [0.0, 1.0]])
    pred_probs = machine.learn(votes, probs, np.full(5, -1))
    assert pred_probs[:, 0] == pytest.approx([0.3, 0.3, 0.8, 0.8, 0.55], abs=1e-3)


def test_scale_and_origin_of_the_features_do_not_matter() -> None:
    x, votes, probs = two_clusters()
    pred_probs = IncrementalClassifier(x).learn(votes, probs, NO_GOLD)
    moved = IncrementalClassifier(1000 * x + 7).learn(votes, probs, NO_GOLD)
    np.testing.assert_allclose(moved, pred_probs, atol=1e-3)


def test_few_labels_move_the_weights_less_than_many() -> None:
    x, votes, probs = two_clusters()
    few = votes.subset(rows=np.arange(10))
    doubts = [1 - IncrementalClassifier(x).learn(lesson, probs, NO_GOLD).max(axis=1).mean() for lesson in (few, votes)]
    assert doubts[0] > 2 * doubts[1]
    freer = 1 - IncrementalClassifier(x, variance=16.0).learn(few, probs, NO_GOLD).max(axis=1).mean()
    assert freer < doubts[0]


def test_an_own_label_never_comes_back() -> None:
    x, votes, probs = two_clusters()
    turned = probs.copy()
    turned[7] = 1 - turned[7]
    machine, other = IncrementalClassifier(x), IncrementalClassifier(x)
    before, after = machine.learn(votes, probs, NO_GOLD), other.learn(votes, turned, NO_GOLD)
    assert np.array_equal(before[7], after[7])
    assert not np.allclose(before, after)


def test_an_earlier_lesson_does_not_change_a_later_one() -> None:
    x, votes, probs = two_clusters()
    machine = IncrementalClassifier(x)
    assert machine.start() is None
    machine.learn(votes, probs[::-1], NO_GOLD)
    assert np.array_equal(machine.learn(votes, probs, NO_GOLD), IncrementalClassifier(x).learn(votes, probs, NO_GOLD))


def test_tasks_without_votes_or_gold_are_not_trained_on_and_get_the_mean_of_all_folds() -> None:
    x, votes, probs = two_clusters()
    few = votes.subset(rows=np.arange(20))
    wild = probs.copy()
    wild[30:] = wild[30:, ::-1]
    gold = NO_GOLD.copy()
    assert np.array_equal(
        IncrementalClassifier(x).learn(few, wild, gold), IncrementalClassifier(x).learn(few, probs, gold)
    )
    gold[30] = 0
    assert not np.array_equal(
        IncrementalClassifier(x).learn(few, wild, gold), IncrementalClassifier(x).learn(few, wild, NO_GOLD)
    )
    alike = np.vstack([x[:59], x[:1]])  # the last equals the first, but has no vote
    pred_probs = IncrementalClassifier(alike, folds=2).learn(few, probs, NO_GOLD)
    assert not np.array_equal(pred_probs[0], pred_probs[59])


def test_one_task_that_teaches_leaves_its_own_row_even() -> None:
    x, votes, probs = two_clusters()
    pred_probs = IncrementalClassifier(x).learn(votes.subset(rows=np.array([4])), probs, NO_GOLD)
    assert pred_probs[4].tolist() == [0.5, 0.5]
    assert pred_probs[6, 0] > 0.5


@pytest.mark.parametrize(("options", "why"), [({"folds": 1}, "folds must be"), ({"variance": 0.0}, "variance must be")])
def test_options_are_checked(options: dict[str, float], why: str) -> None:
    with pytest.raises(MethodError, match=why):
        IncrementalClassifier(np.ones((9, 1)), **options)  # type: ignore[arg-type]
