"""Votes weighted by skills that are corrected round by round."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from quorate.aggregation._agreement import leading_classes, normalise_rows
from quorate.data.option_checks import require_numbers
from quorate.data.posterior import Posterior
from quorate.data.votes import Votes
from quorate.inference.bayes import PriorKnowledge
from quorate.inference.kernels import sum_at
from quorate.inference.progress import report_round
from quorate.typing import Array

ROUNDS_A_STEP = 20  # after so many rounds the step halves, so that skills which run in a circle come to rest


@dataclass(frozen=True, kw_only=True)
class ZeroBasedSkill:
    """Skills that move, round by round, towards each worker's agreement with the vote that they weigh.

    Model: p(k) proportional to the sum of skill_j over the workers j who said k. All skills start equal; in each round
    skill_j += step * (agreement_j - skill_j), where agreement_j is the share of the worker's votes that lead their task
    (of a tie, a part). The step starts at 1 and halves every 20 rounds. A prior counts as one more vote, of skill 1.

    Use it when: you know it from Toloka. It is wawa, repeated until it agrees with itself; there is no objective that
    it improves, so it reports the largest change of a probability instead.

    Paper: none; Ustalov, Pavlichenko & Tseitlin, "Learning from crowds with Crowd-Kit", JOSS 2024, describe it.

    >>> from quorate import Votes
    >>> votes = Votes.from_matrix([[0, 0, 1], [1, 1, 0], [0, 0, 0], [1, -1, 0]])
    >>> ZeroBasedSkill().aggregate(votes).probs.round(3).tolist()
    [[0.889, 0.111], [0.111, 0.889], [1.0, 0.0], [0.2, 0.8]]
    """

    reports_change: ClassVar[bool] = True

    max_rounds: int = 100
    tol: float = 1e-6

    def __post_init__(self) -> None:
        require_numbers(self, "max_rounds", at_least=1)

    def aggregate(self, votes: Votes, prior: ArrayLike | None = None, gold: ArrayLike | None = None) -> Posterior:
        """See Aggregator."""
        knowledge = PriorKnowledge.of(votes, prior, gold)
        cell, voter, n_votes = votes.cell, votes.voter, votes.votes_per_voter
        one_more = 0.0 if knowledge.prior is None else knowledge.prior

        def weigh(skill: Array) -> Array:
            return sum_at(cell, skill[voter], (votes.n_tasks, votes.n_classes)) + one_more

        skill = np.ones(len(n_votes))
        weight, step, changes, converged = weigh(skill), 1.0, list[float](), False
        probs = knowledge.clamp(normalise_rows(weight))
        for number in range(1, self.max_rounds + 1):
            step /= 2 if number % ROUNDS_A_STEP == 0 else 1
            leads = knowledge.clamp(leading_classes(weight))
            towards = sum_at(voter, leads.ravel()[cell], n_votes.shape) / np.maximum(n_votes, 1) - skill
            skill += step * towards
            weight, before = weigh(skill), probs
            probs = knowledge.clamp(normalise_rows(weight))
            changes.append(float(np.abs(probs - before).max(initial=0)))
            report_round(number, self.max_rounds)
            converged = bool(np.abs(towards[n_votes > 0]).max(initial=0) <= self.tol)
            if converged:
                break
        class_prior = knowledge.class_prior(probs)
        return Posterior.of(
            votes,
            knowledge.fill_uninformed(probs, class_prior),
            class_prior=class_prior,
            objective=changes,
            converged=converged,
        )
