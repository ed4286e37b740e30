"""The function `compare`: every method on the same votes, measured on gold."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import perf_counter
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from quorate import registry
from quorate.api.aggregate import aggregate
from quorate.api.inputs import GoldLike, VotesLike, as_gold, as_votes
from quorate.data.frames import make_frame
from quorate.data.option_checks import require_name_list
from quorate.data.votes import Votes
from quorate.errors import MethodError, VotesError
from quorate.inference.bayes import PriorKnowledge
from quorate.metrics import accuracy, log_loss
from quorate.registry.method_names import AggregationMethod


def compare(
    votes: VotesLike,
    gold: GoldLike,
    methods: Sequence[AggregationMethod] | None = None,
    *,
    on_method: Callable[[str], None] | None = None,
) -> Any:
    """Run every method and measure it on tasks with gold labels: one row per method, best accuracy first.

    Gold labels are used to measure only. A method that cannot take these votes has no figures, and `note` says why.

    Args:
        votes: Votes, a frame, or the path of a file.
        gold: gold labels, class index per task, -1 = none; or a frame or file with columns task and label.
        methods: names of methods; all where none are given.
        on_method: called with the name of every method before it runs.

    >>> votes = Votes.from_matrix([[0, 0, 1], [1, 1, 1]])
    >>> compare(votes, np.array([0, 1]), ["majority", "naive_soft"])["accuracy"].to_list()
    [1.0, 1.0]
    """
    require_name_list("methods", methods)
    recorded = as_votes(votes)
    labels = PriorKnowledge.of(recorded, gold=as_gold(gold, recorded)).gold
    judge = np.where(recorded.votes_per_task > 0, labels, -1)
    if not np.any(judge >= 0):
        raise VotesError("no task has both votes and gold: there is nothing to measure")
    rows = []
    for name in methods or registry.names("aggregation"):
        if on_method is not None:
            on_method(name)
        rows.append(_measure(recorded, name, judge))
    rows.sort(key=lambda row: (row["accuracy"] is None, -(row["accuracy"] or 0), row["log_loss"] or 0))
    return make_frame({key: [row[key] for row in rows] for key in rows[0]}, recorded.frame_kind)


def _measure(votes: Votes, name: str, gold: NDArray[np.int64]) -> dict[str, Any]:
    begin = perf_counter()
    try:
        posterior = aggregate(votes, cast(AggregationMethod, name))
    except MethodError as error:
        return {"method": name, "accuracy": None, "log_loss": None, "seconds": None, "rounds": None, "note": str(error)}
    return {
        "method": name,
        "accuracy": accuracy(posterior.probs, gold),
        "log_loss": log_loss(posterior.probs, gold),
        "seconds": perf_counter() - begin,
        "rounds": len(posterior.objective),
        "note": "; ".join(filter(None, [posterior.note, "" if posterior.converged else "not converged"])),
    }
