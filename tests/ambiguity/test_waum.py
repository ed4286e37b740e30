import numpy as np
import pytest

from quorate import Votes, aggregate
from quorate.ambiguity.aum import Aum
from quorate.ambiguity.waum import Waum
from tests.ambiguity.worked_example import MODEL, PROBS, TRACE, VOTES, posterior_of


def test_waum_weighs_votes_by_trust() -> None:
    """Trust on task 0, last said (.8, .2): .9*.8+.8*.2 = .88, .6*.8+.7*.2 = .62, .5. Margins of its votes .4, .4, 0.

    On task 1 both votes have the same margin, so that trust changes nothing.
    """
    expected = (0.88 * 0.4 + 0.62 * 0.4) / (0.88 + 0.62 + 0.5)
    score = Waum().score(VOTES, posterior_of(PROBS, MODEL), TRACE)
    assert score == pytest.approx([expected, 0.2, np.nan], nan_ok=True)


def test_waum_of_one_voter_is_aum() -> None:
    single = Votes.from_arrays([0, 1], [0, 0], [0, 1], n_classes=2)
    posterior = aggregate(single, "majority")
    assert Waum().score(single, posterior, TRACE[:, :2]) == pytest.approx(Aum().score(single, posterior, TRACE[:, :2]))
