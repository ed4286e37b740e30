"""Every score by a hand-worked example."""

import numpy as np
import pytest

from quorate import Votes, aggregate
from quorate.aggregation.glad import AbilityModel
from quorate.ambiguity.aum import Aum
from quorate.ambiguity.aumc import Aumc
from quorate.ambiguity.disagreement import Disagreement
from quorate.ambiguity.forgetting import Forgetting
from quorate.ambiguity.glad_difficulty import GladDifficulty
from quorate.ambiguity.margin import Margin
from quorate.ambiguity.posterior_entropy import PosteriorEntropy
from quorate.ambiguity.vote_entropy import VoteEntropy
from quorate.ambiguity.waum import Waum
from quorate.ambiguity.worker_waum import WorkerWaum
from quorate.data.posterior import Posterior
from quorate.data.worker_models import Confusion, WorkerModel
from quorate.errors import MethodError
from quorate.typing import Array

VOTES = Votes.from_arrays([0, 0, 0, 1, 1], [0, 1, 2, 0, 1], [0, 0, 1, 1, 1], n_classes=2, n_tasks=3)
TRACE = np.array(
    [
        [[0.6, 0.4], [0.6, 0.4], [0.5, 0.5]],
        [[0.8, 0.2], [0.3, 0.7], [0.5, 0.5]],
    ]
)


def posterior_of(probs: Array, model: WorkerModel | None = None) -> Posterior:
    return Posterior.of(VOTES, probs, class_prior=np.array([0.5, 0.5]), worker_model=model)


PROBS = np.array([[0.7, 0.3], [0.4, 0.6], [0.5, 0.5]])
# Workers (true, said): right about class 0 and 1 with .9 and .8, .6 and .7, .5 and .5; last the pool.
DIAGONALS = [(0.9, 0.8), (0.6, 0.7), (0.5, 0.5), (0.7, 0.7)]
MODEL = Confusion(np.log([[[a, 1 - a], [1 - b, b]] for a, b in DIAGONALS]))


def test_vote_entropy() -> None:
    expected = -(2 / 3 * np.log(2 / 3) + 1 / 3 * np.log(1 / 3))
    assert VoteEntropy().score(VOTES, posterior_of(PROBS)) == pytest.approx([expected, 0, np.nan], nan_ok=True)


def test_posterior_entropy() -> None:
    expected = [-(p * np.log(p) + (1 - p) * np.log(1 - p)) for p in (0.7, 0.6)]
    score = PosteriorEntropy().score(VOTES, posterior_of(PROBS))
    assert score == pytest.approx([*expected, np.nan], nan_ok=True)


def test_margin() -> None:
    assert Margin().score(VOTES, posterior_of(PROBS)) == pytest.approx([0.4, 0.2, np.nan], nan_ok=True)


def test_aum_goes_by_the_label_of_the_posterior() -> None:
    """Task 0, label 0: (.6 - .4 + .8 - .2) / 2. Task 1, label 1: (.4 - .4 + .7 - .3) / 2."""
    assert Aum().score(VOTES, posterior_of(PROBS), TRACE) == pytest.approx([0.4, 0.2, np.nan], nan_ok=True)
    turned = posterior_of(PROBS[:, ::-1])
    assert Aum().score(VOTES, turned, TRACE) == pytest.approx([0.0, 0.1, np.nan], nan_ok=True)


def test_aumc_goes_by_the_majority_whatever_the_posterior() -> None:
    turned = posterior_of(PROBS[:, ::-1])
    assert Aumc().score(VOTES, turned, TRACE) == pytest.approx([0.4, 0.2, np.nan], nan_ok=True)


def test_pleiss_reads_the_largest_of_the_others() -> None:
    """Task 1, label 1: (.4 - .6 + .7 - .3) / 2."""
    assert Aumc(margin="psi1").score(VOTES, posterior_of(PROBS), TRACE)[1] == pytest.approx(0.1)


def test_waum_weighs_votes_by_trust() -> None:
    """Trust on task 0, last said (.8, .2): .9*.8+.8*.2 = .88, .6*.8+.7*.2 = .62, .5. Margins of its votes .4, .4, 0.

    On task 1 both votes have the same margin, so that trust changes nothing.
    """
    expected = (0.88 * 0.4 + 0.62 * 0.4) / (0.88 + 0.62 + 0.5)
    score = Waum().score(VOTES, posterior_of(PROBS, MODEL), TRACE)
    assert score == pytest.approx([expected, 0.2, np.nan], nan_ok=True)


def test_waum_of_one_voter_is_aum() -> None:
    one = Votes.from_arrays([0, 1], [0, 0], [0, 1], n_classes=2)
    posterior = aggregate(one, "majority")
    assert Waum().score(one, posterior, TRACE[:, :2]) == pytest.approx(Aum().score(one, posterior, TRACE[:, :2]))


