import numpy as np

from quorate import ItemScores, Votes


def test_ranks_follow_the_ambiguous_end() -> None:
    values = np.array([0.2, np.nan, 0.9, 0.2])
    tasks = Votes.from_counts([[1, 0]] * 4).tasks
    low = ItemScores(name="m", values=values, ambiguous="low", tasks=tasks)
    high = ItemScores(name="m", values=values, ambiguous="high", tasks=tasks)
    assert low.worst().tolist() == [0, 3, 2]
    assert high.worst(2).tolist() == [2, 0]
    assert high.to_frame()["task"].to_list() == [2, 0, 3, 1]
    assert "high is ambiguous" in repr(high)
