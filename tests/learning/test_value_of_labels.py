import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from quorate.errors import MethodError
from quorate.learning.value_of_labels import LearningCurve

LABELS = 50 * 1.5 ** np.arange(8)
PLANTED = LearningCurve(floor=4, scale=60, fall=0.5)


def test_risk_and_saving_by_hand() -> None:
    """Check 4 + 60 / 10 after 100 labels; after 400 it is 4 + 60 / 20: 3 less for each of 1000 tasks, by 300 labels."""
    assert PLANTED.risk([100, 400]).tolist() == [10, 7]
    assert PLANTED.saving(100, left=1000, more=300) == pytest.approx(3 * 1000 / 300)
    assert PLANTED.saving(100, left=1000) == pytest.approx(1000 * 60 * 0.5 * 100**-1.5, rel=0.01)  # the slope
    assert PLANTED.saving(100, left=0) == 0


@pytest.mark.parametrize("fall", [0.3, 0.5, 1.0])
def test_a_planted_curve_is_recovered(fall: float) -> None:
    planted = LearningCurve(floor=3, scale=50, fall=fall)
    fitted = LearningCurve.fit(LABELS, planted.risk(LABELS))
    assert fitted.saving(LABELS[-1], 1000) == pytest.approx(planted.saving(LABELS[-1], 1000), rel=0.1)
    assert fitted.risk(LABELS) == pytest.approx(planted.risk(LABELS), rel=0.02)


def test_a_point_far_off_does_not_bend_the_curve() -> None:
    risks = PLANTED.risk(LABELS)
    risks[3] *= 3
    fitted = LearningCurve.fit(LABELS, risks)
    assert fitted.saving(LABELS[-1], 1000) == pytest.approx(PLANTED.saving(LABELS[-1], 1000), rel=0.25)


@pytest.mark.parametrize(
    ("labels", "risks"),
    [([], []), ([10], [5]), ([10, 20], [5, 3]), ([10, 10, 20, 20], [5, 5, 3, 3]), ([10, 20, 40], [5, np.nan, 3])],
)
def test_two_numbers_of_labels_teach_nothing(labels: list[float], risks: list[float]) -> None:
    assert LearningCurve.fit(labels, risks).saving(20, left=1000) == 0


def test_risks_that_do_not_fall_value_learning_at_nothing() -> None:
    assert LearningCurve.fit(LABELS, np.linspace(5, 8, 8)).saving(400, left=1000) == 0
    assert LearningCurve.fit(LABELS, np.full(8, 5.0)).saving(400, left=1000) == 0
    assert LearningCurve.fit(LABELS, np.zeros(8)).saving(400, left=1000) == 0


def test_noise_without_a_fall_is_mostly_seen_through_and_a_fall_is_seen_in_it() -> None:
    """Eight points that are off by 5%."""
    rng = np.random.default_rng(0)
    noise = 1 + 0.05 * rng.normal(size=(40, 8))
    flat = [LearningCurve.fit(LABELS, 10 * off).scale > 0 for off in noise]
    savings = [LearningCurve.fit(LABELS, PLANTED.risk(LABELS) * off).saving(LABELS[-1], 1000) for off in noise]
    assert np.mean(flat) <= 0.1
    assert np.median(savings) == pytest.approx(PLANTED.saving(LABELS[-1], 1000), rel=0.2)


@settings(max_examples=30, deadline=None)
@example(points=[(1, 1.0), (2, 0.0), (3, 0.0)], labels=0)
@given(st.lists(st.tuples(st.integers(0, 5000), st.floats(0, 100)), max_size=8), st.integers(0, 5000))
def test_a_label_never_costs(points: list[tuple[int, float]], labels: int) -> None:
    curve = LearningCurve.fit([n for n, _ in points], [risk for _, risk in points])
    assert 0 <= curve.saving(labels + 1, left=100) <= curve.saving(labels, left=200) + 1e-9
    assert curve.saving(labels, left=100, more=10) <= curve.saving(labels, left=100) + 1e-9  # it teaches less and less


def test_invalid_points_are_refused() -> None:
    with pytest.raises(MethodError, match="flat and of one length"):
        LearningCurve.fit([1, 2], [1])
    with pytest.raises(MethodError, match="a risk is zero or more"):
        LearningCurve.fit([1, 2, 3], [1, 1, -1])
