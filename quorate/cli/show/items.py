"""Ambiguous items, as `quorate identify` shows them."""

from typing import Any

import numpy as np

from quorate.ambiguity.prune import Pruning
from quorate.api.identify import AmbiguousItems
from quorate.cli import console
from quorate.cli.show.votes import describe_counts
from quorate.io.votes import to_polars

MAX_ROWS = 20
MAX_WORKERS = 5


def show_items(items: AmbiguousItems, top: int) -> None:
    """Print the most ambiguous items: what they are called, their score, and the votes on them."""
    votes = items.votes
    worst = to_polars(items.ranking()).head(min(top, MAX_ROWS)).drop_nulls("rank")
    rows: dict[str, list[Any]] = worst.to_dict(as_series=False)
    columns = {
        "rank": [f"{rank:,}" for rank in rows["rank"]],
        "task": [console.short(task, 24) for task in rows["task"]],
        items.name: [console.number(value, 3) for value in rows[items.name]],
        "label": [console.short(label, 20) for label in rows["label"]],
        "confidence": [console.number(value, 2) for value in rows["confidence"]],
        "votes": describe_counts(votes, items.worst(len(worst)), common_first=True),
    }
    n_scored = int(np.count_nonzero(~np.isnan(items.values)))
    part = f"{n_scored:,} of " if n_scored < votes.n_tasks else ""
    n_items = console.count(votes.n_tasks, "item")
    title = f"{part}{n_items} by {items.name}: {items.ambiguous} is ambiguous, the worst first"
    console.table(title, columns, right=["rank", items.name, "confidence"], wrap=["votes"])


def show_pruning(pruning: Pruning) -> None:
    """Print how many items of each class, and how many votes of each worker, were left out."""
    rows = to_polars(pruning.by_class()).to_dict(as_series=False)
    columns = {
        "class": [console.short(name, 24) for name in rows["class"]],
        "items": [f"{count:,}" for count in rows["tasks"]],
        "left out": [f"{count:,}" for count in rows["cut"]],
        "share": [f"{share:6.1%} {console.bar(share, 20)}" for share in rows["share"]],
    }
    n_pruned = int((~pruning.kept).sum())
    title = f"{console.count(n_pruned, 'item')} left out, by class of the consensus"
    console.table(title, columns, right=["items", "left out"])
    workers = to_polars(pruning.by_worker()).sort("cut", descending=True).head(MAX_WORKERS)
    lost = [f"{console.short(row[0], 20)} {row[2]:,} of {row[1]:,}" for row in workers.rows() if row[2]]
    if lost:
        more = ", ..." if len(pruning.before.workers) > MAX_WORKERS else ""
        console.line(f"votes left out, by worker: {', '.join(lost)}{more}")
    if pruning.note:
        console.line(pruning.note)
