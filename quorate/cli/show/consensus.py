"""A consensus as `quorate aggregate` shows it."""

import numpy as np

from quorate.cli import console
from quorate.cli.show.votes import count_votes, describe_counts
from quorate.data.posterior import Posterior
from quorate.data.votes import Votes

MAX_TASKS, MAX_CLASSES = 8, 16


def show_consensus(votes: Votes, posterior: Posterior, method: str) -> None:
    """Print how many tasks each class has, and the tasks whose label is the least certain."""
    sizes = f"{count_votes(votes)} on {console.count(votes.n_tasks, 'task')}"
    rounds = len(posterior.objective)
    state = "converged" if posterior.converged else "stopped, not converged,"
    note = f"; {posterior.note}" if posterior.note else ""
    console.line(f"{method}: {sizes}{note}" + (f"; {state} after {rounds} rounds" if rounds else ""))
    _show_classes(posterior)
    _show_least_certain(votes, posterior)


def _show_classes(posterior: Posterior) -> None:
    tasks = np.bincount(posterior.labels, minlength=len(posterior.classes))
    share = tasks / tasks.sum()
    order = np.argsort(-tasks, kind="stable")[:MAX_CLASSES]
    columns = {
        "class": [console.short(posterior.classes[index]) for index in order],
        "tasks": [f"{tasks[index]:,}" for index in order],
        "share": [f"{share[index]:6.1%} {console.bar(share[index], 24)}" for index in order],
    }
    console.table("Consensus", columns, right=["tasks"])
    if len(tasks) > len(order):
        console.line(f"... and {len(tasks) - len(order):,} more classes")


def _show_least_certain(votes: Votes, posterior: Posterior) -> None:
    order = np.argsort(posterior.confidence, kind="stable")[:MAX_TASKS]
    columns = {
        "task": [console.short(votes.tasks[index]) for index in order],
        "label": [console.short(posterior.classes[posterior.labels[index]]) for index in order],
        "probability": [f"{share:.2f} {console.bar(share)}" for share in posterior.confidence[order].tolist()],
        "votes": describe_counts(votes, order),
    }
    console.table("Least certain", columns, wrap=["votes"])
