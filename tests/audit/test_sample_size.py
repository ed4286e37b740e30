import numpy as np
import pytest
from scipy.stats import binom

from quorate.audit.sample_size import audits_needed, plan_audit
from quorate.errors import MethodError


def test_it_is_the_smallest_from_which_on_the_chance_suffices() -> None:
    # Slow and obvious: every number of audits, and the chance that the estimate is within the factor.
    error, ratio, level = 0.1, 1.5, 0.8
    enough = []
    for audits in range(1, 2000):
        counts = np.arange(audits + 1)
        within = (counts >= audits * error / ratio - 1e-9) & (counts <= audits * error * ratio + 1e-9)
        enough.append(binom.pmf(counts, audits, error)[within].sum() >= level)
    assert audits_needed(error, ratio, level=level) == max(np.flatnonzero(~np.array(enough))) + 2


def test_rare_errors_take_many_audits() -> None:
    # An error of .6% within 1.5x: some 1,500 to 1,900 at a level of .8.
    assert 1500 <= audits_needed(0.006, 1.5, level=0.8) <= 1900


def test_a_pool_never_needs_more_than_itself() -> None:
    assert audits_needed(0.02, 1.5, n_pool=100) <= 100
    assert audits_needed(0.02, 1.5, n_pool=1000) < audits_needed(0.02, 1.5)
    assert audits_needed(0.001, 2, n_pool=100) == 100  # not one is wrong, which only all of them tell
    assert audits_needed(0.5, 2.5, n_pool=2) == 1 + 1


def test_its_price() -> None:
    plan = plan_audit(0.05, 2, price=10)
    assert plan.cost == 10 * plan.n_audits
    assert plan.words.startswith("to estimate an error of 5.00% within a factor of 2 (90% sure)")


def test_wrong_arguments_are_refused() -> None:
    with pytest.raises(MethodError, match="ratio must be above 1, got 1"):
        audits_needed(0.1, 1)
    with pytest.raises(MethodError, match="error must be between 0 and 1"):
        audits_needed(0, 2)
