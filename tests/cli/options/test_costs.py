import warnings

import polars as pl
import pytest

from quorate.cli.options.costs import CostOptions, check_prices, require_annotators, warn_about_costs
from quorate.data.costs import Costs, Prices
from quorate.data.ids import as_names
from quorate.errors import FileError, MethodError

CLASSES = as_names(["no", "yes"])


def test_defaults_are_those_of_the_verb() -> None:
    options = CostOptions()
    assert options.costs(CLASSES).matrix.tolist() == [[0, 100], [100, 0]]
    assert options.prices() == Prices(votes={"crowd": 1.0, "expert": 10.0})


def test_two_kinds_of_error() -> None:
    options = CostOptions(false_positive=1, false_negative=40, unclassifiable=3)
    assert options.costs(CLASSES).matrix.tolist() == [[0, 1], [40, 0]]
    assert options.costs(CLASSES).unclassifiable == 3
    assert CostOptions(false_positive=1, false_negative=40, positive="no").costs(CLASSES).matrix[0, 1] == 40
    with pytest.raises(MethodError, match="are for two classes, there are 3: use --cost-matrix"):
        options.costs(as_names(["a", "b", "c"]))


def test_a_matrix_from_a_file(tmp_path: pytest.TempPathFactory) -> None:
    path = tmp_path / "costs.csv"  # type: ignore[operator]
    pl.DataFrame({"true": ["yes", "no"], "yes": [0, 1], "no": [40, 0]}).write_csv(path)
    assert CostOptions(cost_matrix=path).costs(CLASSES).matrix.tolist() == [[0, 1], [40, 0]]
    pl.DataFrame({"true": ["yes", "no"], "yes": ["x", "y"], "no": [40, 0]}).write_csv(path)
    with pytest.raises(FileError, match=r"costs\.csv: costs must be numbers"):
        CostOptions(cost_matrix=path).costs(CLASSES)


def test_warnings_about_costs_are_lines_and_others_stay(capsys: pytest.CaptureFixture[str]) -> None:
    check_prices(Prices(votes={"crowd": 5}), Costs.of_error(1, 2))
    assert capsys.readouterr().err.startswith("quorate: a vote (5) costs as much as an error (1) or more")
    with pytest.warns(RuntimeWarning, match="another"), warn_about_costs():
        warnings.warn("another", RuntimeWarning, stacklevel=1)


def test_a_price_is_for_a_kind_or_a_worker_of_the_votes() -> None:
    prices = Prices(votes={"crowd": 1, "expert": 10, "ann": 2, "7": 3})
    require_annotators(prices, as_names(["ann", "7"]))
    with pytest.raises(MethodError, match=r"--price 7=3: '7' is not a worker of the votes: give crowd, expert"):
        require_annotators(prices, as_names(["ann"]))
    with pytest.raises(MethodError, match=r"'An' is not a worker of the votes: did you mean ann\?"):
        require_annotators(Prices(votes={"An": 1}), as_names(["ann"]))
