import numpy as np
import pytest

from quorate.ambiguity.waum import Waum
from quorate.ambiguity.worker_waum import WorkerWaum
from tests.ambiguity.worked_example import MODEL, PROBS, TRACE, VOTES, posterior_of


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
