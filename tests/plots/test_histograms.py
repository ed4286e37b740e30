import numpy as np
import pytest
from matplotlib.axes import Axes

from quorate import Votes, plots
from quorate.errors import VotesError
from tests.crowds import small_crowd
from tests.plots.drawn import bars


def heights(axes: Axes) -> dict[float, float]:
    """Middle of each bar that is not empty, and its height."""
    return {bar.get_x() + bar.get_width() / 2: bar.get_height() for bar in bars(axes) if bar.get_height()}


def test_bars_are_counts_of_tasks_and_workers() -> None:
    votes = Votes.from_arrays([0, 0, 0, 1, 1, 2], [0, 1, 2, 0, 1, 0], [0, 0, 1, 1, 1, 0], n_classes=2, n_tasks=4)
    effort, load, entropy = plots.effort_load_entropy(votes).axes
    assert heights(effort) == {0: 1, 1: 1, 2: 1, 3: 1}
    assert heights(load) == {1: 1, 2: 1, 3: 1}
    split = np.log(3) - 2 / 3 * np.log(2)  # two to one; two others are unanimous, and one has no votes
    assert [(x < 0.03, abs(x - split) < 0.03, height) for x, height in heights(entropy).items()] == [
        (True, False, 2),
        (False, True, 1),
    ]
    assert "67% of 3 tasks unanimous" in entropy.get_title(loc="right")


@pytest.mark.parametrize("most", [5, 24, 40, 500, 100_000])
def test_every_count_falls_into_a_bar(most: int) -> None:
    """Draw few counts, many, and many over several powers of ten, with a worker without votes."""
    rng = np.random.default_rng(0)
    load = np.append(np.geomspace(1, most, 40).astype(int), [0, most])
    worker = np.repeat(np.arange(len(load)), load)
    task = np.concatenate([np.arange(n) for n in load])
    votes = Votes.from_arrays(task, worker, rng.integers(2, size=len(task)), n_classes=2, n_workers=len(load))
    figure = plots.effort_load_entropy(votes)
    assert sum(heights(figure.axes[1]).values()) == len(load)
    assert sum(heights(figure.axes[0]).values()) == votes.n_tasks
    left, right = figure.axes[1].get_xlim()
    assert left < 0
    assert right > most
    assert plots.image(figure, "png")


def test_anonymous_votes_and_none_at_all() -> None:
    figure = plots.effort_load_entropy(Votes.from_counts([[3, 1], [2, 2]]))
    assert [text.get_text() for text in figure.axes[1].texts] == ["all votes are anonymous"]
    with pytest.raises(VotesError, match="there are no votes"):
        plots.effort_load_entropy(small_crowd().subset(rows=[]))
