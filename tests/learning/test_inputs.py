"""Items in whatever they come."""

from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import sparse

from quorate.errors import VotesError
from quorate.learning import inputs
from quorate.learning.cross_fitting import cross_fit
from quorate.learning.inputs import matrix, n_items, subset_posterior, take_items
from quorate.learning.learners.linear import Linear
from tests.learning.tiny import tiny

NUMBERS = np.arange(12.0).reshape(4, 3)


@pytest.mark.parametrize(
    "x",
    [
        NUMBERS,
        NUMBERS.tolist(),
        sparse.csr_array(NUMBERS),
        sparse.coo_array(NUMBERS),
        pd.DataFrame(NUMBERS),
        pl.DataFrame(NUMBERS),
    ],
    ids=["array", "list", "csr", "coo", "pandas", "polars"],
)
def test_some_of_the_items(x: Any) -> None:
    assert n_items(x) == 4
    taken = matrix(take_items(x, [3, 1]))
    dense = taken.toarray() if sparse.issparse(taken) else taken
    assert dense.tolist() == NUMBERS[[3, 1]].tolist()
    assert dense.dtype == np.float32


def test_texts_and_several_kinds_side_by_side() -> None:
    texts = ["a", "b", "c", "d"]
    assert take_items(texts, [2, 0]) == ["c", "a"]
    taken = take_items((texts, NUMBERS), np.array([2, 0]))
    assert taken[0] == ["c", "a"]
    assert taken[1].tolist() == NUMBERS[[2, 0]].tolist()
    assert n_items((texts, NUMBERS)) == 4
    assert list(take_items(pd.Series(texts, index=[9, 8, 7, 6]), [2, 0])) == ["c", "a"]


def test_frames_can_be_cross_fitted() -> None:
    x, votes, posterior = tiny()
    expected = cross_fit(Linear(), x, votes, posterior, folds=3)
    assert cross_fit(Linear(), pd.DataFrame(x, index=np.arange(100, 130)), votes, posterior, folds=3) == pytest.approx(
        expected
    )


def test_part_of_a_posterior() -> None:
    _, votes, posterior = tiny()
    part = subset_posterior(posterior, np.array([4, 2]))
    assert np.array_equal(part.probs, posterior.probs[[4, 2]])
    assert part.tasks.tolist() == [4, 2]
    assert votes.subset(tasks=[4, 2]).tasks.tolist() == [4, 2]


def test_the_error_for_images_names_a_base() -> None:
    with pytest.raises(VotesError, match=r"got shape .*: images need a base such as small_cnn"):
        inputs.matrix(np.zeros((2, 3, 4, 4)))
