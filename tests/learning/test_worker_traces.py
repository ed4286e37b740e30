from typing import Any

import numpy as np
import pytest

from quorate import Votes, aggregate
from quorate.errors import MethodError
from quorate.learning.learners.linear import Linear
from quorate.learning.worker_traces import worker_traces
from quorate.typing import Array
from tests.learning.clouds import network, two_clouds


def test_each_worker_is_learnt_alone() -> None:
    """Train on workers 0 and 1, who vote the opposite on the same tasks: so do their classifiers."""
    x, _ = two_clouds()
    gold = np.arange(60) % 2
    votes = Votes.from_matrix(np.stack([gold, 1 - gold], axis=1))
    trace = worker_traces(Linear(l2=0.001), x, votes, aggregate(votes))
    assert np.array_equal(_last(trace).argmax(axis=1), votes.label)


def test_rows_are_in_the_order_of_the_votes() -> None:
    x, votes = two_clouds()
    order = np.random.default_rng(1).permutation(len(votes))
    posterior = aggregate(votes)
    whole = worker_traces(Linear(), x, votes, posterior)
    shuffled = worker_traces(Linear(), x, votes.subset(rows=order), posterior)
    assert shuffled == pytest.approx(whole[:, order], nan_ok=True, abs=1e-5)


def test_anonymous_votes_have_none() -> None:
    votes = Votes.from_arrays([0, 0, 1], [0, -1, 0], [0, 1, 1], n_classes=2)
    trace = worker_traces(Linear(), [[0.0], [1.0]], votes, aggregate(votes))
    assert np.isnan(trace[:, 1]).all()
    assert not np.isnan(trace[0, [0, 2]]).any()


def test_a_worker_of_a_single_vote_and_one_of_a_single_class() -> None:
    votes = Votes.from_arrays([0, 0, 1, 2], [0, 1, 1, 1], [0, 1, 1, 1], n_classes=2)
    trace = worker_traces(network(), [[0.0], [1.0], [2.0]], votes, aggregate(votes))
    assert trace.shape == (12, 4, 2)
    assert not np.isnan(trace).any()


@pytest.mark.long
def test_several_processes_give_the_same() -> None:
    x, votes = two_clouds(20)
    posterior = aggregate(votes)
    alone = worker_traces(network(), x, votes, posterior)
    assert worker_traces(network(), x, votes, posterior, processes=2) == pytest.approx(alone)


def test_refuses_no_processes() -> None:
    x, votes = two_clouds(20)
    with pytest.raises(MethodError, match="processes must be at least 1, got 0"):
        worker_traces(Linear(), x, votes, aggregate(votes), processes=0)


def _last(trace: Any) -> Array:
    last = np.full(trace.shape[1:], np.nan)
    for epoch in trace:
        met = ~np.isnan(epoch[:, 0])
        last[met] = epoch[met]
    return last
