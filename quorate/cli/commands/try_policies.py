"""`quorate replay`: what policies would have cost, tried on recorded votes."""

from pathlib import Path
from typing import Annotated, Any

import typer

from quorate import plots, registry
from quorate.api.try_policies import try_policies
from quorate.cli import console
from quorate.cli.options import output, probabilities, replay
from quorate.cli.options.costs import (
    CostError,
    CostMatrix,
    FalseNegative,
    FalsePositive,
    Positive,
    Price,
    Unclassifiable,
    costs_of,
    prices_of,
    told_costs,
)
from quorate.cli.options.votes import (
    ClassesOption,
    Duplicates,
    DuplicatesOption,
    ItemColumnsOption,
    VotesFile,
    check_targets,
    load_gold,
    vote_columns,
)
from quorate.cli.progress_bar import waiting
from quorate.data.costs import EXPERT
from quorate.decision.policy_by_name import FOLDER, parse_options
from quorate.errors import MethodError
from quorate.inference.progress import watch_rounds
from quorate.io.files import write_bytes
from quorate.io.formats.tables import write_table
from quorate.io.votes import to_polars
from quorate.plots import CostPoint
from quorate.replay.results import QUARTERS, Trials
from quorate.replay.stream import Arrivals

EXAMPLES = output.examples(
    "quorate replay votes.csv --gold gold.csv --cost-error 100 --policies all",
    "quorate replay votes.csv --gold gold.csv --probs out_of_fold.csv --figure cost.png",
    "quorate replay votes.csv --gold gold.csv --items items.csv --policies expected_loss,fixed_votes:n=5 --seeds 10",
    "quorate replay votes.csv --gold gold.csv --policies expected_loss --budget 25%,50%,100%",
    "quorate replay votes.csv --gold gold.csv --budget 500 --rest undecided",
    "quorate replay votes.csv --gold gold.csv --policies expected_loss --price crowd=1 --price expert=10 --audits",
    "quorate replay votes.csv --gold gold.csv --items items.csv --policies expected_loss --stream --rate 20",
)
ALL = "all"
WIDE = 100  # columns of a terminal that has room for bars


def command(
    path: VotesFile,
    gold: Annotated[Path, typer.Option(help="Known labels (task, label): only tasks that have one are replayed.")],
    probs: Annotated[
        Path | None,
        typer.Option(help="Table of what a classifier says that was not taught the tasks: task, p_... of every class."),
    ] = None,
    items: Annotated[
        Path | None, typer.Option(help="Items instead (task and features or text): a classifier learns as votes come.")
    ] = None,
    policies: Annotated[
        str, typer.Option(help="Names, each maybe with options: expected_loss,fixed_votes:n=5,threshold:t=0.8:n=3.")
    ] = ALL,
    cost_error: CostError = 100.0,
    cost_matrix: CostMatrix = None,
    false_positive: FalsePositive = None,
    false_negative: FalseNegative = None,
    positive: Positive = "",
    unclassifiable: Unclassifiable = None,
    price: Price = None,
    seeds: Annotated[int, typer.Option(min=1, help="How often each is tried, in another order of the votes.")] = 5,
    tasks: Annotated[int, typer.Option(min=1, help="At most so many tasks, drawn anew for every seed.")] = 1500,
    known: Annotated[
        int, typer.Option(min=0, help="Give every policy the known label of so many random tasks, for nothing.")
    ] = 0,
    recorded_order: Annotated[
        bool, typer.Option("--recorded-order", help="Show the votes of a task in the order of the file.")
    ] = False,
    budget: replay.BudgetOption = "",
    rest: replay.RestOption = replay.Rest.cheapest,
    order: replay.OrderOption = replay.Order.value,
    audits: Annotated[
        bool,
        typer.Option(
            "--audits",
            help="Try each also with expert labels on random tasks, where they seem to pay (needs --price expert=...).",
        ),
    ] = False,
    stream: replay.StreamOption = False,
    rate: replay.RateOption = Arrivals.rate,
    horizon: replay.HorizonOption = Arrivals.horizon,
    window: replay.WindowOption = Arrivals.window,
    half_life: replay.HalfLifeOption = Arrivals.half_life,
    check_share: replay.CheckShareOption = Arrivals.check_share,
    jobs: Annotated[int, typer.Option(min=1, help="How many processes run at a time.")] = 1,
    out: Annotated[Path | None, typer.Option(help="Write a row per policy and seed here.")] = None,
    figure: Annotated[Path | None, typer.Option(help="Draw cost against error into this file (.png, .svg).")] = None,
    columns: ItemColumnsOption = "",
    classes: ClassesOption = "",
    duplicates: DuplicatesOption = Duplicates.error,
    format: output.FormatOption = output.Format.table,  # noqa: A002 - the option's name
) -> None:
    """Try policies on recorded votes: a vote is shown when it is asked for, and paid. The least loss comes first.

    Loss is what votes and errors cost together, per task. With a budget it is also told how many tasks were decided on
    by the policy's own rule; of a stream, how the loss goes from quarter to quarter.
    """
    check_targets((path, gold, probs, items), tables=(out,), others=(figure,))
    if figure is not None:
        plots.require_kind(figure.suffix.lower().lstrip("."))
    names = _names(policies)
    prices = prices_of(price)
    budgets = replay.budgets_of(budget)
    arrivals = replay.arrivals_of(
        stream,
        budgets,
        rate=rate,
        horizon=horizon,
        window=window,
        half_life=half_life,
        check_share=check_share,
        recorded=recorded_order,
    )
    if audits and EXPERT not in prices.kinds:
        raise MethodError("--audits needs the price of an expert: --price crowd=1 --price expert=10")
    if probs is not None and items is not None:
        raise MethodError("give either --probs or --items: what a classifier says, or what one learns from")
    of_votes = vote_columns(columns, path)
    said = probabilities.load_machines(None if probs is None else [probs], of_votes)
    votes = probabilities.load_votes_and_classes(path, said, of_votes, classes, duplicates)
    costs = costs_of(
        votes.classes,
        cost_error=cost_error,
        cost_matrix=cost_matrix,
        false_positive=false_positive,
        false_negative=false_negative,
        positive=positive,
        unclassifiable=unclassifiable,
    )
    truth = load_gold(gold, votes, of_votes)
    x = None if items is None else probabilities.load_seen(items, votes, columns, all_items=False)[1]
    with told_costs():
        prices.check(costs)
    with waiting("Replaying") as bar, watch_rounds(bar.update):
        tried = try_policies(
            votes,
            truth,
            names,
            machine=next(iter(said.values()), None),
            x=x,
            costs=costs,
            prices=prices,
            seeds=seeds,
            most_tasks=tasks,
            n_known_gold=known,
            recorded_order=recorded_order,
            budget=budgets,
            rest=rest.value,
            order=order.value,
            audits=audits,
            stream=arrivals,
            processes=jobs,
        )
    if out is not None:
        write_table(to_polars(tried.to_frame()), out)
    if figure is not None:
        drawn = plots.cost_against_error(_points(tried), cost_error=costs.even)
        write_bytes(plots.image(drawn, figure.suffix.lower().lstrip(".")), figure)
    if format is not output.Format.table:
        console.rows(to_polars(tried.compared()).to_dict(as_series=False), format)
        return
    _show(tried)
    console.written(out, figure)