def test_worker_waum_of_the_same_traces_is_waum() -> None:
    posterior = posterior_of(PROBS, MODEL)
    by_vote = WorkerWaum().score(VOTES, posterior, TRACE[:, VOTES.task])
    assert by_vote == pytest.approx(Waum().score(VOTES, posterior, TRACE), nan_ok=True)


def test_worker_waum_by_hand() -> None:
    """Only workers 0 and 2 have a trace. Margins on task 0: .9 - .1 and .3 - .3; trust .9*.9+.8*.1 and .5."""
    trace = np.full((1, 5, 2), np.nan)
    trace[0, 0], trace[0, 2] = (0.9, 0.1), (0.7, 0.3)
    score = WorkerWaum().score(VOTES, posterior_of(PROBS, MODEL), trace)
    assert score == pytest.approx([0.89 * 0.8 / (0.89 + 0.5), np.nan, np.nan], nan_ok=True)


def test_glad_difficulty_is_one_by_easiness() -> None:
    model = AbilityModel(np.ones(4), np.array([0.5, 4.0, 1.0]), 2)
    score = GladDifficulty().score(VOTES, posterior_of(PROBS, model))
    assert score == pytest.approx([2.0, 0.25, np.nan], nan_ok=True)


def test_forgetting_counts_falls_and_never_learnt() -> None:
    """Task 0: right, wrong, right, wrong: 2. Task 1 is never right: 4, as many as there are epochs."""
    right, wrong = [0.9, 0.1], [0.1, 0.9]
    trace = np.array([[first, right, right] for first in (right, wrong, right, wrong)])
    score = Forgetting().score(VOTES, posterior_of(np.array([[0.9, 0.1], [0.1, 0.9], [0.5, 0.5]])), trace)
    assert score == pytest.approx([2, 4, np.nan], nan_ok=True)


def test_an_epoch_that_did_not_meet_a_task_is_no_forgetting() -> None:
    right = [0.9, 0.1]
    trace = np.array([[right, right, right], [[np.nan, np.nan], right, right], [right, right, right]])
    assert Forgetting().score(VOTES, posterior_of(PROBS), trace)[0] == 0


def test_nothing_is_told_of_a_task_that_was_never_met() -> None:
    """It would else be the worst of all: never right."""
    trace = TRACE.copy()
    trace[:, 0] = np.nan
    for scorer in (Aum(), Aumc(), Waum(), Forgetting(), Disagreement()):
        scores = scorer.score(VOTES, posterior_of(PROBS, MODEL), trace)
        assert np.isnan(scores).tolist() == [True, False, True], scorer  # the last task has no votes


def test_disagreement_by_both_qualities() -> None:
    """Labels 0 and 1. Self-confidence .8 and .7; margins .6 and .4, halved and moved by a half .8 and .7."""
    out_of_fold = TRACE[-1:]
    for by in ("self_confidence", "normalised_margin"):
        score = Disagreement(by=by).score(VOTES, posterior_of(PROBS), out_of_fold)
        assert score == pytest.approx([0.2, 0.3, np.nan], nan_ok=True)


def test_the_qualities_differ_with_more_classes() -> None:
    votes = Votes.from_arrays([0], [0], [0], n_classes=3)
    posterior = aggregate(votes, "majority")
    out_of_fold = np.array([[[0.4, 0.35, 0.25]]])
    assert Disagreement().score(votes, posterior, out_of_fold) == pytest.approx([0.6])
    by_margin = Disagreement(by="normalised_margin").score(votes, posterior, out_of_fold)
    assert by_margin == pytest.approx([1 - (0.4 - 0.35 + 1) / 2])


@pytest.mark.parametrize("scorer", [Aum(), Aumc(), Waum(), WorkerWaum(), Forgetting(), Disagreement()])
def test_without_a_trace_it_says_what_to_do(scorer: Aum) -> None:
    with pytest.raises(MethodError, match=r"give trace=\.\.\., or x=\.\.\. to quorate\.identify"):
        scorer.score(VOTES, posterior_of(PROBS))
    with pytest.raises(MethodError, match="got one of shape"):
        scorer.score(VOTES, posterior_of(PROBS), TRACE[:, :1])
    for strange in (np.full(TRACE.shape, "a"), np.full(TRACE.shape, np.inf), [[1], [1, 2]]):
        with pytest.raises(MethodError, match="reads a trace of"):
            scorer.score(VOTES.subset(rows=[0, 1, 3]), posterior_of(PROBS), strange)  # type: ignore[arg-type]
