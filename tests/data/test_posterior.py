import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from quorate import Posterior, Votes, aggregate
from quorate.errors import VotesError

ROWS = {"task": ["b", "b", "a"], "worker": ["x", "y", "x"], "label": ["no", "yes", "no"]}


class TestToFrame:
    @pytest.mark.parametrize(
        ("kind", "back"), [(pd.DataFrame, pd.DataFrame), (pl.DataFrame, pl.DataFrame), (pa.table, pa.Table)]
    )
    def test_gives_back_the_kind_that_went_in(self, kind: type, back: type) -> None:
        frame = aggregate(Votes.from_frame(kind(ROWS)), "naive_soft").to_frame()
        assert isinstance(frame, back)

    def test_columns(self) -> None:
        frame = aggregate(Votes.from_frame(pl.DataFrame(ROWS)), "naive_soft").to_frame()
        assert frame.to_dict(as_series=False) == {
            "task": ["b", "a"],
            "label": ["no", "no"],
            "confidence": [0.5, 1.0],
            "p_no": [0.5, 1.0],
            "p_yes": [0.5, 0.0],
        }

    def test_ties_go_to_the_lowest_class(self) -> None:
        posterior = aggregate(Votes.from_frame(pl.DataFrame(ROWS)), "majority")
        assert posterior.labels.tolist() == [0, 0]
        assert posterior.label_names().tolist() == ["no", "no"]


class TestFromFrame:
    def test_reads_what_to_frame_writes(self) -> None:
        posterior = aggregate(Votes.from_frame(pl.DataFrame(ROWS)), "naive_soft")
        back = Posterior.from_frame(posterior.to_frame())
        assert np.allclose(back.probs, posterior.probs)
        assert back.classes.tolist() == ["no", "yes"]
        assert back.tasks.tolist() == ["b", "a"]

    def test_reads_a_column_per_class(self) -> None:
        frame = pd.DataFrame({"item": [3, 4], "cat": [0.9, 0.5], "dog": [0.1, 0.5]})
        posterior = Posterior.from_frame(frame, task="item")
        assert posterior.classes.tolist() == ["cat", "dog"]
        assert posterior.tasks.tolist() == [3, 4]
        assert posterior.frame_kind == "pandas"

    def test_classes_choose_and_order_the_columns(self) -> None:
        frame = pl.DataFrame({"task": ["a"], "note": ["x"], "dog": ["0.25"], "cat": ["0.75"]})
        posterior = Posterior.from_frame(frame, classes=["cat", "dog"])
        assert posterior.probs.tolist() == [[0.75, 0.25]]

    def test_confidence_leaves_the_rest_to_the_others(self) -> None:
        frame = pl.DataFrame({"task": ["a", "b"], "label": ["x", "y"], "confidence": [0.8, 1.0]})
        posterior = Posterior.from_frame(frame, classes=["x", "y", "z"])
        assert np.allclose(posterior.probs, [[0.8, 0.1, 0.1], [0.0, 1.0, 0.0]])

    @pytest.mark.parametrize(
        ("frame", "message"),
        [
            ({"task": ["a"], "x": [0.9], "y": [0.3]}, r"row 1 \(task 'a'\): \[0.9, 0.3\], sum 1.2"),
            ({"task": ["a"], "x": [1.5], "y": [-0.5]}, "zero or more"),
            ({"task": ["a"], "x": [None], "y": [1.0]}, "task 'a'"),
            ({"task": ["a"], "label": ["x"], "confidence": [0.5]}, "at least two classes"),
            ({"other": ["a"], "x": [1.0], "y": [0.0]}, "no column 'task'"),
        ],
    )
    def test_refuses(self, frame: dict[str, object], message: str) -> None:
        with pytest.raises(VotesError, match=message):
            Posterior.from_frame(pl.DataFrame(frame))
