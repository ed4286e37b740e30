import numpy as np
import pytest

from quorate.errors import MethodError
from quorate.inference.em import em
from quorate.typing import Array


def halving(probs: Array) -> Array:
    return probs / 2


def closer_to_eight(model: Array) -> tuple[Array, float]:
    return model, 8 - float(model[0, 0])


def test_stops_when_the_gain_is_small() -> None:
    fit = em(
        np.ones((1, 1)), halving, lambda model: (model, 8 - float(model[0, 0])), n_votes=10, max_rounds=50, tol=0.01
    )
    assert fit.converged
    assert fit.objective == [7.5, 7.75, 7.875, 7.9375]


def test_says_when_it_did_not_converge() -> None:
    fit = em(np.ones((1, 1)), halving, closer_to_eight, n_votes=10, max_rounds=2, tol=0)
    assert not fit.converged
    assert len(fit.objective) == 2


def test_refuses_no_rounds() -> None:
    with pytest.raises(MethodError, match="at least 1"):
        em(np.ones((1, 1)), halving, lambda model: (model, 0.0), n_votes=1, max_rounds=0, tol=0)
