from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import ArrayLike

from quorate import Votes, aggregate, plots
from quorate.data.ids import as_names
from quorate.data.item_scores import End, ItemScores
from quorate.errors import MethodError, VotesError
from tests.plots.drawn import cells

VOTES = Votes.from_matrix([[0, 0], [1, 1], [0, 0], [1, 1], [0, 0]])
POSTERIOR = aggregate(VOTES, "majority")


def scored(values: ArrayLike, ambiguous: End = "high") -> ItemScores:
    return ItemScores(name="a score", values=np.asarray(values, dtype=float), ambiguous=ambiguous, tasks=VOTES.tasks)


def test_the_worst_of_each_class_come_first() -> None:
    pictures = np.arange(5, dtype=np.uint8).repeat(12).reshape(5, 2, 2, 3)
    scores = scored([0.1, 0.2, 0.3, 0.4, np.nan])
    orders: list[tuple[End, list[int]]] = [("high", [2, 0, 3, 1]), ("low", [0, 2, 1, 3])]
    for ambiguous, expected in orders:
        figure = plots.worst_items(replace(scores, ambiguous=ambiguous), POSTERIOR, pictures)
        assert [cells(axes).max() for axes in figure.axes] == expected
        assert [float(axes.get_title(loc="left")) for axes in figure.axes] == scores.values[expected].tolist()
    assert len(plots.worst_items(scores, POSTERIOR, pictures, per_class=1).axes) == 2


def test_texts_of_a_class_go_on_to_the_next_line() -> None:
    votes = Votes.from_arrays(np.arange(12), np.zeros(12, int), np.zeros(12, int), n_classes=2)
    posterior = replace(aggregate(votes, "majority"), classes=as_names(["$a name$ " * 9, "none"]))
    scores = ItemScores(name="$s$", values=np.arange(12.0), ambiguous="low", tasks=votes.tasks)
    texts = ["", "$", *(f"{word} " * 99 for word in range(10))]
    figure = plots.worst_items(scores, posterior, texts)
    positions = [axes.get_position() for axes in figure.axes]
    assert len(positions) == 10
    assert len({round(position.y0, 6) for position in positions}) == 2
    assert all(0 <= position.x0 < position.x1 <= 1 and 0 <= position.y0 < position.y1 <= 1 for position in positions)
    assert plots.image(figure, "svg")


def test_short_texts_take_little_room() -> None:
    low = plots.worst_items(scored(np.arange(5)), POSTERIOR, ["one line"] * 5)
    high = plots.worst_items(scored(np.arange(5)), POSTERIOR, ["one line"] * 4 + ["many words " * 500])
    assert low.get_figheight() < high.get_figheight() < 5


def test_refusals() -> None:
    texts = list("abcde")
    with pytest.raises(VotesError, match="4 pictures for 5 tasks"):
        plots.worst_items(scored(np.zeros(5)), POSTERIOR, texts[:4])
    with pytest.raises(VotesError, match="4 scores for 5 tasks"):
        plots.worst_items(scored(np.zeros(4)), POSTERIOR, texts)
    with pytest.raises(VotesError, match="no task has a score 'a score'"):
        plots.worst_items(scored(np.full(5, np.nan)), POSTERIOR, texts)
    with pytest.raises(MethodError, match="per_class must be at least 1, got 0"):
        plots.worst_items(scored(np.zeros(5)), POSTERIOR, texts, per_class=0)
