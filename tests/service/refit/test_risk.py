import numpy as np
import pytest

from quorate.service.refit.risk import ErrorEstimates, Risk, risk_of
from quorate.typing import Array


def estimates(wrong: Array) -> ErrorEstimates:
    n_tasks = len(wrong)
    return ErrorEstimates(np.arange(n_tasks), np.ones(n_tasks, bool), wrong, np.arange(n_tasks) > 0, 0.5)


def test_questions_add_up() -> None:
    risk = risk_of([estimates(np.array([0.4, 0.2])), estimates(np.array([0.3, 0.1]))], [2, 2], screening=False)
    assert risk.all == pytest.approx(0.25)
    assert risk.accepted == pytest.approx(0.15)


def test_unknown_if_the_policy_counts_votes() -> None:
    assert risk_of([estimates(np.array([0.5, 0.0, 0.0, 0.5]))], [4], screening=False) == Risk(None, None)
    assert risk_of([estimates(np.array([0.5, 0.0, 0.1, 0.5]))], [4], screening=False).accepted == pytest.approx(0.2)
