"""`quorate certify`: how large the error of accepted labels is at most, by an audit."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer
from numpy.typing import NDArray

from quorate.audit.certificate import Certificate, certify
from quorate.audit.error_rate import Stated, state_error_of
from quorate.audit.false_negatives import bound_missed
from quorate.cli import console
from quorate.cli.options import output
from quorate.cli.options.votes import ColumnsOption, gold_columns
from quorate.data.columns import numbers, refuse_missing, require_columns, union
from quorate.data.decisions import ACCEPT, ACTIONS, Source
from quorate.data.factorize import encode
from quorate.data.frames import as_frame
from quorate.data.ids import Names, lookup, sort_classes
from quorate.errors import VotesError
from quorate.io.files import reading
from quorate.io.formats.tables import read_table
from quorate.io.gold import read_labels
from quorate.typing import Array

EXAMPLES = output.examples(
    "quorate certify decisions.csv audit.csv --target 0.01",
    "quorate certify decisions.csv audit.csv --target 0.02 --delta 0.05 --format json",
)
SHOWN = 16
WRITTEN = ("task", "action", "label", "confidence")  # columns that every version of decide has written


def command(
    path: Annotated[Path, typer.Argument(metavar="DECISIONS", help="What `quorate decide --out` wrote.")],
    audit: Annotated[
        Path, typer.Argument(metavar="AUDIT", help="Labels of experts (task, label) on tasks drawn at random.")
    ],
    target: Annotated[float, typer.Option(help="The error to certify, as a share: 0.01 is one label in a hundred.")] = (
        0.01
    ),
    delta: Annotated[float, typer.Option(help="In at most this share of audits the certificate may be false.")] = 0.1,
    watched: Annotated[
        bool, typer.Option("--watched", help="It is asked for again and again while the audit grows, not once.")
    ] = False,
    columns: ColumnsOption = "",
    format: output.FormatOption = output.Format.table,  # noqa: A002 - the option's name
) -> None:
    """Certify the error of accepted labels: what it is, and the largest set of which it is at most the target.

    The decisions must not have known the labels of the audit.
    """
    made = _read(path)
    expert, classes = _audit(audit, made, columns)
    labels = np.append(lookup(made.names, classes), -1)[made.label].astype(np.int64)
    _require_unknown(made, expert)
    found = certify(labels, made.confidence, expert, target=target, delta=delta, watched=watched)
    stated = state_error_of(labels, expert, level=1 - delta)
    missed = _missed(labels, expert, classes, delta)
    if format is not output.Format.table:
        console.record(_record(found, stated), format)
        return
    console.line(f"All accepted: {stated.words}.")
    console.line(f"Certificate: {found.words}.")
    console.table(
        f"Taken for another class (each bound {1 - delta:.0%} sure)", missed, right=["audited", "missed", "at most"]
    )
    if watched:
        console.line("The certificate may be looked at after every audit; the other figures, once.")


@dataclass(frozen=True, eq=False)
class Made:
    """Decisions from a file. label: index into names of labels that were accepted without an expert, -1 = none."""

    tasks: Names
    names: Names
    label: NDArray[np.int64]
    confidence: Array
    by_expert: NDArray[np.bool_]


def _read(path: Path) -> Made:
    with reading(path):
        table = as_frame(read_table(path))
        missing = [name for name in WRITTEN if name not in table.columns]
        if missing:
            raise VotesError(f"there is no column {missing[0]!r}: give what `quorate decide --out` wrote")
        _require_source(table.columns)
        index, tasks = encode(table["task"], "task")
        refuse_missing(index, np.ones(len(index), dtype=bool), "task")
        if len(tasks) < len(index):
            raise VotesError("some tasks come twice: give what decide wrote")
        action, source = _words(table, "action", ACTIONS), _words(table, "source", tuple(Source))
        label, names = encode(table["label"], "label")
        by_expert = (action == ACTIONS[ACCEPT]) & (source == Source.EXPERT)
        own = (action == ACTIONS[ACCEPT]) & ~by_expert
        if not own.any():
            raise VotesError("no label was accepted but those of experts: there is nothing to certify")
        return Made(tasks, names, np.where(own, label, -1).astype(np.int64), numbers(table["confidence"]), by_expert)


def _require_source(columns: list[str]) -> None:
    """Refuse files of versions before the column `source`: they do not state reliably which labels are experts'."""
    if "source" not in columns:
        raise VotesError(
            "there is no column 'source', which says whether a label comes from the model or from an expert: "
            "an older version wrote this file, so run `quorate decide --out` again"
        )


def _words(table: Any, name: str, allowed: tuple[str, ...]) -> NDArray[np.str_]:
    """Return a column of text, all of it among the allowed words."""
    words = np.array([str(cell) for cell in table[name].to_list()])
    if (odd := ~np.isin(words, allowed)).any():
        raise VotesError(
            f"{name} must be one of {', '.join(allowed)}, got {str(words[odd][0])!r}: give what decide wrote"
        )
    return words


def _audit(path: Path, made: Made, columns: str) -> tuple[NDArray[np.int64], Names]:
    """What experts said of every task, -1 = nothing, and all classes that they or the decisions name."""
    roles = gold_columns(path, columns)
    with reading(path):
        label = roles.get("label", "label")
        table = as_frame(read_table(path))
        require_columns(table.columns, {"label": label})
        classes = sort_classes(union(made.names, encode(table[label], "label")[1])[0])
    return read_labels(path, made.tasks, classes, **roles), classes


def _require_unknown(made: Made, expert: NDArray[np.int64]) -> None:
    if not ((expert >= 0) & ~made.by_expert).any():
        raise VotesError(
            "all audited tasks were accepted because an expert said so: certify what was decided without this audit"
        )


def _missed(labels: NDArray[np.int64], expert: NDArray[np.int64], classes: Names, delta: float) -> dict[str, list[str]]:
    """How often the tasks of each class were taken for another one."""
    found = {place: bound_missed(labels, expert, place, delta=delta) for place in range(len(classes))}
    order = sorted(found, key=lambda place: -found[place].bound)[:SHOWN]
    return {
        "class": [console.short(classes[place]) for place in order],
        "audited": [f"{int(((expert == place) & (labels >= 0)).sum()):,}" for place in order],
        "missed": ["·" if np.isnan(found[place].value) else f"{found[place].value:.1%}" for place in order],
        "at most": [f"{found[place].bound:.1%}" for place in order],
    }


def _record(found: Certificate, stated: Stated) -> dict[str, Any]:
    figures: dict[str, Any] = {"target": found.target, "delta": found.delta, "certified": found.n_certified}
    figures |= {"threshold": found.threshold, "accepted": found.n_accepted, "audited": stated.n_audited}
    return figures | {"error": stated.value, "error_low": stated.low, "error_high": stated.high}
