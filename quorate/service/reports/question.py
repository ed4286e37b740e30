"""What the learner finds out about a question for its owner to see: it would take long to find out when asked."""

from typing import Any

import numpy as np
from sqlalchemy import update

from quorate.data.costs import CROWD
from quorate.decision.majority_error import majority_error
from quorate.service.projects.settings import BASELINES
from quorate.service.refit.decide_pool import PoolView
from quorate.service.refit.fit import RoundResult
from quorate.service.refit.sampling import at_most
from quorate.service.reports.audit import Audit, audit_of
from quorate.service.reports.confusions import mistakes_of
from quorate.service.reports.reliability import reliability_of
from quorate.service.store.database import Store
from quorate.service.store.tables import questions

MOST_TASKS = 2_000  # that tell how hard tasks are
LEAST_VOTES = 50  # fewer say little of the voters


def report(store: Store, learnt: RoundResult) -> Audit:
    """Write the report of a question; its audit so far."""
    question_id = learnt.view.asked.id
    with store.read() as connection:
        audit = audit_of(connection, question_id)
        mistakes = mistakes_of(connection, learnt)
    found: dict[str, Any] = {
        **audit._asdict(),
        "fixed": fixed_errors(learnt.view),
        "reliability": reliability_of(learnt.view),
        "mistakes": mistakes,
    }
    with store.write() as connection:
        connection.execute(update(questions).where(questions.c.id == question_id).values(report=found))
    return audit


def fixed_errors(view: PoolView) -> dict[str, float]:
    """Which share of the labels would be wrong by the majority of so many votes on every task, if that can be told."""
    snapshot = view.snapshot
    if CROWD not in view.asked.policy.prices.kinds or len(snapshot.votes) < LEAST_VOTES:
        return {}
    pool = view.some(at_most(np.arange(len(snapshot.ids)), MOST_TASKS))
    belief = pool.model.belief(pool.votes, pool.machines)
    return {str(n): round(majority_error(belief, n), 6) for n in BASELINES}
