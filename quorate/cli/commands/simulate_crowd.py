"""`quorate simulate crowd`: simulated people work on a project of a running service, through its API."""

import os
from importlib.util import find_spec
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from quorate.cli import console
from quorate.cli.options import output
from quorate.cli.progress_bar import Bar, waiting
from quorate.errors import MethodError, MissingExtraError

EXAMPLES = output.examples(
    "QUORATE_TOKEN=... quorate simulate crowd --url http://127.0.0.1:8000 --project 1 --truth truth.csv",
    "quorate simulate crowd --url http://127.0.0.1:8000 --project 1 --truth truth.csv --workers 64 --speed 20",
)
if TYPE_CHECKING:
    from quorate.client import Overview

TOKEN = "QUORATE_TOKEN"


def command(
    url: Annotated[str, typer.Option(help="The address of the service.")],
    project: Annotated[int, typer.Option(min=1, help="The number of the project.")],
    truth: Annotated[
        Path,
        typer.Option(
            metavar="FILE", help="True labels: a CSV file with key,label, or key and a column for each question."
        ),
    ],
    workers: Annotated[int, typer.Option(min=0, max=1000, help="How many workers.")] = 40,
    experts: Annotated[int, typer.Option(min=0, max=100, help="How many experts.")] = 0,
    speed: Annotated[float, typer.Option(min=0.001, help="How many times faster than real people they answer.")] = 1.0,
    minutes: Annotated[float | None, typer.Option(min=0, help="Stop after this many minutes.")] = None,
    most_votes: Annotated[int | None, typer.Option(min=1, help="How many votes each of them gives at most.")] = None,
    seed: Annotated[int, typer.Option(min=0, help="The same seed gives the same people.")] = 0,
) -> None:
    """Let simulated people work on a project until all tasks are decided: they know the truth, and err as people do.

    Use it to rehearse a project before people see it. It needs a token of somebody who manages the project, in the
    environment as QUORATE_TOKEN: it admits the people, and looks up which item has which key, since voters see numbers
    only.
    """
    _require_httpx()
    from quorate.client import Client
    from quorate.client.simulated_crowd.crowd import enter
    from quorate.client.simulated_crowd.people import people
    from quorate.client.simulated_crowd.truth import read_truth
    from quorate.client.simulated_crowd.watch import Watch

    labels, voters = read_truth(truth), people(workers, n_experts=experts, seed=seed)
    with Client(url, token=_token()) as client, waiting("Voting") as bar:
        if (state := client.projects.get(project).state) not in ("pilot", "running"):
            raise MethodError(f"project {project} is {state}, so nobody is asked: start its pilot or run first")
        crowd = enter(client, project, voters, labels, speed=speed, most_votes=most_votes or inf)
        watch = Watch(client=client, project=project, told=lambda seen: _draw(bar, seen))
        votes = crowd.work(seconds=inf if minutes is None else 60 * minutes, watch=watch)
        seen = client.projects.overview(project)
    console.line(
        f"{console.count(votes, 'vote')} of {len(voters):,} people counted: {seen.n_tasks - seen.n_open:,} of "
        f"{console.count(seen.n_tasks, 'task')} decided, {seen.spent:,.2f} spent"
    )


def _token() -> str:
    token = os.environ.get(TOKEN)
    if not token:
        raise MethodError(
            f"{TOKEN} is not set: put a token there of somebody who manages the project (not on the command line, "
            "where every user of this machine can read it)"
        )
    return token


def _draw(bar: Bar, seen: "Overview") -> None:
    bar.update(seen.n_tasks - seen.n_open, seen.n_tasks)
    bar.title(f"Tasks decided by {seen.votes:,} votes")


def _require_httpx() -> None:
    if find_spec("httpx") is None:
        raise MissingExtraError("the client needs httpx, which is not installed: pip install 'quorate[client]'")
