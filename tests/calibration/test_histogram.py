import numpy as np
import pytest

from quorate.calibration.histogram import Histogram
from quorate.errors import MethodError
from tests.calibration.noisy import off_by


def test_worked_out_by_hand() -> None:
    """Bins of the second class: .1, .2 with one of two of it, and .7, .8 with two of two; one item more as was said."""
    probs = [[0.9, 0.1], [0.8, 0.2], [0.3, 0.7], [0.2, 0.8]]
    result = Histogram(bins=2).fit(probs, [0, 1, 1, 1])
    low, high = (1 + 0.15) / 3, (2 + 0.75) / 3
    assert result.edges_[1].tolist() == pytest.approx([0.45])
    assert result.shares_[1].tolist() == pytest.approx([low, high])
    assert result.transform([[0.6, 0.4], [0.5, 0.5]])[:, 1] == pytest.approx([low, high])


def test_bins_have_about_as_many_items() -> None:
    probs, gold = off_by(2.0, n_items=300)
    result = Histogram(bins=10).fit(probs, gold)
    assert [len(shares) for shares in result.shares_] == [10, 10, 10]
    assert np.bincount(np.searchsorted(result.edges_[0], probs[:, 0])).tolist() == [30] * 10


def test_items_alike_share_a_bin() -> None:
    probs = [[1.0, 0.0]] * 30 + [[0.5, 0.5]] * 5
    result = Histogram(bins=10).fit(probs, [0] * 30 + [1] * 5)
    assert result.edges_[1].tolist() == [0.25]
    assert result.transform([[1.0, 0.0]])[0, 1] == pytest.approx(0)  # none of thirty, and none more as was said


def test_one_bin_is_the_share_of_each_class() -> None:
    probs, gold = off_by(2.0)
    result = Histogram(bins=1).fit(probs, gold)
    assert result.transform(probs)[0] == pytest.approx(np.bincount(gold) / 500, abs=1e-3)


@pytest.mark.parametrize("bins", [0, 2.5, True])
def test_bins_are_whole(bins: int) -> None:
    with pytest.raises(MethodError, match=r"bins must be (at least 1|a whole number), got"):
        Histogram(bins=bins)
