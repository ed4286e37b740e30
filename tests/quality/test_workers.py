"""Scores of workers, each worked out by hand."""

import numpy as np
import pytest

from quorate import Votes, aggregate
from quorate.data.posterior import Posterior
from quorate.data.worker_models import Coin, Confusion, WorkerModel
from quorate.protocols import WorkerScorer
from quorate.quality.workers.accuracy import Accuracy
from quorate.quality.workers.class_bias import ClassBias, habits, surprise
from quorate.quality.workers.confusion_trace import ConfusionTrace
from quorate.quality.workers.consensus_agreement import ConsensusAgreement
from quorate.quality.workers.consensus_high import ConsensusHigh
from quorate.quality.workers.consensus_low import ConsensusLow
from quorate.quality.workers.glad_ability import GladAbility
from quorate.quality.workers.median_seconds import MedianSeconds
from quorate.quality.workers.peer_agreement import PeerAgreement
from quorate.quality.workers.spam_score import SpamScore
from quorate.quality.workers.speed import Speed
from tests.crowds import small_crowd

ONE_VOTE_EACH = Votes.from_arrays([0, 0, 0], [0, 1, 2], [0, 0, 1], n_classes=2)


def known(votes: Votes, truth: list[int], model: WorkerModel | None = None) -> Posterior:
    """A posterior that is sure of the truth."""
    probs = np.eye(votes.n_classes)[truth]
    return Posterior.of(votes, probs, class_prior=probs.mean(axis=0), worker_model=model)


def confusions(*matrices: list[list[float]]) -> Confusion:
    """Of workers, by (true, said); the pool is as the first."""
    return Confusion(np.log(np.maximum(np.array([*matrices, matrices[0]]), 1e-300)))


def timed(seconds: list[list[float]]) -> Votes:
    """A list of times for each worker, each on tasks of their own."""
    spent = np.concatenate([np.array(mine, dtype=np.float64) for mine in seconds])
    worker = np.repeat(np.arange(len(seconds)), [len(mine) for mine in seconds])
    plain = Votes.from_arrays(np.arange(len(spent)), worker, worker * 0, n_classes=2, n_workers=len(seconds))
    return Votes(
        task=plain.task,
        worker=plain.worker,
        label=plain.label,
        tasks=plain.tasks,
        workers=plain.workers,
        classes=plain.classes,
        seconds=spent.astype(np.float32),
    )


class TestAccuracy:
    def test_weighs_classes_by_their_prior(self) -> None:
        votes = Votes.from_arrays([0, 1, 2, 3], [0, 0, 0, 0], [0, 0, 0, 1], n_classes=2)
        model = confusions([[0.9, 0.1], [0.3, 0.7]])
        assert Accuracy().score(votes, known(votes, [0, 0, 0, 1], model)) == pytest.approx([0.75 * 0.9 + 0.25 * 0.7])


class TestConsensus:
    def test_passes_over_the_anonymous(self) -> None:
        votes = Votes.from_arrays([0, 0, 0], [0, -1, -1], [1, 0, 0], n_classes=2, n_workers=2)
        score = ConsensusAgreement().score(votes, aggregate(votes, "majority"))
        assert score[0] == 0
        assert np.isnan(score[1])

    def test_interval_of_the_textbook(self) -> None:
        """Wilson's interval of 8 right out of 10: .490 to .943."""
        votes = Votes.from_arrays(np.arange(10), np.zeros(10, int), [0] * 8 + [1] * 2, n_classes=2)
        posterior = known(votes, [0] * 10)
        assert ConsensusLow().score(votes, posterior) == pytest.approx([0.490], abs=0.0005)
        assert ConsensusHigh().score(votes, posterior) == pytest.approx([0.943], abs=0.0005)

    def test_interval_holds_the_score(self) -> None:
        votes = small_crowd(3)
        posterior = aggregate(votes)
        low, middle, high = (s.score(votes, posterior) for s in (ConsensusLow(), ConsensusAgreement(), ConsensusHigh()))
        there = votes.votes_per_worker > 0
        assert np.all((low >= 0) & (low < middle) & (middle < high) & (high <= 1), where=there)


class TestSpamScore:
    def test_of_two_classes_is_youden_squared(self) -> None:
        """Sensitivity and specificity .9 and .7: .36; always the same answer: 0; always wrong: 1."""
        model = confusions([[0.9, 0.1], [0.3, 0.7]], [[1, 0], [1, 0]], [[0, 1], [1, 0]])
        score = SpamScore().score(ONE_VOTE_EACH, known(ONE_VOTE_EACH, [0], model))
        assert score == pytest.approx([0.36, 0, 1])

    def test_of_three_classes(self) -> None:
        """Rows (1, 0, 0), (0, 1, 0), (0, 1, 0): two pairs of rows differ by 2, one by 0; 4 / 6."""
        votes = Votes.from_arrays([0], [0], [0], n_classes=3)
        model = confusions([[1, 0, 0], [0, 1, 0], [0, 1, 0]])
        assert SpamScore().score(votes, known(votes, [0], model)) == pytest.approx([4 / 6])

    def test_any_model_will_do(self) -> None:
        """Right .8 of the time whatever is true: (.8 + .8 - 1)^2."""
        model = Coin(np.array([0.8, 0.5, 0.5, 0.6]), 2)
        assert SpamScore().score(ONE_VOTE_EACH, known(ONE_VOTE_EACH, [0], model)) == pytest.approx([0.36, 0, 0])

    def test_without_a_model_votes_are_counted(self) -> None:
        """Worker 0 is right on all 8 tasks, worker 1 says 0 always. Of 8 votes on tasks that are 0 the crowd says 0 in
        8, of those on tasks that are 1 in 4; with a vote more for each answer (9, 1) / 10 and (5, 5) / 10. Worker 0 has
        4 votes on each class beside 8 pseudo-votes: C[0, 0] = (4 + 7.2) / 12, C[1, 0] = (0 + 4) / 12.
        """
        said = [[0, 0]] * 4 + [[1, 0]] * 4
        votes = Votes.from_matrix(said)
        score = SpamScore().score(votes, known(votes, [0] * 4 + [1] * 4))
        assert score[0] == pytest.approx(((4 + 7.2) / 12 - 4 / 12) ** 2)
        assert score[1] == pytest.approx(((4 + 7.2) / 12 - (4 + 4) / 12) ** 2)


