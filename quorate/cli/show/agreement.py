"""Measures of agreement as `quorate agreement` shows them."""

from quorate.cli import console
from quorate.data.votes import Votes


def show_agreement(scores: dict[str, float], votes: Votes) -> None:
    """Print every measure with its interval and a bar: full up to the low end, shaded up to the high end.

    scores: as `quorate.agreement` returns them. votes: the votes that were measured.
    """
    names = [name for name in scores if not name.endswith(("_low", "_high"))]
    ends = [(scores.get(f"{name}_low", float("nan")), scores.get(f"{name}_high", float("nan"))) for name in names]
    columns = {
        "score": [name.replace("_", " ") for name in names],
        "value": [console.number(scores[name]) for name in names],
        "95% interval": [_interval(low, high) for low, high in ends],
        "": [_bar(scores[name], low, high) for name, (low, high) in zip(names, ends, strict=True)],
    }
    title = f"Agreement over {console.count(len(votes), 'vote')} on {console.count(votes.n_tasks, 'task')}"
    console.table(title, columns, right=["value", "95% interval"])


def _interval(low: float, high: float) -> str:
    return "·" if low != low else f"{console.number(low)} to {console.number(high)}"


def _bar(value: float, low: float, high: float) -> str:
    return console.bar(value, 24) if low != low else console.open_bar(max(low, 0.0), max(high, 0.0), 24)
