import numpy as np

from quorate import Votes
from quorate.quality.agreement.unanimous_tasks import UnanimousTasks
from tests.quality.agreement.scored import score


def test_a_single_vote_is_not_unanimous() -> None:
    assert score(UnanimousTasks(), Votes.from_counts([[3, 0], [1, 2], [0, 2], [1, 0]])) == 2 / 3
    assert np.isnan(score(UnanimousTasks(), Votes.from_counts([[1, 0], [0, 1]])))