def _names(typed: str) -> list[str]:
    """Policies by name; a wrong one, or a wrong option, is told before anything is read."""
    names = registry.names(FOLDER) if typed == ALL else [name.strip() for name in typed.split(",") if name.strip()]
    for text in names:
        name, _, options = text.partition(":")
        parse_options(name, options)
    if not names:
        raise MethodError(f"--policies names none: choose from {', '.join(registry.names(FOLDER))}, or all")
    return names


def _points(tried: Trials) -> list[CostPoint]:
    each = zip(
        tried.policies,
        tried.mean("spend"),
        tried.mean("error"),
        tried.deviation("spend"),
        tried.deviation("error"),
        strict=True,
    )
    return [CostPoint(name, *map(float, figures)) for name, *figures in each]


def _show(tried: Trials) -> None:
    rows: dict[str, list[Any]] = to_polars(tried.compared()).to_dict(as_series=False)
    worst = max((value for value in rows["loss"] if value == value), default=1.0)
    shown = {
        "policy": rows["policy"],
        "loss": _with_errors(rows["loss"], rows["loss_se"], 2),
        "above best": _with_errors(rows["above_best"], rows["above_best_se"], 2),
        "votes": [console.number(value, 2) for value in rows["votes"]],
        "wrong": [_percent(value) for value in rows["error"]],
        "spend": [console.number(value, 2) for value in rows["spend"]],
        "experts": [_percent(value) for value in rows["experts"]],
        "decided": [_percent(value) for value in rows["decided"]],
    }
    if tried.quarters is not None:
        shown |= {name.removeprefix("loss_"): [console.number(value, 2) for value in rows[name]] for name in QUARTERS}
    for name in _left_out(tried, rows):
        del shown[name]
    right = [name for name in shown if name != "policy"]
    if console.terminal_width() >= WIDE:
        shown[""] = [console.bar(value / worst if worst else 0, 20) for value in rows["loss"]]
    seeds = console.count(tried.n_seeds, "seed")
    console.table(f"{console.count(tried.n_tasks, 'task')}, {seeds}: per task", shown, right=right, wrap=["policy"])
    if tried.n_seeds > 1:
        more = "; above best: on the same tasks and votes" if "above best" in shown else ""
        console.line(f"± is the standard error over seeds{more}.")
    if tried.quarters is not None:
        console.line("q1 to q4: loss in each quarter of the stream.")
    if "decided" in shown:
        console.line("decided: tasks the policy was done with before the money ended.")
    for name, note in tried.notes.items():
        console.line(f"{name}: {note}")


def _left_out(tried: Trials, rows: dict[str, list[Any]]) -> set[str]:
    """Columns that say nothing here, or that a narrow terminal has no room for; the files have all."""
    out = set() if any(value > 0 for value in rows["experts"]) else {"experts"}
    if tried.quarters is not None:
        return {"above best", "votes", "experts", "decided"}
    return out | ({"above best"} if any(value < 1 for value in rows["decided"]) else {"decided"})


def _with_errors(values: list[float], errors: list[float], digits: int) -> list[str]:
    return [
        console.number(value, digits) + (f" ±{console.number(error, digits)}" if error == error else "")
        for value, error in zip(values, errors, strict=True)
    ]


def _percent(share: float) -> str:
    return "·" if share != share else f"{share:.1%}"
