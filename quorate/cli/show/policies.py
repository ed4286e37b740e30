"""Policies tried on recorded votes, as `quorate try-policies` shows them."""

from typing import Any

from quorate.cli import console
from quorate.io.votes import to_polars
from quorate.plots import CostPoint
from quorate.replay.results import QUARTERS, Trials

MIN_WIDTH_FOR_BARS = 100  # columns of the terminal


def show_trials(trials: Trials, *, undecided: bool, has_classifier: bool) -> None:
    """Print what every policy would have cost per task, the lowest loss first.

    Args:
        trials: the figures of all policies.
        undecided: whether tasks that a budget does not cover stay undecided.
        has_classifier: whether the policies had a classifier.
    """
    rows: dict[str, list[Any]] = to_polars(trials.compared()).to_dict(as_series=False)
    columns = _columns(trials, rows)
    right = [name for name in columns if name != "policy"]
    if console.terminal_width() >= MIN_WIDTH_FOR_BARS:
        highest = max((value for value in rows["loss"] if value == value), default=1.0)
        columns[""] = [console.bar(value / highest if highest else 0, 20) for value in rows["loss"]]
    title = f"{console.count(trials.n_tasks, 'task')}, {console.count(trials.n_seeds, 'seed')}: per task"
    console.table(title, columns, right=right, wrap=["policy"])
    if "stated" in columns:
        console.line("stated: wrong labels by the model estimate, without gold.")
    if trials.n_seeds > 1:
        more = "; above best: on the same tasks and votes" if "above best" in columns else ""
        console.line(f"± is the standard error over seeds{more}.")
    if trials.quarters is not None:
        console.line("q1 to q4: loss in each quarter of the stream.")
    if "decided" in columns:
        console.line("decided: tasks that the policy was done with before the money ran out.")
    if undecided:
        console.line("wrong and loss: tasks that stay undecided are not counted as errors (--rest undecided).")
    if not has_classifier and any(name.startswith("machine_only") for name in trials.policies):
        console.line("no classifier: machine_only guesses; give --machine or --items.")
    for name, note in trials.notes.items():
        console.line(f"{name}: {note}")


def cost_points(trials: Trials) -> list[CostPoint]:
    """Return the mean spend and error of every policy, with standard deviations, as points of a figure."""
    rows = zip(
        trials.policies,
        trials.mean("spend"),
        trials.mean("error"),
        trials.deviation("spend"),
        trials.deviation("error"),
        strict=True,
    )
    return [CostPoint(name, *map(float, figures)) for name, *figures in rows]


def _columns(trials: Trials, rows: dict[str, list[Any]]) -> dict[str, list[str]]:
    columns = {
        "policy": rows["policy"],
        "loss": _with_errors(rows["loss"], rows["loss_se"], 2),
        "above best": _with_errors(rows["above_best"], rows["above_best_se"], 2),
        "votes": [console.number(value, 2) for value in rows["votes"]],
        "wrong": [_percent(value) for value in rows["error"]],
        "stated": [_percent(value) for value in rows["stated_error"]],
        "spend": [console.number(value, 2) for value in rows["spend"]],
        "experts": [_percent(value) for value in rows["experts"]],
        "decided": [_percent(value) for value in rows["decided"]],
    }
    if trials.quarters is not None:
        columns |= {name.removeprefix("loss_"): [console.number(value, 2) for value in rows[name]] for name in QUARTERS}
    left_out = _left_out(trials, rows, columns)
    return {name: cells for name, cells in columns.items() if name not in left_out}


def _left_out(trials: Trials, rows: dict[str, list[Any]], columns: dict[str, list[str]]) -> set[str]:
    """Return columns that say nothing here, or that a narrow terminal has no room for; files have all."""
    if trials.quarters is not None:
        return {"above best", "votes", "stated", "experts", "decided"}
    left_out = set() if any(value > 0 for value in rows["experts"]) else {"experts"}
    if columns["spend"] == columns["votes"]:  # a vote costs 1, and nothing else has a price
        left_out.add("spend")
    if "experts" not in left_out and console.terminal_width() < MIN_WIDTH_FOR_BARS:
        left_out.add("stated")
    return left_out | ({"above best"} if any(value < 1 for value in rows["decided"]) else {"decided"})


def _with_errors(values: list[float], errors: list[float], digits: int) -> list[str]:
    return [
        console.number(value, digits) + (f" ±{console.number(error, digits)}" if error == error else "")
        for value, error in zip(values, errors, strict=True)
    ]


def _percent(share: float) -> str:
    return "·" if share != share else f"{share:.1%}"
