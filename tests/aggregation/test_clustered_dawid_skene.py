import numpy as np
import pytest

from quorate import Votes, simulate_votes
from quorate.aggregation.clustered_dawid_skene import ClusteredDawidSkene
from quorate.aggregation.dawid_skene import DawidSkene
from quorate.data.worker_models import Confusion
from quorate.errors import MethodError
from tests.crowds import small_crowd


def test_one_cluster_is_dawid_skene_with_one_anonymous_voter() -> None:
    votes = small_crowd(3)
    together = Votes.from_arrays(votes.task, np.full(len(votes), -1), votes.label, n_classes=3, n_tasks=votes.n_tasks)
    posterior = ClusteredDawidSkene(clusters=1, max_rounds=5, tol=-1).aggregate(votes)
    expected = DawidSkene(max_rounds=5, tol=-1).aggregate(together)
    assert np.allclose(posterior.probs, expected.probs)
    assert np.allclose(np.diff(posterior.objective), np.diff(expected.objective))


def test_a_round_by_hand() -> None:
    """Workers 0 and 1 agree, worker 2 does not. In the order of agreement 2 comes first, then 0, then 1, and the lower
    two of three start in the first of two clusters: .9 in their own, .1 in the other.

    Shares give 2/3 to what two say: 0 and 1 are right with 2/3 of a vote for each class, 2 with 1/3.
    """
    votes = Votes.from_matrix([[0, 0, 1], [1, 1, 0]])
    posterior = ClusteredDawidSkene(clusters=2, max_rounds=1).aggregate(votes)
    good, bad = np.array([2 / 3, 1 / 3]), np.array([1 / 3, 2 / 3])  # right and wrong, whatever is true
    pool = (good + good + bad + 1 / 2) / 4
    lower, upper = 0.9 * good + 0.1 * good + 0.9 * bad, 0.1 * good + 0.9 * good + 0.1 * bad
    accuracy = np.array([(both[0] + 8 * pool[0]) / (both.sum() + 8) for both in (lower, upper)])
    common = np.array([0.9 + 0.9 + 0.1 + 1, 0.1 + 0.1 + 0.9 + 1]) / 5
    member = common * accuracy ** (2 * 2 / 3) * (1 - accuracy) ** (2 * 1 / 3)  # worker 0 over both classes
    member /= member.sum()
    assert isinstance(posterior.worker_model, Confusion)
    assert np.allclose(posterior.worker_model.matrices[0, 0, 0], member @ accuracy)


def test_finds_kinds_of_workers() -> None:
    crowd = simulate_votes(n_tasks=600, votes_per_task=7, workers={"reliable": 12, "spammer": 4}, seed=2)
    posterior = ClusteredDawidSkene(clusters=2).aggregate(crowd.votes)
    assert isinstance(posterior.worker_model, Confusion)
    diagonal = np.einsum("wkk->w", posterior.worker_model.matrices) / 2
    spammer = np.array([kind == "spammer" for kind in crowd.kinds])
    assert diagonal[spammer].max() < 0.65 < 0.75 < diagonal[~spammer].min()
    assert posterior.converged


def test_refuses_options_that_mean_nothing() -> None:
    with pytest.raises(MethodError, match="clusters"):
        ClusteredDawidSkene(clusters=0)
    with pytest.raises(MethodError, match="strength"):
        ClusteredDawidSkene(strength=0)
