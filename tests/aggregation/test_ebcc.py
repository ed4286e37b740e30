import numpy as np
import pytest

from quorate import Votes
from quorate.aggregation.ebcc import Ebcc
from quorate.aggregation.ibcc import Ibcc
from quorate.errors import MethodError
from quorate.metrics import log_loss
from tests.crowds import small_crowd, some_prior


@pytest.mark.parametrize("n_classes", [2, 3])
def test_with_one_subtype_it_is_ibcc(n_classes: int) -> None:
    votes = small_crowd(n_classes)
    gold = np.where(np.arange(votes.n_tasks) % 7, -1, 1)
    for prior, labels in ((None, None), (some_prior(votes), None), (None, gold)):
        ebcc = Ebcc(subtypes=1, max_rounds=9, tol=-1).aggregate(votes, prior=prior, gold=labels)
        other = Ibcc(strength=Ebcc.strength, max_rounds=9, tol=-1).aggregate(votes, prior=prior, gold=labels)
        assert np.allclose(ebcc.probs, other.probs)
        assert np.allclose(ebcc.objective, other.objective)


def test_sees_kinds_of_tasks_on_which_workers_err_together() -> None:
    """Two tasks in five are of a kind on which each worker is right with a chance of their own, from .3 to .9."""
    gains, losses = [], []
    for seed in range(3):
        rng = np.random.default_rng(seed)
        gold, kind = rng.integers(0, 2, 1000), (rng.random(1000) < 0.4).astype(int)
        chance = np.stack([rng.uniform(0.75, 0.9, (10, 2)), rng.uniform(0.3, 0.9, (10, 2))], axis=2)
        right = rng.random((1000, 10)) < chance[:, gold, kind].T
        votes = Votes.from_matrix(np.where(right, gold[:, None], 1 - gold[:, None]))
        alone, together = Ibcc(strength=Ebcc.strength).aggregate(votes), Ebcc(subtypes=2).aggregate(votes)
        gains.append(together.objective[-1] - alone.objective[-1])
        losses.append(log_loss(alone.probs, gold) - log_loss(together.probs, gold))
    assert min(gains) > 0
    assert min(losses) > 0.05


def test_more_restarts_never_end_lower() -> None:
    votes = small_crowd(2)
    single, several = (Ebcc(subtypes=3, restarts=n).aggregate(votes).objective[-1] for n in (1, 4))
    assert several >= single


def test_refuses_options_that_mean_nothing() -> None:
    with pytest.raises(MethodError, match="restarts must be at least 1"):
        Ebcc(restarts=0)
    with pytest.raises(MethodError, match="strength"):
        Ebcc(strength=0)