class TestConfusionTrace:
    def test_is_the_mean_of_the_diagonal(self) -> None:
        model = confusions([[0.9, 0.1], [0.3, 0.7]], [[1, 0], [1, 0]], [[0, 1], [1, 0]])
        posterior = known(ONE_VOTE_EACH, [0], model)
        assert ConfusionTrace().score(ONE_VOTE_EACH, posterior) == pytest.approx([0.8, 0.5, 0])


class TestGladAbility:
    def test_reads_the_model(self) -> None:
        votes = small_crowd(2)
        posterior = aggregate(votes, "glad")
        score = GladAbility().score(votes, posterior)
        there = votes.votes_per_worker > 0
        assert np.array_equal(score[there], posterior.worker_model.ability[:-1][there])  # type: ignore[union-attr]

    def test_other_methods_have_none(self) -> None:
        assert np.isnan(GladAbility().score(ONE_VOTE_EACH, aggregate(ONE_VOTE_EACH))).all()


class TestPeerAgreement:
    def test_counts_pairs(self) -> None:
        """Worker 0 meets two others twice and agrees in 1 + 2 of 4, worker 1 so too, worker 2 in 0 + 2; 3 is alone."""
        votes = Votes.from_matrix([[0, 0, 1, -1], [1, 1, 1, -1], [-1, -1, -1, 0]])
        score = PeerAgreement().score(votes, aggregate(votes, "majority"))
        assert score[:3] == pytest.approx([3 / 4, 3 / 4, 2 / 4])
        assert np.isnan(score[3])

    def test_anonymous_votes_are_others(self) -> None:
        votes = Votes.from_arrays([0, 0, 0], [0, -1, -1], [1, 1, 0], n_classes=2)
        assert PeerAgreement().score(votes, aggregate(votes, "majority")) == pytest.approx([0.5])


class TestTimes:
    def test_medians(self) -> None:
        votes = timed([[1, 2, 9], [4, 2], [np.nan, 3], [np.nan], []])
        score = MedianSeconds().score(votes, aggregate(votes, "majority"))
        assert score[:3].tolist() == [2, 3, 3]
        assert np.isnan(score[3:]).all()

    def test_speed_by_hand(self) -> None:
        """Logs of medians 0, 1, 2, 3, 8 about their median 2: distances 2, 1, 0, 1, 6 with median 1."""
        votes = timed([[np.exp(log)] for log in (0, 1, 2, 3, 8)])
        score = Speed().score(votes, aggregate(votes, "majority"))
        assert score == pytest.approx(np.array([-2, -1, 0, 1, 6]) / 1.4826, rel=1e-5)

    def test_a_crowd_in_step_has_no_outliers(self) -> None:
        votes = timed([[10.0], [10.0], [10.0], [10.1]])
        assert np.abs(Speed().score(votes, aggregate(votes, "majority"))).max() < 0.2

    def test_no_time_at_all_is_hasty_but_finite(self) -> None:
        votes = timed([[5.0], [5.0], [6.0], [0.0]])
        assert -100 < Speed().score(votes, aggregate(votes, "majority"))[3] < -3


class TestClassBias:
    def test_by_hand(self) -> None:
        """Of four tasks two are 0: worker 0 says so of two, worker 1 of all four, worker 2 of the wrong two."""
        votes = Votes.from_matrix([[0, 0, 1], [0, 0, 1], [1, 0, 0], [1, 0, 0]])
        posterior = known(votes, [0, 0, 1, 1])
        assert ClassBias().score(votes, posterior).tolist() == [0, 0.5, 0]
        said, true = habits(votes, posterior)
        assert (said - true).tolist() == [[0, 0], [0.5, -0.5], [0, 0]]
        assert surprise(votes, posterior) == pytest.approx(np.array([[0, 0], [2, -2], [0, 0]]) / np.sqrt(2))

    def test_takes_a_consensus_in_doubt(self) -> None:
        votes = Votes.from_arrays([0, 1], [0, 0], [0, 0], n_classes=2)
        posterior = Posterior.of(votes, np.array([[0.9, 0.1], [0.4, 0.6]]), class_prior=np.array([0.5, 0.5]))
        assert ClassBias().score(votes, posterior) == pytest.approx([1 - 1.3 / 2])


@pytest.mark.parametrize("scorer", [Accuracy(), SpamScore(), ConfusionTrace(), GladAbility()], ids=str)
def test_what_a_model_believes_of_anybody_is_no_score(scorer: WorkerScorer) -> None:
    votes = small_crowd(2)
    idle = votes.votes_per_worker == 0
    assert idle.any()
    assert np.isnan(scorer.score(votes, aggregate(votes, "glad"))[idle]).all()
