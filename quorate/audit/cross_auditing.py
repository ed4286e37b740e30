"""Cross-auditing: the audit's labels also teach, and each is compared with a decision made without it."""

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
    """Decide with all labels of experts; return the decisions, and the error of the accepted labels of other tasks.

    In each fold, decisions are made without the labels of a part of the audit, and compared with these labels.

    Args:
        run: decides, given the labels of experts, (n_tasks,), -1 = none.
        audit: (n_tasks,), labels of tasks that were drawn at random, -1 = none.
        gold: (n_tasks,), labels of other tasks, chosen in any way; they teach, and count neither as right nor as wrong.
        folds: number of folds.
        level: coverage of the interval.
        seed: assigns the audited tasks to folds.

    >>> from quorate import decide, simulate_votes
    >>> crowd = simulate_votes(n_tasks=400, votes_per_task=5, seed=0)
    >>> audit = np.where(np.random.default_rng(0).random(400) < 0.25, crowd.gold, -1)
    >>> decisions, error = cross_audit(lambda gold: decide(crowd.votes, gold=gold, cost_error=5), audit)
    >>> error.known, bool(error.low < error.value < error.high)
    (True, True)
    """
    require_number("folds", folds, at_least=2, whole=True)
    chosen = np.full(len(audit), -1) if gold is None else gold
    decisions = run(np.where(chosen >= 0, chosen, audit))
    labels = np.where((decisions.action == ACCEPT) & (chosen < 0), decisions.label, NOBODY)
    asked = np.flatnonzero((audit >= 0) & (chosen < 0))
    part = np.random.default_rng(seed).permutation(len(asked)) % folds
    for number in range(min(folds, len(asked))):
        rows = asked[part == number]
        visible = np.where(chosen >= 0, chosen, audit)
        visible[rows] = -1
        blind = run(visible)
        labels[rows] = np.where(blind.action[rows] == ACCEPT, blind.label[rows], NOBODY)
    expert = np.where(chosen >= 0, -1, audit)
    n_wrong = int(((expert >= 0) & (labels != NOBODY) & (labels != expert)).sum())
    return decisions, _of_unaudited(state_error_of(labels, expert, level=level), n_wrong)


def _of_unaudited(stated: Stated, n_wrong: int) -> Stated:
    """Return the error of answers that were not audited; the audited ones have the expert's label now.

    The number of wrong answers in all lies in the interval, and the number among the audited is known.
    """
    rest = stated.n_pool - stated.n_audited
    if not stated.n_pool:
        return replace(stated, words="unknown: no label is accepted yet")
    if not stated.known or not rest:
        return replace(
            stated, words=f"unknown: none of {stated.n_pool:,} was audited" if rest else "0%: all were audited"
        )
    low, high = ((end * stated.n_pool - n_wrong) / rest for end in (stated.low, stated.high))
    words = (
        f"{in_percent(stated.value)}% ({100 * stated.level:g}% interval {in_percent(low)} to {in_percent(high)}%) "
        f"of {rest:,}, from an audit of {stated.n_audited:,} others"
    )
    return replace(stated, low=low, high=high, words=words)
