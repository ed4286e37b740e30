"""Wald's sequential test: runs of votes on a yes-no question, until the evidence is strong enough for one side."""

from dataclasses import dataclass
from typing import Self

import numpy as np

from quorate.typing import Array

LEADS = (1, 2, 3, 5, 8)  # bounds of the evidence at which a run ends, in votes
MAX_VOTES = 40  # after which a run ends on the side that leads
MIN_ERROR = 1e-6  # error rate that every voter has at least


@dataclass(frozen=True, eq=False)
class Runs:
    """Error rates and lengths of runs, (n_questions, n_runs) each. The first run takes yes for granted, without votes.

    Attributes:
        passed_wrongly: how often a run ends with yes where the truth is no.
        failed_wrongly: how often a run ends with no where the truth is yes.
        votes_if_yes: mean number of votes where the truth is yes.
        votes_if_no: mean number of votes where the truth is no.
    """

    passed_wrongly: Array
    failed_wrongly: Array
    votes_if_yes: Array
    votes_if_no: Array

    @classmethod
    def of(cls, answers: Array) -> Self:
        """Return the runs of voters with these confusion matrices: (n_questions, true, answer), where 1 is yes.

        The log odds of yes start at zero, each vote moves them up or down, and a run ends when they have moved as far
        as a number of equal votes would move them: Wald's sequential test, one for every pair of LEADS.

        >>> runs = Runs.of(np.array([[[0.8, 0.2], [0.2, 0.8]]]))
        >>> [round(float(part[0, 1]), 2) for part in (runs.passed_wrongly, runs.votes_if_no)]  # a single vote
        [0.2, 1.0]
        """
        per_question = [_runs_of_question(matrix) for matrix in answers]
        return cls(*(np.stack(parts) for parts in zip(*per_question, strict=True)))


def _runs_of_question(answers: Array) -> tuple[Array, Array, Array, Array]:
    """Compute the runs on one question by following, vote by vote, how many yes answers the runs under way have."""
    answers = np.clip(answers, MIN_ERROR, 1 - MIN_ERROR)
    by_no, by_yes = np.log(answers[1] / answers[0])  # how far an answer moves the log odds
    lead_down, lead_up = (grid.ravel() for grid in np.meshgrid(LEADS, LEADS, indexing="ij"))
    floor, ceiling = min(by_no, by_yes) * lead_down, max(by_no, by_yes) * lead_up  # (n_runs,)
    n_runs = len(floor)
    going = np.zeros((2, n_runs, MAX_VOTES + 2))  # (truth, run, number of yes answers)
    going[:, :, 0] = 1.0
    passed, votes = np.zeros((2, n_runs)), np.zeros((2, n_runs))
    for asked in range(1, MAX_VOTES + 1):
        votes += going.sum(axis=2)
        said_yes = answers[:, 1, None, None] * going
        going *= answers[:, 0, None, None]
        going[:, :, 1:] += said_yes[:, :, :-1]
        n_yes = np.arange(MAX_VOTES + 2)
        leaning = n_yes * by_yes + (asked - n_yes) * by_no
        up = leaning >= ceiling[:, None] - 1e-9  # rounding must not make a run longer
        over = up | (leaning <= floor[:, None] + 1e-9) if asked < MAX_VOTES else np.ones_like(up)
        passes = up | (over & (leaning > 0))
        passed += np.where(passes, going, 0).sum(axis=2)
        going = np.where(over, 0, going)
    without_votes = np.array([1.0]), np.array([0.0]), np.array([0.0]), np.array([0.0])
    with_votes = passed[0], 1 - passed[1], votes[1], votes[0]
    first, second, third, fourth = (np.concatenate(pair) for pair in zip(without_votes, with_votes, strict=True))
    return first, second, third, fourth
