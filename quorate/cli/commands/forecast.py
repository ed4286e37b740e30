"""`quorate forecast`: what the rest of a pool will cost, from the votes so far."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Annotated, Any, cast

import numpy as np
import typer

from quorate import registry
from quorate.api.forecast import forecast
from quorate.cli import console
from quorate.cli.options import output, probabilities
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
from quorate.cli.options.method import parse_options
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
from quorate.data.costs import CROWD, EXPERT
from quorate.data.votes import Votes
from quorate.decision.alignment import align_machines
from quorate.decision.policy_by_name import FOLDER
from quorate.errors import MethodError
from quorate.forecasts.forecast import Band, Forecast
from quorate.io.formats.tables import write_table
from quorate.registry.method_names import PolicyName
from quorate.typing import Array

EXAMPLES = output.examples(
    "quorate forecast votes.csv --tasks 5000 --cost-error 100 --price crowd=1",
    "quorate forecast votes.csv --probs out_of_fold.csv --votes-per-day 400 --price crowd=1 --price expert=10",
    "quorate forecast votes.csv --items items.csv --audit audit.csv --out forecast.csv",
)


def command(
    path: VotesFile,
    probs: probabilities.ProbsFiles = None,
    items: Annotated[
        Path | None,
        typer.Option(help="All items instead (task and features or text): a classifier learns on as votes come."),
    ] = None,
    tasks: Annotated[
        int | None,
        typer.Option(min=1, help="How many tasks there are in all, where no file names the rest."),
    ] = None,
    gold: Annotated[
        Path | None, typer.Option(help="Labels of experts (task, label): they are accepted, and teach the rest.")
    ] = None,
    audit: Annotated[
        Path | None,
        typer.Option(help="Labels of experts on tasks drawn at random: only they tell how many labels will be wrong."),
    ] = None,
    cost_error: CostError = 100.0,
    cost_matrix: CostMatrix = None,
    false_positive: FalsePositive = None,
    false_negative: FalseNegative = None,
    positive: Positive = "",
    unclassifiable: Unclassifiable = None,
    price: Price = None,
    votes_per_day: Annotated[
        float | None, typer.Option(help="How many votes come in per day. Not given: as the times of the votes tell.")
    ] = None,
    most_votes: Annotated[int | None, typer.Option(min=1, help="How many votes one task may have at most.")] = None,
    policy: Annotated[str, typer.Option(help="How it is decided; `quorate methods` lists all.")] = "expected_loss",
    option: Annotated[
        list[str] | None, typer.Option(help="An option of the policy, such as horizon=3. Repeatable.")
    ] = None,
    runs: Annotated[int, typer.Option(min=1, help="How often the rest of the pool is played through.")] = 10,
    seed: Annotated[int, typer.Option(help="Draws what simulated voters say.")] = 0,
    out: Annotated[Path | None, typer.Option(help="Write a row per figure here.")] = None,
    columns: ItemColumnsOption = "",
    classes: ClassesOption = "",
    duplicates: DuplicatesOption = Duplicates.error,
    format: output.FormatOption = output.Format.table,  # noqa: A002 - the option's name
) -> None:
    """Forecast what the whole pool will have cost: votes, money, days and, from an audit, errors.

    VOTES are those so far: best, all of a first run on a tenth of the pool, drawn at random.
    """
    check_targets((path, gold, audit, items, *(probs or [])), tables=(out,))
    chosen_options = parse_options(registry.method_class(FOLDER, policy), policy, option or [])
    prices = prices_of(price)
    if sum(given is not None for given in (probs or None, items, tasks)) > 1:
        raise MethodError("give one of --probs, --items and --tasks: each tells which tasks there are")
    of_votes = vote_columns(columns, path)
    said = probabilities.load_machines(probs, of_votes)
    votes = probabilities.load_votes_and_classes(path, said, of_votes, classes, duplicates)
    x: Array | None = None
    if items is not None:
        votes, x = probabilities.load_seen(items, votes, columns)
    wide, _ = align_machines(votes, said)
    costs = costs_of(
        wide.classes,
        cost_error=cost_error,
        cost_matrix=cost_matrix,
        false_positive=false_positive,
        false_negative=false_negative,
        positive=positive,
        unclassifiable=unclassifiable,
    )
    known, judge = (None if labels is None else load_gold(labels, wide, of_votes) for labels in (gold, audit))
    with told_costs():
        prices.check(costs)
    with waiting("Playing the rest of the pool through"):
        found = forecast(
            votes,
            machines=said or None,
            x=x,
            gold=known,
            audit=judge,
            n_tasks=tasks,
            costs=costs,
            prices=prices,
            policy=cast(PolicyName, policy),
            votes_per_day=votes_per_day,
            most_votes=most_votes,
            runs=runs,
            seed=seed,
            **chosen_options,
        )
    figures = _figures(found)
    if out is not None:
        write_table(_table(figures), out)
    if format is not output.Format.table:
        console.rows(_columns(figures), format)
        return
    _show(found, figures, _last(votes))
    console.written(out)


def _figures(found: Forecast) -> dict[str, Band | None]:
    """Each figure by its name, as it is written."""
    figures: dict[str, Band | None] = {f"{kind}_votes_to_come": band for kind, band in found.to_come.items()}
    figures |= {"votes": found.votes, "spend": found.spend, "days_to_go": found.days}
    return figures | {"wrong_labels": found.errors, "cost": found.cost}


def _columns(figures: dict[str, Band | None]) -> dict[str, list[Any]]:
    ends = ("value", "low", "high")
    return {"figure": list(figures)} | {
        end: [None if band is None else getattr(band, end) for band in figures.values()] for end in ends
    }


def _table(figures: dict[str, Band | None]) -> Any:
    import polars as pl

    return pl.DataFrame(_columns(figures))


def _show(found: Forecast, figures: dict[str, Band | None], last: datetime | None) -> None:
    seen = f"{console.count(found.n_votes, 'vote')} so far, which cost {found.spent:,.6g}"
    console.line(f"{console.count(found.n_tasks, 'task')}, {found.n_asking:,} of which ask for a vote now; {seen}.")
    names = {
        "votes": "votes in all",
        "spend": "what they cost",
        "days_to_go": "days to go",
        "wrong_labels": "wrong labels",
        "cost": "cost with errors",
    }
    names |= {f"{kind}_votes_to_come": f"votes to come, {_named(kind)}" for kind in found.to_come}
    shown = {
        "": [names[name] for name in figures],
        "expected": ["unknown" if band is None else _number(band.value) for band in figures.values()],
        "80 % band": [
            "" if band is None else f"{_number(band.low)} to {_number(band.high)}" for band in figures.values()
        ],
    }
    console.table("When nobody asks for more", shown, right=["expected", "80 % band"])
    if found.days is not None and last is not None:
        ends = [last + timedelta(days=days) for days in (found.days.value, found.days.low, found.days.high)]
        day, low, high = (f"{end:%Y-%m-%d}" for end in ends)
        console.line(f"The last vote is expected on {day} (80 % band {low} to {high}).")
    if found.days is None:
        console.line("Days are unknown: tell how many votes come in with --votes-per-day, or give the votes a time.")
    if found.errors is None:
        console.line("Errors are unknown: labels of experts on tasks drawn at random (--audit) would tell.")


def _named(kind: str) -> str:
    return {CROWD: "of the crowd", EXPERT: "of experts"}.get(kind, f"of {kind}")


def _number(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:,.3g}"


def _last(votes: Votes) -> datetime | None:
    """When the last vote was given."""
    times = np.empty(0) if votes.time is None else votes.time[np.isfinite(votes.time)]
    return datetime.fromtimestamp(float(times.max()), UTC) if len(times) else None
