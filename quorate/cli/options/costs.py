"""What errors and votes cost, as `decide` and `replay` are told."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

from quorate.cli import console
from quorate.data.costs import Costs, CostsWarning, Prices
from quorate.data.ids import Names, as_names, lookup
from quorate.decision.policy_by_name import PRICES
from quorate.errors import FileError, MethodError
from quorate.io.files import reading
from quorate.io.formats.tables import read_table

CostError = Annotated[float, typer.Option(help="What a wrong label costs, in the money of the prices.")]
CostMatrix = Annotated[
    Path | None,
    typer.Option(help="Table of costs instead: a column true, and a column per class with the cost of deciding so."),
]
FalsePositive = Annotated[
    float | None, typer.Option(help="Two classes: what it costs to take the negative for positive.")
]
FalseNegative = Annotated[
    float | None, typer.Option(help="Two classes: what it costs to take the positive for negative.")
]
Positive = Annotated[str, typer.Option(help="Which of the two classes is the positive one; not given, the second.")]
Unclassifiable = Annotated[
    float | None, typer.Option(help="What it costs to give a task no label at all. Not given: every task gets one.")
]
Price = Annotated[
    list[str] | None,
    typer.Option(
        "--price",
        metavar="WHO=PRICE",
        help="What one vote costs: crowd, expert, or a worker by name. Repeatable. Who has no price is not asked. "
        "machine=...: what the classifier costs per task. Not given: crowd=1, expert=10.",
    ),
]


def costs_of(
    classes: Names,
    *,
    cost_error: float,
    cost_matrix: Path | None = None,
    false_positive: float | None = None,
    false_negative: float | None = None,
    positive: str = "",
    unclassifiable: float | None = None,
) -> Costs:
    """The costs of errors as they were typed."""
    pair = false_positive, false_negative
    if cost_matrix is not None and pair != (None, None):
        raise MethodError("give either --cost-matrix, or --false-positive and --false-negative")
    if cost_matrix is not None:
        costs = Costs(matrix=_read_matrix(cost_matrix, classes))
    elif false_positive is not None and false_negative is not None:
        place = _positive(classes, positive)
        costs = Costs.binary(false_positive=false_positive, false_negative=false_negative, positive=place)
    elif pair != (None, None):
        raise MethodError("--false-positive and --false-negative go together: give both")
    else:
        costs = Costs.of_error(cost_error, len(classes))
    if positive and false_positive is None:
        raise MethodError("--positive goes with --false-positive and --false-negative")
    return replace(costs, unclassifiable=unclassifiable)


def prices_of(typed: Sequence[str] | None) -> Prices:
    """Prices as they were typed.

    >>> prices_of(["crowd=0.5", "machine=0.01"])
    Prices(votes={'crowd': 0.5}, machine=0.01)
    """
    prices: dict[str, float] = {}
    for text in typed or [f"{name}={price}" for name, price in PRICES.items()]:
        name, equals, price = (part.strip() for part in text.rpartition("="))
        try:
            number = float(price)
        except ValueError:
            number = np.nan
        if not equals or not name or np.isnan(number):
            raise MethodError(f"--price takes WHO=PRICE, such as crowd=1, got {text!r}")
        if name in prices:
            raise MethodError(f"--price names {name} twice: give one price")
        prices[name] = number
    machine = prices.pop("machine", 0.0)
    return Prices(votes=prices, machine=machine)


@contextmanager
def told_costs() -> Iterator[None]:
    """Say in one line where what is asked for cannot pay, in place of Python's warning."""
    import warnings

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", CostsWarning)
        yield
    for warning in caught:
        if issubclass(warning.category, CostsWarning):
            console.warn(str(warning.message))
        else:
            warnings.warn_explicit(warning.message, warning.category, warning.filename, warning.lineno)


def _positive(classes: Names, name: str) -> int:
    if len(classes) != 2:
        raise MethodError(
            f"--false-positive and --false-negative are for two classes, there are {len(classes)}: use --cost-matrix"
        )
    if not name:
        return 1
    place = int(lookup(as_names([name]), classes)[0])
    if place < 0:
        raise MethodError(f"there is no class {name!r}: --positive is one of {', '.join(map(str, classes.tolist()))}")
    return place


def _read_matrix(path: Path, classes: Names) -> Any:
    """Costs from a table, (true, decided), rows and columns brought into the order of the classes."""
    with reading(path):
        table = read_table(path)
        if "true" not in table.columns:
            raise FileError(f"no column 'true' (there are: {', '.join(table.columns[:12])}): name the true class by it")
        wanted = [str(name) for name in classes.tolist()]
        row = lookup(classes, as_names(table["true"].to_list()))
        missing = [name for name, place in zip(wanted, row, strict=True) if place < 0 or name not in table.columns]
        if missing:
            raise FileError(f"no row or no column for class {missing[0]!r}: give one of each for {', '.join(wanted)}")
        try:
            return table.select(wanted).to_numpy().astype(np.float64)[row]
        except (TypeError, ValueError):
            raise FileError("costs must be numbers") from None
