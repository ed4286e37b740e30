"""Options of `quorate try-policies`: how recorded votes are replayed, within a budget or as a stream."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, ClassVar

import typer

from quorate.cli.options.policy import Rest, RestOption
from quorate.errors import MethodError
from quorate.replay.setups import Budget, amount_of
from quorate.replay.stream import Arrivals


class Order(StrEnum):
    """Which vote is bought first."""

    value = "value"
    random = "random"
    in_turn = "in_turn"


@dataclass(frozen=True, kw_only=True)
class ReplayOptions:
    """How often, and on which tasks and votes, each policy is tried."""

    PANEL: ClassVar[str] = "Replay"

    seeds: Annotated[
        int, typer.Option(min=1, help="How often each policy is tried, in another order of the votes.")
    ] = 5
    most_tasks: Annotated[int, typer.Option(min=1, help="Tasks to replay at most, drawn again for every seed.")] = 1500
    n_known_gold: Annotated[
        int, typer.Option(min=0, help="Give every policy the gold label of this many random tasks, free of charge.")
    ] = 0
    recorded_order: Annotated[
        bool, typer.Option("--recorded-order", help="Show the votes of a task in the order of the file.")
    ] = False
    audits: Annotated[
        bool,
        typer.Option(
            "--audits",
            help="Try each policy also with expert labels on random tasks, where they seem to pay. Needs --price "
            "expert=PRICE.",
        ),
    ] = False
    processes: Annotated[int, typer.Option(min=1, help="How many processes run at a time.")] = 1


@dataclass(frozen=True, kw_only=True)
class BudgetOptions:
    """A budget for all tasks of a seed."""

    PANEL: ClassVar[str] = "With a budget"

    budget: Annotated[
        str,
        typer.Option(
            metavar="MONEY|SHARES",
            help="Spend at most this on all tasks of a seed: money (500), or shares of what each policy spends without "
            "a budget (25%,50%).",
        ),
    ] = ""
    rest: RestOption = Rest.cheapest
    order: Annotated[
        Order,
        typer.Option(
            help="Buy first the votes that save most for their price, random ones, or one task after another."
        ),
    ] = Order.value

    def budgets(self) -> list[Budget]:
        """Return the budgets, none where none was typed.

        >>> BudgetOptions(budget="25%, 500").budgets()
        ['25%', '500']
        """
        budgets: list[Budget] = [text.strip() for text in self.budget.split(",") if text.strip()]
        for budget in budgets:
            amount_of(budget)
        return budgets


@dataclass(frozen=True, kw_only=True)
class StreamOptions:
    """Tasks that arrive over time."""

    PANEL: ClassVar[str] = "As a stream"

    stream: Annotated[
        bool,
        typer.Option(
            "--stream",
            help="Tasks arrive over time, and each is decided from what came before; with --recorded-order in the "
            "order of the file.",
        ),
    ] = False
    rate: Annotated[int, typer.Option(min=1, help="Tasks that arrive in a unit of time, such as a day.")] = (
        Arrivals.rate
    )
    horizon: Annotated[
        float,
        typer.Option(
            min=0, help="How long learned knowledge stays useful, in units of time; sets the size of the warm-up."
        ),
    ] = Arrivals.horizon
    window: Annotated[int, typer.Option(min=0, help="Learn from this many latest tasks only; 0 = from all.")] = (
        Arrivals.window
    )
    half_life: Annotated[
        float, typer.Option(min=0, help="Tasks after which half of what was learned is forgotten; 0 = nothing is.")
    ] = Arrivals.half_life
    check_share: Annotated[
        float,
        typer.Option(min=0, max=1, metavar="SHARE", help="Share of random tasks that get a vote to detect drift."),
    ] = Arrivals.check_share

    def arrivals(self, *, recorded_order: bool) -> Arrivals | None:
        """Return how tasks arrive; None where all are there from the start."""
        arrivals = Arrivals(
            rate=self.rate,
            horizon=self.horizon,
            window=self.window,
            half_life=self.half_life,
            check_share=self.check_share,
            recorded=recorded_order,
        )
        if not self.stream and arrivals != Arrivals(recorded=recorded_order):
            raise MethodError(
                "--rate, --horizon, --window, --half-life and --check-share are for a stream: add --stream"
            )
        return arrivals if self.stream else None
