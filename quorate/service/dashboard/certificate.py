"""How large the error of accepted labels is at most, by the random audit so far; it may be looked at at any time."""

from collections.abc import Mapping, Sequence
from typing import Any

from quorate.audit.bounds.anytime import most_wrong_anytime
from quorate.service.decisions.task_state import BY_CROWD, MACHINE

DELTA = 0.1  # in at most this share of projects the bound is ever false


def certificate(
    statuses: Mapping[str, int], reports: Sequence[Mapping[str, Any] | None], share: float
) -> dict[str, Any] | None:
    """The certificate of some questions; none where nothing was audited and nothing is going to be.

    statuses: how many of their tasks stand how. reports: of the learner. share: of accepted labels that is audited.

    >>> certificate({"machine": 900, "crowd": 71}, [{"audited": 29, "wrong": 0}], 0.03)
    {'accepted': 1000, 'audited': 29, 'wrong': 0, 'bound': 0.1048..., 'delta': 0.1}
    """
    audited, wrong = (sum((one or {}).get(name, 0) for one in reports) for name in ("audited", "wrong"))
    if not audited and not share:
        return None
    return {
        "accepted": statuses.get(MACHINE, 0) + statuses.get(BY_CROWD, 0) + audited,
        "audited": audited,
        "wrong": wrong,
        "bound": most_wrong_anytime(wrong, audited, delta=DELTA) if audited else None,
        "delta": DELTA,
    }
