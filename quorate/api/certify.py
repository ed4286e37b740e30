"""The function `certify`: how large the error of accepted labels is at most, by an audit."""

import numpy as np
from numpy.typing import ArrayLike

from quorate.audit.certificate import Certificate
from quorate.audit.certificate import certify as certify_labels
from quorate.data.decisions import ACCEPT, NOBODY, Decisions, Source
from quorate.errors import VotesError
from quorate.typing import Gold


def certify(
    decisions: Decisions, audit: ArrayLike, *, target: float = 0.01, delta: float = 0.1, watched: bool = False
) -> Certificate:
    """The largest set of accepted labels, from the surest on, whose error is certified to be at most the target.

    audit: labels of experts on tasks drawn at random, class index per task, -1 = none. The decisions must not have
    known them: labels whose source is an expert are left out. delta: in at most this share of audits the certificate is
    false. watched: it may be asked for after every audit; else only once.

    >>> from quorate import decide, simulate_votes
    >>> crowd = simulate_votes(n_tasks=2000, votes_per_task=9, seed=0)
    >>> audit = np.where(np.random.default_rng(0).random(2000) < 0.2, crowd.gold, -1)
    >>> found = certify(decide(crowd.votes, cost_error=5), audit, target=0.05)
    >>> found.holds, found.bound
    (True, 0.05)
    """
    expert = np.asarray(audit)
    if expert.shape != decisions.label.shape:
        raise VotesError(f"the audit has shape {expert.shape}, but there are {len(decisions.label)} decisions")
    confidence = decisions.probs[np.arange(len(expert)), decisions.label]
    return certify_labels(by_itself(decisions), confidence, expert, target=target, delta=delta, watched=watched)


def by_itself(decisions: Decisions) -> Gold:
    """Return the labels that were accepted from the model, -1 = none: not those that an expert gave."""
    own = (decisions.action == ACCEPT) & (decisions.source == Source.MODEL)
    return np.where(own, decisions.label, NOBODY)
