"""Scores by hand."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from quorate import Votes, aggregate
from quorate.data.posterior import Posterior
from quorate.data.worker_models import Coin
from quorate.errors import VotesError
from quorate.inference.bayes import log_likelihood
from quorate.learning.cross_fitting import cross_score
from quorate.learning.learners.linear import Linear
from quorate.learning.scoring import gold_score, report, task_score, valid_score, vote_score
from quorate.protocols import Valid

PROBS = np.array([[0.6, 0.4], [0.3, 0.7], [0.5, 0.5]])


def votes_by(workers: list[str], matrix: list[list[int]]) -> Votes:
    """Return votes of named workers on two classes."""
    return replace(Votes.from_matrix(matrix, classes=[0, 1]), workers=np.array(workers))


VOTES = votes_by(["ann", "bob"], [[0, 1], [1, -1], [-1, -1]])


def coins(votes: Votes, *accuracy: float) -> Posterior:
    """Return a posterior with these accuracies of workers; the last is that of the pool."""
    coin = Coin(np.array(accuracy), 2)
    half = np.full((votes.n_tasks, 2), 0.5)
    return Posterior.of(votes, half, class_prior=np.array([0.5, 0.5]), worker_model=coin)


def test_task_score_by_hand() -> None:
    """Compare with numbers by hand. Ann has accuracy .9, Bob .8. Task 0: Ann votes 0, Bob 1; task 1: Ann votes 1.

    P(votes of task 0) = .6 * .9 * .2 + .4 * .1 * .8 = .14; of task 1 = .3 * .1 + .7 * .9 = .66; task 2 has none.
    """
    posterior = coins(VOTES, 0.9, 0.8, 0.7)
    assert task_score(PROBS, VOTES, posterior) == pytest.approx(np.log([0.14, 0.66]).sum() / 3)
    # vote by vote: Ann .6 * .9 + .4 * .1, Bob .6 * .2 + .4 * .8, Ann as above
    assert vote_score(PROBS, VOTES, posterior) == pytest.approx(np.log([0.58, 0.44, 0.66]).mean())


def test_workers_are_matched_by_name() -> None:
    """Score the same votes with Bob first, and those of an unknown worker, who answers like the pool."""
    posterior = coins(VOTES, 0.9, 0.8, 0.7)
    swapped = votes_by(["bob", "ann"], [[1, 0], [-1, 1], [-1, -1]])
    assert task_score(PROBS, swapped, posterior) == pytest.approx(task_score(PROBS, VOTES, posterior))
    stranger = votes_by(["eve"], [[0], [-1], [-1]])
    assert np.exp(log_likelihood(stranger, posterior))[0] == pytest.approx([0.7, 0.3])


def test_without_a_model_of_workers_votes_are_draws() -> None:
    votes = Votes.from_counts([[2, 1], [0, 1], [0, 0]])
    simple = aggregate(votes, "majority")
    assert simple.worker_model is None
    by_hand = np.log([0.6, 0.6, 0.4, 0.7]).mean()
    assert task_score(PROBS, votes, simple) == vote_score(PROBS, votes, simple) == pytest.approx(by_hand)


@pytest.mark.parametrize("metric", ["log_loss", "accuracy", "macro_f1"])
def test_gold_goes_first_and_by_the_metric(metric: str) -> None:
    gold, posterior = np.array([0, 1, 1]), coins(VOTES, 0.9, 0.8, 0.7)
    assert valid_score(PROBS, Valid(x=PROBS, gold=gold), posterior, metric) == gold_score(PROBS, gold, metric)
    assert valid_score(PROBS, Valid(x=PROBS, votes=VOTES), posterior, metric) == vote_score(PROBS, VOTES, posterior)


@pytest.mark.parametrize("method", ["dawid_skene", "majority", None])
@pytest.mark.parametrize("anonymous", [False, True])
def test_better_features_have_the_higher_cross_score(method: Any, anonymous: bool) -> None:
    random = np.random.default_rng(0)
    truth = np.arange(80) % 2
    x = np.column_stack([truth + random.normal(0, 0.3, 80), random.normal(0, 1, 80)])
    labels = np.where(random.random((80, 3)) < 0.8, truth[:, None], 1 - truth[:, None])
    counts = np.column_stack([(labels == 0).sum(axis=1), (labels == 1).sum(axis=1)])
    votes = Votes.from_counts(counts) if anonymous else Votes.from_matrix(labels)
    posterior = None if method is None else aggregate(votes, method)
    good, blind = (cross_score(Linear(), features, votes, posterior) for features in (x, x[:, 1:]))
    assert good > blind + 0.01
    assert good == cross_score(Linear(), x, votes, posterior)


REPORTED_PROBS = np.array([[0.9, 0.1], [0.3, 0.7], [0.5, 0.5]])
REPORTED_VOTES = Votes.from_matrix([[0, 0, 1], [1, 1, -1], [-1, -1, -1]])


def test_cross_entropy_to_votes_by_hand() -> None:
    scores = report(REPORTED_PROBS, votes=REPORTED_VOTES)
    assert set(scores) == {"votes_cross_entropy"}
    assert scores["votes_cross_entropy"] == pytest.approx(-np.log([0.9, 0.9, 0.1, 0.7, 0.7]).mean())


def test_vote_shares_have_the_lowest_cross_entropy() -> None:
    shares = np.array([[2 / 3, 1 / 3], [0, 1], [0.5, 0.5]])
    best = report(shares, votes=REPORTED_VOTES)["votes_cross_entropy"]
    assert best < report(REPORTED_PROBS, votes=REPORTED_VOTES)["votes_cross_entropy"]


def test_a_report_with_gold_votes_and_posterior() -> None:
    scores = report(REPORTED_PROBS, np.array([0, 0, -1]), REPORTED_VOTES, aggregate(REPORTED_VOTES))
    assert list(scores) == [
        "accuracy", "balanced_accuracy", "macro_f1", "ece", "nll", "brier",
        "votes_cross_entropy", "votes_through_workers"
    ]  # fmt: skip
    assert scores["accuracy"] == 0.5
    assert "votes_through_workers" not in report(
        REPORTED_PROBS, None, REPORTED_VOTES, aggregate(REPORTED_VOTES, "majority")
    )


def test_no_votes_no_score_of_votes() -> None:
    assert report(REPORTED_PROBS, votes=REPORTED_VOTES.subset(rows=[])) == {}


def test_inputs_that_do_not_match_are_refused() -> None:
    with pytest.raises(VotesError, match="3 predictions, but gold of 2"):
        report(REPORTED_PROBS, np.array([0, 1]))
    with pytest.raises(VotesError, match="2 predictions, but votes on 3"):
        report(REPORTED_PROBS[:2], votes=REPORTED_VOTES)
