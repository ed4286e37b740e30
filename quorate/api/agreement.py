"""The function `agreement`: how far the workers agree, with intervals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from quorate import registry
from quorate.api.aggregate import of_these
from quorate.api.inputs import VotesLike, as_votes
from quorate.data.posterior import Posterior
from quorate.protocols import Agreement
from quorate.quality.task_sums import TaskSums, jackknife

FOR_A_SCALE = "weighted_kappa"  # the measure that needs an order of the classes


def agreement(
    votes: VotesLike,
    posterior: Posterior | None = None,
    *,
    order: Sequence[Any] | None = None,
    weights: Literal["quadratic", "linear"] = "quadratic",
) -> dict[str, float]:
    """Measure how far the workers agree: return every measure of `quality/agreement` by name.

    The ends of its 95% interval are NAME_low and NAME_high: the jackknife over tasks, NaN where the votes do not show
    the spread, as where all agree. `consistency`, which is an estimate of the method, has none.

    Args:
        votes: Votes, a frame, or the path of a file.
        posterior: a consensus of these votes, for `consistency`; by dawid_skene without one.
        order: all classes, from one end of the scale to the other, if they are ordered: `weighted_kappa` is added.
        weights: of `weighted_kappa`: "quadratic" or "linear".

    >>> from quorate import Votes
    >>> scores = agreement(Votes.from_matrix([[0, 0], [0, 1], [1, 1], [1, 1]]))
    >>> [round(scores["pairwise_agreement" + end], 2) for end in ("", "_low", "_high")]
    [0.75, 0.0, 1.0]
    """
    votes = as_votes(votes)
    posterior = of_these(votes, posterior)
    scores: dict[str, float] = {}
    for name in registry.names("quality.agreement"):
        if name == FOR_A_SCALE and order is None:
            continue
        options = {"weights": weights, "order": tuple(order or ())} if name == FOR_A_SCALE else {}
        measure: Agreement = registry.method("quality.agreement", name, **options)
        scores[name] = measure.score(votes, posterior)
        if isinstance(measure, TaskSums):
            scores[f"{name}_low"], scores[f"{name}_high"] = jackknife(measure, votes)
    return scores
