"""Options of `quorate replay` for a budget, or for tasks that arrive in time."""

from enum import StrEnum
from typing import Annotated

import typer

from quorate.errors import MethodError
from quorate.replay.setups import Budget, amount_of
from quorate.replay.stream import Arrivals


class Rest(StrEnum):
    """What becomes of tasks that would still ask when the money has ended."""

    cheapest = "cheapest"
    undecided = "undecided"


class Order(StrEnum):
    """Whose vote is bought first."""

    value = "value"
    random = "random"
    in_turn = "in_turn"


BudgetOption = Annotated[
    str,
    typer.Option(
        "--budget",
        metavar="MONEY|SHARES",
        help="Spend at most this on all tasks of a seed: money (500), or shares of each policy's free spend (25%,50%).",
    ),
]
RestOption = Annotated[
    Rest, typer.Option(help="Tasks that still ask when the money has ended: their cheapest label, or undecided.")
]
OrderOption = Annotated[
    Order,
    typer.Option(help="With a budget, votes that save most for their price first, any, or one task after the other."),
]
StreamOption = Annotated[
    bool,
    typer.Option(
        "--stream",
        help="Tasks arrive in time, each decided on by what came before; with --recorded-order as in the file.",
    ),
]
RateOption = Annotated[int, typer.Option(min=1, help="Stream: so many tasks arrive in a unit of time, such as a day.")]
HorizonOption = Annotated[
    float, typer.Option(min=0, help="Stream: so many units of time what is learnt is of use; sizes the warm-up.")
]
WindowOption = Annotated[int, typer.Option(min=0, help="Stream: learn from so many latest tasks only; 0 = from all.")]
HalfLifeOption = Annotated[
    float, typer.Option(min=0, help="Stream: after so many tasks half of those learnt from are forgotten; 0 = none.")
]
CheckShareOption = Annotated[
    float, typer.Option(min=0, max=1, help="Stream: share of random tasks that get a vote to watch for drift.")
]


def budgets_of(typed: str) -> list[Budget]:
    """Budgets as they were typed, none where nothing was.

    >>> budgets_of("25%, 500")
    ['25%', '500']
    """
    budgets: list[Budget] = [text.strip() for text in typed.split(",") if text.strip()]
    for budget in budgets:
        amount_of(budget)
    return budgets


def arrivals_of(
    stream: bool,
    budgets: list[Budget],
    *,
    rate: int,
    horizon: float,
    window: int,
    half_life: float,
    check_share: float,
    recorded: bool,
) -> Arrivals | None:
    """How tasks arrive; None where they are all there. Options of a stream without one are an error, not unused."""
    arrivals = Arrivals(
        rate=rate, horizon=horizon, window=window, half_life=half_life, check_share=check_share, recorded=recorded
    )
    if stream and budgets:
        raise MethodError("give either --budget or --stream: a stream has no end to save money for")
    if not stream and arrivals != Arrivals(recorded=recorded):
        raise MethodError("--rate, --horizon, --window, --half-life and --check-share are for a stream: add --stream")
    return arrivals if stream else None
