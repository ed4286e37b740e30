"""Options for the cost of errors and the price of votes, shared by `decide`, `forecast` and `try-policies`."""

import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Any, ClassVar

import numpy as np
import typer

from quorate.cli import console
from quorate.data.costs import CROWD, EXPERT, Costs, CostsWarning, Prices
from quorate.data.ids import Names, as_names, lookup
from quorate.data.option_checks import require_number
from quorate.decision.policy_by_name import PRICES
from quorate.errors import FileError, MethodError
from quorate.io.files import reading
from quorate.io.formats.tables import read_table

MACHINE = "machine"  # its price is that of a classifier per task


@dataclass(frozen=True, kw_only=True)
class CostOptions:
    """The cost of errors and the price of votes, in one currency: cents, minutes, or votes of the crowd."""

    PANEL: ClassVar[str] = "Costs and prices"

    cost_error: Annotated[
        float, typer.Option(metavar="COST", help="Cost of a wrong label, in the currency of the prices.")
    ] = 100.0
    cost_matrix: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Table of costs instead: a column true, and a column per class with the cost of deciding on it.",
        ),
    ] = None
    false_positive: Annotated[
        float | None, typer.Option(metavar="COST", help="For two classes: cost of accepting a negative as positive.")
    ] = None
    false_negative: Annotated[
        float | None, typer.Option(metavar="COST", help="For two classes: cost of accepting a positive as negative.")
    ] = None
    positive: Annotated[
        str, typer.Option(metavar="CLASS", help="Which of the two classes is positive. Default: the second.")
    ] = ""
    unclassifiable: Annotated[
        float | None,
        typer.Option(metavar="COST", help="Cost of giving a task no label. Default: every task gets one."),
    ] = None
    price: Annotated[
        list[str] | None,
        typer.Option(
            metavar="WHO=PRICE",
            help="Price of one vote: crowd, expert, or a worker by name; who has no price is not asked. machine=PRICE: "
            "what the classifier costs per task. Repeatable. Default: crowd=1 and expert=10.",
        ),
    ] = None

    def costs(self, classes: Names) -> Costs:
        """Return the costs of errors between these classes."""
        self._require_numbers()
        pair = self.false_positive, self.false_negative
        if self.cost_matrix is not None and pair != (None, None):
            raise MethodError("give either --cost-matrix, or --false-positive and --false-negative")
        if self.cost_matrix is not None:
            costs = Costs(matrix=_read_matrix(self.cost_matrix, classes))
        elif self.false_positive is not None and self.false_negative is not None:
            index = _index_of_positive(classes, self.positive)
            costs = Costs.binary(false_positive=self.false_positive, false_negative=self.false_negative, positive=index)
        elif pair != (None, None):
            raise MethodError("--false-positive and --false-negative go together: give both")
        else:
            costs = Costs.of_error(self.cost_error, len(classes))
        if self.positive and self.false_positive is None:
            raise MethodError("--positive goes with --false-positive and --false-negative")
        return replace(costs, unclassifiable=self.unclassifiable)

    def _require_numbers(self) -> None:
        """Refuse costs below zero by the name of their option."""
        for name in ("cost_error", "false_positive", "false_negative", "unclassifiable"):
            if (cost := getattr(self, name)) is not None:
                require_number(f"--{name.replace('_', '-')}", cost, at_least=0)

    def prices(self) -> Prices:
        """Return the prices of votes."""
        return parse_prices(self.price)


def parse_prices(texts: Sequence[str] | None) -> Prices:
    """Return prices that are typed as WHO=PRICE.

    >>> parse_prices(["crowd=0.5", "machine=0.01"])
    Prices(votes={'crowd': 0.5}, machine=0.01)
    """
    prices: dict[str, float] = {}
    for text in texts or [f"{name}={price}" for name, price in PRICES.items()]:
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
    machine = prices.pop(MACHINE, 0.0)
    return Prices(votes=prices, machine=machine)


def require_annotators(prices: Prices, workers: Names) -> None:
    """Refuse a price for a name that is neither an annotator kind nor a worker of the votes."""
    kinds = (CROWD, EXPERT, MACHINE)
    names = [*kinds, *map(str, workers.tolist())]
    for name in prices.kinds:
        if name not in names:
            close = get_close_matches(name.lower(), names, n=1)
            hint = f"did you mean {close[0]}? " if close else ""
            raise MethodError(
                f"--price {name}={prices.of(name):g}: {name!r} is not a worker of the votes: {hint}"
                f"give {', '.join(kinds)}, or the name of a worker"
            )


def check_prices(prices: Prices, costs: Costs) -> None:
    """Print a warning where votes cost so much that none will be bought."""
    with warn_about_costs():
        prices.check(costs)


@contextmanager
def warn_about_costs() -> Iterator[None]:
    """Print a warning about costs and prices as one line on stderr instead of Python's warning."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", CostsWarning)
        yield
    for warning in caught:
        if issubclass(warning.category, CostsWarning):
            console.warn(str(warning.message))
        else:
            warnings.warn_explicit(warning.message, warning.category, warning.filename, warning.lineno)


def _index_of_positive(classes: Names, name: str) -> int:
    if len(classes) != 2:
        raise MethodError(
            f"--false-positive and --false-negative are for two classes, there are {len(classes)}: use --cost-matrix"
        )
    if not name:
        return 1
    index = int(lookup(as_names([name]), classes)[0])
    if index < 0:
        raise MethodError(f"there is no class {name!r}: --positive is one of {', '.join(map(str, classes.tolist()))}")
    return index


def _read_matrix(path: Path, classes: Names) -> Any:
    """Return costs from a table, (true, decided), with rows and columns in the order of the classes."""
    with reading(path):
        table = read_table(path)
        if "true" not in table.columns:
            raise FileError(f"no column 'true' (there are: {', '.join(table.columns[:12])}): name the true class by it")
        wanted = [str(name) for name in classes.tolist()]
        rows = lookup(classes, as_names(table["true"].to_list()))
        missing = [name for name, row in zip(wanted, rows, strict=True) if row < 0 or name not in table.columns]
        if missing:
            raise FileError(f"no row or no column for class {missing[0]!r}: give one of each for {', '.join(wanted)}")
        try:
            return table.select(wanted).to_numpy().astype(np.float64)[rows]
        except (TypeError, ValueError):
            raise FileError("costs must be numbers") from None
