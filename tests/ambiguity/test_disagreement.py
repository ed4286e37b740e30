import numpy as np
import pytest

from quorate import Votes, aggregate
from quorate.ambiguity.disagreement import Disagreement
from tests.ambiguity.worked_example import PROBS, TRACE, VOTES, posterior_of


def test_disagreement_by_both_qualities() -> None:
    """Labels 0 and 1. Self-confidence .8 and .7; margins .6 and .4, halved and moved by a half .8 and .7."""
    out_of_fold = TRACE[-1:]
    for by in ("self_confidence", "normalised_margin"):
        score = Disagreement(by=by).score(VOTES, posterior_of(PROBS), out_of_fold)
        assert score == pytest.approx([0.2, 0.3, np.nan], nan_ok=True)


def test_the_qualities_differ_with_more_classes() -> None:
    votes = Votes.from_arrays([0], [0], [0], n_classes=3)
    posterior = aggregate(votes, "majority")
    out_of_fold = np.array([[[0.4, 0.35, 0.25]]])
    assert Disagreement().score(votes, posterior, out_of_fold) == pytest.approx([0.6])
    by_margin = Disagreement(by="normalised_margin").score(votes, posterior, out_of_fold)
    assert by_margin == pytest.approx([1 - (0.4 - 0.35 + 1) / 2])
