import numpy as np

from quorate import Votes, aggregate
from quorate.aggregation.dawid_skene import DawidSkene
from quorate.aggregation.weighted_dawid_skene import WeightedDawidSkene
from quorate.data.worker_models import Confusion


def test_weighs_votes_by_the_diagonal() -> None:
    votes = Votes.from_matrix([[0, 0, 1], [1, 1, 0], [0, 0, 0], [1, 1, 0], [0, 1, 1]])
    base = DawidSkene().aggregate(votes)
    assert isinstance(base.worker_model, Confusion)
    trust = np.diagonal(base.worker_model.matrices, axis1=1, axis2=2)  # (worker, class)
    posterior = WeightedDawidSkene().aggregate(votes)
    zero, first = trust[0, 0], trust[1, 1] + trust[2, 1]
    assert np.allclose(posterior.probs[4], [zero / (zero + first), first / (zero + first)])


def test_takes_the_options_of_dawid_skene() -> None:
    votes = Votes.from_matrix([[0, 0, 1], [1, 1, 0], [0, 0, 0]])
    posterior = aggregate(votes, "weighted_dawid_skene", shrink="none", max_rounds=3, tol=-1)
    assert len(posterior.objective) == 3
