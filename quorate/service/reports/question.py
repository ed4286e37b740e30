"""Report of a question, stored by the learner because it takes too long to compute on request."""

from typing import Any

import numpy as np
from sqlalchemy import update

from quorate.data.costs import CROWD
from quorate.decision.stated_error import expected_majority_error
from quorate.service.projects.settings import BASELINES
from quorate.service.refit.decide_pool import PoolView
from quorate.service.refit.fit import RoundResult
from quorate.service.refit.train import sample_rows
from quorate.service.reports.audit import Audit, read_audit
from quorate.service.reports.confusions import find_confusions
from quorate.service.reports.reliability import compute_reliability
from quorate.service.store.database import Store
from quorate.service.store.tables import questions

MAX_TASKS = 2_000  # sample from which the difficulty of the tasks is estimated
MIN_VOTES = 50  # fewer say little about the voters


def write_report(store: Store, result: RoundResult) -> Audit:
    """Compute and store the report of a question; return its audit so far."""
    question_id = result.view.asked.id
    with store.read() as connection:
        audit = read_audit(connection, question_id)
        confusions = find_confusions(connection, result)
    report: dict[str, Any] = {
        **audit._asdict(),
        "fixed": baseline_errors(result.view),
        "reliability": compute_reliability(result.view),
        "mistakes": confusions,
    }
    with store.write() as connection:
        connection.execute(update(questions).where(questions.c.id == question_id).values(report=report))
    return audit


def baseline_errors(view: PoolView) -> dict[str, float]:
    """Return the expected error rate of the majority of n votes on every task; empty if there are too few votes.

    It is a model estimate, discounted as that of accepted labels is.
    """
    snapshot = view.snapshot
    if CROWD not in view.asked.policy.prices.kinds or len(snapshot.votes) < MIN_VOTES:
        return {}
    pool = view.subset(sample_rows(np.arange(len(snapshot.ids)), MAX_TASKS))
    belief = pool.model.belief(pool.votes, pool.machines)
    return {str(n): round(expected_majority_error(belief, n), 6) for n in BASELINES}
