"""A comparison of methods as `quorate compare` shows it."""

from typing import Any

from quorate.api.yardsticks import HELD_OUT
from quorate.cli import console
from quorate.data.votes import Votes

# Columns of the terminal from which on every score has its interval, or all but Brier's; below, only accuracy has one.
MIN_WIDTH_FOR_ALL, MIN_WIDTH_FOR_MOST = 98, 80
MAX_P_VALUE = 0.05
LEGEND = "±: half of the 95% interval. *: not distinguishable from the best of the column."
LIMIT = "This is how well a method predicts votes, not how often its labels are true:"
LIMIT_REASON = "workers who err together are predictable too. --gold measures the labels."


def show_by_gold(result: dict[str, list[Any]], n_tasks: int) -> None:
    """Print the scores of every method on tasks with gold, with as many intervals as the terminal has room for.

    Args:
        result: the columns of `compare`.
        n_tasks: the number of tasks with votes and gold.
    """
    wide, usual = (console.terminal_width() >= width for width in (MIN_WIDTH_FOR_ALL, MIN_WIDTH_FOR_MOST))
    columns = {
        "method": result["method"],
        "accuracy": _cells(result, "accuracy"),
        "ECE": _cells(result, "ece", interval=usual),
        "log-loss": _cells(result, "log_loss", interval=usual),
    }
    if usual:
        columns["Brier"] = _cells(result, "brier", interval=wide)
    if wide:
        columns["seconds"] = [console.number(value) for value in result["seconds"]]
    title = f"{console.count(len(result['method']), 'method')} on {console.count(n_tasks, 'task')} with gold"
    console.table(title, columns, right=list(columns)[1:])
    console.line(LEGEND)
    console.line("Gold is for measuring only.")
    _show_notes(result)


def show_by_votes(result: dict[str, list[Any]], votes: Votes) -> None:
    """Print how well every method predicts held-out votes, and what this does not tell.

    result: the columns of `compare`. votes: all votes.
    """
    columns = {
        "method": result["method"],
        "log-likelihood": _cells(result, "votes_log_likelihood"),
        "seconds": [console.number(value) for value in result["seconds"]],
        "rounds": [str(value or "·") for value in result["rounds"]],
    }
    held_out = console.count(round(HELD_OUT * len(votes)), "held-out vote")
    title = f"{console.count(len(result['method']), 'method')} on {held_out}"
    console.table(title, columns, right=list(columns)[1:])
    console.line(LEGEND)
    console.line(LIMIT)
    console.line(LIMIT_REASON)
    _show_notes(result)


def _cells(result: dict[str, list[Any]], name: str, *, interval: bool = True) -> list[str]:
    """Return a score of every method with half of its interval, and a star where it may be the best."""
    rows = zip(*(result[name + column] for column in ("", "_low", "_high", "_p_value")), strict=True)
    return [_cell(*row, interval=interval) for row in rows]


def _cell(value: float | None, low: float, high: float, p_value: float, *, interval: bool) -> str:
    if value is None:
        return "·"
    star = "*" if p_value >= MAX_P_VALUE else ""
    return star + console.number(value) + (f" ±{console.number((high - low) / 2)}" if interval else "")


def _show_notes(result: dict[str, list[Any]]) -> None:
    for method, note in zip(result["method"], result["note"], strict=True):
        if note:
            console.line(f"{method}: {note}")
