from dataclasses import replace

import numpy as np
import pytest

from quorate import Votes, plots, simulate_votes
from quorate.data.ids import as_names
from quorate.errors import MethodError, VotesError
from tests.plots.drawn import bars, cells


def test_cells_are_the_shares_of_each_workers_votes() -> None:
    votes = Votes.from_matrix([[0, 1, None], [0, 0, 1], [0, 1, None], [1, 1, None]])
    figure = plots.labels_by_worker(votes, order="load")
    np.testing.assert_allclose(cells(figure.axes[2]), [[4 / 9], [5 / 9]])
    np.testing.assert_allclose(cells(figure.axes[3]), [[3 / 4, 1 / 4, 0], [1 / 4, 3 / 4, 1]])
    assert [bar.get_height() for bar in bars(figure.axes[1])] == [4, 4, 1]


def test_similar_workers_are_neighbours() -> None:
    """Order two workers who always vote 0, two who always vote 1, and one who does both, who is between them."""
    labels = [[0, 1, 0, 1, 0], [0, 1, 0, 1, 1]]
    figure = plots.labels_by_worker(Votes.from_matrix(labels))
    order = [label.get_text() for label in figure.axes[3].get_xticklabels()]
    assert order[2] == "4"
    assert {frozenset(order[:2]), frozenset(order[3:])} == {frozenset("02"), frozenset("13")}


def test_of_many_workers_the_most_active_are_shown_and_rare_classes_are_combined() -> None:
    votes = simulate_votes(
        n_tasks=400, classes=[f"c{k}" for k in range(40)], workers={"reliable": 90}, votes_per_task=3
    ).votes
    figure = plots.labels_by_worker(votes, most=70, order="load")
    assert cells(figure.axes[3]).shape == (24, 70)
    np.testing.assert_allclose(cells(figure.axes[3]).sum(axis=0), 1)
    assert figure.axes[2].get_yticklabels()[-1].get_text() == "17 others"
    assert figure.axes[3].get_xlabel() == "the 70 most active of 90 workers"
    load = [bar.get_height() for bar in bars(figure.axes[1])]
    assert load == sorted(votes.votes_per_worker.tolist(), reverse=True)[:70]


def test_one_worker_long_names_and_idle_workers() -> None:
    votes = Votes.from_arrays([0, 1], [0, 0], [0, 1], n_classes=2, n_workers=2)
    named = replace(votes, workers=as_names(["$a\nname$ " * 9, "idle"]), classes=as_names(["$x$", "y" * 80]))
    figure = plots.labels_by_worker(named)
    assert cells(figure.axes[3]).shape == (2, 1)
    assert plots.image(figure, "svg")


def test_refusals() -> None:
    votes = Votes.from_matrix([[0, 1]])
    with pytest.raises(VotesError, match="no vote names its worker"):
        plots.labels_by_worker(Votes.from_counts([[1, 2]]))
    with pytest.raises(MethodError, match="most must be at least 1, got 0"):
        plots.labels_by_worker(votes, most=0)
    with pytest.raises(MethodError, match="order must be one of similarity, load, got 'size'"):
        plots.labels_by_worker(votes, order="size")  # type: ignore[arg-type]
