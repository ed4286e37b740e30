import numpy as np
import pytest

from quorate import Votes, aggregate, agreement, registry
from quorate.errors import MethodError, VotesError
from tests.crowds import small_crowd

VOTES = Votes.from_matrix([[0, 0, 1], [1, 1, 1], [0, 1, 1]])


def test_nan_where_nobody_can_agree() -> None:
    scores = agreement(Votes.from_arrays([0, 1], [0, 0], [0, 1], n_classes=2))
    assert {name for name, value in scores.items() if not np.isnan(value)} == {"consistency"}


def test_has_every_measure_of_classes_without_order() -> None:
    scores = agreement(VOTES)
    names = [name for name in scores if not name.endswith(("_low", "_high"))]
    assert names == [name for name in registry.names("quality.agreement") if name != "weighted_kappa"]
    assert "consistency_low" not in scores


def test_an_interval_contains_its_value() -> None:
    scores = agreement(small_crowd(3), order=range(3))
    names = [name.removesuffix("_low") for name in scores if name.endswith("_low")]
    assert len(names) == 6
    for name in names:
        assert scores[f"{name}_low"] < scores[name] < scores[f"{name}_high"]


def test_a_scale() -> None:
    votes = Votes.from_matrix([[1, 1], [2, 2], [1, 3], [3, 3]])
    assert agreement(votes, order=[1, 2, 3])["weighted_kappa"] == pytest.approx(1 / 3)
    assert agreement(votes, order=["1", "2", "3"], weights="linear")["weighted_kappa"] == pytest.approx(7 / 15)
    with pytest.raises(MethodError, match="order must name each class once"):
        agreement(votes, order=[1, 2])


def test_refuses_a_posterior_of_other_votes() -> None:
    with pytest.raises(VotesError, match="the posterior is of other tasks"):
        agreement(VOTES, aggregate(Votes.from_matrix([[0, 1]])))
