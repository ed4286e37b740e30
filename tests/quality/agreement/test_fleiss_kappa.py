import numpy as np
import pytest

from quorate import Votes
from quorate.quality.agreement.fleiss_kappa import FleissKappa
from tests.quality.agreement.scored import score


class TestFleissKappa:
    # Ten subjects, fourteen raters, five classes: the table that is handed down with the formula, P .378, P_e .213.
    TABLE = (
        (0, 0, 0, 0, 14),
        (0, 2, 6, 4, 2),
        (0, 0, 3, 5, 6),
        (0, 3, 9, 2, 0),
        (2, 2, 8, 1, 1),
        (7, 7, 0, 0, 0),
        (3, 2, 6, 3, 0),
        (2, 5, 3, 2, 2),
        (6, 5, 2, 1, 0),
        (0, 2, 2, 3, 7),
    )

    def test_the_classical_table(self) -> None:
        assert score(FleissKappa(), Votes.from_counts(self.TABLE)) == pytest.approx(0.210, abs=0.0005)

    def test_tasks_count_alike(self) -> None:
        """Pairs agree on 1, 1 and 1/3 of the tasks; shares of class 0 are 1, 0 and 2/3, so P_e = 25/81 + 16/81."""
        votes = Votes.from_counts([[2, 0], [0, 4], [2, 1], [1, 0]])
        observed, expected = (1 + 1 + 1 / 3) / 3, (25 + 16) / 81
        assert score(FleissKappa(), votes) == pytest.approx((observed - expected) / (1 - expected))

    def test_one_class_tells_nothing(self) -> None:
        assert np.isnan(score(FleissKappa(), Votes.from_counts([[2, 0], [3, 0]])))
