import numpy as np
import pytest

from benchmarks.decision.certificate_bounds import (
    audits_until,
    chance_violated,
    floor,
    one_look,
    ours,
    ours_in_a_pool,
    plain,
)
from benchmarks.decision.certificates import drawn, ever_broken, measure
from benchmarks.harness import Figures
from quorate.audit.certificate import certify


def test_without_the_sets_it_says_so_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("QUORATE_DATA", raising=False)
    with pytest.raises(SystemExit, match="QUORATE_DATA is not set: set it to the folder"):
        measure(Figures(), quick=True)


def test_one_look_by_hand() -> None:
    """An error of nearly zero certified at .05: 45 right answers."""
    assert one_look(1e-6, 0.05, 0.9) == 45
    assert floor(0.02, 0.05) == pytest.approx(np.log(10) / (0.02 * np.log(0.4) + 0.98 * np.log(0.98 / 0.95)))


def test_our_bet_needs_fewer_audits_than_the_plain_one_and_no_fewer_than_the_floor() -> None:
    mine, theirs = (audits_until(bet, 0.05, 0.125, 400).mean() for bet in (ours, plain))
    assert 0.9 * floor(0.05, 0.125) < mine < theirs
    assert audits_until(ours_in_a_pool, 0.05, 0.125, 50, n_pool=200).max() <= 200


def test_the_chance_of_a_violation_is_at_most_delta() -> None:
    for n_wrong, n_pool in ((1, 30), (5, 100), (20, 400)):
        assert 0 < chance_violated(n_wrong, n_pool, n_pool) <= 0.1
    assert chance_violated(0, 30, 30) == 0


def test_an_audit_has_so_many_of_each_stratum() -> None:
    said = drawn(np.array([0, 0, 0, 1, 1]), 2, np.random.default_rng(0), np.full(5, 7))
    assert (said[:3] == 7).sum() == (said[3:] == 7).sum() == 2


def test_all_looks_at_once_are_the_looks_one_by_one() -> None:
    """A confidence that tells nothing, and an error that is a little above the target."""
    rng = np.random.default_rng(0)
    confidence, wrong, found = rng.random(300), np.arange(300) % 4 == 0, []
    for _ in range(20):
        order = rng.permutation(300)[:100]
        slow = False
        for audits in range(1, 101):
            expert = np.full(300, -1)
            expert[order[:audits]] = wrong[order[:audits]]
            kept = (
                confidence >= certify(np.zeros(300), confidence, expert, target=0.24, watched=True, steps=20).threshold
            )
            slow |= bool(kept.any()) and float(wrong[kept].mean()) > 0.24
        found.append((slow, ever_broken(wrong, confidence, order, 0.24)))
    assert all(slow == fast for slow, fast in found)
    assert any(slow for slow, _ in found)
