"""Runs of votes on a yes-no question, until the evidence leans far enough to one side."""

from dataclasses import dataclass
from typing import Self

import numpy as np

from quorate.typing import Array

LEADS = (1, 2, 3, 5, 8)  # how many steps the evidence may have to lean to one side
LONGEST = 40  # votes, after which a run ends on the side that leads
SUREST = 1e-6  # nobody is taken to be wrong less often than this


@dataclass(frozen=True, eq=False)
class Runs:
    """How some ways to ask turn out, (n_questions, n_runs) each; the first is to ask nobody and take yes for granted.

    passed_wrongly: how often a run ends with yes where the truth is no. failed_wrongly: the other way round.
    votes_if_yes, votes_if_no: how many votes it takes on the average, by the truth.
    """

    passed_wrongly: Array
    failed_wrongly: Array
    votes_if_yes: Array
    votes_if_no: Array

    @classmethod
    def of(cls, answers: Array) -> Self:
        """Runs of voters who answer so: answers (n_questions, true, said), where 1 is yes.

        The log odds of yes start at zero, each vote moves them up or down, and a run ends when they have moved as far
        as some votes of one kind would move them: Wald's sequential test, one for every pair of LEADS.

        >>> runs = Runs.of(np.array([[[0.8, 0.2], [0.2, 0.8]]]))
        >>> [round(float(part[0, 1]), 2) for part in (runs.passed_wrongly, runs.votes_if_no)]  # a single vote
        [0.2, 1.0]
        """
        per_question = [_of_one(one) for one in answers]
        return cls(*(np.stack(parts) for parts in zip(*per_question, strict=True)))


def _of_one(answers: Array) -> tuple[Array, Array, Array, Array]:
    """Runs on one question: follow, vote by vote, how likely each number of yes answers is in runs that go on."""
    answers = np.clip(answers, SUREST, 1 - SUREST)
    by_no, by_yes = np.log(answers[1] / answers[0])  # how far an answer moves the log odds
    lead_down, lead_up = (grid.ravel() for grid in np.meshgrid(LEADS, LEADS, indexing="ij"))
    floor, ceiling = min(by_no, by_yes) * lead_down, max(by_no, by_yes) * lead_up  # (n_runs,)
    n_runs = len(floor)
    going = np.zeros((2, n_runs, LONGEST + 2))  # (truth, run, number of yes answers)
    going[:, :, 0] = 1.0
    passed, votes = np.zeros((2, n_runs)), np.zeros((2, n_runs))
    for asked in range(1, LONGEST + 1):
        votes += going.sum(axis=2)
        said_yes = answers[:, 1, None, None] * going
        going *= answers[:, 0, None, None]
        going[:, :, 1:] += said_yes[:, :, :-1]
        n_yes = np.arange(LONGEST + 2)
        leaning = n_yes * by_yes + (asked - n_yes) * by_no
        up = leaning >= ceiling[:, None] - 1e-9  # rounding must not make a run longer
        over = up | (leaning <= floor[:, None] + 1e-9) if asked < LONGEST else np.ones_like(up)
        passes = up | (over & (leaning > 0))
        passed += np.where(passes, going, 0).sum(axis=2)
        going = np.where(over, 0, going)
    take_it = np.array([1.0]), np.array([0.0]), np.array([0.0]), np.array([0.0])
    found = passed[0], 1 - passed[1], votes[1], votes[0]
    first, second, third, fourth = (np.concatenate(pair) for pair in zip(take_it, found, strict=True))
    return first, second, third, fourth
