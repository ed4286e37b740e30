"""Upper bound on the error rate of accepted labels, from the random audit; valid at any time."""

from collections.abc import Mapping, Sequence
from typing import Any

from quorate.audit.bounds.anytime import most_wrong_anytime
from quorate.service.decisions.task_state import BY_CROWD, MACHINE

DELTA = 0.1  # probability that the bound is ever violated in a project


def certificate(
    statuses: Mapping[str, int], reports: Sequence[Mapping[str, Any] | None], share: float
) -> dict[str, Any] | None:
    """Return the certificate of some questions; None if no label was audited and none will be.

    Args:
        statuses: number of their tasks in each status.
        reports: their reports, as the learner stored them.
        share: share of accepted labels that is audited.

    >>> certificate({"machine": 900, "crowd": 71}, [{"audited": 29, "wrong": 0}], 0.03)
    {'accepted': 1000, 'audited': 29, 'wrong': 0, 'bound': 0.1048..., 'delta': 0.1}
    """
    audited, wrong = (sum((report or {}).get(name, 0) for report in reports) for name in ("audited", "wrong"))
    if not audited and not share:
        return None
    return {
        "accepted": statuses.get(MACHINE, 0) + statuses.get(BY_CROWD, 0) + audited,
        "audited": audited,
        "wrong": wrong,
        "bound": most_wrong_anytime(wrong, audited, delta=DELTA) if audited else None,
        "delta": DELTA,
    }
