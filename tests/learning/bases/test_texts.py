import numpy as np
import pandas as pd
import polars as pl
import pytest

from quorate.errors import VotesError
from quorate.learning.bases._texts import check_texts, check_texts_or_pairs


def test_lists_arrays_and_columns_are_accepted() -> None:
    for x in (["a", ""], np.array(["a", ""]), pd.Series(["a", ""]), pl.Series(["a", ""])):
        assert check_texts(x) == ["a", ""]


def test_pairs_are_returned_as_two_lists() -> None:
    assert check_texts_or_pairs([("a", "b"), ["c", ""]]) == (["a", "c"], ["b", ""])
    assert check_texts_or_pairs(["a", "b"]) == (["a", "b"],)


@pytest.mark.parametrize(
    ("x", "message"),
    [
        ([], "got an empty list"),
        ("a text", "x must be a list of texts, got a single text"),
        (("a", "b"), "x must be a list of texts, got tuple"),
        (["a", None], r"got None \(row 2\): use ''"),
        (["a", float("nan")], r"got nan \(row 2\)"),
        (np.zeros((2, 3)), r"got \[0.0, 0.0, 0.0\] \(row 1\): use another base for numbers and images"),
        ([["\n" * 100]], r"\(row 1\)"),
    ],
)
def test_values_that_are_not_texts_are_rejected_in_one_line(x: object, message: str) -> None:
    with pytest.raises(VotesError, match=message) as error:
        check_texts(x)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("x", [[("a", "b"), ("a",)], [("a", 1)], [("a", "b"), "ab"], ["ab", ("a", "b")], [3]])
def test_values_that_are_not_pairs_are_rejected(x: object) -> None:
    with pytest.raises(VotesError, match=r"x must hold texts.*\(row [12]\)"):
        check_texts_or_pairs(x)


def test_pairs_are_rejected_by_a_network_fitted_to_texts() -> None:
    with pytest.raises(VotesError, match="x holds pairs of texts, but the network was fitted to texts"):
        check_texts_or_pairs([("a", "b")], n_parts=1)
