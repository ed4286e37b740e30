"""Disagreement between machine and crowd: false alarms are rare, a rise is noticed, and its begin is found."""

import numpy as np
import pytest

from quorate.audit.bounds.exact import most_wrong
from quorate.audit.drift import Disagreement, Drift
from quorate.audit.tuning import TUNING
from quorate.errors import MethodError


def test_what_is_usual_comes_from_all_but_the_latest() -> None:
    watch = Disagreement()
    for number in range(TUNING.checks_to_know + TUNING.checks_to_settle - 1):
        watch.tell(differs=number % 2 == 0)
        assert watch.usual() is None
    watch.tell(differs=True)
    assert watch.usual() == pytest.approx(most_wrong(TUNING.checks_to_know // 2, TUNING.checks_to_know))


def test_false_alarms_are_rare_and_rises_are_noticed_and_dated() -> None:
    false_alarms, delays, dated = 0, [], []
    for seed in range(40):
        rng = np.random.default_rng(seed)
        watch = Disagreement(patience=300)
        false_alarms += any(watch.tell(differs=bool(rng.random() < 0.3)) for _ in range(150))
        watch = Disagreement(patience=300)
        for _ in range(100):
            watch.tell(differs=bool(rng.random() < 0.3))
        if watch.drift.risen:
            continue
        delay = next((n for n in range(200) if watch.tell(differs=bool(rng.random() < 0.8))), 200)
        delays.append(delay)
        dated.append(watch.since())
    assert false_alarms <= 12  # a third, where the mean time to one is 300
    assert np.median(delays) < 40
    assert abs(np.median(dated) - 100) <= 5


def test_a_wrong_patience_is_refused() -> None:
    with pytest.raises(MethodError, match="patience must be at least 1"):
        Disagreement(patience=0)


def test_the_sum_by_hand() -> None:
    # Bound .1: a wrong answer multiplies by 1.5, 2.5 and 5; a right one by .85, .75 and .5 over .9.
    drift = Drift()
    drift.tell(wrong=True, bound=0.1)
    assert drift.sums == pytest.approx(TUNING.rises)
    drift.tell(wrong=False, bound=0.1)
    assert drift.sums == pytest.approx([2.5 * 0.85 / 0.9, 3.5 * 0.75 / 0.9, 6 * 0.5 / 0.9])


def test_no_bound_no_bet() -> None:
    drift = Drift()
    assert not drift.tell(wrong=True, bound=1.0)
    assert (drift.sums == 0).all()
