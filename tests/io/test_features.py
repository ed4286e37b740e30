from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from quorate.errors import VotesError
from quorate.io.items import read_items

DAY = date(2020, 1, 1)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        (pl.Series([DAY, DAY]), "column 'a' has type Date, which is not a number: .* such as days since a start"),
        (pl.Series([datetime(2020, 1, 1), None]), "has type Datetime"),
        (pl.Series([timedelta(1)] * 2), "has type Duration"),
        (pl.Series(["1", "2"], dtype=pl.Categorical), "has type Categorical, .* every category a column of 0 and 1"),
        (pl.Series(["1", "2"], dtype=pl.Enum(["1", "2"])), "has type Enum"),
        (pl.Series([[1.0], [2.0]]), "has type List, .* every number a column of its own"),
        (pl.Series([{"b": 1}] * 2), "has type Struct"),
        (pl.Series([b"1", b"2"]), "has type Binary"),
        (pl.Series([1.0, 1e300]), r"column 'a' holds 1e\+300 \(row 2, task 'y'\), which is too large: divide"),
        (pl.Series([None, None]), r"column 'a' is empty \(row 1, task 'x'\)"),
    ],
)
@pytest.mark.parametrize("beside", [{}, {"text": ["good", "bad"]}])
def test_columns_of_other_types_are_told(tmp_path: Path, values: pl.Series, message: str, beside: Any) -> None:
    pl.DataFrame({"task": ["x", "y"], **beside, "a": values}).write_parquet(tmp_path / "items.parquet")
    with pytest.raises(VotesError, match=message) as error:
        read_items(tmp_path / "items.parquet")
    assert "\n" not in str(error.value)


def test_true_and_false_and_any_numbers_are_features(tmp_path: Path) -> None:
    table = pl.DataFrame({"task": ["x", "y"], "a": [True, False], "b": pl.Series(["1.5", "2"]).cast(pl.Decimal(9, 2))})
    table.write_parquet(tmp_path / "items.parquet")
    assert read_items(tmp_path / "items.parquet").x.tolist() == [[1.0, 1.5], [0.0, 2.0]]
