"""`quorate simulate`: made-up votes whose truth is known."""

from pathlib import Path
from typing import Annotated, cast, get_args

import polars as pl
import typer

from quorate.cli import inputs, show
from quorate.cli.progress import waiting
from quorate.errors import MethodError
from quorate.io.tables import write_table
from quorate.io.writing import write_votes
from quorate.simulation.crowd import USUAL_CROWD, Kind, simulate_votes

EXAMPLES = inputs.examples(
    "quorate simulate votes --out votes.csv --gold-out gold.csv",
    "quorate simulate votes --out votes.csv --workers reliable=10,spammer=5 --seed 3",
)

app = typer.Typer(help="Make up votes whose truth is known.", no_args_is_help=True)


@app.callback()
def group() -> None:
    """Make up votes whose truth is known."""


@app.command("votes", epilog=EXAMPLES)
def command(
    out: Annotated[Path, typer.Option(help="Write the votes here; the suffix names the format.")],
    gold_out: Annotated[Path | None, typer.Option(help="Write the true labels here.")] = None,
    tasks: Annotated[int, typer.Option(min=1, help="How many tasks.")] = 500,
    votes_per_task: Annotated[int, typer.Option(min=1, help="How many different workers vote on each task.")] = 5,
    classes: Annotated[str, typer.Option(help="The classes.")] = "no,yes",
    workers: Annotated[
        str, typer.Option(help="How many of each kind: reliable, biased, spammer, adversary, expert.")
    ] = ",".join(f"{kind}={count}" for kind, count in USUAL_CROWD.items()),
    seed: Annotated[int, typer.Option(min=0, help="The same seed gives the same votes.")] = 0,
) -> None:
    """Simulate a crowd: workers of several kinds vote on tasks of several difficulties."""
    inputs.check_targets((), tables=(out, gold_out))
    with waiting("Simulating votes"):
        crowd = simulate_votes(
            n_tasks=tasks,
            votes_per_task=votes_per_task,
            classes=[name.strip() for name in classes.split(",") if name.strip()],
            workers=_parse_workers(workers),
            seed=seed,
        )
        write_votes(crowd.votes, out)
        if gold_out is not None:
            gold = {"task": crowd.votes.tasks.tolist(), "label": crowd.votes.classes[crowd.gold].tolist()}
            write_table(pl.DataFrame(gold), gold_out)
    show.line(f"{len(crowd.votes):,} votes of {crowd.votes.n_workers:,} workers on {tasks:,} tasks written to {out}")


def _parse_workers(text: str) -> dict[Kind, int]:
    workers: dict[Kind, int] = {}
    for part in text.split(","):
        kind, _, count = part.strip().partition("=")
        if kind not in get_args(Kind) or not count.isdecimal():
            kinds = ", ".join(get_args(Kind))
            raise MethodError(f"--workers takes pairs such as reliable=10,spammer=2 of {kinds}, got {part.strip()!r}")
        workers[cast(Kind, kind)] = int(count)
    return workers
