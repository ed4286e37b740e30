import numpy as np
import pandas as pd
import polars as pl
import pytest

from quorate.errors import VotesError
from quorate.learning.bases._texts import parts, texts


def test_lists_arrays_and_columns_are_taken() -> None:
    for x in (["a", ""], np.array(["a", ""]), pd.Series(["a", ""]), pl.Series(["a", ""])):
        assert texts(x) == ["a", ""]


def test_pairs_come_as_two_lists() -> None:
    assert parts([("a", "b"), ["c", ""]]) == (["a", "c"], ["b", ""])
    assert parts(["a", "b"]) == (["a", "b"],)


@pytest.mark.parametrize(
    ("x", "why"),
    [
        ([], "got an empty one"),
        ("a text", "x must be a list of texts, got one text"),
        (("a", "b"), "x must be a list of texts, got tuple"),
        (["a", None], r"got None \(row 2\): use ''"),
        (["a", float("nan")], r"got nan \(row 2\)"),
        (np.zeros((2, 3)), r"got \[0.0, 0.0, 0.0\] \(row 1\): for numbers and images take another"),
        ([["\n" * 100]], r"\(row 1\)"),
    ],
)
def test_what_is_no_text_is_refused_in_one_line(x: object, why: str) -> None:
    with pytest.raises(VotesError, match=why) as error:
        texts(x)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("x", [[("a", "b"), ("a",)], [("a", 1)], [("a", "b"), "ab"], ["ab", ("a", "b")], [3]])
def test_what_is_no_pair_is_refused(x: object) -> None:
    with pytest.raises(VotesError, match=r"x must hold texts.*\(row [12]\)"):
        parts(x)


def test_pairs_are_refused_where_texts_were_learnt() -> None:
    with pytest.raises(VotesError, match="x holds pairs of texts, but the network was fitted to texts"):
        parts([("a", "b")], n_parts=1)
