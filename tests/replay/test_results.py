import numpy as np

from quorate.replay.results import Trials


def test_compared_by_hand() -> None:
    loss = np.array([[4.0, 6.0], [1.0, 3.0], [np.nan, np.nan]])
    same = np.zeros((3, 2))
    tried = Trials(
        policies=("a", "b", "c"),
        n_tasks=9,
        loss=loss,
        votes=same,
        experts=same,
        error=same,
        spend=same,
        decided=same,
        stated_error=same,
    )
    table = tried.compared().head(2)
    assert table["policy"].to_list() == ["b", "a"]
    assert table["loss"].to_list() == [2, 5]
    assert table["loss_se"].to_list() == [1, 1]
    assert table["above_best"].to_list() == [0, 3]
    assert table["above_best_se"].to_list() == [0, 0]  # three more on both seeds
    assert repr(tried) == "Trials(3 policies, 2 seeds, 9 tasks)"
