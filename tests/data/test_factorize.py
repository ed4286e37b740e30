"""Every library codes its own strings; all must agree with a plain dictionary."""

from collections.abc import Callable
from typing import Any

import narwhals as nw
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from quorate.data import factorize
from quorate.data.factorize import encode

MAKERS: dict[str, Callable[[list[Any]], Any]] = {
    "polars text": lambda values: pl.Series("c", values, dtype=pl.String),
    "polars categories": lambda values: pl.Series("c", values, dtype=pl.Categorical),
    "pandas text": lambda values: pd.Series(values, name="c", dtype="string"),
    "pandas objects": lambda values: pd.Series(values, name="c", dtype=object),
    "pandas categories": lambda values: pd.Series(values, name="c", dtype="category"),
    "pyarrow": lambda values: pa.chunked_array([pa.array(values, type=pa.string())]),
}


def slow_code(values: list[Any]) -> tuple[list[int], list[Any]]:
    names: dict[Any, int] = {}
    codes = [-1 if value in (None, "") else names.setdefault(value, len(names)) for value in values]
    return codes, list(names)


def coded(column: Any) -> tuple[list[int], list[Any]]:
    codes, names = encode(nw.from_native(column, series_only=True), "task")
    return codes.tolist(), names.tolist()


words = st.sampled_from(["a", "b", "c", "", "é", "long name of a task that does not fit into twelve bytes"])


@pytest.mark.parametrize("maker", MAKERS)
@given(values=st.lists(words | st.none(), max_size=30))
def test_equals_a_dictionary(maker: str, values: list[Any]) -> None:
    assert coded(MAKERS[maker](values)) == slow_code(values)


@given(values=st.lists(words, max_size=20), times=st.integers(2, 5), shuffle=st.booleans())
def test_runs_of_equal_values(values: list[str], times: int, shuffle: bool) -> None:
    runs = [value for value in (values if shuffle else sorted(values)) for _ in range(times)]
    assert coded(pl.Series(runs, dtype=pl.String)) == slow_code(runs)


@given(st.lists(st.integers(-(2**62), 2**62) | st.none(), max_size=20))
def test_large_numbers_keep_every_digit(values: list[int | None]) -> None:
    assert coded(pl.Series(values, dtype=pl.Int64)) == slow_code(values)


def test_blocks_join_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(factorize, "BLOCK", 4)
    for values in (list("aabbccddeeffgg"), list("abcabcabcabcabc"), list("gfedcbaabcdefg")):
        assert coded(pl.Series(values)) == slow_code(values)


def test_two_names_with_one_hash(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pl.Series, "hash", lambda self: pl.Series(np.zeros(len(self), dtype=np.uint64)))
    values = list("abacabad")
    assert coded(pl.Series(values)) == slow_code(values)


def test_truth_values_are_text() -> None:
    assert coded(pl.Series([True, False, True])) == ([0, 1, 0], ["true", "false"])


def test_floats_that_are_no_whole_numbers_are_text() -> None:
    assert coded(pl.Series([1.5, 2.0])) == ([0, 1], ["1.5", "2.0"])
