import numpy as np
import pytest

from quorate.audit.bounds.anytime import most_wrong_anytime
from quorate.audit.monitor import Watch
from quorate.errors import MethodError


def watched(rates: list[tuple[float, int]], seed: int) -> Watch:
    """Return a watch after this number of audits at each error rate."""
    rng, watch = np.random.default_rng(seed), Watch()
    for rate, audits in rates:
        for wrong in rng.random(audits) < rate:
            watch.tell(wrong=bool(wrong))
    return watch


def test_the_bound_is_the_lowest_so_far() -> None:
    watch = Watch()
    for _ in range(50):
        watch.tell(wrong=False)
    low = watch.bound
    assert low == pytest.approx(most_wrong_anytime(0, 50))
    watch.tell(wrong=True)
    assert watch.bound == low
    assert most_wrong_anytime(1, 51) > low
    assert watch.certified(0.1)
    assert not watch.certified(0.01)


def test_a_rise_restarts_it_and_it_says_so() -> None:
    watch = watched([(0.02, 300), (0.15, 200)], seed=0)
    assert watch.drifts >= 1
    assert 300 < watch.starts[1] < 500
    assert watch.starts[-1] + watch.n_audited == 500
    assert f"restarted after audit {watch.starts[-1]} because the error rose" in watch.words


def test_right_after_a_start_nothing_is_known() -> None:
    assert Watch().words == "error unknown: nothing was audited"
    watch = watched([(0.0, 100)], seed=0)
    while not watch.drifts:
        watch.tell(wrong=True)
    assert watch.words.startswith("error unknown: nothing was audited since; restarted after audit 1")
    assert watch.bound == 1


@pytest.mark.long
@pytest.mark.slow
def test_without_drift_the_bound_holds_and_restarts_are_rare() -> None:
    below, restarted = 0, 0
    for seed in range(40):
        watch = watched([(0.05, 200)], seed=seed)
        restarted += watch.drifts > 0
        below += watch.bound < 0.05
    assert below <= 4
    assert restarted <= 4


@pytest.mark.slow
def test_a_rise_to_four_times_is_seen_within_200_audits() -> None:
    assert sum(watched([(0.03, 300), (0.12, 200)], seed=seed).drifts > 0 for seed in range(20)) >= 16


def test_wrong_arguments_are_refused() -> None:
    with pytest.raises(MethodError, match="delta must be between 0 and 1"):
        Watch(delta=2)
