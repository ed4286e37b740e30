"""The error of decisions by an audit whose labels also teach: each is held against a decision that did not know it."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from quorate.audit.error_rate import Stated, in_percent, state_error_of
from quorate.data.decisions import ACCEPT, NOBODY, Decisions
from quorate.data.option_checks import require_number
from quorate.typing import Gold


def cross_audit(
    run: Callable[[Gold], Decisions],
    audit: Gold,
    gold: Gold | None = None,
    *,
    folds: int = 5,
    level: float = 0.9,
    seed: int = 0,
) -> tuple[Decisions, Stated]:
    """Decisions that know all labels of experts, and the error of labels that they accept of other tasks.

    run: decides, given the labels of experts, (n_tasks,), -1 = none. audit: labels of tasks that were drawn at random.
    gold: labels of others, chosen in any way; they teach, and count neither as right nor as wrong. In each of the
    folds it is decided without the labels of a part of the audit, which are then held against what was accepted.

    >>> from quorate import decide, simulate_votes
    >>> crowd = simulate_votes(n_tasks=400, votes_per_task=5, seed=0)
    >>> audit = np.where(np.random.default_rng(0).random(400) < 0.25, crowd.gold, -1)
    >>> decisions, error = cross_audit(lambda gold: decide(crowd.votes, gold=gold, cost_error=5), audit)
    >>> error.known, bool(error.low < error.value < error.high)
    (True, True)
    """
    require_number("folds", folds, at_least=2, whole=True)
    given = np.full(len(audit), -1) if gold is None else gold
    decisions = run(np.where(given >= 0, given, audit))
    labels = np.where((decisions.action == ACCEPT) & (given < 0), decisions.label, NOBODY)
    asked = np.flatnonzero((audit >= 0) & (given < 0))
    part = np.random.default_rng(seed).permutation(len(asked)) % folds
    for number in range(min(folds, len(asked))):
        rows = asked[part == number]
        known = np.where(given >= 0, given, audit)
        known[rows] = -1
        blind = run(known)
        labels[rows] = np.where(blind.action[rows] == ACCEPT, blind.label[rows], NOBODY)
    expert = np.where(given >= 0, -1, audit)
    n_wrong = int(((expert >= 0) & (labels != NOBODY) & (labels != expert)).sum())
    return decisions, _of_the_rest(state_error_of(labels, expert, level=level), n_wrong)


def _of_the_rest(stated: Stated, n_wrong: int) -> Stated:
    """The error of answers that were not audited: those that were have the label of the expert now.

    How many are wrong of all lies in the interval; how many of the audited are is known.
    """
    rest = stated.n_pool - stated.n_audited
    if not stated.n_pool:
        return replace(stated, words="unknown: no label is accepted yet")
    if not stated.known or not rest:
        return replace(
            stated, words=f"unknown: none of {stated.n_pool:,} was audited" if rest else "nothing: all known"
        )
    low, high = ((end * stated.n_pool - n_wrong) / rest for end in (stated.low, stated.high))
    words = (
        f"{in_percent(stated.value)} % ({100 * stated.level:g} % interval {in_percent(low)} to {in_percent(high)} %) "
        f"of {rest:,}, from an audit of {stated.n_audited:,} others"
    )
    return replace(stated, low=low, high=high, words=words)
