import numpy as np
import pytest

from quorate import Votes
from quorate.quality.agreement.krippendorff_alpha import KrippendorffAlpha
from tests.quality.agreement.scored import score


def test_alpha_of_the_textbook() -> None:
    """Krippendorff's own example of nominal data (2011): four observers, twelve units, alpha .743."""
    n = -1
    observers = [
        [1, 2, 3, 3, 2, 1, 4, 1, 2, n, n, n],
        [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, n, 3],
        [n, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, n],
        [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, n],
    ]
    assert score(KrippendorffAlpha(), Votes.from_matrix(np.array(observers).T)) == pytest.approx(0.743, abs=0.0005)
