import numpy as np
import polars as pl
import pytest
from matplotlib.axes import Axes

from quorate import Votes, aggregate, plots
from quorate.errors import VotesError
from tests.plots.drawn import bars, cells

VOTES = Votes.from_matrix([["cat", "dog", "cat", "fox"], ["dog", "dog", None, None]])


def widths(axes: Axes) -> list[float]:
    return [float(bar.get_width()) for bar in bars(axes)]


def test_bars_are_the_votes_and_the_posterior() -> None:
    posterior = aggregate(VOTES, "majority")
    bars, consensus = plots.votes_of_item(VOTES, 0, posterior=posterior).axes
    assert widths(bars) == [2, 1, 1]
    assert [label.get_text() for label in bars.get_yticklabels()] == ["cat", "dog", "fox"]
    assert [text.get_text() for text in bars.texts] == ["2: 0, 2", "1: 1", "1: 3"]
    assert widths(consensus) == posterior.probs[0].tolist()


def test_an_image_may_have_its_channels_first_or_last() -> None:
    pixels = np.random.default_rng(0).integers(256, size=(5, 7, 3), dtype=np.uint8)
    for picture in (pixels, pixels.transpose(2, 0, 1), pixels / 255):
        drawn = cells(plots.votes_of_item(VOTES, 1, picture=picture).axes[0])
        assert drawn.shape == pixels.shape
        np.testing.assert_allclose(drawn * (255 if drawn.dtype.kind == "f" else 1), pixels)
    grey = plots.votes_of_item(VOTES, 1, picture=pixels[:, :, 0]).axes[0]
    assert cells(grey).shape == (5, 7)
    assert grey.images[0].get_clim() == (0, 255)  # a dim picture stays dim


def test_many_votes_and_classes_and_a_long_text() -> None:
    """Show only classes with votes, as many names as fit, and a truncated text."""
    label = np.repeat([3, 7], 40)
    votes = Votes.from_arrays(np.zeros(80, int), np.arange(80), label, n_classes=30)
    figure = plots.votes_of_item(votes, 0, picture="ten $ or $ eleven " * 500, posterior=aggregate(votes, "majority"))
    assert widths(figure.axes[1]) == [40, 40]
    assert figure.axes[1].texts[0].get_text() == "40: 0, 1, 2, 3, 4, 5 and 34 more"
    assert figure.axes[0].texts[0].get_text().endswith("…")
    assert plots.image(figure, "png")


def test_anonymous_votes_and_a_task_without_votes() -> None:
    votes = Votes.from_counts([[3, 1], [0, 0]])
    assert [text.get_text() for text in plots.votes_of_item(votes, 0).axes[0].texts] == ["3", "1"]
    assert widths(plots.votes_of_item(votes, 1).axes[0]) == [0, 0]


def test_refusals() -> None:
    for task in (-1, 2):
        with pytest.raises(VotesError, match=f"there is no task {task}: pass an index from 0 to 1"):
            plots.votes_of_item(VOTES, task)
    with pytest.raises(VotesError, match="differ in tasks or classes"):
        plots.votes_of_item(VOTES, 0, posterior=aggregate(Votes.from_matrix([[0, 1]])))
    with pytest.raises(VotesError, match="height x width x 3, got int64 "):
        plots.votes_of_item(VOTES, 0, picture=np.zeros((2, 2, 5), dtype=int))
    for odd in (np.full((2, 2, 3), np.nan), np.full((2, 2, 3), 7.0)):
        with pytest.raises(VotesError, match="must have values from 0 to 1: scale them"):
            plots.votes_of_item(VOTES, 0, picture=odd)


def test_a_task_is_given_by_its_name_too() -> None:
    votes = Votes.from_frame(
        pl.DataFrame({"task": [7, 7, 3], "worker": ["a", "b", "a"], "label": ["cat", "dog", "dog"]})
    )
    assert plots.votes_of_item(votes, "3").axes[0].get_title("left") == "3: 1 vote"
    with pytest.raises(VotesError, match=r"there is no task '1': pass a name, such as '7', or its index"):
        plots.votes_of_item(votes, "1")
