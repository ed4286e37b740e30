import numpy as np
import pytest

from quorate.audit.false_negatives import bound_missed


def test_all_audited_is_the_share_itself() -> None:
    labels, truth = [0, 0, 0, 1, 1], [0, 1, 0, 1, 0]
    missed = bound_missed(labels, truth, of=1)
    assert missed.value == 0.5  # one of two
    assert missed.bound == pytest.approx(0.5, abs=1e-6)


def test_none_found_by_hand() -> None:
    # 20 were accepted as 1 and are known to be right; 10 of 20 others were audited, and none was missed. Of 3 missed
    # none is seen with a chance of 10 * 9 * 8 / (20 * 19 * 18) = .105, of 4 with .04: at most 3 of 23.
    labels = np.repeat([0, 1], 20)
    expert = np.where(np.arange(40) < 10, -1, labels)
    missed = bound_missed(labels, expert, of=1)
    assert missed.value == 0
    assert missed.bound == pytest.approx(3 / 23, abs=1e-6)


def test_nothing_audited_is_nothing_known() -> None:
    missed = bound_missed([0, 1, -1], [-1, -1, -1], of=1)
    assert np.isnan(missed.value)
    assert missed.bound == pytest.approx(1)
    assert missed.words.startswith("an unknown share of class 1 was accepted as another class, at most 100.00%")


def test_nobody_was_missed_where_all_got_the_class() -> None:
    assert bound_missed([1, 1], [-1, 1], of=1).bound == pytest.approx(0, abs=1e-6)


def test_more_missed_raise_the_bound() -> None:
    labels = np.repeat([0, 1], [300, 100])
    bounds = []
    for n_missed in range(0, 30, 5):
        expert = np.where(np.arange(400) % 3 == 0, labels, -1)
        expert[: 3 * n_missed : 3] = 1
        missed = bound_missed(labels, expert, of=1)
        assert missed.bound >= missed.value
        bounds.append(missed.bound)
    assert bounds == sorted(bounds)


@pytest.mark.parametrize("by_label", [False, True])
def test_the_bound_holds(by_label: bool) -> None:
    # Three classes; the audit is drawn from all alike, or the same number from each accepted label.
    rng = np.random.default_rng(0)
    truth = rng.choice(3, size=1500, p=[0.7, 0.2, 0.1])
    labels = np.where(rng.random(1500) < 0.1, rng.integers(0, 3, 1500), truth)
    real = ((truth == 2) & (labels != 2)).sum() / (truth == 2).sum()
    strata = labels if by_label else None
    violated = 0
    for _ in range(200):
        rank = rng.permutation(1500)
        if by_label:
            for label in range(3):
                rank[labels == label] = rng.permutation((labels == label).sum())
        expert = np.where(rank < (80 if by_label else 240), truth, -1)
        violated += bound_missed(labels, expert, of=2, strata=strata).bound < real - 1e-6
    assert violated <= 20
