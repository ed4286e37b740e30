"""The function `compare`: methods on the same votes, measured by gold labels or by held-out votes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import perf_counter
from typing import Any, cast, get_args

import numpy as np

from quorate import registry
from quorate.api.aggregate import Probabilities, aggregate
from quorate.api.inputs import GoldLike, VotesLike, as_gold, as_votes
from quorate.api.yardsticks import Yardstick, by_gold, by_votes
from quorate.data.frames import make_frame
from quorate.data.option_checks import require_choice, require_name_list
from quorate.data.posterior import Posterior
from quorate.data.votes import Votes
from quorate.errors import MethodError
from quorate.inference.bayes import PriorKnowledge
from quorate.metrics.bootstrap_interval import interval_of
from quorate.metrics.paired_bootstrap import best_p_values, group_tasks, resample_sums
from quorate.quality.intervals import wilson_ends
from quorate.registry.method_names import AggregationMethod
from quorate.typing import Array

COLUMNS = ("", "_low", "_high", "_p_value")  # of a score


def compare(
    votes: VotesLike,
    gold: GoldLike | None = None,
    methods: Sequence[AggregationMethod] | None = None,
    *,
    probabilities: Probabilities = "calibrated",
    on_method: Callable[[str], None] | None = None,
) -> Any:
    """Run every method on the same votes and measure it: return one row per method, the best first.

    With gold labels the scores are `accuracy`, `ece`, `log_loss` and `brier`; gold is used to measure only. Without,
    the score is `votes_log_likelihood`: methods aggregate four fifths of the votes, and the mean log-likelihood of the
    others is measured. It tells how well a method predicts votes, not how often its labels are true: workers who err
    together are predictable too.

    Every score has the ends of its 95% interval, SCORE_low and SCORE_high (over tasks: Wilson's interval of accuracy,
    bootstrap of the others), and SCORE_p_value, of the hypothesis that no other method is better, by a bootstrap on the
    same tasks for all methods: at 0.05 or more, the method is not distinguishable from the best. A method that cannot
    take these votes has no figures, and `note` says why.

    Args:
        votes: Votes, a frame, or the path of a file.
        gold: gold labels, class index per task, -1 = none; or a frame or file with columns task and label.
        methods: names of methods; all where none are given.
        probabilities: "calibrated" or "model", as in `aggregate`.
        on_method: called with the name of every method before it runs.

    >>> votes = Votes.from_matrix([[0, 0, 1], [1, 1, 1]])
    >>> table = compare(votes, np.array([0, 1]), ["majority", "naive_soft"])
    >>> table["accuracy"].to_list(), table["accuracy_low"].round(2).to_list()
    ([1.0, 1.0], [0.34, 0.34])
    """
    require_name_list("methods", methods)
    require_choice("probabilities", probabilities, get_args(Probabilities))
    recorded = as_votes(votes)
    if gold is None:
        yardstick = by_votes(recorded)
    else:
        yardstick = by_gold(recorded, PriorKnowledge.of(recorded, gold=as_gold(gold, recorded)).gold)
    rows: list[dict[str, Any]] = []
    parts: list[Array] = []
    for name in methods or registry.names("aggregation"):
        if on_method is not None:
            on_method(name)
        row, posterior = _run(yardstick.votes, name, probabilities)
        rows.append(row)
        if posterior is not None:
            row["index"] = len(parts)
            parts.append(group_tasks(yardstick.parts(posterior)))
    scores = _score(parts, yardstick)
    for row in rows:
        row |= {name: column[row["index"]] if "index" in row else None for name, column in scores.items()}
    rows.sort(
        key=lambda row: tuple((row[name] is None, -_sign(name) * (row[name] or 0)) for name in yardstick.ranked_by)
    )
    columns = ("method", *scores, "seconds", "rounds", "note")
    return make_frame({name: [row[name] for row in rows] for name in columns}, recorded.frame_kind)


def _run(votes: Votes, name: str, probabilities: Probabilities) -> tuple[dict[str, Any], Posterior | None]:
    """Return the row of a method without its scores, and its posterior; None if it cannot take these votes."""
    begin = perf_counter()
    try:
        posterior = aggregate(votes, cast(AggregationMethod, name), probabilities=probabilities)
    except MethodError as error:
        return {"method": name, "seconds": None, "rounds": None, "note": str(error)}, None
    note = "; ".join(filter(None, [posterior.note, "" if posterior.converged else "not converged"]))
    seconds, rounds = perf_counter() - begin, len(posterior.objective)
    return {"method": name, "seconds": seconds, "rounds": rounds, "note": note}, posterior


def _score(parts: list[Array], yardstick: Yardstick) -> dict[str, list[float]]:
    """Return every score with interval and p-value by column name, one entry per method that has parts."""
    if not parts:
        return {name + column: [] for name in yardstick.names for column in COLUMNS}
    stacked = np.stack(parts, axis=1)  # (n_tasks, n_methods, n_sums)
    resampled = resample_sums(stacked.reshape(len(stacked), -1)).reshape(-1, *stacked.shape[1:])
    values, repeats = yardstick.scores(stacked.sum(axis=0)), yardstick.scores(resampled)
    columns: dict[str, list[float]] = {}
    for name in yardstick.names:
        ends = _interval(name, values[name], repeats[name], yardstick.n_tasks)
        bias = repeats[name].mean(axis=0) - values[name] if name == "ece" else 0.0
        p_values = best_p_values(_sign(name) * values[name], _sign(name) * (repeats[name] - bias), yardstick.n_tasks)
        for column, numbers in zip(COLUMNS, (values[name], *ends, p_values), strict=True):
            columns[name + column] = numbers.tolist()
    return columns


def _interval(name: str, values: Array, repeats: Array, n_tasks: int) -> tuple[Array, Array]:
    """Return the ends of the interval of a score of each method, (n_methods,) each."""
    if name == "accuracy":  # where all of few tasks are right, the repeats do not vary
        return wilson_ends(values, n_tasks)
    intervals = [interval_of(value, repeats[:, index]) for index, value in enumerate(values.tolist())]
    return np.array([interval.low for interval in intervals]), np.array([interval.high for interval in intervals])


def _sign(name: str) -> int:
    """Return 1 for a score whose high values are good, -1 for others."""
    return 1 if name in ("accuracy", "votes_log_likelihood") else -1
