"""The function `compare`: every method on the same votes, measured on gold."""

from collections.abc import Callable, Sequence
from time import perf_counter
from typing import Any, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from quorate import registry
from quorate.api.aggregate import aggregate
from quorate.data.checks import require_votes
from quorate.data.frames import make_frame
from quorate.data.votes import Votes
from quorate.errors import MethodError, VotesError
from quorate.inference.bayes import PriorKnowledge
from quorate.metrics import accuracy, log_loss
from quorate.registry.method_names import AggregationMethod


def compare(
    votes: Votes,
    gold: ArrayLike,
    methods: Sequence[AggregationMethod] | None = None,
    *,
    on_method: Callable[[str], None] | None = None,
) -> Any:
    """Run every method, or those named, and measure each on the gold tasks: one row per method, best accuracy first.

    Gold is used to measure only. A method that cannot take these votes has no figures, and `note` says why.

    >>> votes = Votes.from_matrix([[0, 0, 1], [1, 1, 1]])
    >>> compare(votes, np.array([0, 1]), ["majority", "naive_soft"])["accuracy"].to_list()
    [1.0, 1.0]
    """
    require_votes(votes)
    judge = np.where(votes.votes_per_task > 0, PriorKnowledge.of(votes, gold=gold).gold, -1)
    if not np.any(judge >= 0):
        raise VotesError("no task has both votes and gold: there is nothing to measure")
    rows = []
    for name in methods or registry.names("aggregation"):
        if on_method is not None:
            on_method(name)
        rows.append(_measured(votes, name, judge))
    rows.sort(key=lambda row: (row["accuracy"] is None, -(row["accuracy"] or 0), row["log_loss"] or 0))
    return make_frame({key: [row[key] for row in rows] for key in rows[0]}, votes.frame_kind)


def _measured(votes: Votes, name: str, gold: NDArray[np.int64]) -> dict[str, Any]:
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
