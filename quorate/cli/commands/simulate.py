"""`quorate simulate`: simulate votes whose true labels are known."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, cast, get_args

import numpy as np
import polars as pl
import typer
from numpy.typing import NDArray

from quorate.cli import console
from quorate.cli.command_list import Command, Group, help_of
from quorate.cli.commands import simulate_crowd
from quorate.cli.options import output
from quorate.cli.options.files import check_targets
from quorate.cli.options.groups import with_option_groups
from quorate.cli.progress_bar import waiting
from quorate.data.ids import Names
from quorate.errors import MethodError
from quorate.io.formats.tables import write_table
from quorate.io.votes import write_votes
from quorate.simulation.circles import three_circles
from quorate.simulation.crowd import DEFAULT_CROWD, Kind, simulate_votes
from quorate.simulation.moons import two_moons
from quorate.simulation.trained_workers import SimulatedItems
from quorate.simulation.worker_pool import many_workers

EXAMPLES = output.examples(
    "quorate simulate votes --out votes.csv --gold-out gold.csv",
    "quorate simulate votes --out votes.csv --workers reliable=10,spammer=5 --seed 3",
)

WORKERS = ",".join(f"{kind}={count}" for kind, count in DEFAULT_CROWD.items())

Out = Annotated[Path, typer.Option(metavar="FILE", help="Write the votes here; the suffix names the format.")]
Seed = Annotated[int, typer.Option(min=0, help="The same seed gives the same votes.")]

app = typer.Typer(
    cls=Group, help="Simulate votes whose true labels are known, to try things out.", no_args_is_help=True
)


@app.callback()
def group() -> None:
    """Simulate votes whose true labels are known, to try things out."""


def command(
    out: Out,
    gold_out: Annotated[Path | None, typer.Option(metavar="FILE", help="Write the true labels here.")] = None,
    n_tasks: Annotated[int, typer.Option(min=1, help="How many tasks.")] = 500,
    votes_per_task: Annotated[int, typer.Option(min=1, help="How many different workers vote on each task.")] = 5,
    classes: Annotated[str, typer.Option(metavar="CLASS,...", help="The classes.")] = "no,yes",
    workers: Annotated[
        str,
        typer.Option(
            metavar="KIND=COUNT,...",
            help="How many of each kind: reliable, biased, spammer, adversary, expert. "
            f'Default: "{WORKERS.replace(",", ", ")}"',  # in quotes it can be typed with spaces, where lines may break
            show_default=False,
        ),
    ] = WORKERS,
    seed: Seed = 0,
) -> None:
    """Simulate votes: workers of several kinds vote on tasks of several difficulties.

    Use it to try a command before you have votes, or to see how many votes a question needs. In Python:
    quorate.simulate_votes.
    """
    check_targets((), tables=(out, gold_out))
    with waiting("Simulating votes"):
        crowd = simulate_votes(
            n_tasks=n_tasks,
            votes_per_task=votes_per_task,
            classes=[name.strip() for name in classes.split(",") if name.strip()],
            workers=_parse_workers(workers),
            seed=seed,
        )
        write_votes(crowd.votes, out)
        if gold_out is not None:
            _write_gold(crowd.votes.tasks, crowd.votes.classes[crowd.gold], gold_out)
    console.line(
        f"{len(crowd.votes):,} votes of {crowd.votes.n_workers:,} workers on {n_tasks:,} tasks written to {out}"
    )


for name, run, examples in (("votes", command, EXAMPLES), ("crowd", simulate_crowd.command, simulate_crowd.EXAMPLES)):
    app.command(name, cls=Command, help=help_of(run), epilog=examples)(run)


def _parse_workers(text: str) -> dict[Kind, int]:
    workers: dict[Kind, int] = {}
    for part in text.split(","):
        kind, _, count = part.strip().partition("=")
        if kind not in get_args(Kind) or not count.isdecimal():
            kinds = ", ".join(get_args(Kind))
            raise MethodError(f"--workers takes pairs such as reliable=10,spammer=2 of {kinds}, got {part.strip()!r}")
        workers[cast(Kind, kind)] = int(count)
    return workers


@dataclass(frozen=True, kw_only=True)
class ItemFiles:
    """Files of simulated items to write beside the votes."""

    items_out: Annotated[Path | None, typer.Option(metavar="FILE", help="Write the features of the tasks here.")] = None
    gold_out: Annotated[Path | None, typer.Option(metavar="FILE", help="Write the true labels of the tasks here.")] = (
        None
    )
    test_items_out: Annotated[Path | None, typer.Option(metavar="FILE", help="Write the test items here.")] = None
    test_gold_out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the true labels of the test items here.")
    ] = None

    @property
    def paths(self) -> tuple[Path | None, ...]:
        """All paths."""
        return self.items_out, self.gold_out, self.test_items_out, self.test_gold_out

    def write(self, simulated: SimulatedItems) -> None:
        """Write the files that were asked for."""
        tasks, test_tasks, classes = simulated.votes.tasks, simulated.test_tasks, simulated.votes.classes
        if self.items_out is not None:
            _write_items(tasks, simulated.x, self.items_out)
        if self.gold_out is not None:
            _write_gold(tasks, classes[simulated.gold], self.gold_out)
        if self.test_items_out is not None:
            _write_items(test_tasks, simulated.test_x, self.test_items_out)
        if self.test_gold_out is not None:
            _write_gold(test_tasks, classes[simulated.test_gold], self.test_gold_out)


def _add_items(simulate: Callable[..., SimulatedItems], help_text: str) -> None:
    """Add a command that simulates items with votes on them, with the name of the function."""
    name = simulate.__name__
    example = f"quorate simulate {name} --out votes.csv --items-out items.csv --test-items-out test.csv"

    @with_option_groups
    def command(*, out: Out, files: ItemFiles, seed: Seed = 0) -> None:
        check_targets((), tables=(out, *files.paths))
        with waiting(f"Simulating {name}"):
            simulated = simulate(seed=seed)
        votes = simulated.votes
        write_votes(votes, out)
        files.write(simulated)
        console.line(
            f"{len(votes):,} votes of {votes.n_workers:,} workers on {votes.n_tasks:,} tasks written to {out}; "
            f"{len(simulated.test_x):,} items to test on"
        )

    app.command(name, cls=Command, help=help_text, epilog=output.examples(example))(command)


def _write_items(tasks: Names, x: NDArray[np.float64], path: Path) -> None:
    features = {f"x{column}": values for column, values in enumerate(x.T)}
    write_table(pl.DataFrame({"task": tasks.tolist(), **features}), path)


def _write_gold(tasks: Names, labels: NDArray[np.generic], path: Path) -> None:
    write_table(pl.DataFrame({"task": tasks.tolist(), "label": labels.tolist()}), path)


_add_items(
    three_circles, "Simulate points on three circles, with votes of three classifiers that disagree in the north-east."
)
_add_items(
    two_moons, "Simulate points on two crescents, with votes of three classifiers, one of them wrong half the time."
)
_add_items(many_workers, "Simulate points of four classes, each with votes of one to five of 150 classifiers.")
