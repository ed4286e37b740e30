"""Votes, and what machines say of the same tasks, as `decide` and `replay` read them."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from quorate.cli import inputs
from quorate.cli.targets import read_probs
from quorate.results import Posterior
from quorate.votes import Votes

ProbsFiles = Annotated[
    list[Path] | None,
    typer.Option(
        "--probs",
        help="Table of what a classifier says that was not taught the tasks: task and p_... of every class. "
        "Repeatable, one for each classifier.",
    ),
]


def load_machines(paths: Sequence[Path] | None, columns: str) -> dict[str, Posterior]:
    """What each machine says, by the name of its file."""
    files = list(paths or [])
    stems = [path.stem for path in files]
    alone = len(set(stems)) == len(stems)
    return {stem if alone else str(path): read_probs(path, columns) for stem, path in zip(stems, files, strict=True)}


def load_votes(
    path: Path, machines: dict[str, Posterior], columns: str, classes: str, duplicates: inputs.Duplicates
) -> Votes:
    """Votes, whose classes are those of the machines where there are any."""
    known = next((said.classes for said in machines.values()), None)
    return inputs.load_votes(path, columns, classes, duplicates, known)
